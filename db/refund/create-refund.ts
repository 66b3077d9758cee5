/** Creates or refuses a refund under its payment's row lock, which also reserves the amount (rule 8). */
import { z } from 'zod';
import { type Refund, refund } from '../../contract/refund/refund.ts';
import type { Scope } from '../../domain/core/environment.ts';
import { CURRENCIES } from '../../domain/core/money.ts';
import { PAYMENT_STATUSES } from '../../domain/payment/payment.ts';
import { isRefundable } from '../../domain/refund/refund.ts';
import { type Actor, writeAudit } from '../core/audit.ts';
import { type Db, type Pool, sql, type Transaction } from '../core/pool.ts';
import { creditedPart } from '../payment/credited-part.ts';
import { disputedPart } from '../payment/disputed-part.ts';

export interface RefundToCreate {
  readonly scope: Scope;
  /** A repeated request finds the existing refund. */
  readonly operationId: string;
  readonly of: { readonly paymentId: string } | { readonly orderId: string };
  /** Cents; null means the whole remaining amount. */
  readonly amount: number | null;
  readonly currency: string | null;
  readonly reason: string | null;
  /** Confirms the refund even though the buyer's bank has taken the money back, or may do so. */
  readonly confirmDispute?: boolean;
  /** The remaining amount, in cents, that the person saw. */
  readonly expectedLeft?: number | undefined;
  /** True if the merchant's `support_refund_limit` applies. */
  readonly limited?: boolean;
  /** The adapters of this installation. */
  readonly railNames: readonly string[];
  /** A person, for the audit log. */
  readonly actor?: Actor;
}

export type RefundRefusal =
  | 'payment_not_found'
  | 'order_not_found'
  | 'payment_not_refundable'
  | 'refund_amount_exceeds_payment'
  | 'refundable_amount_changed'
  | 'refund_currency_mismatch'
  | 'refund_limit_exceeded'
  | 'refunds_not_supported'
  | 'payment_disputed';

export const refundColumns = sql.fragment`id, payment_id, order_id, amount, currency, reason, status, created_at`;

/** Checks in contract order (docs/contract.md#order-of-checks); a failed check writes nothing. */
export function createRefund(pool: Pool, input: RefundToCreate): Promise<Refund | RefundRefusal> {
  return pool.transaction(async (tx) => {
    const paymentId =
      'paymentId' in input.of ? input.of.paymentId : await paymentOfOrder(tx, input, input.of);
    if (paymentId === undefined) return 'order_not_found';
    if (paymentId === null) return 'payment_not_refundable';
    const payment = await lockRefundable(tx, input.scope, paymentId);
    if (!payment) return 'payment_not_found';
    const left = payment.amount - payment.refunded_amount - (await creditedCents(tx, payment.id));
    const amount = input.amount ?? left;
    const made = await findByOperation(tx, paymentId, input.operationId);
    if (made) return made;
    // A payment of 0 cents (a trial's set-up) cannot be refunded.
    if (!isRefundable(payment.status) || payment.amount === 0 || payment.rail_order_id === null)
      return 'payment_not_refundable';
    if (input.expectedLeft !== undefined && input.expectedLeft !== left) return 'refundable_amount_changed';
    if (amount > left || left === 0) return 'refund_amount_exceeds_payment';
    if (input.currency !== null && input.currency !== payment.currency) return 'refund_currency_mismatch';
    // All refunds of the payment count; otherwise several small ones could exceed the limit.
    if (input.limited && payment.refunded_amount + amount > payment.support_refund_limit)
      return 'refund_limit_exceeded';
    const supported = payment.refunds && input.railNames.includes(payment.rail ?? '');
    if (!supported) return 'refunds_not_supported';
    if (amount > left - payment.disputed && !input.confirmDispute) return 'payment_disputed';
    return reserve(tx, input, payment, amount);
  });
}

