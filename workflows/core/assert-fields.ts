/** Validators of updates check the message alone, synchronously (rule 11). */
import { ApplicationFailure } from '@temporalio/workflow';

/** PostgreSQL rejects NUL in text: the activity that stores it would fail for ever. */
export function assertText(fields: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== 'string' || value.trim() === '' || value.length > 2_000 || value.includes('\0')) {
      throw ApplicationFailure.nonRetryable(
        `${name} must be a text of 1 to 2000 characters`,
        'InvalidRequest',
      );
    }
  }
}

/** `Date.prototype.toISOString`, with or without milliseconds. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;

export function assertInstant(fields: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== 'string' || !INSTANT.test(value) || !isInCalendar(value)) {
      throw ApplicationFailure.nonRetryable(
        `${name} must be an instant in UTC like 2027-01-31T00:00:00Z`,
        'InvalidRequest',
      );
    }
  }
}

/** JavaScript reads 30 February as a day in March; PostgreSQL rejects it. */
function isInCalendar(instant: string): boolean {
  const ms = Date.parse(instant);
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 19) === instant.slice(0, 19);
}

export function assertOneOf(fields: Record<string, unknown>, allowed: readonly string[]): void {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== 'string' || !allowed.includes(value)) {
      throw ApplicationFailure.nonRetryable(`${name} must be one of ${allowed.join(', ')}`, 'InvalidRequest');
    }
  }
}
