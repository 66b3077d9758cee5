/** The step of a click, with failpoints within. */
import * as real from '../../../activities/session/pay-within-task.ts';
import { withFailpoints } from './steps.ts';

export function createPayActivity(
  deps: Parameters<typeof real.createPayActivity>[0],
  steps: real.PaySteps,
): ReturnType<typeof real.createPayActivity> {
  return real.createPayActivity(deps, withFailpoints(steps));
}
