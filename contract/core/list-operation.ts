/** Describes a route that returns a merchant's full list of one resource. */
import type { z } from 'zod';
import { listOf } from './answers.ts';
import type { OperationDescription } from './operation.ts';

/** The parts in which list routes differ. */
export interface ListDescription
  extends Pick<OperationDescription, 'operationId' | 'summary' | 'description'> {
  readonly tag?: OperationDescription['tag'];
  readonly resource: z.ZodType;
  readonly example: unknown;
}

export function listOperation({ resource, example, ...names }: ListDescription): OperationDescription {
  const answer = {
    description: 'All of them, newest first.',
    schema: listOf(resource),
    example: { data: [example] },
  };
  return { tag: 'Billing', ...names, answers: { 200: answer } };
}