/** An adopted refund has no operation (rule 29), so its id identifies it. */
function findByOperation(tx: Transaction, paymentId: string, operationId: string): Promise<Refund | null> {
  return tx.maybeOne(sql.type(refund)`
    select ${refundColumns} from refunds
    where payment_id = ${paymentId} and (operation_id = ${operationId}
      or id = derived_refund_id(payment_id, ${operationId}, amount))
    order by operation_id = ${operationId} desc, created_at limit 1
  `);
}

/** @returns undefined for an unknown order; null for an order without payment */
async function paymentOfOrder(
  db: Db,
  { scope: { merchantId, environment } }: RefundToCreate,
  { orderId }: { readonly orderId: string },
): Promise<string | null | undefined> {
  const order = await db.maybeOne(sql.type(z.object({ payment_id: z.string().nullable() }))`
    select payment_id from orders
    where id = ${orderId} and merchant_id = ${merchantId} and environment = ${environment}
  `);
  return order?.payment_id;
}

const refundable = z.object({
  id: z.string(),
  order_id: z.string().nullable(),
  rail: z.string().nullable(),
  rail_account_id: z.string().nullable(),
  rail_order_id: z.string().nullable(),
  status: z.enum(PAYMENT_STATUSES),
  amount: z.number(),
  refunded_amount: z.number(),
  /** Cents. */
  support_refund_limit: z.number(),
  currency: z.enum(CURRENCIES),
  refunds: z.boolean(),
  /** Cents. */
  disputed: z.number(),
});

function lockRefundable(tx: Transaction, { merchantId, environment }: Scope, paymentId: string) {
  return tx.maybeOne(sql.type(refundable)`
    select p.id, p.order_id, p.rail, p.rail_account_id, p.rail_order_id, p.status, p.amount, p.refunded_amount,
      p.currency,
      (select support_refund_limit from merchants where id = p.merchant_id) as support_refund_limit,
      coalesce((select capabilities -> 'refunds' = 'true' from rail_accounts where id = p.rail_account_id), false)
        as refunds, d.amount as disputed
    from payments p ${disputedPart}
    where p.id = ${paymentId} and p.merchant_id = ${merchantId} and p.environment = ${environment}
    for update of p
  `);
}

/** Call after locking the payment, so that a change claimed concurrently has stored its credit. */
function creditedCents(tx: Transaction, paymentId: string): Promise<number> {
  return tx.oneFirst(sql.type(z.object({ cents: z.number() }))`
    select ${creditedPart} as cents from payments p where p.id = ${paymentId}
  `);
}

/** The id, which is the reference at the rail, derives from the client's key and the payment's id (rule 28). */
async function reserve(
  tx: Transaction,
  { operationId, reason, scope, actor }: RefundToCreate,
  payment: z.infer<typeof refundable>,
  amount: number,
): Promise<Refund> {
  await tx.query(sql.typeAlias('void')`
    update payments set refunded_amount = refunded_amount + ${amount},
      updated_at = greatest(updated_at, service_clock())
    where id = ${payment.id}
  `);
  const made = await tx.one(sql.type(refund)`
    insert into refunds (id, merchant_id, environment, payment_id, order_id, rail_account_id, operation_id, amount,
      currency, reason)
    select derived_refund_id(id, ${operationId}, ${amount}), merchant_id, environment, id, order_id, rail_account_id,
      ${operationId}, ${amount}, currency, ${reason}
    from payments where id = ${payment.id}
    returning ${refundColumns}
  `);
  if (actor) {
    const after = { refund_id: made.id, amount, reason };
    await writeAudit(tx, {
      ...scope,
      ...actor,
      action: 'refund.create',
      subjectId: payment.id,
      before: null,
      after,
    });
  }
  return made;
}

export function findRefund(db: Db, { merchantId, environment }: Scope, id: string): Promise<Refund | null> {
  return db.maybeOne(sql.type(refund)`
    select ${refundColumns} from refunds
    where id = ${id} and merchant_id = ${merchantId} and environment = ${environment}
  `);
}
