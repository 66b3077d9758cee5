/**
 * Messages of a workflow. Each is declared once, with the parser of its input (rule 31) and its description in
 * Temporal UI, and becomes a command of its name. A malformed signal is dropped and logged, a malformed update is
 * rejected before it is accepted.
 */
import type { SignalDefinition, UpdateDefinition } from '@temporalio/common';
import { defineSignal, defineUpdate, log, setHandler } from '@temporalio/workflow';
import type { Inbox } from './inbox.ts';
import type { Parser } from './parse-message.ts';

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

/** Declares an update with this answer. */
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
 * Handlers enqueue, the main loop acts (rule 9). Call before the first await. Validators check the message and the
 * run's input alone (rule 11): input that the database would reject must be refused here, because the main loop would
 * retry it for ever.
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
