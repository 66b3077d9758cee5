/** The step of a click, with a failpoint before and after each of its parts. */
import * as real from '../../../activities/session/pay-within-task.ts';
import { failpoint } from './failpoint.ts';
import { afterActivity, beforeActivity } from './points.ts';

export function createPayActivity(
  deps: Parameters<typeof real.createPayActivity>[0],
  steps: real.PaySteps,
): ReturnType<typeof real.createPayActivity> {
  const wrapped = Object.entries(steps).map(([name, step]: [string, (of: never) => Promise<unknown>]) => [
    name,
    async (of: never) => {
      await failpoint(beforeActivity(name));
      const result = await step(of);
      await failpoint(afterActivity(name));
      return result;
    },
  ]);
  return real.createPayActivity(deps, Object.fromEntries(wrapped) as real.PaySteps);
}
