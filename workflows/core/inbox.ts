/**
 * A workflow's messages (rule 9): a handler adds its command to the inbox and awaits the main loop's answer; the main
 * loop handles one command at a time. Each message is declared once, with the parser of its input (rule 31) and its
 * description in Temporal UI, and becomes a command of the same name. A malformed signal is dropped and logged, a
 * malformed update is rejected before it is accepted.
 */
import { ApplicationFailure, type SignalDefinition, type UpdateDefinition } from '@temporalio/common';
import {
  allHandlersFinished,
  condition,
  currentUpdateInfo,
  defineSignal,
  defineUpdate,
  log,
  setHandler,
} from '@temporalio/workflow';
import type { Parser } from './parse-message.ts';

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
  /** Reject callbacks of all unanswered commands, including those that the main loop has taken. */
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

  /** Removes and returns the next command if it satisfies `isWanted`; undefined without one. */
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

  /** Answers commands that arrive as the run ends, until every handler has sent its answer. */
  async close(answerLate: (entry: Entry<Command>) => unknown): Promise<void> {
    while (!allHandlersFinished()) {
      for (const late of this.#entries.splice(0)) await answerLate(late);
      await condition(allHandlersFinished, '1 s');
    }
  }
}

/** Refuses an operator's request to resolve: the update fails, the workflow continues. */
export function refuseResolve(entry: Entry<unknown>, why: string): void {
  entry.refuse(ApplicationFailure.nonRetryable(why, 'ResolveRefused'));
}

interface Declared<Input> {
  readonly parse: Parser<Input>;
  readonly description: string;
}

interface Message extends Declared<object> {
  readonly type: 'signal' | 'update';
  readonly name: string;
}

/** The message's name, and the fields of its input. */
export type CommandOf<Each extends Message> = Each extends {
  readonly name: infer Name;
  readonly parse: Parser<infer Input>;
}
  ? { readonly kind: Name } & Readonly<Input>
  : never;

/** Declares an update whose answer has the type `Answer`. */
export function update<Answer>() {
  return <Name extends string, Input extends object>(
    name: Name,
    parse: Parser<Input>,
    description: string,
  ): UpdateDefinition<Answer, [Input], Name> & Declared<Input> => ({
    ...defineUpdate<Answer, [Input], Name>(name),
    parse,
    description,
  });
}

export function signal<Name extends string, Input extends object>(
  name: Name,
  parse: Parser<Input>,
  description: string,
): SignalDefinition<[Input], Name> & Declared<Input> {
  return { ...defineSignal<[Input], Name>(name), parse, description };
}

export function onSignal<Input>(
  { name, parse, description }: Declared<Input> & { readonly name: string },
  heard: (input: Input) => void,
): void {
  const take = (given: unknown): void => {
    let input: Input;
    try {
      input = parse(given, name);
    } catch (problem) {
      // The problem names the field but not its value, which may be anything.
      log.warn('malformed signal dropped', { signal: name, problem: String(problem) });
      return;
    }
    heard(input);
  };
  setHandler(defineSignal<[unknown]>(name), take, { description });
}

/**
 * Enqueues each message as a command. Call before the first await. Validators check only the message and the
 * run's input (rule 11): input that the database would reject must be refused here, because the main loop
 * would retry it forever.
 *
 * @param mayCome throws if this run takes no such update
 */
export function listen<Each extends Message>(
  inbox: Inbox<CommandOf<Each>>,
  messages: readonly Each[],
  mayCome: (name: Each['name']) => void = () => {},
): void {
  for (const message of messages) {
    const { type, name, parse, description } = message;
    const commandOf = (input: object) => ({ kind: name, ...input }) as CommandOf<Each>;
    if (type === 'signal') onSignal(message, (input) => inbox.put(commandOf(input)));
    else
      setHandler(
        defineUpdate<unknown, [unknown]>(name),
        (given) => inbox.ask(commandOf(parse(given, name))),
        {
          validator: (given) => {
            mayCome(name);
            parse(given, name);
          },
          description,
        },
      );
  }
}
