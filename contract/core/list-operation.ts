/** The description of a route that answers with a merchant's full list of something. */
import type { z } from 'zod';
import { listOf } from './answers.ts';
import { exampleList } from './examples.ts';
import type { OperationDescription } from './operation.ts';

/** What is particular to one list. */
export interface ListDescription
  extends Pick<OperationDescription, 'operationId' | 'summary' | 'description'> {
  readonly resource: z.ZodType;
  readonly example: unknown;
}

/** As the merchant's servers ask for it; a mirror spreads its own tag, security and parameters over it. */
export function listOperation({ resource, example, ...names }: ListDescription): OperationDescription {
  const answer = {
    description: 'All of them, newest first.',
    schema: listOf(resource),
    example: exampleList(example),
  };
  return { ...names, tag: 'Billing', security: 'apiKey', answers: { 200: answer }, errors: [] };
}
