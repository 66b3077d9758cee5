/**
 * Records a rail answer in one transaction: payment, session, order, subscription, invoice and events change together
 * or not at all. Idempotent.
 */
import { z } from 'zod';
import { eventCustomer } from '../../contract/webhook/events.ts';
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import { isOpen } from '../../domain/payment/payment.ts';
import { settlesInDays } from '../../domain/payment/payment-method.ts';
import { DECLINE_LIMITS, type DeclineLimits, isAboutCard } from '../../domain/session/card-testing.ts';
import { isFinal, type NextStates, nextStates, type SessionView } from '../../domain/session/session.ts';
import { type Pool, sql, type Transaction } from '../core/pool.ts';
import {
  type InvoiceDraft,
  inSettlementTransaction,
  invoiceCreated,
  invoiceInEvent,
  issueOrStore,
} from '../invoice/invoices.ts';
import { recordAfterEnd } from '../payment/judge-after-end.ts';
import { type LockedPayment, transitionPayment } from '../payment/payment-row.ts';
import type { AnswerDetails, AnswerToRecord } from '../payment/rail-calls.ts';
import { agreeingWebhooksApplied, applyAgreeingWebhooks } from '../payment/rail-webhooks.ts';
import { decisionOf } from '../payment/resolve-requests.ts';
import {
  type BegunSubscription,
  beginStopped,
  beginSubscription,
  subscriptionCreated,
} from '../subscription/begin-subscription.ts';
import { type EventToRecord, recordEvents } from '../webhook/events.ts';
import { countDecline } from './card-declines.ts';
import { auditResolution, closeSession, isPurchase } from './close-session.ts';
import { adoptDetails } from './core/buyer-details.ts';
import { contextOf, recordReconciliationAlert } from './core/session-events.ts';
import {
  checkAndCountTransition,
  type LockedSession,
  lockSessionAndPayment,
  transitionSession,
} from './core/session-row.ts';
import { viewOfEnded } from './core/session-view.ts';
import { recordPaymentFailed } from './payment-failed.ts';

type SessionAnswer = AnswerToRecord<AttemptOutcome> & { readonly declines?: DeclineLimits | undefined };

/** @returns the session if this outcome ended it; otherwise null */
export function recordOutcome(pool: Pool, input: SessionAnswer): Promise<SessionView | null> {
  return inSettlementTransaction(pool, async (tx) => {
    const { session, payment } = await lockSessionAndPayment(tx, input.ownerId, input.attemptId);
    if (!payment) return null;
    const { outcome, details } = input;
    if (!isOpen(payment.status)) {
      await recordAfterEnd(tx, payment, outcome, details);
      return null;
    }

    const next = nextStates(outcome, {
      attemptsUsed: session.attempts,
      maxAttempts: session.max_attempts,
      expired: session.expired,
      cancelRequested: session.cancel_requested,
      // A run whose history was reset is behind the row; without this condition it would attempt a backward transition.
      lookupTimeUp: input.lookupTimeUp || session.state === 'reconciliation_required',
      settlesInDays: payment.method_type !== null && settlesInDays(payment.method_type),
      reconciling: session.state === 'reconciliation_required',
    });
    const now =
      next.session === 'succeeded' && isPurchase(session)
        ? await completePurchase(tx, session, payment, details)
        : await moveBoth(tx, session, payment, next, input);
    await closeAttempt(tx, now.payment);
    const decision = input.resolution && (await decisionOf(tx, input.resolution));
    if (decision) await auditResolution(tx, session, decision, next.session);
    return isFinal(now.session.state) ? viewOfEnded(now.session) : null;
  });
}

async function moveBoth(
  tx: Transaction,
  session: LockedSession,
  payment: LockedPayment,
  next: NextStates,
  { outcome, details, declines = DECLINE_LIMITS, nextLookupSeconds }: SessionAnswer,
): Promise<{ readonly session: LockedSession; readonly payment: LockedPayment }> {
  const failureCode = outcome.kind === 'declined' ? outcome.code : null;
  const moved = await transitionPayment(tx, payment, next.payment, failureCode, { details });
  if (moved.status === 'failed' || moved.status === 'cancelled') {
    if (failureCode !== null && isAboutCard(failureCode))
      await countDecline(tx, moved.id, details?.card ?? null, declines);
    await recordPaymentFailed(tx, session, moved);
  }
  if (isFinal(next.session))
    return {
      session: await closeSession(tx, session, next.session, next.failureReason, moved),
      payment: moved,
    };
  const now = await transitionSession(tx, session, next.session, {
    nextActionSeconds: next.session === 'created' ? null : nextLookupSeconds,
  });
  if (now.state === 'reconciliation_required' && session.state !== now.state)
    await recordReconciliationAlert(tx, now);
  return { session: now, payment: moved };
}

/**
 * Marks webhooks with the same outcome as applied, and deletes the single-use token of an attempt that has ended.
 */
async function closeAttempt(tx: Transaction, { id, status }: LockedPayment): Promise<void> {
  if (isOpen(status)) return applyAgreeingWebhooks(tx, id, status);
  await tx.query(sql.typeAlias('void')`
    with forgotten as (
      update clicks r set method_token = null, address = null, card = null from payments p where p.id = ${id} and r.claim_id = p.claim_id
    )
    ${agreeingWebhooksApplied(id, status)}
  `);
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
  // A payment of 0 cents sets up a method: it sends no `payment.succeeded`, and a trial gets no invoice.
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
  if (subscription?.charging_stopped) await beginStopped(tx, subscription.id);
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
