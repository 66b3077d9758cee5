/**
 * Concurrent posts to one endpoint: one more after each success, half as many after each failure. A failing or hanging
 * endpoint soon gets one event at a time, and pauses after each failure in proportion to the time since its last
 * success, because its futile attempts take capacity from others (measured: five dead endpoints at twenty attempts a
 * second each made ten good ones four times as slow). Moments after it recovers, it has full concurrency again.
 */

/** Consecutive failures before the first pause, because a few bad events do not mean a bad endpoint. */
const FAILURES_WITHOUT_REST = 3;
/**
 * Length of the pause as a share of the time without success. Sixty bad events delay the next good one by about three
 * seconds (calculated).
 */
const REST_SHARE = 1 / 20;
const LONGEST_REST_MS = 250;

export class EndpointConcurrency {
  readonly #max: number;
  #size: number;
  #failuresInARow = 0;
  #wellAtMs: number;
  #restsUntilMs = 0;

  constructor(max: number, failing: boolean, nowMs = performance.now()) {
    this.#max = max;
    this.#size = failing ? 1 : Math.min(4, max);
    this.#wellAtMs = nowMs;
  }

  get size(): number {
    return Math.floor(this.#size);
  }

  /** No posts before this instant of the monotonic clock. */
  get restsUntilMs(): number {
    return this.#restsUntilMs;
  }

  adjust(delivered: boolean, nowMs = performance.now()): void {
    if (delivered) {
      this.#size = Math.min(this.#max, this.#size + 1);
      this.#failuresInARow = 0;
      this.#wellAtMs = nowMs;
      this.#restsUntilMs = 0;
      return;
    }
    this.#size = Math.max(1, this.#size / 2);
    this.#failuresInARow += 1;
    if (this.#failuresInARow <= FAILURES_WITHOUT_REST) return;
    this.#restsUntilMs = nowMs + Math.min(LONGEST_REST_MS, (nowMs - this.#wellAtMs) * REST_SHARE);
  }
}
