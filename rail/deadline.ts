/**
 * The deadline of a call, checked again just before sending (rule 36). A paused process runs no timers, so with an
 * `AbortSignal` alone a call could leave after its deadline: the sender checks `isOver` first.
 */

const hasEnded = new WeakMap<AbortSignal, () => boolean>();

export interface CallTimer {
  /** Returns a signal that aborts `ms` after the timer's start. */
  signalAfter(ms: number): AbortSignal;
}

/**
 * Starts a timer. Call before the query that stores the deadline, so that the query's round trip counts against the
 * call. The elapsed time is the larger of two measurements: the monotonic clock stops while a virtual machine is
 * suspended, and the wall clock can be set back.
 */
export function startCallTimer(): CallTimer {
  const monotonicStart = performance.now();
  const wallStart = Date.now();
  const elapsedMs = () => Math.max(performance.now() - monotonicStart, Date.now() - wallStart);
  return {
    signalAfter(ms) {
      const left = Math.ceil(ms - elapsedMs());
      const signal = left > 0 ? AbortSignal.timeout(left) : AbortSignal.abort();
      hasEnded.set(signal, () => elapsedMs() >= ms);
      return signal;
    },
  };
}

/** Returns true from the deadline on, even before the signal's own timer has run. */
export function isOver(signal: AbortSignal): boolean {
  return signal.aborted || (hasEnded.get(signal)?.() ?? false);
}
