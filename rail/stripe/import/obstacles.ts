/**
 * What keeps a subscription at Stripe: it would be charged another amount here, at another time, or not at all. Each is
 * refused rather than moved on terms other than those agreed.
 */
import type { SourceSubscription } from '../../account-source.ts';
import type { Subscription } from './schema.ts';

interface Known {
  /** Its method is a card that belongs to its customer. */
  readonly chargeable: boolean;
  /** Invoice items of its customer wait for the next renewal. */
  readonly owing: boolean;
  readonly state: SourceSubscription['state'];
}

const MOVED_STATUSES = ['active', 'trialing'];

export function obstaclesOf(found: Subscription, { chargeable, owing, state }: Known): readonly string[] {
  if (state !== 'over' && !MOVED_STATUSES.includes(found.status)) return [`It is ${found.status}.`];
  const [item] = found.items.data;
  const several = found.items.data.length > 1 || found.items.has_more === true;
  const customer = typeof found.customer === 'string' ? null : found.customer;
  const invoice = typeof found.latest_invoice === 'object' ? found.latest_invoice : null;
  const invoiceOpen = invoice && !['paid', 'void'].includes(invoice.status ?? '');
  const taxed = [found.default_tax_rates, item?.tax_rates].some((rates) => rates && rates.length > 0);
  const discounted = found.discounts.length > 0 || (item?.discounts.length ?? 0) > 0 || customer?.discount;
  const obstacles: readonly (readonly [unknown, string])[] = [
    [
      found.currency !== item?.price.currency,
      `It is charged in ${found.currency.toUpperCase()}, and its price is in ${item?.price.currency.toUpperCase()}.`,
    ],
    [several, 'It has several items.'],
    [(item?.quantity ?? 1) !== 1, `Its quantity is ${item?.quantity}.`],
    [discounted, 'It has a discount.'],
    [found.automatic_tax.enabled || taxed, 'Stripe adds or computes its tax.'],
    [found.collection_method !== 'charge_automatically', 'It is paid by invoice, not charged.'],
    [found.pause_collection, 'Its collection is paused.'],
    [found.schedule, 'It belongs to a schedule.'],
    [found.pending_update, 'An update of it waits for a payment.'],
    [found.pending_invoice_item_interval, 'Invoice items are billed between its renewals.'],
    [
      found.transfer_data || found.application_fee_percent || found.on_behalf_of,
      'It pays a connected account.',
    ],
    [found.billing_cycle_anchor_config, 'Its day of billing is configured apart from its anchor.'],
    [state === 'ending' && found.cancel_at_period_end, 'It ends with its period.'],
    [state === 'ending' && !found.cancel_at_period_end, 'It has a date on which it ends.'],
    [invoiceOpen, `Its latest invoice is ${invoice?.status ?? 'unknown'}.`],
    [customer?.balance, 'Its customer has a balance at Stripe.'],
    [owing, 'Its customer has invoice items that wait for the next invoice.'],
    [!chargeable, 'It has no stored card of its customer that could be charged.'],
  ];
  return obstacles.filter(([applies]) => applies).map(([, why]) => why);
}
