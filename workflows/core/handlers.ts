/**
 * Messages of a workflow. Each is declared once, with the parser of its input (rule 31) and its description
 * in Temporal UI. A malformed signal is dropped and logged, a malformed update is rejected before it is
 * accepted.
 */
import type { SignalDefinition, UpdateDefinition } from '@temporalio/common';
import { defineSignal, defineUpdate, log, setHandler } from '@temporalio/workflow';
import { message, nothing, type Parser } from './parse-message.ts';

type Fields<Input> = { readonly [Name in keyof Input]: Parser<Input[Name]> };

interface Declaration<Input> {
  readonly parse: Parser<Input>;
  readonly description: string;
}

type Update<Answer, Input> = UpdateDefinition<Answer, [Input]> & Declaration<Input>;
type Signal<Input> = SignalDefinition<[Input]> & Declaration<Input>;

export function update<Answer, Input extends object>(
  name: string,
  fields: Fields<Input>,
  description: string,
): Update<Answer, Input> {
  return parsedUpdate(name, message<Input>(fields), description);
}

/** An update whose fields depend on its kind. */
export function parsedUpdate<Answer, Input>(
  name: string,
  parse: Parser<Input>,
  description: string,
): Update<Answer, Input> {
  return { ...defineUpdate<Answer, [Input]>(name), parse, description };
}

export function signal<Input extends object>(
  name: string,
  fields: Fields<Input>,
  description: string,
): Signal<Input> {
  return { ...defineSignal<[Input]>(name), parse: message<Input>(fields), description };
}

export function onSignal<Input>(
  { parse, description, ...definition }: Signal<Input>,
  heard: (input: Input) => void,
): void {
  const take = (given: unknown): void => {
    const input = parsed(given);
    if (input) heard(input.value);
  };
  setHandler(definition, take, { description });

  function parsed(given: unknown): { readonly value: Input } | null {
    try {
      return { value: parse(given, definition.name) };
    } catch (problem) {
      // The problem names the field but not its value, which may be anything.
      log.warn('malformed signal dropped', { signal: definition.name, problem: String(problem) });
      return null;
    }
  }
}

/** A signal without input; any payload is ignored. */
export function onBareSignal(bare: SignalDefinition<[]>, heard: () => void, description: string): void {
  setHandler(bare, () => heard(), { description });
}

/** @param alsoCheck checks that depend on the run's own input */
export function onUpdate<Answer, Input>(
  { parse, description, ...definition }: Update<Answer, Input>,
  answer: (input: Input) => Promise<Answer>,
  alsoCheck: () => void = () => {},
): void {
  setHandler(definition, (given) => answer(parse(given, definition.name)), {
    validator: (given) => {
      alsoCheck();
      parse(given, definition.name);
    },
    description,
  });
}

/** An update without input. */
export function onBareUpdate<Answer>(
  bare: UpdateDefinition<Answer, []>,
  answer: () => Promise<Answer>,
  description: string,
): void {
  setHandler(bare, () => answer(), {
    validator: (...given: readonly unknown[]) => nothing(given[0], bare.name),
    description,
  });
}
