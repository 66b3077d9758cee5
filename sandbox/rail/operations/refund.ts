/** Refunds a charge in full or in part, never more than was charged. */

import { Refusal } from '../core/refusal.ts';
import type { Account } from '../db/accounts.ts';
import { type Charge, lockCharge } from '../db/charges.ts';
import { enterInLedger } from '../db/ledger.ts';
import type { Db } from '../db/pool.ts';
import { findRefund, insertRefund, type Refund, refundedAmount } from '../db/refunds.ts';
import { announceRefund } from './webhooks.ts';

export interface RefundRequest {
  readonly reference: string;
  readonly chargeReference: string;
  readonly amount: number;
  readonly currency: string;
}

export async function refund(db: Db, account: Account, request: RefundRequest): Promise<Refund> {
  // The charge's lock serialises its refunds.
  const charge = await lockCharge(db, account.id, request.chargeReference);
  const earlier = await findRefund(db, account.id, request.reference);
  if (earlier) return sameRefund(earlier, request);
  const failureCode = await whyNot(db, account, charge, request);
  const made = await insertRefund(db, {
    accountId: account.id,
    ...request,
    status: failureCode ? 'failed' : 'succeeded',
    failureCode,
  });
  if (!failureCode) await enterInLedger(db, account.id, entryOf(made));
  await announceRefund(db, made);
  return made;
}

async function whyNot(
  db: Db,
  account: Account,
  charge: Charge | null,
  { amount, currency, chargeReference }: RefundRequest,
): Promise<string | null> {
  if (charge?.status !== 'approved') return 'charge_not_refundable';
  if (charge.currency !== currency) return 'currency_mismatch';
  const refunded = await refundedAmount(db, account.id, chargeReference);
  return refunded + amount > charge.amount ? 'amount_exceeds_charge' : null;
}

function sameRefund(earlier: Refund, { reference, chargeReference, amount }: RefundRequest): Refund {
  if (earlier.chargeReference === chargeReference && earlier.amount === amount) return earlier;
  throw new Refusal(409, 'reference_conflict', `${reference} has been used for another refund`);
}

function entryOf({ reference, amount, currency }: Refund) {
  return { reference, operation: 'refund', amount, currency, outcome: 'succeeded' } as const;
}
