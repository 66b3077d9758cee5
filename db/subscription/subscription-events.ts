/** The envelope's objects of a subscription's events, read in the transaction that changes them. */
import { z } from 'zod';
import {
  type EventType,
  eventCheckout,
  eventCustomer,
  eventInvoice,
  eventPayment,
  eventPaymentMethod,
  eventProduct,
  eventSubscription,
} from '../../contract/webhook/events.ts';
import { sql, type Transaction } from '../core/pool.ts';
import { recordEvent } from '../webhook/events.ts';
import { type LockedSubscription, scopeOfSubscription } from './subscription-row.ts';

const partsRow = z.object({
  customer: eventCustomer,
  product: eventProduct,
  subscription: eventSubscription.omit({ current_period_end: true }),
  current_period_end: z.string().nullable(),
  payment_method: eventPaymentMethod.nullable(),
  payment: eventPayment.nullable(),
  invoice: eventInvoice.nullable(),
  checkout: eventCheckout.nullable(),
});

export interface SubscriptionEvent {
  readonly type: EventType;
  /** Defaults to the subscription itself. */
  readonly aggregate?: { readonly id: string; readonly version: number };
  /** The event's attempt. */
  readonly paymentId?: string;
  /** The event's invoice. */
  readonly invoiceId?: string;
  /** Include the subscription's current method. */
  readonly withMethod?: boolean;
  readonly alertCode?: string;
  /** The session that caused it. */
  readonly checkoutId?: string;
}

/** Records an event about a saved subscription, by the subscription's clock. */
export async function recordSubscriptionEvent(
  tx: Transaction,
  subscription: LockedSubscription,
  event: SubscriptionEvent,
): Promise<void> {
  const parts = await tx.one(sql.type(partsRow)`
    select
      jsonb_build_object('id', u.id, 'external_customer_id', u.external_customer_id, 'email', u.email) as customer,
      jsonb_build_object('id', product.id, 'external_reference', product.external_reference) as product,
      jsonb_build_object('id', s.id, 'status', s.status) as subscription, s.current_period_end, s.payment_method,
      case when p.id is not null then jsonb_build_object('id', p.id, 'rail', p.rail, 'status', p.status) end as payment,
      case when i.id is not null then jsonb_build_object('id', i.id, 'number', i.number, 'status', i.status,
        'amount_due', i.amount_due) end as invoice,
      case when c.id is not null
        then jsonb_build_object('id', c.id, 'merchant_reference', c.merchant_reference) end as checkout
    from subscriptions s
    join customers u on u.id = s.customer_id
    join products product on product.id = s.product_id
    left join payments p on p.id = ${event.paymentId ?? null}
    left join invoices i on i.id = ${event.invoiceId ?? null}
    left join checkouts c on c.id = ${event.checkoutId ?? null}
    where s.id = ${subscription.id}
  `);
  const { invoice, payment_method, checkout, current_period_end, ...envelope } = parts;
  const aggregate = event.aggregate ?? subscription;
  await recordEvent(tx, {
    ...envelope,
    scope: scopeOfSubscription(subscription),
    type: event.type,
    aggregateId: aggregate.id,
    aggregateVersion: aggregate.version,
    occurredAt: subscription.now,
    subscription: { ...parts.subscription, current_period_end },
    ...(invoice && { invoice }),
    ...(checkout && { checkout }),
    ...(event.withMethod && payment_method && { payment_method }),
    ...(event.alertCode && { alert: { code: event.alertCode, reference: subscription.id } }),
  });
}
