/** Subscriptions in the database without a workflow. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { storeAnswerDetails } from '../../../db/payment/rail-calls.ts';
import { offerLink } from '../../../db/session/payment-links.ts';
import { advanceSubscription } from '../../../db/subscription/advance-subscription.ts';
import { announce } from '../../../db/subscription/announce-trial-end-or-renewal.ts';
import { loadSubscriptionView } from '../../../db/subscription/read/subscription-view.ts';
import { recordCharge } from '../../../db/subscription/record-charge.ts';
import * as renewing from '../../../db/subscription/renew-subscription.ts';
import type { OfferLink } from '../../../db/subscription/settle-change.ts';
import { boundary } from '../../../domain/core/calendar.ts';
import type { Scope } from '../../../domain/core/environment.ts';
import type { AttemptOutcome } from '../../../domain/payment/attempt.ts';
import { isFinishedSubscription } from '../../../domain/subscription/subscription.ts';
import type { SubscriptionView } from '../../../domain/subscription/subscription-view.ts';
import { createPageToken } from '../../../platform/secrets/page-token.ts';
import { mandateOf } from '../../../platform/secrets/places.ts';
import { APPROVED, answer, clickAccepted } from './attempts.ts';
import { giveCoupon } from './coupons.ts';
import {
  insertProduct,
  insertSession,
  type PriceValues,
  type ProductValues,
  testSecretBox,
} from './fixtures.ts';

export const LADDER_DAYS = [2, 7, 14, 21];

const id = z.object({ id: z.string() });

/** Returns the customer whose mandate an attempt uses or creates. */
export function customerOf(pool: Pool, paymentId: string): Promise<string> {
  return pool.oneFirst(sql.type(id)`select customer_id as id from payments where id = ${paymentId}`);
}

interface Buyer {
  readonly externalCustomerId?: string;
  readonly couponCode?: string;
}

/** A subscription as a checkout leaves it; its mandate is `mandate-1`. */
export async function insertSubscription(
  pool: Pool,
  scope: Scope,
  productId: string,
  quantity: number | null = null,
  { externalCustomerId, couponCode }: Buyer = {},
): Promise<string> {
  const customer = externalCustomerId === undefined ? {} : { externalCustomerId };
  const checkout = await insertSession(pool, scope, productId, { quantity, ...customer });
  if (couponCode !== undefined) await giveCoupon(pool, checkout.id, couponCode);
  const paymentId = await clickAccepted(pool, checkout.id);
  await storeAnswerDetails(pool, paymentId, {
    railReference: `rail-${paymentId}`,
    method: { type: 'card', brand: 'visa', last4: '4242' },
    mandate: testSecretBox.seal('mandate-1', mandateOf(await customerOf(pool, paymentId))),
    challengeUrl: null,
    challengeSeconds: 600,
  });
  await answer(pool, checkout.id, paymentId, APPROVED);
  return pool.oneFirst(sql.type(id)`select id from subscriptions where checkout_id = ${checkout.id}`);
}

/** Assigns a subscription to the customer of another one. */
export async function giveToCustomerOf(pool: Pool, subscriptionId: string, otherId: string): Promise<void> {
  await pool.query(sql.unsafe`
    update subscriptions set customer_id = (select customer_id from subscriptions where id = ${otherId})
    where id = ${subscriptionId}`);
}

/** Moves the first (paid) period to begin at `start`, an instant in the future. */
export async function beginAt(pool: Pool, subscriptionId: string, start: string): Promise<void> {
  const { interval, interval_count } = await pool.one(sql.type(billing)`
    select p.interval, p.interval_count from prices p join subscriptions s on s.price_id = p.id
    where s.id = ${subscriptionId}
  `);
  const end = boundary(start, interval, interval_count);
  await pool.query(sql.unsafe`
    update subscriptions set billing_anchor = ${start}, current_period_start = ${start}, current_period_end = ${end},
      next_action_at = ${end}
    where id = ${subscriptionId}
  `);
  // Two milliseconds after the start: a change at the very start of the period is refused.
  await pool.query(sql.unsafe`
    insert into subscription_clocks (subscription_id, ahead_ms)
    values (${subscriptionId}, extract(epoch from ${start}::timestamptz - service_clock()) * 1000 + 2)
  `);
  await pool.query(sql.unsafe`
    update invoices set period_start = ${start}, period_end = ${end}, issued_at = ${start}
    where subscription_id = ${subscriptionId}
  `);
}

const billing = z.object({
  interval: z.enum(['day', 'week', 'month', 'year']),
  interval_count: z.number(),
});

export async function insertOffering(pool: Pool, merchantId: string, name = 'Kaffee'): Promise<string> {
  return pool.oneFirst(sql.type(id)`
    insert into offerings (merchant_id, name) values (${merchantId}, ${name}) returning id
  `);
}

export async function insertPlan(
  pool: Pool,
  merchantId: string,
  offeringId: string | null,
  price: PriceValues,
  quantity: ProductValues['quantity'] = null,
): Promise<string> {
  const { productId } = await insertProduct(pool, {
    merchantId,
    name: `Plan ${price.amount}`,
    price,
    quantity,
  });
  await pool.query(sql.unsafe`update products set offering_id = ${offeringId} where id = ${productId}`);
  return productId;
}

