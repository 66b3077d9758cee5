/** The step of a due charge, with failpoints within. */
import * as real from '../../../activities/subscription/bill-within-task.ts';
import { withFailpoints } from './steps.ts';

export function createBillingActivity(
  deps: Parameters<typeof real.createBillingActivity>[0],
  { storeDetails, loadSubscription, ...steps }: real.BillingSteps,
): ReturnType<typeof real.createBillingActivity> {
  return real.createBillingActivity(deps, { ...withFailpoints(steps), storeDetails, loadSubscription });
}
