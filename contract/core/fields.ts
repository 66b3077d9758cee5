/** Fields shared by several kinds of resource. Absent values are null, never omitted. */
import { z } from 'zod';
import { MOST_QUANTITY } from '../../domain/core/money.ts';
import { rule } from './faults.ts';

/**
 * A parsed JSON value of any kind. Not `z.json()`: code generators reject its recursive schema, or drop the models that
 * contain it.
 */
export const anyJson = z.unknown();

export const instant = z.iso.datetime().meta({ description: 'UTC, with milliseconds.' });
const YEAR_10000_MS = Date.UTC(10_000, 0);
/**
 * An instant in a request. Any offset is accepted, even beyond PostgreSQL's fifteen hours, because the value
 * is converted to UTC; the year must have four digits in UTC too. A space before the offset is an unencoded
 * plus from a query.
 */
export const givenInstant = z
  .string()
  .overwrite((value) => value.replace(/ (?=\d\d:\d\d$)/, '+'))
  .check(z.iso.datetime({ offset: true }))
  .refine(
    (value) => Date.parse(value) >= 0 && Date.parse(value) < YEAR_10000_MS,
    rule('out_of_range', 'must be between the years 1970 and 9999, in UTC'),
  )
  .overwrite(inUtc);
export const pastInstant = givenInstant.refine(
  (at) => Date.parse(at) <= Date.now(),
  rule('too_late', 'must not be in the future'),
);

/** Converts an instant to UTC. zod also calls this for text that it has already rejected. */
function inUtc(value: string): string {
  const at = Date.parse(value);
  return Number.isNaN(at) ? value : new Date(at).toISOString();
}

export const cents = z.int().nonnegative().meta({ description: 'Integer cents.' });
export const signedCents = z.int().meta({ description: 'Integer cents; negative in a credit.' });
export const currency = z.string().length(3).meta({ example: 'EUR' });

/** The quantities of a product that can be bought at once. */
export const quantityRange = z
  .object({ min: z.int().min(1).max(MOST_QUANTITY), max: z.int().min(1).max(MOST_QUANTITY) })
  .refine(({ min, max }) => min <= max, rule('inconsistent', 'min must be at most max'))
  .meta({ id: 'QuantityRange' });

export const billingCycles = z.int().min(1).max(1_000);

export const paymentMethod = z
  .object({ type: z.string(), brand: z.string().nullable(), last4: z.string().nullable() })
  .meta({ id: 'PaymentMethod' });
