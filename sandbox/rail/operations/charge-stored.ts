/** An off-session charge under a stored mandate. */

import { Refusal } from '../core/refusal.ts';
import { cardByName } from '../core/test-cards.ts';
import type { Account } from '../db/accounts.ts';
import { type Charge, insertCharge, lockCharge } from '../db/charges.ts';
import { countMandateCharge, type Mandate } from '../db/mandates.ts';
import type { Db } from '../db/pool.ts';
import { approve, decline } from './settle.ts';

export interface ChargeStored {
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  readonly mandate: string;
  /** When the charge is due, by the subscription's clock, which may be ahead; now by default. */
  readonly at?: string | undefined;
}

export async function chargeStored(db: Db, account: Account, request: ChargeStored): Promise<Charge> {
  const { reference, amount, currency } = request;
  const earlier = await lockCharge(db, account.id, reference);
  if (earlier) return sameCharge(earlier, request);
  const mandate = await countMandateCharge(db, account.id, request.mandate, request.at);
  const charge = await insertCharge(db, {
    accountId: account.id,
    operation: 'chargeStored',
    reference,
    amount,
    currency,
    cardName: mandate?.cardName ?? null,
    method: mandate?.method ?? null,
    saveMandate: false,
    challengeReturnUrl: null,
  });
  if (!charge) throw new Refusal(409, 'lock_timeout', `another call for ${reference} is in progress`);
  if (!mandate) return decline(db, charge, 'mandate_invalid');
  const code = declineCode(mandate);
  return code ? decline(db, charge, code) : approve(db, charge);
}

function declineCode({ cardName, chargesTried, expired }: Mandate) {
  if (expired) return 'expired_card';
  const { later } = cardByName(cardName);
  if (later.kind === 'approve' || chargesTried >= (later.times ?? Number.POSITIVE_INFINITY)) return null;
  return later.code;
}

function sameCharge(earlier: Charge, { amount, currency, reference }: ChargeStored): Charge {
  if (earlier.operation === 'tombstone') return earlier;
  if (earlier.amount === amount && earlier.currency === currency) return earlier;
  throw new Refusal(409, 'reference_conflict', `${reference} has been used with a different amount`);
}
