/** Opens a dispute about an approved charge, and decides it. */

import { Refusal } from '../core/refusal.ts';
import { type Charge, lockCharge } from '../db/charges.ts';
import { type Dispute, insertDispute, listDisputes, setDecided } from '../db/disputes.ts';
import type { Db } from '../db/pool.ts';
import { announceDispute } from './webhooks.ts';

/** @throws Refusal */
export async function openDispute(db: Db, accountId: string, reference: string): Promise<Dispute> {
  const charge = await lockCharge(db, accountId, reference);
  if (charge?.status !== 'approved' || charge.amount === 0) {
    throw new Refusal(409, 'charge_not_disputable', `${reference} is not an approved charge`);
  }
  if ((await listDisputes(db, accountId, reference)).some(({ status }) => status === 'open')) {
    throw new Refusal(409, 'dispute_open', `${reference} has an open dispute`);
  }
  return dispute(db, charge);
}

/** Call while holding the charge's lock. */
export async function dispute(db: Db, charge: Charge): Promise<Dispute> {
  const { accountId, reference: chargeReference, amount, currency } = charge;
  const opened = await insertDispute(db, {
    accountId,
    chargeReference,
    amount,
    currency,
    reason: 'fraudulent',
  });
  await announceDispute(db, opened);
  return opened;
}

/** @throws Refusal */
export async function decideDispute(
  db: Db,
  accountId: string,
  reference: string,
  status: 'won' | 'lost',
): Promise<Dispute> {
  const decided = await setDecided(db, accountId, reference, status);
  if (!decided) throw new Refusal(404, 'dispute_not_found', `${reference} has no open dispute`);
  await announceDispute(db, decided);
  return decided;
}
