/**
 * Plays messages to a real workflow in every order. Orders whose beginnings leave the same state behind go on alike,
 * because a run knows no more than its rows and the rail (rule 12): one of them stands for all. So each state is reached
 * once, by its shortest order, and given each message; the transitions found are all that orders of this length take.
 */
export interface Machine<Letter extends string, Thing> {
  readonly letters: readonly Letter[];
  begin(): Promise<Thing>;
  /** Resolves when the run has taken the message. */
  send(thing: Thing, letter: Letter): Promise<void>;
  /** All that decides what happens next, without ids and instants. @throws if a promise is broken */
  look(thing: Thing): Promise<string>;
  /** Lets everything come to its end. @throws if a promise is broken */
  end(thing: Thing): Promise<void>;
}

const AT_ONCE = 12;

/** @returns the state after each message of the order, that before the first one included */
export async function play<Letter extends string, Thing>(
  machine: Machine<Letter, Thing>,
  order: readonly Letter[],
): Promise<readonly string[]> {
  try {
    const thing = await machine.begin();
    const states = [await machine.look(thing)];
    for (const letter of order) {
      await machine.send(thing, letter);
      states.push(await machine.look(thing));
    }
    await machine.end(thing);
    return states;
  } catch (error) {
    throw new Error(`${order.join(', ')}: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Every transition that orders of at most `depth` messages take.
 * @returns the number of states and of orders played
 */
export async function explore<Letter extends string, Thing>(
  machine: Machine<Letter, Thing>,
  depth: number,
  tell: (line: string) => void,
): Promise<{ readonly states: number; readonly runs: number }> {
  const known = new Set<string>();
  let level: { readonly state: string; readonly order: readonly Letter[] }[] = [
    { state: (await play(machine, []))[0] ?? '', order: [] },
  ];
  let runs = 1;
  for (let length = 0; length < depth && level.length > 0; length++) {
    for (const { state } of level) known.add(state);
    const found = new Map<string, readonly Letter[]>();
    const steps = level.flatMap(({ state, order }) =>
      machine.letters.map((letter) => ({ state, order: [...order, letter] })),
    );
    await inParallel(steps, async ({ state, order }) => {
      const states = await play(machine, order);
      const [before, after] = states.slice(-2);
      if (before !== state || after === undefined)
        throw new Error(`${order.slice(0, -1).join(', ')} led to ${state} once, then to ${before}`);
      if (!found.has(after)) found.set(after, order);
    });
    runs += steps.length;
    level = [...found].filter(([state]) => !known.has(state)).map(([state, order]) => ({ state, order }));
    tell(`orders of ${length + 1}: ${steps.length} runs, ${level.length} new states`);
  }
  for (const { state } of level) known.add(state);
  return { states: known.size, runs };
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
  // Only after every line has ended: one still at work would find its world closed.
  for (const line of lines) if (line.status === 'rejected') throw line.reason;
}
