/**
 * The minimum that a session can cost in Temporal: a delayed start, one update with a local activity, an end.
 */
import { condition, defineUpdate, proxyLocalActivities, setHandler } from '@temporalio/workflow';

export const BARE_QUEUE = 'bench-bare';

const activities = proxyLocalActivities<{ doNothing(): Promise<string>; countExpiry(): Promise<void> }>({
  startToCloseTimeout: '15 s',
});

export const payUpdate = defineUpdate<string>('pay');

/** The minimum that an expiry can cost: a delayed start, a local activity, an end. */
export async function bareExpiry(): Promise<void> {
  await activities.countExpiry();
}

export async function bareFlow(): Promise<void> {
  let paid = false;
  setHandler(payUpdate, async () => {
    const answer = await activities.doNothing();
    paid = true;
    return answer;
  });
  await condition(() => paid);
}
