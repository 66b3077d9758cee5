/** Coupons that are redeemed too often, kept, lost, or taken off wrongly. */
import { type Copy, first, type Planted } from './copy.ts';

const coupon = (copy: Copy) => first(copy.coupons);
const holder = (copy: Copy) => first(copy.sessions, (each) => each.coupon !== null);
const lost = (copy: Copy) => first(copy.sessions, ({ coupon, state }) => !coupon && state === 'failed');

/** Appends a session request with the coupon code to the end of the copy. */
function ask(copy: Copy, status: number, answer: object) {
  const made = first(copy.exchanges, ({ path }) => path === '/v1/checkouts');
  const body = JSON.stringify({ couponCode: coupon(copy).code });
  const at = copy.endedAt;
  copy.exchanges.push({ ...made, status, body, sentAt: at, answeredAt: at, answer: JSON.stringify(answer) });
}

const billOf = (copy: Copy) => {
  const { order_id } = holder(copy);
  return first(copy.invoices, (each) => each.order_id === order_id);
};
/** Moves a cent from the discount to the price, so that the sum stays. */
function shift(lines: Copy['invoices'][number]['line_items']): void {
  for (const line of lines) line.amount += Math.sign(line.amount);
  for (const line of lines) line.unit_amount = line.amount;
}

export const COUPONS: readonly Planted[] = [
  [
    'a last redemption used by two buyers',
    'a coupon is not redeemed more often than allowed',
    (copy) => {
      first(copy.sessions, ({ coupon, state }) => !coupon && state === 'succeeded').coupon =
        holder(copy).coupon;
      coupon(copy).redemptions = 2;
    },
  ],
  [
    'a redemption that no paid session holds',
    'a coupon is not redeemed more often than allowed',
    (copy) => {
      coupon(copy).redemptions = 0;
    },
  ],
  [
    'a code that is refused after its only attempt has failed',
    'a failed attempt returns its coupon',
    (copy) => {
      const { id } = holder(copy);
      holder(copy).state = 'failed';
      copy.seen = copy.seen.filter(({ sessionId }) => sessionId !== id);
      ask(copy, 409, { code: 'coupon_not_redeemable' });
    },
  ],
  [
    'a coupon without a limit that is refused',
    'a failed attempt returns its coupon',
    (copy) => {
      coupon(copy).max_redemptions = null;
      ask(copy, 409, { code: 'coupon_not_redeemable' });
    },
  ],
  [
    'a click that loses a coupon which nobody else holds',
    'a failed attempt returns its coupon',
    (copy) => {
      const { coupon: kept, id } = holder(copy);
      holder(copy).coupon = null;
      lost(copy).coupon = kept;
      const made = first(copy.exchanges, ({ answer }) => answer?.includes(id) ?? false);
      made.path = '/v1/checkouts';
      made.answer = JSON.stringify({ id, hostedUrl: 'http://127.0.0.1/pay/1' });
      made.body = JSON.stringify({ couponCode: coupon(copy).code });
    },
  ],
  [
    'a discount that is a cent more than the coupon',
    'a coupon gives its stated discount',
    (copy) => shift(billOf(copy).line_items),
  ],
  [
    'a permanent coupon missing from the second renewal',
    'a coupon gives its stated discount',
    (copy) => {
      const { subscription_id } = holder(copy);
      const last = first(copy.invoices, (each) => each.subscription_id === subscription_id);
      last.line_items = [{ ...first(last.line_items), unit_amount: 1_400, amount: 1_400 }];
    },
  ],
  [
    'a one-charge coupon applied to every renewal',
    'a coupon gives its stated discount',
    (copy) => {
      coupon(copy).duration = 'once';
    },
  ],
  [
    'a discount without a coupon',
    'a coupon gives its stated discount',
    (copy) => {
      holder(copy).coupon = null;
      coupon(copy).redemptions = 0;
    },
  ],
  [
    "a discount in the session's amount only",
    'a coupon gives its stated discount',
    (copy) => {
      first(
        copy.sessions,
        ({ coupon, state, amount }) => !coupon && state === 'succeeded' && amount > 0,
      ).coupon = holder(copy).coupon;
    },
  ],
];
