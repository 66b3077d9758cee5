/** A subscription's events, with the envelope's objects as changed by the transaction. */
import { z } from 'zod';
import type { SubscriptionUpdate } from '../../../contract/subscription/details.ts';
import {
  type EventType,
  eventCharge,
  eventCheckout,
  eventCustomer,
  eventInvoice,
  eventPayment,
  eventPaymentMethod,
  eventProduct,
} from '../../../contract/webhook/events.ts';
import { sql, type Transaction } from '../../core/pool.ts';
import { eventPaymentOf } from '../../payment/event-payment.ts';
import { type EventToRecord, recordEvents } from '../../webhook/events.ts';
import { isLastPeriod, type LockedSubscription, scopeOfSubscription } from './subscription-row.ts';

const contextRow = z.object({
  customer: eventCustomer,
  product: eventProduct,
  payment_method: eventPaymentMethod.nullable(),
  payment: eventPayment.nullable(),
  charge: eventCharge.nullable(),
  invoice: eventInvoice.nullable(),
  checkout: eventCheckout.nullable(),
});
export type SubscriptionContext = z.infer<typeof contextRow>;

export interface SubscriptionEvent {
  readonly type: EventType;
  /** The change that `subscription.updated` reports, for the dashboard. */
  readonly change?: SubscriptionUpdate | undefined;
  /** The object that the event is about; defaults to the subscription. */
  readonly aggregate?: { readonly id: string; readonly version: number };
  /** The attempt that the event names. */
  readonly paymentId?: string;
  /** The invoice that the event names. */
  readonly invoiceId?: string;
  /** Whether to include the subscription's current method. */
  readonly withMethod?: boolean;
  readonly alertCode?: string;
  /** The charge that the event announces. */
  readonly nextRenewal?: EventToRecord['next_renewal'];
  /** The session that caused the event. */
  readonly checkoutId?: string;
}

/** Returns the name of an applied change, by its row's type. */
export function appliedUpdate({ type }: { readonly type: string }): SubscriptionUpdate {
  return type === 'quantity_change' ? 'quantity_changed' : 'plan_changed';
}

/** Records an event about a saved subscription, dated by the subscription's clock. */
export function recordSubscriptionEvent(
  tx: Transaction,
  subscription: LockedSubscription,
  event: SubscriptionEvent,
): Promise<void> {
  return recordSubscriptionEvents(tx, subscription, [event]);
}

/**
 * Records the events of one change of a saved subscription, in order. All those that name a payment, an invoice or a
 * session name the same one.
 * @param known the context, if the caller read it before it took a lock for which others wait
 */
export async function recordSubscriptionEvents(
  tx: Transaction,
  subscription: LockedSubscription,
  events: readonly SubscriptionEvent[],
  known?: SubscriptionContext,
): Promise<void> {
  const context = known ?? (await readContext(tx, subscription, Object.assign({}, ...events)));
  await recordEvents(
    tx,
    events.map((event) => eventOf(subscription, context, event)),
  );
}

type About = Pick<SubscriptionEvent, 'paymentId' | 'invoiceId' | 'checkoutId'>;

/** @param subscription whose context to read; it need not be saved yet */
export function readContext(
  tx: Transaction,
  { id, product_id }: LockedSubscription,
  { paymentId, invoiceId, checkoutId }: About = {},
): Promise<SubscriptionContext> {
  return tx.one(sql.type(contextRow)`
    select
      jsonb_build_object('id', u.id, 'external_customer_id', u.external_customer_id, 'email', u.email) as customer,
      jsonb_build_object('id', product.id, 'external_reference', product.external_reference) as product,
      s.payment_method,
      ${eventPaymentOf},
      case when i.id is not null then jsonb_build_object('id', i.id, 'number', i.number, 'status', i.status,
        'amount_due', i.amount_due) end as invoice,
      case when c.id is not null
        then jsonb_build_object('id', c.id, 'merchant_reference', c.merchant_reference) end as checkout
    from subscriptions s
    join customers u on u.id = s.customer_id
    join products product on product.id = ${product_id}
    left join payments p on p.id = ${paymentId ?? null}
    left join invoices i on i.id = ${invoiceId ?? null}
    left join checkouts c on c.id = ${checkoutId ?? null}
    where s.id = ${id}
  `);
}

const CANCELLATION: ReadonlySet<EventType> = new Set(['subscription.updated', 'subscription.cancelled']);

/** False for an immediate cancellation, even in the last billing cycle. */
function endsWithPeriod(subscription: LockedSubscription): boolean {
  const { cancel_at_period_end, cancelled_at, current_period_end } = subscription;
  if (cancel_at_period_end) return true;
  const isEarly = cancelled_at !== null && current_period_end !== null && cancelled_at < current_period_end;
  return isLastPeriod(subscription) && !isEarly;
}

function eventOf(
  subscription: LockedSubscription,
  { customer, product, payment, charge, invoice, checkout, payment_method }: SubscriptionContext,
  event: SubscriptionEvent,
): EventToRecord {
  const { id, status, current_period_end, now, cancelled_at } = subscription;
  const aggregate = event.aggregate ?? subscription;
  return {
    scope: scopeOfSubscription(subscription),
    type: event.type,
    change: event.change,
    aggregateId: aggregate.id,
    aggregateVersion: aggregate.version,
    occurredAt: now,
    customer,
    product,
    subscription: { id, status, current_period_end },
    payment: event.paymentId ? payment : null,
    ...(event.paymentId && charge && { charge }),
    ...((endsWithPeriod(subscription) || cancelled_at) &&
      CANCELLATION.has(event.type) && {
        cancellation: { at_period_end: endsWithPeriod(subscription), cancelled_at },
      }),
    ...(event.invoiceId && invoice && { invoice }),
    ...(event.checkoutId && checkout && { checkout }),
    ...(event.withMethod && payment_method && { payment_method }),
    ...(event.nextRenewal && { next_renewal: event.nextRenewal }),
    ...(event.alertCode && { alert: { code: event.alertCode, reference: id } }),
  };
}
