/** Each `wake` wakes all current waiters, but no later ones. */
export class Waiters {
  #next = Promise.withResolvers<void>();

  wake(): void {
    this.#next.resolve();
    this.#next = Promise.withResolvers<void>();
  }

  /** Resolves at the next `wake`. */
  get woken(): Promise<void> {
    return this.#next.promise;
  }
}
