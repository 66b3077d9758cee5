/**
 * How many posts to one endpoint may be under way at once: one more after each success, half after each
 * failure. An endpoint that fails or hangs is soon tried one event at a time, and the longer nothing succeeds,
 * the longer it rests after each: what a backlog costs that only fails is taken from the others (measured: five
 * dead endpoints at twenty attempts a second each made ten good ones four times as slow). It gets its full width
 * back within a moment once it is well.
 */

/** Failures in a row that are not followed by a rest yet: a few events out of many may be what is wrong. */
const FAILURES_WITHOUT_REST = 3;
/** Of the time without a success. By reckoning, sixty bad events hold up the good one behind them for three seconds. */
const REST_SHARE = 1 / 20;
const LONGEST_REST_MS = 250;

export class Window {
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

  /** Nothing is posted before, by the monotonic clock. */
  get restsUntilMs(): number {
    return this.#restsUntilMs;
  }

  judge(delivered: boolean, nowMs = performance.now()): void {
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
