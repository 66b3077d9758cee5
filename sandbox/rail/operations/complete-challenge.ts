/** Applies the buyer's answer to the challenge. Idempotent; a late answer has no effect. */
import { cardByName } from '../core/test-cards.ts';
import { type Charge, lockChargeOfChallenge } from '../db/charges.ts';
import type { Db } from '../db/pool.ts';
import { approve, decline } from './settle.ts';

/** @returns null if the challenge does not exist */
export async function completeChallenge(
  db: Db,
  challengeId: string,
  result: 'approve' | 'fail',
): Promise<Charge | null> {
  const charge = await lockChargeOfChallenge(db, challengeId);
  if (charge?.status !== 'requires_action') return charge;
  if (result === 'fail') return decline(db, charge, 'authentication_failed');
  return bankDeclines(charge) ? decline(db, charge, 'do_not_honor') : approve(db, charge);
}

function bankDeclines({ cardName }: Charge): boolean {
  const first = cardName === null ? null : cardByName(cardName).first;
  return first?.kind === 'challenge' && first.endsIn === 'decline';
}
