/** Advances a sandbox subscription's clock (rule 20) by storing the clock's target in a row. */
import { z } from 'zod';
import { boundariesUntil } from '../../domain/core/calendar.ts';
import { type Db, type Pool, sql, type Transaction } from '../core/pool.ts';
import { BILLED } from './core/billed-statuses.ts';
import { setTarget } from './core/sandbox-clock.ts';
import {
  done,
  type Operation,
  type OperationAnswer,
  type OperationRefusal,
  operate,
  refused,
} from './core/subscription-operations.ts';
import { type LockedSubscription, lockSubscription, OPEN_CHANGE } from './core/subscription-row.ts';

export const MOST_BOUNDARIES = 500;
export const MOST_AT_ONCE = 2;

const recurringPrice = z.object({
  interval: z.enum(['day', 'week', 'month', 'year']),
  interval_count: z.number(),
});
type RecurringPrice = z.infer<typeof recurringPrice>;

export interface AdvanceOperation extends Operation {
  readonly to: string;
}

export function advanceSubscription(pool: Pool, operation: AdvanceOperation): Promise<OperationAnswer> {
  return operate(pool, 'advanceClock', operation, async (tx, subscription) => {
    // In the database's format, because instants are compared as strings.
    const to = new Date(operation.to).toISOString();
    const refusal = await refusalOf(tx, subscription, to);
    if (!refusal) await setTarget(tx, subscription.id, to);
    return refusal ? refused(refusal) : done();
  });
}

/**
 * Returns whether the workflow would refuse this advance because too many of the merchant's clocks are moving. Checked
 * before the update is sent, because a client that repeats the request each second would otherwise fill the history.
 */
export function isRefusedAsCrowded(
  pool: Pool,
  { subscriptionId, to }: Omit<AdvanceOperation, 'operationKey'>,
) {
  return pool.transaction(async (tx) => {
    const subscription = await lockSubscription(tx, subscriptionId);
    return (await refusalOf(tx, subscription, new Date(to).toISOString())) === 'advances_running';
  });
}

/** Returns a refusal instead of throwing, because the workflow would retry invalid input forever. */
async function refusalOf(
  tx: Transaction,
  subscription: LockedSubscription,
  to: string,
): Promise<OperationRefusal | null> {
  const { environment, now } = subscription;
  if (environment !== 'sandbox') return 'sandbox_only';
  return to < now ? 'advance_target_past' : boundOf(tx, subscription, to);
}

/** Limits the work of advances, which cost nothing to the holder of a test key (rule 37). */
async function boundOf(
  tx: Transaction,
  subscription: LockedSubscription,
  to: string,
): Promise<OperationRefusal | null> {
  if (await isTooFar(tx, subscription, to)) return 'advance_too_far';
  return (await isCrowded(tx, subscription)) ? 'advances_running' : null;
}

/** Checks the distance against the shorter of the intervals of the current price and of the open change. */
async function isTooFar(
  tx: Transaction,
  { id, status, price_id, resumes_at, current_period_end }: LockedSubscription,
  to: string,
): Promise<boolean> {
  const end = status === 'paused' ? resumes_at : current_period_end;
  if (end === null) return false;
  const prices = await tx.any(sql.type(recurringPrice)`
    select interval, interval_count from prices
    where interval is not null and (id = ${price_id} or id in (
      select target_price_id from subscription_changes where subscription_id = ${id} and status in ${OPEN_CHANGE}
    ))
  `);
  return prices.some((price) => crossesTooMany(end, to, price));
}

/**
 * Returns whether a clock that moves to `to` crosses too many of the price's boundaries, the first of them at `first`.
 */
export function crossesTooMany(
  first: string,
  to: string,
  { interval, interval_count }: RecurringPrice,
): boolean {
  const limit = MOST_BOUNDARIES + 1;
  return boundariesUntil(first, to, interval, interval_count, limit) === limit;
}

/** Counts moving clocks except those that wait for a charge's outcome, which cause no work and may wait for days. */
async function isCrowded(tx: Transaction, { id, merchant_id }: LockedSubscription): Promise<boolean> {
  // The snapshot is taken under the lock, so that the second of two concurrent advances counts the first.
  await tx.query(
    sql.typeAlias('void')`select pg_advisory_xact_lock(hashtextextended(${`advance ${merchant_id}`}, 0))`,
  );
  const moving = await tx.oneFirst(sql.type(z.object({ count: z.number() }))`
    select count(*) from subscription_clocks clock join subscriptions s on s.id = clock.subscription_id
    where clock.target is not null and s.merchant_id = ${merchant_id} and s.id <> ${id}
      and s.status in ${BILLED} and s.reconciling_since is null
  `);
  return moving >= MOST_AT_ONCE;
}

/** Returns whether the clock has reached its target, or the subscription ended before that. */
export function hasArrived(db: Db, subscriptionId: string): Promise<boolean> {
  return db.exists(sql.typeAlias('void')`
    select from subscriptions s left join subscription_clocks clock on clock.subscription_id = s.id
    where s.id = ${subscriptionId} and (clock.target is null or s.status not in ${BILLED})
  `);
}
