/**
 * Time budget of a sweep's chore (rule 41): one that waits for Temporal or has a long list must not starve
 * the chores behind it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Client } from '@temporalio/client';

const endsAt = new AsyncLocalStorage<number>();

class ChoreTookTooLong extends Error {
  override readonly name = 'ChoreTookTooLong';
}

/** @throws ChoreTookTooLong; a chore that is still running starts nothing new */
export async function withinBudget(
  client: Client,
  seconds: number,
  chore: () => Promise<unknown>,
): Promise<void> {
  const ms = seconds * 1_000;
  const { promise: timeIsUp, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new ChoreTookTooLong(`longer than ${seconds} s`)), ms);
  try {
    const work = endsAt.run(performance.now() + ms, () => client.withDeadline(Date.now() + ms, chore));
    await Promise.race([work, timeIsUp]);
  } finally {
    clearTimeout(timer);
  }
}

/** False outside of a chore. */
export function isChoreOver(): boolean {
  const end = endsAt.getStore();
  return end !== undefined && performance.now() >= end;
}
