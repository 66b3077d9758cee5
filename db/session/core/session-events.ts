/** The objects contained in a session's events, read in the transaction that changes the objects. */
import { z } from 'zod';
import {
  type EventContent,
  eventCharge,
  eventCheckout,
  eventCustomer,
  eventPayment,
  eventProduct,
  eventSubscription,
} from '../../../contract/webhook/events.ts';
import { ENVIRONMENTS } from '../../../domain/core/environment.ts';
import { sql, type Transaction } from '../../core/pool.ts';
import { eventPaymentOf } from '../../payment/event-payment.ts';
import { type EventContext, recordEvent } from '../../webhook/events.ts';
import type { LockedSession } from './session-row.ts';

const contextRow = z.object({
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  customer: eventCustomer,
  product: eventProduct,
  subscription: eventSubscription.omit({ current_period_end: true }).nullable(),
  current_period_end: z.string().nullable(),
  payment: eventPayment.nullable(),
  charge: eventCharge.nullable(),
  checkout: eventCheckout,
});

/**
 * Builds the same objects without a query, from a locked session and from rows that its transaction has read and
 * written.
 */
export function contextOf(
  session: LockedSession,
  about: Pick<EventContent, 'customer' | 'subscription' | 'payment' | 'charge'>,
): EventContext {
  const { terms } = session;
  return {
    ...about,
    scope: { merchantId: session.merchant_id, environment: session.environment },
    product: { id: terms.product.id, external_reference: terms.product.external_reference },
    checkout: { id: session.id, merchant_reference: session.merchant_reference },
  };
}

/** @param paymentId the attempt that the event names, or null */
export async function sessionEventContext(
  tx: Transaction,
  checkoutId: string,
  paymentId: string | null,
): Promise<EventContext> {
  const context = await tx.one(sql.type(contextRow)`
    select c.merchant_id, c.environment,
      jsonb_build_object('id', u.id, 'external_customer_id', u.external_customer_id, 'email', u.email) as customer,
      jsonb_build_object('id', c.product_id, 'external_reference', c.terms #>> '{product,external_reference}') as product,
      case when s.id is not null then jsonb_build_object('id', s.id, 'status', s.status) end as subscription,
      s.current_period_end,
      ${eventPaymentOf},
      jsonb_build_object('id', c.id, 'merchant_reference', c.merchant_reference) as checkout
    from checkouts c
    join customers u on u.id = c.customer_id
    left join subscriptions s on s.checkout_id = c.id and s.status <> 'incomplete'
    left join payments p on p.id = ${paymentId}
    where c.id = ${checkoutId}
  `);
  const { subscription, current_period_end } = context;
  return {
    scope: { merchantId: context.merchant_id, environment: context.environment },
    customer: context.customer,
    product: context.product,
    subscription: subscription && { ...subscription, current_period_end },
    payment: context.payment,
    ...(context.charge && { charge: context.charge }),
    checkout: context.checkout,
  };
}

export async function recordReconciliationAlert(tx: Transaction, session: LockedSession): Promise<void> {
  const context = await sessionEventContext(tx, session.id, null);
  await recordEvent(tx, {
    scope: context.scope,
    type: 'billing.operational_alert',
    aggregateId: session.id,
    aggregateVersion: session.version,
    customer: context.customer,
    product: context.product,
    checkout: context.checkout,
    alert: { code: 'reconciliation_required', reference: session.id },
  });
}
