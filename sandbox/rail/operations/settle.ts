/** Approves or declines a charge. The caller's transaction holds the charge's lock. */
import { cardByName, type RailDecline } from '../core/test-cards.ts';
import { type Charge, setApproved, setDeclined } from '../db/charges.ts';
import { enterInLedger } from '../db/ledger.ts';
import { createMandate } from '../db/mandates.ts';
import type { Db } from '../db/pool.ts';
import { dispute } from './dispute.ts';
import { announceCharge } from './webhooks.ts';

export async function approve(db: Db, charge: Charge): Promise<Charge> {
  const { accountId, reference, operation, amount, currency } = charge;
  if (operation === 'tombstone') throw new RangeError(`${reference} is a tombstone and cannot be approved`);
  const approved = await setApproved(db, charge, await newMandate(db, charge));
  await enterInLedger(db, accountId, { reference, operation, amount, currency, outcome: 'approved' });
  await announceCharge(db, approved);
  if (amount > 0 && charge.cardName && cardByName(charge.cardName).disputed) await dispute(db, approved);
  return approved;
}

export async function decline(db: Db, charge: Charge, code: RailDecline): Promise<Charge> {
  const declined = await setDeclined(db, charge, code);
  await announceCharge(db, declined);
  return declined;
}

async function newMandate(
  db: Db,
  { saveMandate, accountId, cardName, method, reference }: Charge,
): Promise<string | null> {
  if (!saveMandate || !cardName || !method) return null;
  return createMandate(db, accountId, cardName, method, reference);
}
