/** Ends a session in the caller's transaction: order, subscription, invoice and their events. */
import { z } from 'zod';
import { eventCustomer } from '../../contract/webhook/events.ts';
import type { SessionFailureReason, SessionState } from '../../domain/session/session.ts';
import { sql, type Transaction } from '../core/pool.ts';
import { type InvoiceDraft, invoiceCreated, invoiceInEvent, issueOrStore } from '../invoice/invoices.ts';
import { type LockedPayment, transitionPayment } from '../payment/payment-row.ts';
import type { AnswerDetails } from '../payment/rail-calls.ts';
import {
  type BegunSubscription,
  beginSubscription,
  subscriptionCreated,
} from '../subscription/begin-subscription.ts';
import { type EventToRecord, recordEvents } from '../webhook/events.ts';
import { endMethodChange } from './close-method-change.ts';
import { adoptDetails } from './core/buyer-details.ts';
import { contextOf } from './core/session-events.ts';
import { checkAndCountTransition, type LockedSession, transitionSession } from './core/session-row.ts';
import { endByLink, settleByLink } from './pay-by-link.ts';

/**
 * Ends a session, except a paid purchase.
 *
 * @param payment the deciding attempt, already moved; null if the session ends without an open one
 */
export async function closeSession(
  tx: Transaction,
  session: LockedSession,
  to: SessionState,
  failureReason: SessionFailureReason | null,
  payment: LockedPayment | null,
): Promise<LockedSession> {
  if (session.invoice_id) {
    if (to === 'succeeded' && payment) await settleByLink(tx, session, payment);
    else await endByLink(tx, session);
    return transitionSession(tx, session, to, { failureReason });
  }
  if (session.subscription_id) {
    const end = await endMethodChange(tx, session, session.subscription_id, to, failureReason, payment);
    return transitionSession(tx, session, end.state, { failureReason: end.failureReason });
  }
  await tx.query(sql.typeAlias('void')`
    update orders set status = ${failureReason === 'cancelled' ? 'cancelled' : 'failed'}, updated_at = service_clock()
    where checkout_id = ${session.id}
  `);
  await tx.query(sql.typeAlias('void')`
    update subscriptions set status = 'expired', version = version + 1, updated_at = service_clock()
    where checkout_id = ${session.id}
  `);
  return transitionSession(tx, session, to, { failureReason });
}

export function isPurchase(session: LockedSession): boolean {
  return session.subscription_id === null;
}

const completedOrder = z.object({
  id: z.string(),
  line_items: z.array(z.unknown()),
  customer: eventCustomer,
});

/**
 * Completes a paid purchase, and transitions its payment in one write with its invoice.
 *
 * @param details details of the rail's answer, if they are not stored yet
 */
export async function completePurchase(
  tx: Transaction,
  session: LockedSession,
  payment: LockedPayment,
  details: AnswerDetails | null,
): Promise<{ readonly session: LockedSession; readonly payment: LockedPayment }> {
  const moved = checkAndCountTransition(tx, session, 'succeeded');
  const order = await tx.one(sql.type(completedOrder)`
    with moved as (
      update checkouts set state = 'succeeded', failure_reason = null, version = version + 1,
        finished_at = service_clock(), next_action_at = null
      where id = ${session.id}
      returning id
    ), adopted as (
      ${adoptDetails(session.id)}
    ), completed as (
      update orders o set status = 'completed', payment_id = ${payment.id}, updated_at = service_clock()
      from customers u left join adopted on true
      where o.checkout_id = ${session.id} and u.id = ${session.customer_id}
      returning o.id, o.line_items,
        jsonb_build_object('id', u.id, 'external_customer_id', u.external_customer_id, 'email',
          coalesce(adopted.email, u.email)) as customer
    ), notified as (
      select pg_notify('checkout_changed', id) from moved
    )
    select completed.* from completed, notified
  `);
  const { recurring } = session.terms.price;
  const subscription =
    recurring &&
    (await beginSubscription(tx, recurring, {
      checkoutId: session.id,
      paymentId: payment.id,
      details,
    }));
  const context = contextOf(session, {
    customer: order.customer,
    subscription: subscription && {
      id: subscription.id,
      status: subscription.status,
      current_period_end: subscription.current_period_end,
    },
    payment: { id: payment.id, rail: payment.rail, status: 'succeeded' },
    charge: { amount: payment.amount, currency: payment.currency, failure_code: null },
  });
  // A set-up is a payment of 0 cents: no `payment.succeeded`, and for a trial no invoice.
  const moneyMoved = session.amount > 0;
  const draft = draftOf(session, order, subscription);
  const invoice =
    subscription?.status !== 'trialing'
      ? await issueOrStore(tx, { draft, paymentId: payment.id, context })
      : null;
  const paid = await transitionPayment(tx, payment, 'succeeded', null, {
    details,
    ...(invoice && { invoiceId: invoice.id }),
  });
  const events: EventToRecord[] = [];
  if (moneyMoved) {
    events.push({
      ...context,
      type: 'payment.succeeded',
      aggregateId: paid.id,
      aggregateVersion: paid.version,
      ...(invoice && { invoice: invoiceInEvent(invoice) }),
    });
  }
  if (subscription) events.push(subscriptionCreated(context, subscription));
  if (invoice) events.push(invoiceCreated(context, invoice));
  await recordEvents(tx, events);
  return { session: moved, payment: paid };
}

function draftOf(
  session: LockedSession,
  order: { readonly id: string; readonly line_items: readonly unknown[] },
  subscription: BegunSubscription | null,
): InvoiceDraft {
  const { merchant } = session.terms;
  return {
    scope: { merchantId: session.merchant_id, environment: session.environment },
    customerId: session.customer_id,
    orderId: order.id,
    subscriptionId: subscription?.id ?? null,
    period: subscription && {
      start: subscription.current_period_start,
      end: subscription.current_period_end,
    },
    status: 'created',
    amount: session.amount,
    amountDue: 0,
    currency: session.currency,
    lineItems: order.line_items,
    supplier: { ...merchant.legal_identity, name: merchant.legal_identity.name ?? merchant.name },
  };
}
