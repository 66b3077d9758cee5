/** Wakes all current waiters, and no later ones. */
export class Bell {
  #next = Promise.withResolvers<void>();

  ring(): void {
    this.#next.resolve();
    this.#next = Promise.withResolvers<void>();
  }

  /** Resolves at the next ring. */
  get rung(): Promise<void> {
    return this.#next.promise;
  }
}
