/**
 * Holds back an answer whose amount differs from the requested one: a lost copy of the database may have used the
 * reference for another purchase (rule 28). Neither amount is settled.
 */
import { plainAmount } from '../domain/core/money.ts';
import type { Moved, RailUnknown } from './outcomes.ts';
import type { AskedAmount } from './requests.ts';

interface Reported {
  readonly kind: string;
  readonly moved?: Moved | undefined;
}

/** @param asked the requested amount; absent for a call about an account */
export function unlessOtherAmount<Outcome extends Reported>(
  asked: Partial<AskedAmount>,
  outcome: Outcome,
): Outcome | RailUnknown {
  const { moved } = outcome;
  const { amountCents, currency } = asked;
  if (!moved || typeof amountCents !== 'number' || !currency) return outcome;
  const expected = { amountCents, currency };
  if (isSame(expected, moved)) return outcome;
  const detail = `the rail reports ${inWords(moved)} instead of ${inWords(expected)}`;
  return { kind: 'unknown', reason: 'other_amount', detail };
}

/** Compares amounts; 0 is equal in every currency. */
function isSame(asked: Moved, { amountCents, currency }: Moved): boolean {
  return amountCents === asked.amountCents && (currency === asked.currency || amountCents === 0);
}

function inWords({ amountCents, currency }: Moved): string {
  return plainAmount(amountCents, currency);
}
