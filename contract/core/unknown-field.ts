/**
 * Rejects unknown fields in requests that cannot be undone (docs/contract.md#shapes): a misspelt option must not count
 * as absent. The schemas of these requests are marked with `CLOSED`, which also closes them in the API description.
 */
import { z } from 'zod';

/** Marks a schema as closed: `.meta({ id, ...CLOSED })`. */
export const CLOSED = { additionalProperties: false } as const;

/** Fields accepted at the top level of every body, whether or not the route uses them. */
const ALWAYS_KNOWN: ReadonlySet<string> = new Set(['merchantId', 'reason', 'metadata']);
/** The error message truncates longer names. */
const LONGEST_NAME = 60;

interface UnknownField {
  readonly field: string;
  readonly message: string;
}

type Inner = z.core.$ZodType;
type Fields = Readonly<Record<string, Inner>>;

/** Returns true if the schema, or one of its alternatives, is marked as closed. */
export function isClosed(schema: Inner): boolean {
  if (schema instanceof z.ZodUnion) return schema.options.some(isClosed);
  return z.globalRegistry.get(schema)?.additionalProperties === false;
}

/**
 * @param alsoKnown top-level names that the route rejects with its own error
 * @returns the path of the first field that the schema does not name, and a sentence about it; null if there is none
 */
export function unknownField(
  schema: Inner,
  body: Readonly<Record<string, unknown>>,
  alsoKnown: readonly string[] = [],
): UnknownField | null {
  const isKnown = (name: string) => ALWAYS_KNOWN.has(name) || alsoKnown.includes(name);
  const top = Object.fromEntries(Object.entries(body).filter(([name]) => !isKnown(name)));
  return findIn(schema, top, []);
}

function findIn(
  schema: Inner,
  body: Readonly<Record<string, unknown>>,
  path: readonly string[],
): UnknownField | null {
  if (!isClosed(schema)) return null;
  const fields = fieldsOf(schema, body);
  for (const [name, value] of Object.entries(body)) {
    const inner = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!inner) {
      const unknown = [...path, name.slice(0, LONGEST_NAME)];
      return { field: unknown.join('.'), message: sentence(unknown, Object.keys(fields)) };
    }
    const found = isObject(value) ? findIn(unwrapped(inner), value, [...path, name]) : null;
    if (found) return found;
  }
  return null;
}

/** Returns the known fields. For a union: those of the alternatives that match the body's constants, or else of all. */
function fieldsOf(schema: Inner, body: Readonly<Record<string, unknown>>): Fields {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (!(schema instanceof z.ZodUnion)) return {};
  const options = schema.options.map((option) => fieldsOf(option, body));
  const fitting = options.filter((fields) =>
    Object.entries(fields).every(
      ([name, field]) => !(field instanceof z.ZodLiteral) || field.values.has(body[name] as never),
    ),
  );
  return Object.assign({}, ...(fitting.length > 0 ? fitting : options));
}

function unwrapped(schema: Inner): Inner {
  const { innerType } = schema._zod.def as { readonly innerType?: Inner };
  return innerType ? unwrapped(innerType) : schema;
}

function sentence(path: readonly string[], known: readonly string[]): string {
  const meant = closest(path.at(-1) ?? '', known);
  const hint = meant ? `: did you mean ${meant}?` : `; its fields are ${known.join(', ')}.`;
  return `${path.join('.')} is not a field of this request${hint}`;
}

/**
 * Finds the field that was probably meant: `at_period_end` for `atPeriodEnd`, or for a name with a letter missing.
 */
function closest(given: string, known: readonly string[]): string | null {
  const wanted = plain(given);
  const byDistance = known.map((name) => [name, distance(wanted, plain(name))] as const);
  const [nearest] = byDistance.sort(([, a], [, b]) => a - b);
  if (nearest && nearest[1] <= wanted.length / 3) return nearest[0];
  const isPart = (part: string, whole: string) => part.length > 2 && whole.includes(part);
  return known.find((name) => isPart(plain(name), wanted) || isPart(wanted, plain(name))) ?? null;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Returns the Levenshtein distance: the number of letters to insert, delete or replace. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
