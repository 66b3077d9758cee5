/** Retries a call while the processor is busy, until the call's deadline. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isOver } from './deadline.ts';

/** The call had no effect and may be retried after a pause. */
export interface Busy {
  readonly kind: 'busy';
  /** The processor's `Retry-After` in milliseconds; 0 if absent. */
  readonly afterMs: number;
}

const SHORTEST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;

export async function whileBusy<Result extends { readonly kind: string }>(
  signal: AbortSignal,
  once: () => Promise<Result | Busy>,
): Promise<Exclude<Result, Busy> | { readonly kind: 'unknown'; readonly reason: 'not_sent' | 'busy' }> {
  for (let attempt = 0; ; attempt++) {
    if (isOver(signal)) return { kind: 'unknown', reason: attempt === 0 ? 'not_sent' : 'busy' };
    const result = await once();
    if (!isBusy(result)) return result as Exclude<Result, Busy>;
    const pauseMs = Math.max(result.afterMs, Math.min(SHORTEST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS));
    // The loop's start handles an abort: every call so far was rejected without effect.
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
  }
}

function isBusy(result: { readonly kind: string }): result is Busy {
  return result.kind === 'busy';
}

/** @param header the response's `Retry-After`, in seconds */
export function retryAfterMs(header: string | null | undefined): number {
  const seconds = Number(header ?? 0);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 0;
}
