/** Reasons why a subscription stays at Stripe: the service would charge another amount, at another time, or nothing. */
import type { SourceSubscription } from '../../account-source.ts';
import { strangeIn } from './known.ts';
import type { Subscription } from './schema.ts';
import { CUSTOMER_FIELDS, itemFields, subscriptionFields } from './subscription-fields.ts';

interface Read {
  /** True if the subscription's method is a card that belongs to its customer. */
  readonly chargeable: boolean;
  /** True if the subscription's customer has invoice items that wait for the next renewal. */
  readonly owing: boolean;
  readonly state: SourceSubscription['state'];
}

const MOVED_STATUSES = ['active', 'trialing'];

export function obstaclesOf(found: Subscription, { chargeable, owing, state }: Read): readonly string[] {
  const [item, ...more] = found.items.data;
  const statuses = state === 'over' ? [...MOVED_STATUSES, found.status] : MOVED_STATUSES;
  const ofSubscription = strangeIn(found, subscriptionFields(found, statuses), 'It');
  const ofStatus = `It is ${found.status}.`;
  // If the subscription has ended or never began, no other reason matters.
  if (ofSubscription.includes(ofStatus)) return [ofStatus];
  const several = more.length > 0 || found.items.has_more === true;
  const others: readonly (readonly [boolean, string])[] = [
    [several, 'It has several items.'],
    [state === 'ending' && found.cancel_at_period_end, 'It ends with its period.'],
    [state === 'ending' && !found.cancel_at_period_end, 'It has an end date.'],
    [owing, 'Its customer has invoice items that wait for the next invoice.'],
    [!chargeable, 'Its customer has no stored card that could be charged for it.'],
  ];
  const all = [
    ...ofSubscription,
    ...(several ? [] : strangeIn(item, itemFields(item.current_period_end), 'Its item')),
    ...strangeIn(found.customer, CUSTOMER_FIELDS, 'Its customer'),
    ...others.filter(([applies]) => applies).map(([, why]) => why),
  ];
  return [...new Set(all)];
}
