/**
 * Attempts once to charge an unpaid invoice now, with the stored method, outside the retry schedule: `charge_at`
 * remains the date of the next retry. An attempt in progress is joined, so that a simultaneous retry does not charge
 * twice.
 */
import { z } from 'zod';
import { PAYMENT_STATUSES } from '../../domain/payment/payment.ts';
import { type Db, type Pool, sql, type Transaction } from '../core/pool.ts';
import { claimCharge } from './claim-charge.ts';
import { payableInvoice, type UnpaidInvoice } from './core/subscription-invoices.ts';
import {
  done,
  type Operation,
  type OperationAnswer,
  type OperationRefusal,
  operate,
  refused,
} from './core/subscription-operations.ts';
import { type LockedSubscription, saveSubscription } from './core/subscription-row.ts';
import { railBackAt } from './renew-subscription.ts';

/** Maximum number of attempts within 24 hours, by the subscription's clock. */
export const ATTEMPTS_A_DAY = 3;

export interface PayInvoice extends Operation {
  readonly invoiceId: string;
}

export function payInvoice(pool: Pool, operation: PayInvoice): Promise<OperationAnswer> {
  return operate(pool, 'payInvoice', operation, async (tx, subscription) => {
    const invoice = await payableInvoice(tx, operation);
    if (typeof invoice === 'string') return refused(invoice);
    if (subscription.open_payment_id) return { ...done(), paymentId: subscription.open_payment_id };
    const refusal = await refusalNow(tx, subscription, invoice);
    if (refusal) return refused(refusal);
    const paymentId = await claimCharge(tx, subscription, invoice, { byRequest: true });
    if (paymentId === null) return refused('payment_method_declined');
    await saveSubscription(tx, subscription, { open_payment_id: paymentId });
    return { ...done(), paymentId };
  });
}

async function refusalNow(
  tx: Transaction,
  subscription: LockedSubscription,
  invoice: UnpaidInvoice,
): Promise<OperationRefusal | null> {
  if (subscription.method_declined || awaitsMethod(subscription)) return 'payment_method_declined';
  if ((await attemptsOfToday(tx, subscription, invoice)) >= ATTEMPTS_A_DAY) return 'attempts_of_today';
  return (await railBackAt(tx, subscription)) === null ? null : 'payment_rail_unavailable';
}

/** True if the last decline rules out the stored method: a new method makes the invoice due immediately. */
function awaitsMethod({ status, dunning, charge_at: chargeAt }: LockedSubscription): boolean {
  return status === 'past_due' && dunning !== null && chargeAt === null;
}

function attemptsOfToday(
  tx: Transaction,
  { now }: LockedSubscription,
  { id }: UnpaidInvoice,
): Promise<number> {
  return tx.oneFirst(sql.type(z.object({ count: z.number() }))`
    select count(*) from payments
    where invoice_id = ${id} and by_request and created_at > ${now}::timestamptz - interval '1 day'
  `);
}

const attempt = z.object({
  id: z.string(),
  status: z.enum(PAYMENT_STATUSES),
  failure_code: z.string().nullable(),
});

export function findAttempt(db: Db, paymentId: string): Promise<z.infer<typeof attempt>> {
  return db.one(sql.type(attempt)`select id, status, failure_code from payments where id = ${paymentId}`);
}
