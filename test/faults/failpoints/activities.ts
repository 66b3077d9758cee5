/** The activities, with a failpoint before and after each. */
import * as real from '../../../activities/index.ts';
import { failpoint } from './failpoint.ts';
import { afterActivity, beforeActivity } from './points.ts';

export function createActivities(deps: real.ActivityDeps): real.Activities {
  const wrapped = Object.entries(real.createActivities(deps)).map(([name, activity]) => [
    name,
    async (...args: readonly unknown[]) => {
      await failpoint(beforeActivity(name));
      const result = await (activity as (...args: readonly unknown[]) => unknown)(...args);
      await failpoint(afterActivity(name));
      return result;
    },
  ]);
  return Object.fromEntries(wrapped) as real.Activities;
}
