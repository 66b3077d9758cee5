/**
 * Handlers enqueue; the main loop acts (rule 9). A handler adds its command here and awaits the main loop's
 * answer; the main loop handles one command at a time.
 */
import { ApplicationFailure, condition, currentUpdateInfo } from '@temporalio/workflow';

export interface Entry<Command> {
  readonly command: Command;
  /** The update's id; a signal has none. */
  readonly id: string;
  /** Only the first answer counts. */
  answer(value: unknown): void;
  /** Fails the update; the workflow continues. */
  refuse(error: Error): void;
}

export class Inbox<Command> {
  readonly #entries: Entry<Command>[] = [];
  /** Rejecters of all unanswered commands, including those that the main loop has taken. */
  readonly #unanswered = new Set<(error: Error) => void>();

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** For signals, which get no answer. */
  put(command: Command, id = ''): void {
    this.#entries.push({ command, id, answer: () => {}, refuse: () => {} });
  }

  /** For updates: resolves with the main loop's answer. */
  ask<Answer>(command: Command): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#unanswered.add(reject);
      const over = () => this.#unanswered.delete(reject);
      this.#entries.push({
        command,
        id: currentUpdateInfo()?.id ?? '',
        answer: (value) => {
          over();
          resolve(value as Answer);
        },
        refuse: (error) => {
          over();
          reject(error);
        },
      });
    });
  }

  /** Removes and returns the next command, if there is one and the caller wants it. */
  takeIf<Wanted extends Command>(
    isWanted: (command: Command) => command is Wanted,
  ): Entry<Wanted> | undefined {
    const [first] = this.#entries;
    if (!first || !isWanted(first.command)) return undefined;
    this.#entries.shift();
    return { ...first, command: first.command };
  }

  /** Returns the next command; undefined if none arrives within `ms`. Without `ms`, waits until one arrives. */
  async next(ms: number | undefined, summary: string): Promise<Entry<Command> | undefined> {
    const hasCome = () => this.#entries.length > 0;
    if (!hasCome()) await (ms === undefined ? condition(hasCome) : condition(hasCome, ms, { summary }));
    return this.#entries.shift();
  }

  /** Refuses every unanswered command, including those that the main loop has taken. */
  refuseAll(error: Error): void {
    this.#entries.length = 0;
    for (const refuse of this.#unanswered) refuse(error);
    this.#unanswered.clear();
  }

  /** Commands left when a run ends. */
  drain(): Entry<Command>[] {
    return this.#entries.splice(0);
  }
}

/** Refuses an operator's request to resolve: the update fails, the workflow continues. */
export function refuseResolve(entry: Entry<unknown>, why: string): void {
  entry.refuse(ApplicationFailure.nonRetryable(why, 'ResolveRefused'));
}
