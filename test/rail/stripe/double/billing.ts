/** Stripe Billing as the import sees it: prices, renewing subscriptions, and customers' open amounts. */
import { boundary, type Interval } from '../../../../domain/core/calendar.ts';
import { badRequest } from './error.ts';
import { type FormValues, record, text } from './form.ts';
import { type BilledPrice, type BilledSubscription, type DoubleAccount, newId, unixNow } from './state.ts';

export function addPrice(account: DoubleAccount, values: Partial<BilledPrice> = {}): BilledPrice {
  const id = newId('price');
  const price = {
    id,
    name: 'Kaffee-Abo',
    amount: 900,
    interval: 'month',
    active: true,
    with: {},
    ...values,
  } as const;
  account.prices.set(id, price);
  return price;
}

/** Adds a subscription that was last renewed, and paid, five days ago. */
export function addSubscription(
  account: DoubleAccount,
  values: Pick<BilledSubscription, 'customer' | 'price' | 'method'> & Partial<BilledSubscription>,
): BilledSubscription {
  const periodStart = values.periodStart ?? unixNow() - 5 * 86_400;
  const { interval } = values.price;
  const subscription: BilledSubscription = {
    id: newId('sub'),
    created: periodStart,
    anchor: periodStart,
    trialEnd: null,
    status: 'active',
    metadata: {},
    periodStart,
    periodEnd: interval ? later(periodStart, interval, 1) : periodStart,
    cancelAtPeriodEnd: false,
    endedAt: null,
    comment: null,
    with: {},
    ...values,
  };
  account.subscriptions.set(subscription.id, subscription);
  return subscription;
}

/** Simulates Stripe's actions up to that time: it charges renewals and ends subscriptions set to end. */
export function passTime(account: DoubleAccount, until: number): void {
  for (const each of account.subscriptions.values()) {
    while (['active', 'trialing'].includes(each.status) && each.periodEnd <= until) {
      if (each.cancelAtPeriodEnd) {
        each.status = 'canceled';
        each.endedAt = each.periodEnd;
        break;
      }
      account.ledger.push({ reference: each.id, amount: each.price.amount });
      each.status = 'active';
      each.periodStart = each.periodEnd;
      each.periodEnd = later(each.periodEnd, each.price.interval ?? 'month', 1);
    }
  }
}

export function later(from: number, interval: Interval, count: number): number {
  return Date.parse(boundary(new Date(from * 1_000).toISOString(), interval, count)) / 1_000;
}

/** @throws DoubleRefusal */
export function updateSubscription(account: DoubleAccount, id: string, form: FormValues): BilledSubscription {
  const subscription = live(account, id);
  const atEnd = text(form, 'cancel_at_period_end');
  if (atEnd !== undefined) subscription.cancelAtPeriodEnd = atEnd === 'true';
  subscription.comment = record(form, 'cancellation_details').comment ?? subscription.comment;
  subscription.metadata = { ...subscription.metadata, ...record(form, 'metadata') };
  return subscription;
}

/** @throws DoubleRefusal */
export function endSubscription(account: DoubleAccount, id: string, form: FormValues): BilledSubscription {
  const subscription = live(account, id);
  if (text(form, 'prorate') !== 'false' || text(form, 'invoice_now') !== 'false')
    throw new Error(
      'prorate and invoice_now must be false: Stripe would credit or invoice the rest of the period',
    );
  subscription.status = 'canceled';
  subscription.endedAt = unixNow();
  subscription.comment = record(form, 'cancellation_details').comment ?? null;
  return subscription;
}

/** Stripe neither changes nor finds a canceled subscription. */
function live(account: DoubleAccount, id: string): BilledSubscription {
  const subscription = account.subscriptions.get(id);
  if (!subscription || subscription.status === 'canceled') throw badRequest('resource_missing', 'id', 404);
  return subscription;
}
