/** Sends again what a processor says it has not done, until it does or the call's time is over. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Nothing was done, and the same call may be sent again after a pause. */
export interface Busy {
  readonly kind: 'busy';
  /** What the processor asks for; 0 when it does not say. */
  readonly afterMs: number;
}

const SHORTEST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;

export async function whileBusy<Result extends { readonly kind: string }>(
  signal: AbortSignal,
  once: () => Promise<Result | Busy>,
): Promise<Exclude<Result, Busy> | { readonly kind: 'unknown'; readonly reason: 'not_sent' }> {
  for (let attempt = 0; ; attempt++) {
    if (signal.aborted) return { kind: 'unknown', reason: 'not_sent' };
    const result = await once();
    if (!isBusy(result)) return result as Exclude<Result, Busy>;
    const pauseMs = Math.max(result.afterMs, Math.min(SHORTEST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS));
    // Aborted: the loop's first line answers, since every call so far was refused without effect.
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
  }
}

function isBusy(result: { readonly kind: string }): result is Busy {
  return result.kind === 'busy';
}

/** @param header the answer's `Retry-After`, in seconds */
export function retryAfterMs(header: string | null | undefined): number {
  const seconds = Number(header ?? 0);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 0;
}
