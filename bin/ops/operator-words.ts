/** Who settles something by hand, why, and what they saw: for the audit log. */
import { z } from 'zod';
import { WrongArguments } from './command.ts';

const text = z.string().trim().min(1);
export const operatorWords = z.object({ operator: text, reason: text, evidence: text });

export const OPERATOR_OPTIONS = {
  operator: { type: 'string' },
  reason: { type: 'string' },
  evidence: { type: 'string' },
} as const;

/** @throws WrongArguments */
export function parseWords<Words extends z.ZodType>(words: Words, values: unknown): z.infer<Words> {
  const said = words.safeParse(values);
  if (said.success) return said.data;
  throw new WrongArguments(`--${String(said.error.issues[0]?.path[0])} is missing or invalid.`);
}
