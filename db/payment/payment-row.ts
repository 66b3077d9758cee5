/** Locks a payment's row in a transaction, which is the only way to change its status. */
import { z } from 'zod';
import { CURRENCIES } from '../../domain/core/money.ts';
import { FAILURE_MESSAGES } from '../../domain/payment/failure-messages.ts';
import { canTransitionPayment, PAYMENT_STATUSES, type PaymentStatus } from '../../domain/payment/payment.ts';
import { METHOD_TYPES } from '../../domain/payment/payment-method.ts';
import { countAttempt } from '../../platform/observability/state-changes.ts';
import { sql, type Transaction } from '../core/pool.ts';
import { afterCommit } from '../core/transaction.ts';
import { type AnswerDetails, detailsAsColumns } from './rail-calls.ts';

export const lockedPayment = z.object({
  id: z.string(),
  order_id: z.string().nullable(),
  rail: z.string().nullable(),
  status: z.enum(PAYMENT_STATUSES),
  version: z.number(),
  amount: z.number(),
  currency: z.enum(CURRENCIES),
  merchant_id: z.string(),
  environment: z.string(),
  /** True for a subscription's invoice, which is charged without the buyer. */
  off_session: z.boolean(),
  method_type: z.enum(METHOD_TYPES).nullable(),
});
export type LockedPayment = z.infer<typeof lockedPayment>;

/** Selects a locked payment `p` as one value, so that it can also be part of a statement that locks its session. */
export const paymentAsJson = sql.fragment`
  jsonb_build_object('id', p.id, 'order_id', p.order_id, 'rail', p.rail, 'status', p.status, 'version', p.version,
    'amount', p.amount, 'currency', p.currency, 'merchant_id', p.merchant_id, 'environment', p.environment,
    'off_session', p.checkout_id is null, 'method_type', p.payment_method ->> 'type')`;

/**
 * @param subscriptionId the subscription whose invoice the payment charges; null if the owner does not matter
 * @returns null if the row does not exist (rule 30) or the payment has another owner
 */
export function lockPayment(
  tx: Transaction,
  paymentId: string,
  subscriptionId: string | null,
): Promise<LockedPayment | null> {
  return tx.maybeOneFirst(sql.type(z.object({ payment: lockedPayment }))`
    select ${paymentAsJson} as payment
    from payments p where id = ${paymentId} and (${subscriptionId}::text is null or checkout_id is null
      and invoice_id in (select i.id from invoices i where i.subscription_id = ${subscriptionId})) for update
  `);
}

/** Written when a payment changes status. */
interface WithTransition {
  /** The invoice that the payment pays. */
  readonly invoiceId?: string;
  /** The answer's details; absent if they are already stored. */
  readonly details?: AnswerDetails | null | undefined;
  /** The time by the clock of the payment's subscription; defaults to the service's clock. */
  readonly at?: string;
}

/**
 * Transitions a locked payment, and stores the answer's details.
 *
 * @throws on an illegal transition, which is a bug
 */
export async function transitionPayment(
  tx: Transaction,
  payment: LockedPayment,
  to: PaymentStatus,
  failureCode: string | null,
  { invoiceId, details, at }: WithTransition = {},
): Promise<LockedPayment> {
  const moves = payment.status !== to;
  if (!moves && !invoiceId && !details) return payment;
  if (moves && !canTransitionPayment(payment.status, to)) {
    throw new Error(`${payment.id}: illegal transition from ${payment.status} to ${to}`);
  }
  await tx.query(sql.typeAlias('void')`
    update payments p set status = ${to}, version = version + ${moves ? 1 : 0},
      -- A sandbox clock may be ahead: the time of a charge never moves back.
      updated_at = coalesce(${at ?? null}::timestamptz, greatest(updated_at, service_clock())),
      failure_code = ${failureCode}, failure_message = ${failureCode ? (FAILURE_MESSAGES[failureCode] ?? null) : null},
      challenge_url = case when ${to === 'requires_action'} then coalesce(${details?.challengeUrl ?? null}, challenge_url) end,
      invoice_id = coalesce(${invoiceId ?? null}, invoice_id)${details ? sql.fragment`, ${detailsAsColumns(details)}` : sql.fragment``}
    where id = ${payment.id}
  `);
  if (!moves) return payment;
  if (to === 'succeeded' || to === 'failed' || to === 'cancelled')
    afterCommit(tx, () => countAttempt(payment, to, failureCode));
  return { ...payment, status: to, version: payment.version + 1 };
}
