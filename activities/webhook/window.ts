/**
 * How many posts to one endpoint may be under way at once: one more after each success, half after each
 * failure. An endpoint that fails or hangs is soon tried one event at a time, and after a short rest each: what
 * a backlog costs that only fails is taken from the others. It gets its full width back within a moment once it
 * is well.
 */

/** Failures in a row that are not followed by a rest yet: a few events out of many may be what is wrong. */
const FAILURES_WITHOUT_REST = 3;
const SHORTEST_REST_MS = 10;
/** Short enough for the good event that stands behind a hundred bad ones. */
const LONGEST_REST_MS = 50;

export class Window {
  readonly #max: number;
  #size: number;
  #failuresInARow = 0;
  #restsUntilMs = 0;

  constructor(max: number, failing: boolean) {
    this.#max = max;
    this.#size = failing ? 1 : Math.min(4, max);
  }

  get size(): number {
    return Math.floor(this.#size);
  }

  /** Nothing is posted before, by the monotonic clock. */
  get restsUntilMs(): number {
    return this.#restsUntilMs;
  }

  judge(delivered: boolean, nowMs = performance.now()): void {
    this.#failuresInARow = delivered ? 0 : this.#failuresInARow + 1;
    this.#size = delivered ? Math.min(this.#max, this.#size + 1) : Math.max(1, this.#size / 2);
    const tooMany = this.#failuresInARow - FAILURES_WITHOUT_REST;
    const restMs = tooMany > 0 ? Math.min(LONGEST_REST_MS, SHORTEST_REST_MS * 2 ** (tooMany - 1)) : 0;
    this.#restsUntilMs = nowMs + restMs;
  }
}
