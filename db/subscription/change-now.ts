/**
 * An immediate change: its invoice is drafted and its charge claimed in one transaction. The plan changes in the
 * transaction that records the payment (settle-change.ts); a decline leaves everything as it was.
 */
import { z } from 'zod';
import type { WantedChange } from '../../domain/subscription/operations.ts';
import { type Pool, sql, type Transaction } from '../core/pool.ts';
import { draftInvoice } from '../invoice/draft-invoice.ts';
import { type CalculatedChange, calculateChange } from './calculate-change.ts';
import { claimCharge } from './claim-charge.ts';
import { hasLostMethod } from './core/stranded.ts';
import { billedPlan, draftPeriodInvoice } from './core/subscription-invoices.ts';
import {
  done,
  type Operation,
  type OperationAnswer,
  operate,
  refused,
} from './core/subscription-operations.ts';
import { type LockedSubscription, saveSubscription } from './core/subscription-row.ts';
import { ATTEMPTS_A_DAY } from './pay-invoice.ts';
import { railBackAt } from './renew-subscription.ts';

export type ChangeNow = Operation & WantedChange;

export function changePlanNow(pool: Pool, operation: ChangeNow): Promise<OperationAnswer> {
  return operate(pool, 'changeNow', operation, async (tx, subscription) => {
    // The work limit of a moving sandbox clock was computed from the plans known when it started to move (rule 37).
    if (subscription.clock_target !== null) return refused('advances_running');
    const change = await calculateChange(tx, subscription, operation);
    if (change.kind === 'refused') return change;
    if (subscription.method_declined || (await hasLostMethod(tx, subscription)))
      return refused('payment_method_declined');
    if ((await failedToday(tx, subscription)) >= ATTEMPTS_A_DAY) return refused('attempts_of_today');
    if ((await railBackAt(tx, subscription)) !== null) return refused('payment_rail_unavailable');
    const invoice = await draftOf(tx, subscription, change);
    const changeId = await insertChange(tx, subscription, {
      ...change,
      type: operation.type,
      invoiceId: invoice.id,
    });
    const paymentId = await claimCharge(tx, subscription, invoice);
    if (paymentId === null) throw new Error(`${subscription.id} lost its account during the change`);
    await saveSubscription(tx, subscription, { open_payment_id: paymentId, open_change: 'pending' });
    return { ...done(changeId), paymentId };
  });
}

/**
 * Counts immediate changes of the last 24 hours that were not applied, including withdrawn ones. Each has its own
 * invoice, so without this limit a card could be tried indefinitely.
 */
function failedToday(tx: Transaction, { id, now }: LockedSubscription): Promise<number> {
  return tx.oneFirst(sql.type(z.object({ count: z.number() }))`
    select count(*) from subscription_changes
    where subscription_id = ${id} and invoice_id is not null and status <> 'applied' and created_at > ${now}::timestamptz - interval '1 day'
  `);
}

async function draftOf(tx: Transaction, subscription: LockedSubscription, change: CalculatedChange) {
  const { planId, priceId, amount, quantity } = change.target;
  const replaced = await billedPlan(tx, subscription);
  const changed = {
    ...subscription,
    ...change.coupon,
    product_id: planId,
    price_id: priceId,
    amount,
    quantity,
  };
  const plan = await billedPlan(tx, changed);
  const draft = await draftPeriodInvoice(tx, changed, plan, change, replaced.product_name);
  const id = await draftInvoice(tx, draft);
  return {
    id,
    order_id: draft.orderId,
    amount_due: change.total,
    version: 1,
    period_start: change.period.start,
    change_id: null,
  };
}

interface ToInsert extends Pick<CalculatedChange, 'target' | 'period'> {
  readonly type: WantedChange['type'];
  readonly invoiceId: string;
}

function insertChange(
  tx: Transaction,
  { id, now }: LockedSubscription,
  { type, target, period, invoiceId }: ToInsert,
): Promise<string> {
  return tx.oneFirst(sql.type(z.object({ id: z.string() }))`
    insert into subscription_changes (subscription_id, type, status, target_plan_id, target_offering_id,
      target_price_id, amount, quantity, effective_at, invoice_id, created_at, updated_at)
    values (${id}, ${type}, 'pending', ${target.planId}, ${target.offeringId}, ${target.priceId}, ${target.amount},
      ${target.quantity}, ${period.start}, ${invoiceId}, ${now}, ${now})
    returning id
  `);
}
