/** Ways to cause each operation on a subscription in the sandbox, except operations that have their own event. */
import { setTimeout as pause } from 'node:timers/promises';
import { payAsBuyer } from '../../../../sandbox/buyer/buyer.ts';
import type { HostedCheckout, Product } from '../../src/index.ts';
import { FailedError, type Given } from './command.ts';
import { personAt } from './person.ts';
import { APPROVED_CARD, productOfKind } from './purchase.ts';
import {
  afterPeriod,
  BUYER_NEEDED_CARD,
  SOON_DECLINED_CARD,
  subscribe,
  subscribeTo,
  subscriptionOf,
  type Trigger,
} from './subscribers.ts';

/** This card is approved and stored; its next two charges are declined, the third is approved. */
const TWICE_DECLINED_CARD = '4000009000000433';

/** Two plans of an offering, the second more expensive, sold without a trial. */
async function plansToChange(checkout: HostedCheckout): Promise<readonly [string, string]> {
  const { merchant_id } = await checkout.billing.showDashboard();
  const [offerings, products] = await Promise.all([
    checkout.merchants.offerings.list(merchant_id),
    checkout.products.list(),
  ]);
  const sold = products.data.filter(sellsNow).sort((one, other) => amountOf(one) - amountOf(other));
  for (const { status, plan_ids } of offerings.data) {
    const plans = sold.filter(({ id }) => plan_ids.includes(id));
    const [cheapest, dearest] = [plans[0], plans.at(-1)];
    if (status === 'active' && cheapest && dearest && amountOf(cheapest) < amountOf(dearest))
      return [cheapest.id, dearest.id];
  }
  throw new FailedError(
    'There is no offering with two plans of different prices: create one in the dashboard.',
  );
}

const amountOf = ({ active_price: price }: Product) => price?.amount ?? 0;
const sellsNow = ({ status, active_price: price }: Product) =>
  status === 'active' && Boolean(price?.recurring) && !price?.recurring?.trial_period_days;

const changePlan = (card: string, effective: 'now' | 'period_end'): Trigger['run'] => {
  return async (checkout) => {
    const [plan, target] = await plansToChange(checkout);
    const made = await subscribeTo(checkout, plan, { card });
    const { change } = await checkout.subscriptions.changePlan(made.subscription, {
      target_plan_id: target,
      effective,
    });
    if (effective === 'now')
      return { ...made, change: change?.status, hostedUrl: change?.hostedUrl ?? undefined };
    return { ...made, change: (await afterItsPeriod(checkout, made.subscription)).change?.status };
  };
};

const withdrawChange: Trigger['run'] = async (checkout) => {
  const [plan, target] = await plansToChange(checkout);
  const made = await subscribeTo(checkout, plan);
  const { subscription: id } = made;
  const { change } = await checkout.subscriptions.changePlan(id, { target_plan_id: target });
  const { status } = await checkout.subscriptions.cancelChange(id, { action_id: change?.action_id ?? '' });
  return { ...made, change: status };
};

const changeOffering: Trigger['run'] = async (checkout) => {
  const { merchant_id } = await checkout.billing.showDashboard();
  const [{ data: offerings }, { data: products }] = await Promise.all([
    checkout.merchants.offerings.list(merchant_id),
    checkout.products.list(),
  ]);
  const sold = products.filter(({ status, active_price: price }) => status === 'active' && price?.recurring);
  for (const { id, status, plan_ids } of offerings) {
    const target = sold.find((each) => plan_ids.includes(each.id));
    const plan = sold.find((each) => !plan_ids.includes(each.id));
    if (status !== 'active' || !target || !plan) continue;
    const made = await subscribeTo(checkout, plan.id);
    await checkout.subscriptions.changeOffering(made.subscription, {
      target_offering_id: id,
      target_plan_id: target.id,
    });
    const { change, offering } = await afterItsPeriod(checkout, made.subscription);
    return { ...made, offering: offering?.id, change: change?.status };
  }
  throw new FailedError(
    'This needs a plan in an offering, and another plan outside it: create them in the dashboard.',
  );
};

/** Advances the clock beyond the end of its period. */
async function afterItsPeriod(checkout: HostedCheckout, id: string) {
  const to = await afterPeriod(checkout, id, 1);
  await checkout.subscriptions.advanceClock(id, { to });
  return subscriptionOf(checkout, id);
}

