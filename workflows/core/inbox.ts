/**
 * Handlers record and enqueue; one main loop acts (rule 9). A handler puts its command here and
 * waits for the main loop's answer; the main loop takes commands one at a time, between its own turns.
 */
import { condition } from '@temporalio/workflow';

export interface Entry<Command> {
  readonly command: Command;
  /** The first answer counts. */
  answer(value: unknown): void;
  /** Fails the update; the workflow goes on. */
  refuse(error: Error): void;
}

export class Inbox<Command> {
  readonly #entries: Entry<Command>[] = [];

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** For signals: nobody waits. */
  put(command: Command): void {
    this.#entries.push({ command, answer: () => {}, refuse: () => {} });
  }

  /** For updates: resolves with the main loop's answer. */
  ask<Answer>(command: Command): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#entries.push({ command, answer: (value) => resolve(value as Answer), refuse: reject });
    });
  }

  /** The next command, or undefined when `ms` passed without one. */
  async next(ms: number, summary: string): Promise<Entry<Command> | undefined> {
    if (this.#entries.length === 0) {
      await condition(() => this.#entries.length > 0, ms, { summary });
    }
    return this.#entries.shift();
  }

  /** What nobody will act on any more, at the end of a run. */
  drain(): Entry<Command>[] {
    return this.#entries.splice(0);
  }
}
