/** Validators of updates judge what is in the message alone, synchronously (money-safety rule 11). */
import { ApplicationFailure } from '@temporalio/workflow';

export function assertText(fields: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== 'string' || value.trim() === '' || value.length > 2_000) {
      throw ApplicationFailure.nonRetryable(
        `${name} must be a text of 1 to 2000 characters`,
        'InvalidRequest',
      );
    }
  }
}

export function assertOneOf(fields: Record<string, unknown>, allowed: readonly string[]): void {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== 'string' || !allowed.includes(value)) {
      throw ApplicationFailure.nonRetryable(`${name} must be one of ${allowed.join(', ')}`, 'InvalidRequest');
    }
  }
}
