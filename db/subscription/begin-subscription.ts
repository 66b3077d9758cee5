/** Begins a purchase's subscription: incomplete at the claim, running once paid. Drafts `subscription.created`. */
import { z } from 'zod';
import type { sessionTerms } from '../../contract/session/terms.ts';
import type { EventType } from '../../contract/webhook/events.ts';
import { firstPeriod } from '../../domain/subscription/first-period.ts';
import { announcementAt } from '../../domain/subscription/subscription-view.ts';
import { sql, type Transaction } from '../core/pool.ts';
import { type AnswerDetails, methodAsColumns } from '../payment/rail-calls.ts';
import type { EventContext, EventToRecord } from '../webhook/events.ts';
import { recordSubscriptionEvent } from './core/subscription-events.ts';
import { lockSubscription, saveSubscription } from './core/subscription-row.ts';
import { pauseAsLost } from './pause-subscription.ts';

const begunSubscription = z.object({
  id: z.string(),
  status: z.enum(['trialing', 'active']),
  version: z.number(),
  current_period_start: z.string(),
  current_period_end: z.string(),
  charging_stopped: z.boolean(),
});
export type BegunSubscription = z.infer<typeof begunSubscription>;

type RecurringTerms = NonNullable<z.infer<typeof sessionTerms>['price']['recurring']>;

/** The session of a purchase that is being claimed. */
interface Claimed {
  readonly id: string;
  readonly quantity: number;
  readonly terms: z.infer<typeof sessionTerms>;
}

/**
 * Creates the incomplete subscription. Like the ids of its charges, its id is derived, so that it is the same in every
 * copy of the database (rule 28).
 */
export async function createIncomplete(
  tx: Transaction,
  { id, quantity, terms: { product, price } }: Claimed,
  trialCard: Buffer | null,
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    insert into subscriptions (id, merchant_id, environment, checkout_id, customer_id, product_id, price_id,
      offering_id, rail_account_id, status, amount, quantity, currency, billing_cycles_left, coupon_id,
      trial_card)
    select derived_id('ap_sub_', created_at, 0, concat_ws(' ', 'subscription', id)), merchant_id, environment, id,
      customer_id, ${product.id}, ${price.id}, ${product.offering_id}, rail_account_id, 'incomplete',
      ${price.amount * quantity}, ${quantity}, ${price.currency},
      ${price.recurring?.billing_cycles ?? null}, coupon_id, ${trialCard && sql.binary(trialCard)}::bytea
    from checkouts where id = ${id}
    on conflict (checkout_id) do update set amount = excluded.amount, quantity = excluded.quantity,
      coupon_id = excluded.coupon_id, trial_card = excluded.trial_card
  `);
}

interface Purchase {
  readonly checkoutId: string;
  readonly paymentId: string;
  /** Details of the rail's answer, which are not stored yet. */
  readonly details: AnswerDetails | null;
}

/** Begins the subscription as `trialing` or `active`, by the database's clock, with the payment's mandate. */
export async function beginSubscription(
  tx: Transaction,
  recurring: RecurringTerms,
  { checkoutId, paymentId, details }: Purchase,
): Promise<BegunSubscription> {
  const { interval, interval_count: intervalCount, trial_period_days: trialDays } = recurring;
  const event: EventType = trialDays ? 'subscription.trial_ending' : 'subscription.renewal_upcoming';
  const { now, days } = await tx.one(sql.type(z.object({ now: z.string(), days: z.number().nullable() }))`
    select service_clock() as now, announcement_days(merchant_id, environment, ${event}) as days
    from checkouts where id = ${checkoutId}`);
  const { start, end, anchor } = firstPeriod({ interval, intervalCount, trialDays }, now);
  const trialEnd = trialDays ? end : null;
  const announceAt = announcementAt(start, end, days);
  return tx.one(sql.type(begunSubscription)`
    update subscriptions s
    set status = ${trialEnd ? 'trialing' : 'active'}, version = s.version + 1, billing_anchor = ${anchor},
      current_period_start = ${start}, current_period_end = ${end}, trial_start = ${trialEnd ? start : null},
      trial_end = ${trialEnd}, ${methodAsColumns(details)},
      billing_cycles_left = s.billing_cycles_left - (p.amount > 0)::int,
      coupon_used_periods = (s.coupon_id is not null and ${trialEnd === null})::int, announce_at = ${announceAt},
      next_action_at = case when s.billing_cycles_left = (p.amount > 0)::int then ${end} else ${announceAt ?? end} end::timestamptz,
      updated_at = service_clock()
    from payments p
    where s.checkout_id = ${checkoutId} and p.id = ${paymentId}
    returning s.id, s.status, s.version, s.current_period_start, s.current_period_end,
      s.charging_stopped_at is not null as charging_stopped
  `);
}

/**
 * Applies requests that a restore has lost to a subscription that has just begun (`listLostRequest`): it ends or pauses
 * with its period, or is held in its trial.
 */
export async function beginStopped(tx: Transaction, id: string): Promise<void> {
  const subscription = await lockSubscription(tx, id);
  const { cancel_at_period_end: ends, now: requestedAt, resumes_at: resumesAt } = subscription;
  const pauses = await tx.exists(sql.typeAlias('void')`
    select from restore_findings where owner_id = ${id} and effect = 'pauses'`);
  // The period that begins now was also the lost copy's first one, so the requested date applies.
  if (pauses)
    return pauseAsLost(
      tx,
      { ...subscription, charging_stopped: ends },
      { requestedAt, resumesAt, isFirst: true },
    );
  const stopped = await saveSubscription(tx, subscription, {});
  await recordSubscriptionEvent(tx, stopped, { type: 'subscription.updated', change: 'charging_stopped' });
}

export function subscriptionCreated(
  context: EventContext,
  { id, version }: BegunSubscription,
): EventToRecord {
  return { ...context, type: 'subscription.created', aggregateId: id, aggregateVersion: version };
}