async function subscribeToSeats(checkout: HostedCheckout, more: number) {
  const { data } = await checkout.products.list();
  const product = data.find(
    (each) => sellsNow(each) && each.quantity && each.quantity.min < each.quantity.max,
  );
  if (!product?.quantity)
    throw new FailedError('There is no recurring product with a quantity above 1: create one.');
  const { min } = product.quantity;
  return { min, made: await subscribeTo(checkout, product.id, { quantity: min + more }) };
}

const increaseQuantity: Trigger['run'] = async (checkout) => {
  const { made, min } = await subscribeToSeats(checkout, 0);
  const wanted = { quantity: min + 1, effective: 'now' } as const;
  const { change } = await checkout.subscriptions.changeQuantity(made.subscription, wanted);
  return { ...made, quantity: wanted.quantity, change: change?.status };
};

const reduceQuantity: Trigger['run'] = async (checkout) => {
  const { made, min } = await subscribeToSeats(checkout, 1);
  await checkout.subscriptions.changeQuantity(made.subscription, { quantity: min });
  const { quantity, change } = await afterItsPeriod(checkout, made.subscription);
  return { ...made, quantity, change: change?.status };
};

const cancelLater: Trigger['run'] = async (checkout) => {
  const made = await subscribe(checkout);
  await checkout.subscriptions.cancel(made.subscription, { at_period_end: true });
  return { ...made, status: (await afterItsPeriod(checkout, made.subscription)).status };
};

const undoCancel: Trigger['run'] = async (checkout) => {
  const made = await subscribe(checkout);
  await checkout.subscriptions.cancel(made.subscription, { at_period_end: true });
  const { status } = await checkout.subscriptions.undoCancel(made.subscription);
  return { ...made, status };
};

const resumeNow: Trigger['run'] = async (checkout) => {
  const made = await subscribe(checkout);
  await checkout.subscriptions.pause(made.subscription);
  await afterItsPeriod(checkout, made.subscription);
  const { status } = await checkout.subscriptions.resume(made.subscription);
  return { ...made, status };
};

const DAY_MS = 86_400_000;
/** Moves are announced once a minute. */
const ANNOUNCED_WITHIN_MS = 180_000;

/** Subscribes to a new product, and replaces its price: a shop's products also serve live buyers. */
async function subscribeAndReplacePrice(checkout: HostedCheckout, given: Given) {
  const { merchant_id: merchant } = await checkout.billing.showDashboard();
  const { merchants } = await personAt(checkout.baseUrl, given);
  const { id: product } = await merchants.products.create(merchant, { name: 'Price change' });
  const terms = { tax_rate: 19, billing_mode: 'recurring', recurring: { interval: 'month' } } as const;
  const old = await merchants.products.createPrice(merchant, product, { ...terms, amount: 900 });
  const made = await subscribeTo(checkout, product);
  const price = await merchants.products.createPrice(merchant, product, { ...terms, amount: 1_100 });
  const prices = { old_price_id: old.id, new_price_id: price.id };
  const stopSelling = () => merchants.products.update(merchant, product, { status: 'inactive' });
  return { merchant, merchants, product, made, prices, stopSelling };
}

const changePrice: Trigger['run'] = async (checkout, given) => {
  const { product, made, stopSelling } = await subscribeAndReplacePrice(checkout, given);
  await checkout.subscriptions.changePlan(made.subscription, { target_plan_id: product });
  await stopSelling();
  const { amount, change } = await afterItsPeriod(checkout, made.subscription);
  return { ...made, change: change?.status, amount };
};

const movePrice: Trigger['run'] = async (checkout, given) => {
  const { merchant, merchants, made, prices, stopSelling } = await subscribeAndReplacePrice(checkout, given);
  await stopSelling();
  const { price_move_notice_days: notice } = await merchants.showSettings(merchant);
  const at = Date.now() + (notice + 1) * DAY_MS;
  const from = new Date(at).toISOString();
  const { id } = await merchants.priceMoves.create(merchant, { environment: 'sandbox', ...prices, from });
  const until = Date.now() + ANNOUNCED_WITHIN_MS;
  while (!(await subscriptionOf(checkout, made.subscription)).price_move) {
    if (Date.now() > until) throw new FailedError(`${id} has not been announced yet.`);
    await pause(1_000);
  }
  // A month has at most 31 days.
  const to = new Date(at + 32 * DAY_MS).toISOString();
  await checkout.subscriptions.advanceClock(made.subscription, { to });
  return { ...made, move: id, amount: (await subscriptionOf(checkout, made.subscription)).amount };
};

const endTrial: Trigger['run'] = async (checkout) => {
  const made = await subscribe(checkout, APPROVED_CARD, 'trial');
  const { status } = await checkout.subscriptions.moveTrial(made.subscription, { ends_at: 'now' });
  return { ...made, status };
};

