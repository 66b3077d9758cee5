/**
 * Parsers of input from outside a workflow: start arguments, signals, updates. Pure and synchronous, as
 * validators must be (rule 11). They throw InvalidRequest, which a caller can read.
 */
import { ApplicationFailure } from '@temporalio/common';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import type { LookupTimings } from '../../domain/core/lookup-schedule.ts';

export type Parser<Value> = (given: unknown, name: string) => Value;

function invalid(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, 'InvalidRequest');
}

/** @returns an object with these fields only */
export function message<Value extends object>(
  fields: {
    readonly [Name in keyof Value]: Parser<Value[Name]>;
  },
): Parser<Value> {
  const parsers = Object.entries<Parser<unknown>>(fields);
  return (given, name) => {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      throw invalid(`${name} must be an object with ${Object.keys(fields).join(', ')}`);
    }
    const all = parsers.map(([key, parse]) => [key, parse(Reflect.get(given, key), key)]);
    return Object.fromEntries(all) as Value;
  };
}

/** PostgreSQL rejects NUL in text and lone surrogates in JSON: storing such an id would fail forever. */
export const id: Parser<string> = (given, name) => {
  const fits = typeof given === 'string' && given !== '' && given.length <= 2_000 && !given.includes('\0');
  if (!fits || !given.isWellFormed())
    throw invalid(`${name} must be a string of 1 to 2000 characters, without U+0000 or unpaired surrogates`);
  return given;
};

export const text: Parser<string> = (given, name) =>
  id(typeof given === 'string' && given.trim() === '' ? '' : given, name);

/** `Date.prototype.toISOString`, with or without a fraction; PostgreSQL writes up to six digits. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/;

export const instant: Parser<string> = (given, name) => {
  if (typeof given !== 'string' || !INSTANT.test(given) || !isInCalendar(given)) {
    throw invalid(`${name} must be a UTC timestamp such as 2027-01-31T00:00:00Z`);
  }
  return given;
};

/** JavaScript parses 30 February as a day in March; PostgreSQL rejects that date, and the year 0. */
function isInCalendar(given: string): boolean {
  const ms = Date.parse(given);
  return (
    !Number.isNaN(ms) && given >= '0001' && new Date(ms).toISOString().slice(0, 19) === given.slice(0, 19)
  );
}

export function oneOf<const Allowed extends string>(...allowed: readonly Allowed[]): Parser<Allowed> {
  return (given, name) => {
    const found = allowed.find((each) => each === given);
    if (found === undefined) throw invalid(`${name} must be one of ${allowed.join(', ')}`);
    return found;
  };
}

export const trueOrFalse: Parser<boolean> = (given, name) => {
  if (typeof given !== 'boolean') throw invalid(`${name} must be true or false`);
  return given;
};

export const count: Parser<number> = (given, name) => {
  if (!Number.isSafeInteger(given) || Number(given) < 0) throw invalid(`${name} must be a whole number`);
  return Number(given);
};

export function nullable<Value>(parse: Parser<Value>): Parser<Value | null> {
  return (given, name) => (given === null ? null : parse(given, name));
}

/** For messages without input. */
export const nothing: Parser<Record<never, never>> = (given, name) => {
  if (given !== undefined && given !== null) throw invalid(`${name} takes no input`);
  return {};
};

export const environment = oneOf(...ENVIRONMENTS);

export const lookupTimings: Parser<LookupTimings> = (given, name) => {
  const timings = schedules(given, name);
  if (timings.reconcileSeconds.length + timings.reconcileLongSeconds.length === 0) {
    throw invalid(`${name} must contain at least one interval`);
  }
  return timings;
};

/** Zero is accepted, because earlier configurations allowed it and arguments of open runs contain it. */
const seconds: Parser<readonly number[]> = (given, name) => {
  const areSeconds =
    Array.isArray(given) && given.every((each) => typeof each === 'number' && each >= 0 && each < 1e9);
  if (!areSeconds) throw invalid(`${name} must be a list of seconds`);
  return given.map(Number);
};

const schedules = message<LookupTimings>({ reconcileSeconds: seconds, reconcileLongSeconds: seconds });
