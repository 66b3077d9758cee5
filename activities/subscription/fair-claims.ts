/**
 * Serves merchants with due charges in rotation. A merchant's renewals wait for one another, because each needs the
 * next invoice number: a burst would occupy every connection of the pool, and clicks would wait too. While a merchant's
 * lock is held, claims of that merchant are postponed and free their slots for others (rule 42).
 */
import { Context } from '@temporalio/activity';
import { isLockTimeout } from '../../db/core/lock-timeout.ts';

/** Concurrent claims per process and environment. */
const CLAIMS_AT_ONCE = 4;
/** After a lock time-out, one claim of the merchant is tried again per interval. */
const PUT_OFF_MS = 2_000;
/** Each postponed claim is due this much after the previous one: about the interval at which renewals settle. */
const APART_MS = 50;
const LONGEST_MS = 300_000;

interface Claimed {
  /** Null if nothing was claimed. */
  readonly attemptId: string | null;
  /** When to claim again, if the claim was postponed. */
  readonly againInMs: number | null;
}

interface Waiting {
  readonly merchantId: string;
  go(): void;
}

/** @param claim returns the id of the claimed payment, if any */
export function fairClaims<Ask extends { readonly merchantId: string }>(
  claim: (ask: Ask) => Promise<string | null>,
): (ask: Ask) => Promise<Claimed> {
  const waiting: Waiting[] = [];
  const claiming: string[] = [];
  const locked = new Map<string, { tryAt: number; putOff: number }>();

  const placesOf = (merchantId: string) => claiming.filter((id) => id === merchantId).length;

  /** Admits the waiting claim whose merchant has the fewest slots. */
  function letIn(): void {
    if (claiming.length >= CLAIMS_AT_ONCE) return;
    const [next] = waiting.toSorted((a, b) => placesOf(a.merchantId) - placesOf(b.merchantId));
    if (!next) return;
    waiting.splice(waiting.indexOf(next), 1);
    claiming.push(next.merchantId);
    next.go();
  }

  function putOff(merchantId: string): Claimed {
    const lock = locked.get(merchantId) ?? { tryAt: 0, putOff: 0 };
    locked.set(merchantId, lock);
    lock.putOff += 1;
    return { attemptId: null, againInMs: Math.min(LONGEST_MS, PUT_OFF_MS + APART_MS * lock.putOff) };
  }

  function tryLater(merchantId: string): void {
    const lock = locked.get(merchantId);
    locked.set(merchantId, { putOff: lock?.putOff ?? 0, tryAt: performance.now() + PUT_OFF_MS });
  }

  async function claimOrPutOff(ask: Ask): Promise<Claimed> {
    const { merchantId } = ask;
    const lock = locked.get(merchantId);
    if (lock && performance.now() < lock.tryAt) return putOff(merchantId);
    if (lock) tryLater(merchantId);
    try {
      const attemptId = await claim(ask);
      locked.delete(merchantId);
      return { attemptId, againInMs: null };
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      tryLater(merchantId);
      return putOff(merchantId);
    }
  }

  return async (ask) => {
    const { merchantId } = ask;
    const { cancellationSignal } = Context.current();
    await new Promise<void>((go) => {
      waiting.push({ merchantId, go });
      letIn();
    });
    try {
      // If the activity timed out while it waited here, its next attempt is already queued.
      cancellationSignal.throwIfAborted();
      return await claimOrPutOff(ask);
    } finally {
      claiming.splice(claiming.indexOf(merchantId), 1);
      letIn();
    }
  };
}
