/**
 * Coalesces calls: one run at a time, and one more for requests during a run, which may have read before the
 * new rows were written.
 */
export class Coalesced<Item, Outcome> {
  readonly #run: (items: readonly Item[]) => Promise<Outcome>;
  #underWay: Promise<unknown> | undefined;
  #next: { readonly items: Item[]; readonly outcome: Promise<Outcome> } | undefined;

  /** @param run must not throw */
  constructor(run: (items: readonly Item[]) => Promise<Outcome>) {
    this.#run = run;
  }

  /** @returns the outcome of a run that began after this call and covered these items */
  ask(items: readonly Item[]): Promise<Outcome> {
    if (this.#underWay === undefined) return this.#begin(items);
    if (this.#next) {
      this.#next.items.push(...items);
      return this.#next.outcome;
    }
    const gathered = [...items];
    const outcome = this.#underWay.then(() => {
      this.#next = undefined;
      return this.#begin(gathered);
    });
    this.#next = { items: gathered, outcome };
    return outcome;
  }

  #begin(items: readonly Item[]): Promise<Outcome> {
    const outcome = this.#run(items);
    this.#underWay = outcome.then(() => {
      if (this.#next === undefined) this.#underWay = undefined;
    });
    return outcome;
  }
}
