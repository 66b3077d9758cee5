/** Ways to cause each operation on a subscription in the sandbox, except operations that have their own event. */
import { payAsBuyer } from '../../../../sandbox/buyer/buyer.ts';
import type { HostedCheckout, Product } from '../../src/index.ts';
import { FailedError } from './command.ts';
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

/** This card is approved and stored; two later charges are declined, and the third is approved. */
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
    const to = await afterPeriod(checkout, made.subscription, 1);
    await checkout.subscriptions.advanceClock(made.subscription, { to });
    return { ...made, change: (await subscriptionOf(checkout, made.subscription)).change?.status };
  };
};

const changeQuantity: Trigger['run'] = async (checkout) => {
  const { data } = await checkout.products.list();
  const product = data.find(
    (each) => sellsNow(each) && each.quantity && each.quantity.min < each.quantity.max,
  );
  if (!product) throw new FailedError('There is no recurring product with a quantity above 1: create one.');
  const made = await subscribeTo(checkout, product.id);
  const { quantity } = await subscriptionOf(checkout, made.subscription);
  const wanted = { quantity: quantity + 1, effective: 'now' } as const;
  const { change } = await checkout.subscriptions.changeQuantity(made.subscription, wanted);
  return { ...made, quantity: wanted.quantity, change: change?.status };
};

const undoCancel: Trigger['run'] = async (checkout) => {
  const made = await subscribe(checkout);
  await checkout.subscriptions.cancel(made.subscription, { at_period_end: true });
  const { status } = await checkout.subscriptions.undoCancel(made.subscription);
  return { ...made, status };
};

const endTrial: Trigger['run'] = async (checkout) => {
  const made = await subscribe(checkout, APPROVED_CARD, 'trial');
  const { status } = await checkout.subscriptions.moveTrial(made.subscription, { ends_at: 'now' });
  return { ...made, status };
};

/** @param days after the end of the paid period, where its renewal is unpaid */
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
  quantity: { what: 'subscribes, and increases the quantity immediately', run: changeQuantity },
  'cancel-undo': { what: 'subscribes, cancels, and undoes the cancellation', run: undoCancel },
  'trial-end': { what: 'subscribes with a trial, and ends it', run: endTrial },
  'invoice-pay': { what: 'subscribes; a declined renewal is charged on request', run: payInvoice },
  'payment-link': { what: 'subscribes; a declined renewal is paid with another card', run: payByLink },
  coupon: { what: 'subscribes with the newest coupon', run: redeemCoupon },
};
