/** Every rule of every request has a sentence, and a field, reason and limit for programs. */
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { describedRoutes } from '../../../api/described-routes.ts';
import type { Fault } from '../../../contract/core/faults.ts';
import { faultOf, whyInvalid } from '../../../contract/core/why-invalid.ts';

/** Part of every invalid text, to detect errors that echo it. */
const SENT = 'Sent';
const WRONG: readonly unknown[] = [
  SENT,
  SENT.repeat(10_000),
  `${SENT}\0`,
  '',
  -1,
  1.5,
  1e12,
  true,
  null,
  undefined,
  [],
  [SENT, 5, {}],
  Array.from({ length: 100 }, () => SENT),
  { [SENT]: SENT },
  { '': SENT },
  { [SENT.repeat(10_000)]: SENT },
  Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`key${at}`, 'value'])),
];

type Inner = z.core.$ZodType;

/** The members of an object, or of each object in a union. */
function membersOf(schema: Inner): Readonly<Record<string, Inner>> {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (schema instanceof z.ZodUnion) return Object.assign({}, ...schema.options.map(membersOf));
  return {};
}

function partsOf(schema: Inner): readonly Inner[] {
  if (schema instanceof z.ZodObject) return Object.values(schema.shape);
  if (schema instanceof z.ZodUnion) return schema.options;
  if (schema instanceof z.ZodArray) return [schema.element];
  if (schema instanceof z.ZodRecord) return [schema.keyType, schema.valueType];
  if (schema instanceof z.ZodPipe) return [schema.in, schema.out];
  const { innerType } = schema._zod.def as { innerType?: Inner };
  return innerType ? [innerType] : [];
}

interface Refusal {
  readonly schema: Inner;
  readonly issue: z.core.$ZodIssue;
  readonly sentence: string;
  readonly fault: Fault;
}

/** The errors for all invalid values of the schema and, recursively, of its members. */
function refusalsOf(schema: Inner): readonly Refusal[] {
  const names = Object.keys(membersOf(schema));
  const values = [...WRONG, ...names.flatMap((name) => WRONG.map((value) => ({ [name]: value })))];
  return [...values.flatMap((value) => issuesOf(schema, value)), ...partsOf(schema).flatMap(refusalsOf)];
}

function issuesOf(schema: Inner, value: unknown): readonly Refusal[] {
  const { error } = z.safeParse(schema, value);
  const issues = error?.issues ?? [];
  return issues.map((issue) => ({
    schema,
    issue,
    sentence: whyInvalid(issue, value),
    fault: faultOf(issue, value),
  }));
}

/** A text, list or number of the given size. */
const SIZED: { readonly [Reason in Fault['reason']]?: (size: number) => unknown } = {
  too_short: (size) => 'x'.repeat(size),
  too_long: (size) => 'x'.repeat(size),
  too_few: (size) => Array.from({ length: size }, () => 'x'),
  too_many: (size) => Array.from({ length: size }, () => 'x'),
  too_small: (size) => size,
  too_large: (size) => size,
};

/** Whether the schema accepts the limit's size, and no size beyond it. */
function isLastAccepted({ schema, fault: { reason, limit = 0 } }: Refusal): boolean {
  const sized = SIZED[reason];
  const isRefused = (size: number) =>
    issuesOf(schema, sized?.(size)).some(
      ({ fault }) => fault.reason === reason || fault.reason === 'required',
    );
  const beyond = limit + (['too_short', 'too_few', 'too_small'].includes(reason) ? -1 : 1);
  return !isRefused(limit) && isRefused(beyond);
}

const requestSchemas = describedRoutes().flatMap(({ describe: { operationId, path, query, body } }) =>
  Object.entries({ path, query, body: body?.schema }).flatMap(([part, schema]) =>
    schema ? [{ name: `${operationId}: ${part}`, schema }] : [],
  ),
);

test.each(requestSchemas)(
  '$name: each error has a message and a reason, and repeats nothing from the request',
  ({ schema }) => {
    const refusals = refusalsOf(schema);
    const sentences = [...new Set(refusals.map(({ sentence }) => sentence))];
    expect(sentences).not.toEqual([]);
    expect(sentences.filter((said) => said.includes('not valid') || said.includes(SENT))).toEqual([]);
    expect(refusals.filter(({ fault }) => fault.field?.includes(SENT))).toEqual([]);

    const unreasoned = refusals.filter(({ issue }) => issue.code === 'custom' && !issue.params?.reason);
    expect(unreasoned.map(({ sentence }) => sentence)).toEqual([]);
    // Only for errors about the whole value, whose size the limit refers to; metadata limits the number of its keys.
    const limited = refusals.filter(
      ({ schema: inner, issue, fault }) =>
        fault.limit !== undefined &&
        issue.path.length === 0 &&
        issue.code !== 'invalid_key' &&
        !(issue.code === 'custom' && fault.reason === 'too_many') &&
        !(inner instanceof z.ZodUnion),
    );
    expect(limited.filter((each) => !isLastAccepted(each)).map(({ sentence }) => sentence)).toEqual([]);
  },
);
