/**
 * Registers the messages of a workflow. Each parses its input (rule 31): a malformed signal is dropped and logged, a
 * malformed update is rejected before it is accepted, a query with input is answered with an error.
 */
import type { QueryDefinition, SignalDefinition, UpdateDefinition } from '@temporalio/common';
import { log, setHandler } from '@temporalio/workflow';
import { nothing, type Parser } from './parse-message.ts';

export function onSignal<Input>(
  signal: SignalDefinition<[Input]>,
  parse: Parser<Input>,
  heard: (input: Input) => void,
  description: string,
): void {
  const take = (given: unknown): void => {
    const input = parsed(given);
    if (input) heard(input.value);
  };
  setHandler(signal, take, { description });

  function parsed(given: unknown): { readonly value: Input } | null {
    try {
      return { value: parse(given, signal.name) };
    } catch (problem) {
      // The problem names the field, never its value: anything may have been typed.
      log.warn('malformed signal dropped', { signal: signal.name, problem: String(problem) });
      return null;
    }
  }
}

/** A signal without input: any payload is ignored. */
export function onBareSignal(signal: SignalDefinition<[]>, heard: () => void, description: string): void {
  setHandler(signal, () => heard(), { description });
}

export function onUpdate<Answer, Input>(
  update: UpdateDefinition<Answer, [Input]>,
  parse: Parser<Input>,
  answer: (input: Input) => Promise<Answer>,
  description: string,
): void {
  setHandler(update, (given) => answer(parse(given, update.name)), {
    validator: (given) => {
      parse(given, update.name);
    },
    description,
  });
}

/** An update without input. */
export function onBareUpdate<Answer>(
  update: UpdateDefinition<Answer, []>,
  answer: () => Promise<Answer>,
  description: string,
): void {
  setHandler(update, () => answer(), {
    validator: (...given: readonly unknown[]) => nothing(given[0], update.name),
    description,
  });
}

/** Queries take no input. */
export function onQuery<Answer>(
  query: QueryDefinition<Answer, []>,
  answer: () => Answer,
  description: string,
): void {
  const respond = (...given: readonly unknown[]): Answer => {
    nothing(given[0], query.name);
    return answer();
  };
  setHandler(query, respond, { description });
}
