/**
 * Stripe's idempotency keys: replays the first response, and rejects a concurrent request or another body.
 */
import { DoubleRefusal } from './error.ts';
import type { DoubleAccount } from './state.ts';

export interface Answered {
  readonly status: number;
  readonly body: object;
  readonly replayed: boolean;
}

export async function idempotently(
  account: DoubleAccount,
  key: string | undefined,
  request: string,
  work: () => Promise<{ readonly status: number; readonly body: object }>,
): Promise<Answered> {
  if (!key) return { ...(await work()), replayed: false };
  const kept = account.answers.get(key);
  if (kept && kept.request !== request) throw new DoubleRefusal(400, { type: 'idempotency_error' });
  if (kept?.answer) return { ...kept.answer, replayed: true };
  if (kept) {
    throw new DoubleRefusal(409, { type: 'invalid_request_error', code: 'idempotency_key_in_use' });
  }
  const entry: { request: string; answer?: { status: number; body: object } } = { request };
  account.answers.set(key, entry);
  try {
    entry.answer = await work();
  } catch (error) {
    // Rejected before any effect: Stripe stores nothing.
    account.answers.delete(key);
    throw error;
  }
  return { ...entry.answer, replayed: false };
}
