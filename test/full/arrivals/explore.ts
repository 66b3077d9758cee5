/**
 * Plays messages to a real workflow in every order. Orders that have led to the same state continue in the same way,
 * because a run knows no more than its rows and the rail (rule 12), so one of them stands for all. Each state therefore
 * gets each message once, and the transitions found cover all orders of this length.
 */
export interface Machine<Letter extends string, Thing> {
  readonly letters: readonly Letter[];
  begin(): Promise<Thing>;
  /** Resolves when the run has taken the message. */
  send(thing: Thing, letter: Letter): Promise<void>;
  /** Everything that determines the next step, without ids and instants. @throws if a promise is broken */
  look(thing: Thing): Promise<string>;
  /** Runs everything to completion. @throws if a promise is broken */
  end(thing: Thing): Promise<void>;
}

const AT_ONCE = 12;
/** Runs to complete per state; more would add nothing, because a run's end depends only on its state. */
const ENDS_PER_STATE = 2;
/** Messages per walk: a longer one would move a subscription's clock by too many years. */
const LONGEST_WALK = 40;

/** @returns the state after each message of the order, and the one before the first */
export async function play<Letter extends string, Thing>(
  machine: Machine<Letter, Thing>,
  order: readonly Letter[],
): Promise<readonly string[]> {
  return told(order, async () => {
    const thing = await machine.begin();
    const states = [await machine.look(thing)];
    for (const letter of order) {
      await machine.send(thing, letter);
      states.push(await machine.look(thing));
    }
    await machine.end(thing);
    return states;
  });
}

/**
 * Every transition that orders of at most `depth` messages take. A walk goes to a state with an unused message, sends
 * it, and continues from there as long as there is something new.
 * @returns the numbers of states within `depth` messages, of transitions played, and of runs
 */
export async function explore<Letter extends string, Thing>(
  machine: Machine<Letter, Thing>,
  depth: number,
  tell: (line: string) => void,
): Promise<{ readonly states: number; readonly transitions: number; readonly runs: number }> {
  const map = new StateMap<Letter>(machine.letters, depth);
  const ended = new Map<string, number>();
  let runs = 0;

  async function walk(): Promise<boolean> {
    const path = map.next();
    if (!path) return false;
    const order = [...path.order];
    await told(order, async () => {
      const thing = await machine.begin();
      runs += 1;
      let state = await machine.look(thing);
      map.found(state);
      for (const letter of path.order) {
        await machine.send(thing, letter);
        state = await machine.look(thing);
      }
      if (path.state !== undefined && state !== path.state)
        throw new Error(`this led to ${path.state} once, then to ${state}`);
      for (let letter = path.letter ?? map.take(state); letter; letter = map.take(state)) {
        order.push(letter);
        await machine.send(thing, letter);
        const before = state;
        state = await machine.look(thing);
        map.record(before, letter, state);
        if (order.length >= LONGEST_WALK) break;
      }
      const times = ended.get(state) ?? 0;
      ended.set(state, times + 1);
      if (times < ENDS_PER_STATE) await machine.end(thing);
      if (runs % 50 === 0) tell(map.describe(runs));
    });
    return true;
  }

  await walk();
  while (map.hasMore()) {
    await inParallel(Array.from({ length: AT_ONCE }), async () => {
      while (await walk());
    });
  }
  tell(map.describe(runs));
  return { ...map.sizes(), runs };
}

/** The explored part of the machine: the target state of each message in each state. */
class StateMap<Letter extends string> {
  readonly #letters: readonly Letter[];
  readonly #depth: number;
  /** Null while a walk is in progress. */
  readonly #known = new Map<string, Map<Letter, string | null>>();
  #first: string | undefined;

  constructor(letters: readonly Letter[], depth: number) {
    this.#letters = letters;
    this.#depth = depth;
  }

  /** @param state the initial one */
  found(state: string): void {
    this.#first ??= state;
    if (!this.#known.has(state)) this.#known.set(state, new Map());
  }

  record(from: string, letter: Letter, to: string): void {
    this.#known.get(from)?.set(letter, to);
    this.found(to);
  }

  /** A message not yet sent in this state, if it is within the depth. */
  take(state: string): Letter | undefined {
    const order = this.#shortestOrders().get(state);
    return order && order.length < this.#depth ? this.#claim(state) : undefined;
  }

  /** The nearest state with such a message, and the shortest order that leads there. */
  next(): { readonly state?: string; readonly order: readonly Letter[]; readonly letter?: Letter } | null {
    if (this.#first === undefined) return { order: [] };
    for (const [state, order] of this.#shortestOrders()) {
      if (order.length >= this.#depth) return null;
      const letter = this.#claim(state);
      if (letter) return { state, order, letter };
    }
    return null;
  }

  hasMore(): boolean {
    return [...this.#shortestOrders()].some(
      ([state, order]) => order.length < this.#depth && this.#untried(state) !== undefined,
    );
  }

  sizes(): { readonly states: number; readonly transitions: number } {
    const orders = this.#shortestOrders();
    const within = [...orders].filter(([, order]) => order.length < this.#depth).map(([state]) => state);
    return { states: orders.size, transitions: within.length * this.#letters.length };
  }

  describe(runs: number): string {
    const depths = [...this.#shortestOrders().values()].map(({ length }) => length);
    const at = Array.from({ length: this.#depth + 1 }, (_, n) => depths.filter((each) => each === n).length);
    const played = [...this.#known.values()].reduce((sum, { size }) => sum + size, 0);
    return `${runs} runs, ${played} transitions; new states after 0 to ${this.#depth} messages: ${at.join(', ')}`;
  }

  #untried(state: string): Letter | undefined {
    return this.#letters.find((letter) => !this.#known.get(state)?.has(letter));
  }

  #claim(state: string): Letter | undefined {
    const letter = this.#untried(state);
    if (letter) this.#known.get(state)?.set(letter, null);
    return letter;
  }

  /** The shortest known message sequence to each state. */
  #shortestOrders(): ReadonlyMap<string, readonly Letter[]> {
    const orders = new Map<string, readonly Letter[]>();
    if (this.#first === undefined) return orders;
    orders.set(this.#first, []);
    for (const [state, order] of orders) {
      if (order.length >= this.#depth) continue;
      for (const [letter, to] of this.#known.get(state) ?? [])
        if (to !== null && !orders.has(to)) orders.set(to, [...order, letter]);
    }
    return orders;
  }
}

async function told<Result>(order: readonly string[], work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new Error(`${order.join(', ')}: ${(error as Error).message}`, { cause: error });
  }
}

export async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const lines = await Promise.allSettled(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of left) await work(item);
    }),
  );
  // Throws only after every line has ended, because the caller then closes the world that they use.
  for (const line of lines) if (line.status === 'rejected') throw line.reason;
}
