/** Webhooks: written in the transaction of the change that they report, sent in the background. */
import { randomUUID } from 'node:crypto';
import { cardByName } from '../core/test-cards.ts';
import type { Charge } from '../db/charges.ts';
import type { Dispute } from '../db/disputes.ts';
import { insertEvent } from '../db/events.ts';
import type { Db } from '../db/pool.ts';
import type { Refund } from '../db/refunds.ts';

/** Delays for cards with unruly webhooks: of a charge's `pending` webhook, and of the last copy of its others. */
const HELD_BACK_MS = 3_500;
const COPY_MS = 1_500;

export async function announceCharge(db: Db, charge: Charge): Promise<void> {
  const { accountId, reference, id, status, amount, currency } = charge;
  const body = webhookBody(`charge.${status}`, accountId, {
    reference,
    charge: id,
    status,
    amount,
    currency,
  });
  if (!isUnruly(charge)) return insertEvent(db, accountId, body.id, body.text, 0);
  if (status === 'pending') return insertEvent(db, accountId, body.id, body.text, HELD_BACK_MS);
  for (const delayMs of [0, 0, COPY_MS]) await insertEvent(db, accountId, body.id, body.text, delayMs);
}

export async function announceRefund(db: Db, refund: Refund): Promise<void> {
  const { accountId, reference, id, status, amount, currency } = refund;
  const body = webhookBody(`refund.${status}`, accountId, {
    reference,
    refund: id,
    status,
    amount,
    currency,
  });
  await insertEvent(db, accountId, body.id, body.text, 0);
}

export async function announceDispute(db: Db, dispute: Dispute): Promise<void> {
  const { accountId, chargeReference: reference, id, status, amount, currency } = dispute;
  const data = { reference, dispute: id, status, amount, currency };
  const body = webhookBody(`dispute.${status}`, accountId, data);
  await insertEvent(db, accountId, body.id, body.text, 0);
}

function isUnruly({ cardName }: Charge): boolean {
  return cardName !== null && cardByName(cardName).unrulyWebhooks === true;
}

function webhookBody(type: string, account: string, data: object): { id: string; text: string } {
  const id = `evt_${randomUUID().replaceAll('-', '')}`;
  return { id, text: JSON.stringify({ id, type, account, createdAt: new Date().toISOString(), data }) };
}
