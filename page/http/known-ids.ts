/** Maximum number of ids that a process remembers. */
const MOST = 10_000;

export class KnownIds {
  readonly #ids = new Set<string>();

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Adds an id, and drops the oldest beyond the limit. */
  add(id: string): void {
    this.#ids.delete(id);
    this.#ids.add(id);
    for (const oldest of this.#ids) {
      if (this.#ids.size <= MOST) return;
      this.#ids.delete(oldest);
    }
  }
}
