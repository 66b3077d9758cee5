/** Subscriptions in the sandbox, for the triggers. */
import type { HostedCheckout, Product } from '../../src/index.ts';
import { FailedError, type Given } from './command.ts';
import { APPROVED_CARD, productOfKind, purchase } from './purchase.ts';

export interface Trigger {
  readonly what: string;
  /** @returns the ids of the objects it created */
  run(checkout: HostedCheckout, given: Given): Promise<object>;
}

/** This card is approved and stored; later charges are declined. */
export const SOON_DECLINED_CARD = '4000000000000341';
/** This card is approved and stored; later charges require the buyer's confirmation. */
export const BUYER_NEEDED_CARD = '4000009000000417';

export async function subscribe(
  checkout: HostedCheckout,
  card = APPROVED_CARD,
  kind: 'recurring' | 'trial' = 'recurring',
) {
  return subscribeTo(checkout, (await productOfKind(checkout, kind)).id, { card });
}

/** @throws FailedError if it is not paid */
export async function subscribeTo(
  checkout: HostedCheckout,
  product: Product['id'],
  wishes: { readonly card?: string; readonly couponCode?: string; readonly quantity?: number } = {},
) {
  const { id, customer } = await purchase(checkout, { product, card: APPROVED_CARD, ...wishes });
  const { subscription_id } = await checkout.checkouts.show(id);
  if (!subscription_id) throw new FailedError(`${id} was not paid.`);
  return { checkout: id, subscription: subscription_id, customer };
}

/** Creates a subscription and returns it with the instant `days` after the end of its paid period. */
export async function subscribeUntil(checkout: HostedCheckout, card: string, days: number, kind?: 'trial') {
  const made = await subscribe(checkout, card, kind);
  return { made, to: await afterPeriod(checkout, made.subscription, days) };
}

/** @returns the instant `days` after the end of its paid period */
export async function afterPeriod(checkout: HostedCheckout, id: string, days: number): Promise<string> {
  const end = (await subscriptionOf(checkout, id)).current_period_end;
  if (!end) throw new FailedError(`${id} has no period to renew.`);
  return new Date(Date.parse(end) + days * 86_400_000).toISOString();
}

export async function subscriptionOf(checkout: HostedCheckout, id: string) {
  const found = (await checkout.subscriptions.list()).data.find((each) => each.id === id);
  if (!found) throw new FailedError(`${id} is not listed yet.`);
  return found;
}
