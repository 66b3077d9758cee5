/** `hosted-checkout trigger <event type>`: makes something happen in the sandbox that sends this event. */
import type { HostedCheckout } from '../../src/index.ts';
import { type Command, print, UsageError } from '../core/command.ts';
import { APPROVED_CARD, productOfKind, purchase } from '../core/purchase.ts';
import { sandboxClientOf } from '../core/settings.ts';

interface Trigger {
  readonly what: string;
  /** @returns the ids of what it made */
  run(checkout: HostedCheckout): Promise<object>;
}

const DECLINED_CARD = '4000000000000002';
/** Approved and stored; later charges are declined. */
const SOON_DECLINED_CARD = '4000000000000341';
/** Approved and stored; later charges need the buyer. */
const BUYER_NEEDED_CARD = '4000009000000417';
const DISPUTED_CARD = '4000009000000524';

const oneOff = (card: string): Trigger['run'] => {
  return async (checkout) => {
    const product = await productOfKind(checkout, 'one_time');
    const { id, state } = await purchase(checkout, { product: product.id, card });
    return { checkout: id, state };
  };
};

async function subscribe(checkout: HostedCheckout, card = APPROVED_CARD) {
  const product = await productOfKind(checkout, 'recurring');
  const { id } = await purchase(checkout, { product: product.id, card });
  const { subscription_id } = await checkout.showCheckout(id);
  if (!subscription_id) throw new UsageError(`${id} was not paid.`);
  return { checkout: id, subscription: subscription_id };
}

/** @param days after the end of the paid period */
const renew = (card: string, days = 1): Trigger['run'] => {
  return async (checkout) => {
    const made = await subscribe(checkout, card);
    const { data } = await checkout.listSubscriptions();
    const end = data.find(({ id }) => id === made.subscription)?.current_period_end;
    if (!end) throw new UsageError(`${made.subscription} has no period to renew.`);
    const to = new Date(Date.parse(end) + days * 86_400_000).toISOString();
    await checkout.advanceSubscriptionClock(made.subscription, { to });
    return { ...made, advanced_to: to };
  };
};

const cancel: Trigger['run'] = async (checkout) => {
  const made = await subscribe(checkout);
  await checkout.cancelSubscription(made.subscription);
  return made;
};

const refund: Trigger['run'] = async (checkout) => {
  const product = await productOfKind(checkout, 'one_time');
  const { id } = await purchase(checkout, { product: product.id, card: APPROVED_CARD });
  const { payment_id } = await checkout.showCheckout(id);
  if (!payment_id) throw new UsageError(`${id} was not paid.`);
  const made = await checkout.createRefund({ paymentId: payment_id });
  return { checkout: id, payment: payment_id, refund: made.id };
};

const TRIGGERS: Readonly<Record<string, Trigger>> = {
  'payment.succeeded': { what: 'buys a product', run: oneOff(APPROVED_CARD) },
  'payment.failed': { what: 'buys with a card that is declined', run: oneOff(DECLINED_CARD) },
  'invoice.created': { what: 'buys a product', run: oneOff(APPROVED_CARD) },
  'subscription.created': { what: 'subscribes', run: (checkout) => subscribe(checkout) },
  'subscription.updated': { what: 'subscribes, and advances to the renewal', run: renew(APPROVED_CARD) },
  'subscription.cancelled': { what: 'subscribes and cancels', run: cancel },
  'invoice.payment_failed': { what: 'subscribes; the renewal is declined', run: renew(SOON_DECLINED_CARD) },
  'payment_method.updated_required': {
    what: 'subscribes; the renewal needs the buyer',
    run: renew(BUYER_NEEDED_CARD),
  },
  'refund.created': { what: 'buys a product and refunds it', run: refund },
  'billing.operational_alert': {
    what: 'buys with a card whose bank disputes the payment (within a minute)',
    run: oneOff(DISPUTED_CARD),
  },
};

const widest = Math.max(...Object.keys(TRIGGERS).map((type) => type.length));

export const trigger: Command = {
  summary: 'make an event happen in the sandbox',
  words: Object.keys(TRIGGERS),
  help: `Usage: hosted-checkout trigger <event type>

${Object.entries(TRIGGERS)
  .map(([type, { what }]) => `  ${type.padEnd(widest)}  ${what}`)
  .join('\n')}

It happens for real, in the sandbox: every event that comes with it is sent too.`,
  async run(given) {
    const [type] = given.positionals;
    const found = type !== undefined && Object.hasOwn(TRIGGERS, type) ? TRIGGERS[type] : undefined;
    if (!found) {
      throw new UsageError(
        `${type ? `${type} cannot be triggered` : 'Which event type?'}\n\n${trigger.help}`,
      );
    }
    const made = await found.run(await sandboxClientOf(given));
    const ids = Object.entries(made).map(([name, value]) => `${name} ${value}`);
    print(given, { type, ...made }, `${type}: ${ids.join(', ')}`);
  },
};
