/**
 * Shared by the commands that create a merchant, key, product or price, for installations without an identity
 * provider, where the routes for people are off. Each command checks its options with the schema of the route that
 * creates the same object.
 */
import type { z } from 'zod';
import { ERRORS, type ErrorCode } from '../../../contract/core/errors.ts';
import { type OpsContext, parseOpsArgs, WrongArguments, wrongOption } from './command.ts';

export const EXIT = 'Exit code: 0 if it was created, 1 if not, 2 for invalid arguments.';
export const KEY_SHOWN_ONCE =
  'The key is shown once: only its hash is stored. Needs API_KEY_PEPPER unless "npm start" is running.';
export const MERCHANT = 'merchant id (ap_mer_…)';
export type Values = Readonly<Record<string, string | undefined>>;

/** @throws WrongArguments */
export function given<Schema extends z.ZodType>(
  args: readonly string[],
  names: readonly string[],
  subjects: readonly string[],
  schema: Schema,
  fieldsOf: (values: Values) => Readonly<Record<string, unknown>>,
): { readonly ids: readonly string[]; readonly fields: z.infer<Schema>; readonly json: boolean } {
  const { values, positionals: ids } = parseOpsArgs(args, {
    ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
  });
  const missing = subjects[ids.length];
  if (missing) throw new WrongArguments(`A ${missing} is required.`);
  if (ids.length > subjects.length)
    throw new WrongArguments(`Unexpected arguments: ${ids.slice(subjects.length).join(' ')}.`);
  const { json, ...texts } = values as { readonly json: boolean } & Values;
  const fields = fieldsOf(texts as Values);
  const parsed = schema.safeParse(fields);
  if (!parsed.success) throw wrongOption(parsed.error, fields, (name) => name.replaceAll('_', '-'));
  return { ids, fields: parsed.data, json };
}

export async function acting({ actor }: OpsContext) {
  return { actor: await actor() };
}

export function refuse(code: ErrorCode): number {
  console.error(ERRORS[code].message);
  return 1;
}

export function print(created: object, json: boolean, lines: readonly string[]): number {
  console.log(json ? JSON.stringify(created) : lines.join('\n'));
  return 0;
}
