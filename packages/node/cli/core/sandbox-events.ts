/** Ways to cause each type of event in the sandbox. */

import { payAsBuyer } from '../../../../sandbox/buyer/buyer.ts';
import type { WebhookEvent } from '../../src/index.ts';
import { FailedError, textOf, UsageError } from './command.ts';
import { endpointsOf, listed } from './endpoints.ts';
import { personAt } from './person.ts';
import { APPROVED_CARD, productOfKind, purchase } from './purchase.ts';
import {
  BUYER_NEEDED_CARD,
  SOON_DECLINED_CARD,
  subscribe,
  subscribeUntil,
  type Trigger,
} from './subscribers.ts';

const DECLINED_CARD = '4000000000000002';
const DISPUTED_CARD = '4000009000000524';
const REPLACING_CARD = '5555555555554444';

const oneOff = (card: string): Trigger['run'] => {
  return async (checkout) => {
    const product = await productOfKind(checkout, 'one_time');
    const { id, state } = await purchase(checkout, { product: product.id, card });
    return { checkout: id, state };
  };
};

/** @param days after the end of the paid period */
const renew = (card: string, days = 1, kind?: 'trial'): Trigger['run'] => {
  return async (checkout) => {
    const { made, to } = await subscribeUntil(checkout, card, days, kind);
    await checkout.subscriptions.advanceClock(made.subscription, { to });
    return { ...made, advanced_to: to };
  };
};

const pause = (until: 'resume' | 'date'): Trigger['run'] => {
  return async (checkout) => {
    const { made, to } = await subscribeUntil(checkout, APPROVED_CARD, 1);
    await checkout.subscriptions.pause(made.subscription, until === 'date' ? { resumes_at: to } : {});
    await checkout.subscriptions.advanceClock(made.subscription, { to });
    return { ...made, advanced_to: to };
  };
};

const cancel: Trigger['run'] = async (checkout) => {
  const made = await subscribe(checkout);
  await checkout.subscriptions.cancel(made.subscription);
  return made;
};

/** Tries a declined card until the session has no attempts left. */
const changeMethod = (card: string): Trigger['run'] => {
  return async (checkout) => {
    const made = await subscribe(checkout);
    const { id, hostedUrl } = await checkout.paymentMethods.change({
      subscriptionId: made.subscription,
      externalCustomerId: made.customer,
      customer: { email: 'buyer@example.com' },
      successUrl: `${checkout.baseUrl}/docs`,
      failUrl: `${checkout.baseUrl}/docs`,
    });
    for (;;) {
      const { report, problem } = await payAsBuyer({ hostedUrl, card });
      if (problem !== null) throw new FailedError(problem);
      if (report.state !== 'created') return { ...made, change: id, state: report.state };
    }
  };
};

const refund: Trigger['run'] = async (checkout) => {
  const product = await productOfKind(checkout, 'one_time');
  const { id } = await purchase(checkout, { product: product.id, card: APPROVED_CARD });
  const { payment_id } = await checkout.checkouts.show(id);
  if (!payment_id) throw new FailedError(`${id} was not paid.`);
  const made = await checkout.refunds.create({ paymentId: payment_id });
  return { checkout: id, payment: payment_id, refund: made.id };
};

const sendTestEvent: Trigger['run'] = async (checkout, given) => {
  const { merchant_id } = await checkout.billing.showDashboard();
  const endpoints = await endpointsOf(checkout, merchant_id, textOf(given, 'endpoint'));
  const [endpoint, other] = endpoints;
  if (!endpoint || other) {
    throw new UsageError(`Name a webhook endpoint with --endpoint. There are: ${listed(endpoints)}.`);
  }
  const person = await personAt(checkout.baseUrl, given);
  const { event_id } = await person.merchants.webhookEndpoints.sendTestEvent(merchant_id, endpoint.id);
  return { endpoint: endpoint.id, event: event_id };
};

export const TRIGGERS: Readonly<Record<WebhookEvent['type'], Trigger>> = {
  'payment.succeeded': { what: 'buys a product', run: oneOff(APPROVED_CARD) },
  'payment.failed': { what: 'buys with a card that is declined', run: oneOff(DECLINED_CARD) },
  'invoice.created': { what: 'buys a product', run: oneOff(APPROVED_CARD) },
  'subscription.created': { what: 'subscribes', run: (checkout) => subscribe(checkout) },
  'subscription.updated': { what: 'subscribes, and advances to the renewal', run: renew(APPROVED_CARD) },
  'subscription.cancelled': { what: 'subscribes and cancels', run: cancel },
  'subscription.trial_ending': {
    what: 'subscribes with a trial, and advances to its end; goes to endpoints that list the type',
    run: renew(APPROVED_CARD, 1, 'trial'),
  },
  'subscription.renewal_upcoming': {
    what: 'subscribes, and advances to the renewal; goes to endpoints that list the type',
    run: renew(APPROVED_CARD),
  },
  'subscription.paused': {
    what: 'subscribes, pauses, and advances to the end of the period; goes to endpoints that list the type',
    run: pause('resume'),
  },
  'subscription.resumed': {
    what: 'subscribes, pauses until a date, and advances to it; goes to endpoints that list the type',
    run: pause('date'),
  },
  'invoice.payment_failed': { what: 'subscribes; the renewal is declined', run: renew(SOON_DECLINED_CARD) },
  'payment_method.updated': { what: 'subscribes, and replaces the card', run: changeMethod(REPLACING_CARD) },
  'payment_method.updated_required': {
    what: "subscribes; the renewal needs the buyer's confirmation",
    run: renew(BUYER_NEEDED_CARD),
  },
  'payment_method.update_failed': {
    what: 'subscribes; every replacement card is declined',
    run: changeMethod(DECLINED_CARD),
  },
  'refund.created': { what: 'buys a product and refunds it', run: refund },
  'credit_note.created': {
    what: 'buys a product and refunds it; goes to endpoints that list the type',
    run: refund,
  },
  'billing.operational_alert': {
    what: 'buys with a card whose bank disputes the payment (within a minute)',
    run: oneOff(DISPUTED_CARD),
  },
  'webhook.test': {
    what: 'sends a test event to an endpoint; API keys may not do this, so you log in through the browser',
    run: sendTestEvent,
  },
};
