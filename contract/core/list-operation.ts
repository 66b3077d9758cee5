/** Describes a route that returns a merchant's full list of one resource. */
import type { z } from 'zod';
import { listOf } from './answers.ts';
import { exampleList } from './examples.ts';
import type { OperationDescription } from './operation.ts';

/** The parts in which list routes differ. */
export interface ListDescription
  extends Pick<OperationDescription, 'operationId' | 'summary' | 'description'> {
  readonly resource: z.ZodType;
  readonly example: unknown;
}

/** Describes the route for API keys; the copy for people overrides tag, security and parameters. */
export function listOperation({ resource, example, ...names }: ListDescription): OperationDescription {
  const answer = {
    description: 'All of them, newest first.',
    schema: listOf(resource),
    example: exampleList(example),
  };
  return { ...names, tag: 'Billing', security: 'apiKey', answers: { 200: answer }, errors: [] };
}