const extendTrial: Trigger['run'] = async (checkout) => {
  const made = await subscribe(checkout, APPROVED_CARD, 'trial');
  const ends_at = await afterPeriod(checkout, made.subscription, 7);
  const { status, trial_end } = await checkout.subscriptions.moveTrial(made.subscription, { ends_at });
  return { ...made, status, trial_end };
};

/** @param days after the end of the paid period, whose renewal is unpaid */
async function fallDue(checkout: HostedCheckout, card: string, days: number) {
  const made = await subscribe(checkout, card);
  const to = await afterPeriod(checkout, made.subscription, days);
  await checkout.subscriptions.advanceClock(made.subscription, { to });
  const { data } = await checkout.invoices.list();
  const due = data.find((each) => each.subscription_id === made.subscription && each.amount_due > 0);
  if (!due) throw new FailedError(`${made.subscription} has no unpaid invoice.`);
  return { ...made, invoice: due.id };
}

const payInvoice: Trigger['run'] = async (checkout) => {
  const made = await fallDue(checkout, TWICE_DECLINED_CARD, 3);
  const { payment } = await checkout.invoices.pay(made.invoice);
  return { ...made, payment: payment.id, status: payment.status };
};

const payByLink: Trigger['run'] = async (checkout) => {
  const made = await fallDue(checkout, SOON_DECLINED_CARD, 1);
  const { id, hostedUrl } = await checkout.invoices.createPaymentLink(made.invoice);
  const { report } = await payAsBuyer({ hostedUrl, card: APPROVED_CARD });
  return { ...made, link: id, state: report.state };
};

const redeemCoupon: Trigger['run'] = async (checkout) => {
  const { merchant_id } = await checkout.billing.showDashboard();
  const { data } = await checkout.merchants.coupons.list(merchant_id);
  const coupon = data.find(({ status }) => status === 'active');
  if (!coupon) throw new FailedError('There is no active coupon: create one in the dashboard.');
  const [product = (await productOfKind(checkout, 'recurring')).id] = coupon.product_ids ?? [];
  return { ...(await subscribeTo(checkout, product, { couponCode: coupon.code })), coupon: coupon.id };
};

export const OPERATIONS: Readonly<Record<string, Trigger>> = {
  'plan-change': {
    what: 'subscribes, and changes to a more expensive plan immediately',
    run: changePlan(APPROVED_CARD, 'now'),
  },
  'plan-change-later': {
    what: 'subscribes, schedules a change, and advances to it',
    run: changePlan(APPROVED_CARD, 'period_end'),
  },
  'plan-change-declined': {
    what: 'subscribes; the charge for an immediate change is declined',
    run: changePlan(SOON_DECLINED_CARD, 'now'),
  },
  'plan-change-requires-action': {
    what: "subscribes; the bank requires the buyer's confirmation for an immediate change",
    run: changePlan(BUYER_NEEDED_CARD, 'now'),
  },
  'plan-change-cancel': { what: 'subscribes, schedules a change, and withdraws it', run: withdrawChange },
  'offering-change': {
    what: 'subscribes, schedules a change to another offering, and advances to it',
    run: changeOffering,
  },
  quantity: { what: 'subscribes, and increases the quantity immediately', run: increaseQuantity },
  'quantity-later': {
    what: 'subscribes, schedules a smaller quantity, and advances to it',
    run: reduceQuantity,
  },
  'cancel-later': {
    what: 'subscribes, cancels at the end of the period, and advances to it',
    run: cancelLater,
  },
  'cancel-undo': { what: 'subscribes, cancels, and undoes the cancellation', run: undoCancel },
  resume: { what: 'subscribes, pauses, advances to the pause, and resumes', run: resumeNow },
  'price-change': {
    what: "subscribes, schedules a change to the plan's new price, and advances to it; asks you to log in",
    run: changePrice,
  },
  'price-move': {
    what: "subscribes, moves the price's subscribers to a new one, and advances to it; asks you to log in",
    run: movePrice,
  },
  'trial-extend': { what: 'subscribes with a trial, and extends it by a week', run: extendTrial },
  'trial-end': { what: 'subscribes with a trial, and ends it', run: endTrial },
  'invoice-pay': { what: 'subscribes; a declined renewal is charged on request', run: payInvoice },
  'payment-link': { what: 'subscribes; a declined renewal is paid with another card', run: payByLink },
  coupon: { what: 'subscribes with the newest coupon', run: redeemCoupon },
};
