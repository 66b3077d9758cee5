/**
 * The time budget of a sweep's chore (rule 41): a chore that waits for Temporal or has a long list must not starve the
 * chores after it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Client } from '@temporalio/client';

const endsAt = new AsyncLocalStorage<number>();

class ChoreTookTooLong extends Error {
  override readonly name = 'ChoreTookTooLong';
}

/**
 * A chore starts nothing new after its budget is used up.
 * @throws ChoreTookTooLong even if the chore returned between that instant and the timer, because skipped work is
 * logged nowhere else
 */
export async function withinBudget(
  client: Client,
  seconds: number,
  chore: () => Promise<unknown>,
): Promise<void> {
  const ms = seconds * 1_000;
  const { promise: timeIsUp, reject } = Promise.withResolvers<never>();
  const tooLong = () => new ChoreTookTooLong(`longer than ${seconds} s`);
  const timer = setTimeout(() => reject(tooLong()), ms);
  try {
    const end = performance.now() + ms;
    const work = endsAt.run(end, () => client.withDeadline(Date.now() + ms, chore));
    await Promise.race([work, timeIsUp]);
    if (performance.now() >= end) throw tooLong();
  } finally {
    clearTimeout(timer);
  }
}

/** True if the running chore's time is up; false outside a chore. */
export function isChoreOver(): boolean {
  const end = endsAt.getStore();
  return end !== undefined && performance.now() >= end;
}
