/**
 * How many posts to one endpoint may be under way at once: one more after each success, half after each
 * failure. An endpoint that fails or hangs is soon tried one event at a time, and gets its full width back
 * within a moment once it is well.
 */
export class Window {
  readonly #max: number;
  #size: number;

  constructor(max: number, failing: boolean) {
    this.#max = max;
    this.#size = failing ? 1 : Math.min(4, max);
  }

  get size(): number {
    return Math.floor(this.#size);
  }

  judge(delivered: boolean): void {
    this.#size = delivered ? Math.min(this.#max, this.#size + 1) : Math.max(1, this.#size / 2);
  }
}
