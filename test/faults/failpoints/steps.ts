/** The parts of a step within the workflow task, with a failpoint before and after each. */
import { failpoint } from './failpoint.ts';
import { afterActivity, beforeActivity } from './points.ts';

export function withFailpoints<Steps extends object>(steps: Steps): Steps {
  const wrapped = Object.entries(steps).map(([name, step]: [string, (of: never) => Promise<unknown>]) => [
    name,
    async (of: never) => {
      await failpoint(beforeActivity(name));
      const result = await step(of);
      await failpoint(afterActivity(name));
      return result;
    },
  ]);
  return Object.fromEntries(wrapped) as Steps;
}