/** Offers a change's payment link as the activities do. */
export const testLink: OfferLink = (tx, invoice) =>
  offerLink(tx, {
    ...invoice,
    pageToken: createPageToken(testSecretBox, 'ap_lnk_'),
    maxAttempts: 3,
    railNames: ['sandbox'],
  });

/** Drives the workflow's main loop without timers, with the test's rail answers; a look-up asks for another answer. */
export function driverOf(
  pool: Pool,
  subscriptionId: string,
  railAnswers: (paymentId: string) => AttemptOutcome,
) {
  const view = () => loadSubscriptionView(pool, subscriptionId);

  async function settle(openAttempt: NonNullable<SubscriptionView['openAttempt']>): Promise<void> {
    await pool.query(sql.unsafe`
      update payments set call_started_at = coalesce(call_started_at, service_clock()) where id = ${openAttempt.attemptId}
    `);
    await recordCharge(pool, {
      ownerId: subscriptionId,
      attemptId: openAttempt.attemptId,
      details: null,
      outcome: railAnswers(openAttempt.attemptId),
      lookupTimeUp: false,
      nextLookupSeconds: 2,
      dunningLadderDays: LADDER_DAYS,
      offerLink: testLink,
    });
  }

  /**
   * Does one due step.
   * @returns false when nothing is due
   */
  async function turn(): Promise<boolean> {
    const now = await view();
    if (now.openAttempt) {
      await settle(now.openAttempt);
      return true;
    }
    if (!now.next || now.next.inMs > 0) return false;
    await act(now.next.action);
    return true;
  }

  function act(action: NonNullable<SubscriptionView['next']>['action']): Promise<unknown> {
    switch (action) {
      case 'boundary':
        return renewing.renewPeriod(pool, subscriptionId);
      case 'charge':
        return renewing.chargeOldest(pool, subscriptionId, LADDER_DAYS);
      case 'giveUp':
        return renewing.giveUp(pool, subscriptionId);
      case 'cancel':
        return renewing.cancelAsRequested(pool, subscriptionId);
      case 'announce':
        return announce(pool, subscriptionId);
      case 'reachTarget':
        return renewing.reachClockTarget(pool, subscriptionId);
    }
  }

  async function run(): Promise<SubscriptionView> {
    for (let turns = 0; turns < 1_000; turns++) {
      if (!(await turn())) return view();
    }
    throw new Error('the subscription does not settle');
  }

  return {
    view,
    turn,
    act,
    run,
    /** Advances the subscription's clock and does everything due on the way. */
    async advance(to: string): Promise<SubscriptionView> {
      if (isFinishedSubscription((await view()).status)) return view();
      await advanceSubscription(pool, { subscriptionId, operationKey: randomUUID(), to });
      return run();
    },
  };
}

const invoiceRow = z.object({
  id: z.string(),
  number: z.string(),
  status: z.string(),
  amount: z.number(),
  amount_due: z.number(),
  period_start: z.string(),
  period_end: z.string(),
  issued_at: z.string(),
  product_id: z.string(),
  quantity: z.number(),
});

export function invoicesOf(pool: Pool, subscriptionId: string) {
  return pool.any(sql.type(invoiceRow)`
    select id, coalesce(number, '') as number, status, amount, amount_due, period_start, period_end, coalesce(issued_at, created_at) as issued_at,
      line_items #>> '{0,product_id}' as product_id, (line_items #>> '{0,quantity}')::int as quantity
    from invoices where subscription_id = ${subscriptionId} order by period_start
  `);
}

export async function eventTypesOf(pool: Pool, subscriptionId: string): Promise<readonly string[]> {
  const rows = await pool.any(sql.type(z.object({ type: z.string() }))`
    select type from events where body::jsonb #>> '{subscription,id}' = ${subscriptionId} order by occurred_at, created_at
  `);
  return rows.map(({ type }) => type);
}

/** An unpaid invoice of the next period. @returns its id */
export function insertNewerInvoice(pool: Pool, subscriptionId: string): Promise<string> {
  return pool.oneFirst(sql.type(id)`
    insert into invoices (merchant_id, environment, customer_id, subscription_id, status, amount, amount_due, currency,
      period_start, period_end, customer, line_items, supplier)
    select merchant_id, environment, customer_id, subscription_id, 'open', amount, amount, currency,
      period_end, period_end + interval '1 month', customer, line_items, supplier
    from invoices where subscription_id = ${subscriptionId} order by period_start desc limit 1
    returning id
  `);
}

/** A change now whose charge is under way. */
export async function insertPendingChange(pool: Pool, subscriptionId: string): Promise<void> {
  await pool.query(sql.unsafe`
    insert into subscription_changes (subscription_id, type, status, target_plan_id, target_price_id, amount, effective_at)
    select id, 'plan_change', 'pending', product_id, price_id, amount, now()
    from subscriptions where id = ${subscriptionId}`);
}
