/** Explains how a field violates its rule, from zod's issue. Never quotes the value, which may be a secret. */
import type { z } from 'zod';
import type { Fault } from './faults.ts';

type Issue = z.core.$ZodIssue;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'a timestamp with a UTC offset, such as 2026-01-31T09:30:00Z',
  email: 'an email address',
  url: 'a URL',
};

/** The reasons for values that are too small and too large. */
const SIZES: Readonly<Record<string, readonly [Fault['reason'], Fault['reason']]>> = {
  string: ['too_short', 'too_long'],
  array: ['too_few', 'too_many'],
  set: ['too_few', 'too_many'],
};

/**
 * @param value the whole request
 * @returns a sentence that begins with the field's name, or with "The body"
 */
export function whyInvalid(issue: Issue, value: unknown): string {
  const closest = withoutKey(inUnion(issue));
  const field = closest.path.join('.') || 'The body';
  const given = valueAt(value, closest.path);
  if (closest.code === 'custom' && /^[A-Z]/.test(closest.message)) return closest.message;
  if (closest.code !== 'custom' && given === undefined) return `${field} is required.`;
  if (closest.code !== 'custom' && given === null) return `${field} ${predicate(closest)}, not null.`;
  return `${field} ${predicate(closest)}.`;
}

/** @param value the whole request */
export function faultOf(issue: Issue, value: unknown): Fault {
  const closest = withoutKey(inUnion(issue));
  const field = closest.path.join('.') || null;
  const given = valueAt(value, closest.path);
  const isAbsent = given === undefined || given === null || (given === '' && closest.code === 'too_small');
  return isAbsent && closest.code !== 'custom'
    ? { field, reason: 'required' }
    : { field, ...brokenRule(closest) };
}

function brokenRule(issue: Issue): Omit<Fault, 'field'> {
  switch (issue.code) {
    case 'custom': {
      const { reason = 'inconsistent', limit } = (issue.params ?? {}) as Partial<Fault>;
      return { reason, ...(limit !== undefined && { limit }) };
    }
    case 'invalid_value':
      return { reason: 'unknown_value' };
    case 'too_small': {
      const limit = Number(issue.minimum) + (issue.inclusive === false ? 1 : 0);
      return { reason: SIZES[issue.origin]?.[0] ?? 'too_small', limit };
    }
    case 'too_big': {
      const limit = Number(issue.maximum) - (issue.inclusive === false ? 1 : 0);
      return { reason: SIZES[issue.origin]?.[1] ?? 'too_large', limit };
    }
    case 'invalid_format':
    case 'not_multiple_of':
      return { reason: 'format' };
    case 'unrecognized_keys':
      return { reason: 'not_accepted' };
    case 'invalid_key':
      return issue.issues[0] ? brokenRule(issue.issues[0]) : { reason: 'format' };
  }
  return { reason: 'type' };
}

/** @returns the text after the field's name: `must be a whole number` */
export function predicate(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? `of type ${issue.expected}`}`;
    case 'invalid_value':
      return `must be ${listed(issue.values.map(String))}`;
    case 'too_small':
      return ofSize(
        issue.origin,
        issue.inclusive === false ? 'more than' : 'at least',
        Number(issue.minimum),
      );
    case 'too_big':
      return ofSize(issue.origin, issue.inclusive === false ? 'less than' : 'at most', Number(issue.maximum));
    case 'invalid_format':
      if (FORMATS[issue.format]) return `must be ${FORMATS[issue.format]}`;
      break;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.join(', ')}`;
    case 'invalid_key':
      return `has an invalid key: it ${issue.issues[0] ? predicate(issue.issues[0]) : 'is not valid'}`;
  }
  // Our own messages are predicates; zod's sentences begin with a capital letter.
  return /^[a-z]/.test(issue.message) ? issue.message : 'is not valid';
}

function ofSize(origin: string, bound: string, size: number): string {
  const plural = size === 1 ? '' : 's';
  if (origin === 'string') {
    return size === 1 && bound === 'at least'
      ? 'must not be empty'
      : `must have ${bound} ${size} character${plural}`;
  }
  if (origin === 'array' || origin === 'set')
    return `must have ${bound} ${size} entr${size === 1 ? 'y' : 'ies'}`;
  return `must be ${bound} ${size}`;
}

function listed(values: readonly string[]): string {
  if (values.length < 2) return values.join();
  return `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}

/**
 * Picks the alternative of a union that matched furthest, and prepends the union's path. Alternatives that are single
 * values are combined into one list, because the first alone would hide the others.
 */
function inUnion(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  // No alternative has this discriminator, so zod has tried none of them.
  if ('options' in issue) return { ...issue, code: 'invalid_value', values: issue.options ?? [] };
  const firsts = issue.errors.flatMap(([first]) => (first ? [inUnion(first)] : []));
  const [furthest] = firsts.sort((a, b) => b.path.length - a.path.length);
  if (!furthest) return issue;
  const path = [...issue.path, ...furthest.path];
  if (furthest.code !== 'invalid_value') return { ...furthest, path };
  const asFar = firsts.filter((each) => each.path.length === furthest.path.length);
  const values = asFar.flatMap((each) => (each.code === 'invalid_value' ? each.values : []));
  return { ...furthest, path, values };
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key],
    value,
  );
}

/** Points to the object instead of an invalid key, which may be a secret or very long. */
function withoutKey(issue: Issue): Issue {
  return issue.code === 'invalid_key' ? { ...issue, path: issue.path.slice(0, -1) } : issue;
}
