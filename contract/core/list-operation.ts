/** Describes a route that lists all of a merchant's resources of one kind. */
import type { z } from 'zod';
import { listOf } from './answers.ts';
import { exampleList } from './examples.ts';
import type { OperationDescription } from './operation.ts';

/** Differences between lists. */
export interface ListDescription
  extends Pick<OperationDescription, 'operationId' | 'summary' | 'description'> {
  readonly resource: z.ZodType;
  readonly example: unknown;
}

/** For API keys; a mirror for people overrides tag, security and parameters. */
export function listOperation({ resource, example, ...names }: ListDescription): OperationDescription {
  const answer = {
    description: 'All of them, newest first.',
    schema: listOf(resource),
    example: exampleList(example),
  };
  return { ...names, tag: 'Billing', security: 'apiKey', answers: { 200: answer }, errors: [] };
}
