/** The floor: the least that a session can be in Temporal, a delayed start, one update with a local activity, an end. */
import { condition, defineUpdate, proxyLocalActivities, setHandler } from '@temporalio/workflow';

export const BARE_QUEUE = 'bench-bare';

const activities = proxyLocalActivities<{ doNothing(): Promise<string> }>({ startToCloseTimeout: '15 s' });

export const payUpdate = defineUpdate<string>('pay');

export async function bareFlow(): Promise<void> {
  let paid = false;
  setHandler(payUpdate, async () => {
    const answer = await activities.doNothing();
    paid = true;
    return answer;
  });
  await condition(() => paid);
}
