/** A payment as events show it: the contract's fields, and the charge's amounts. */
import { z } from 'zod';
import {
  eventCharge,
  eventCustomer,
  eventPayment,
  eventProduct,
  eventSubscription,
} from '../../contract/webhook/events.ts';
import { sql, type Transaction } from '../core/pool.ts';
import type { EventContext } from '../webhook/events.ts';

/** Selects the event's payment from `payments p`; null without a payment. */
export const eventPaymentOf = sql.fragment`
  case when p.id is not null then jsonb_build_object('id', p.id, 'rail', p.rail, 'status', p.status) end as payment,
  case when p.id is not null then jsonb_build_object('amount', p.amount, 'currency', p.currency,
    'failure_code', p.failure_code) end as charge`;

const contextRow = z.object({
  customer: eventCustomer.nullable(),
  product: eventProduct.nullable(),
  subscription: eventSubscription.omit({ current_period_end: true }).nullable(),
  current_period_end: z.string().nullable(),
  payment: eventPayment,
  charge: eventCharge,
  invoice_id: z.string().nullable(),
});

/** Returns the objects that an event about a payment's refund or dispute contains. */
export async function eventContextOfPayment(
  tx: Transaction,
  paymentId: string,
): Promise<{ readonly context: Omit<EventContext, 'scope'>; readonly invoiceId: string | null }> {
  const {
    subscription,
    current_period_end,
    invoice_id: invoiceId,
    ...rest
  } = await tx.one(sql.type(contextRow)`
    select
      case when u.id is not null then jsonb_build_object('id', u.id,
        'external_customer_id', u.external_customer_id, 'email', u.email) end as customer,
      case when d.id is not null then jsonb_build_object('id', d.id,
        'external_reference', d.external_reference) end as product,
      case when s.id is not null then jsonb_build_object('id', s.id, 'status', s.status) end as subscription,
      s.current_period_end, ${eventPaymentOf},
      -- An invoice without a number cannot be credited yet.
      case when i.number is not null then i.id end as invoice_id
    from payments p
    left join orders o on o.id = p.order_id
    left join invoices i on i.id = p.invoice_id
    left join subscriptions s on s.id = i.subscription_id
    left join customers u on u.id = coalesce(o.customer_id, i.customer_id)
    left join products d on d.id = coalesce(o.product_id, s.product_id)
    where p.id = ${paymentId}
  `);
  return {
    context: { ...rest, subscription: subscription && { ...subscription, current_period_end } },
    invoiceId,
  };
}
