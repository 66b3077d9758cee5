/**
 * The clock of a sandbox subscription that its merchant has moved (rule 20). It jumps only from one
 * due instant to the next, so that nothing between now and its target is skipped.
 */
import { z } from 'zod';
import { type Due, nextDue } from '../../domain/subscription-plan.ts';
import { type Db, sql, type Transaction } from '../core/pool.ts';
import { type LockedSubscription, timetableOf } from './subscription-row.ts';

/**
 * The locked subscription at the instant at which `action` is due: now, or where its moving clock jumps to. Null
 * when something else comes first, or when it is not yet due by the clock that decides.
 */
export async function arriveAt(
  tx: Transaction,
  subscription: LockedSubscription,
  action: Due['action'],
): Promise<LockedSubscription | null> {
  const due = nextDue(timetableOf(subscription));
  if (due?.action !== action) return null;
  if (due.at <= subscription.now) return subscription;
  const { clock_target: target, open_payment_id: openPayment } = subscription;
  if (target === null || due.at > target || openPayment) return null;
  return { ...subscription, now: await setClock(tx, subscription.id, due.at) };
}

/** Nothing more is due before the target: the clock goes there, and on from there by itself. */
export async function reachTarget(tx: Transaction, subscription: LockedSubscription): Promise<boolean> {
  const { id, clock_target: target, open_payment_id: openPayment } = subscription;
  if (target === null || openPayment) return false;
  const due = nextDue(timetableOf(subscription));
  if (due && due.at <= target) return false;
  if (target > subscription.now) await setClock(tx, id, target);
  await tx.query(sql.unsafe`update subscription_clocks set target = null where subscription_id = ${id}`);
  return true;
}

/** This instant by the subscription's own clock. */
export function readSubscriptionClock(db: Db, subscriptionId: string): Promise<string> {
  return db.oneFirst(
    sql.type(z.object({ now: z.string() }))`select subscription_clock(${subscriptionId}) as now`,
  );
}

/** Never back. */
export async function setTarget(tx: Transaction, subscriptionId: string, target: string): Promise<void> {
  await tx.query(sql.unsafe`
    insert into subscription_clocks as clock (subscription_id, target) values (${subscriptionId}, ${target})
    on conflict (subscription_id) do update set target = greatest(clock.target, excluded.target)
  `);
}

/** @returns the clock's reading afterwards, which is `at` or a moment later */
function setClock(tx: Transaction, subscriptionId: string, at: string): Promise<string> {
  return tx.oneFirst(sql.type(z.object({ now: z.string() }))`
    with moved as (
      update subscription_clocks
      set ahead_ms = ceil(extract(epoch from ${at}::timestamptz - service_clock()) * 1000)
      where subscription_id = ${subscriptionId}
      returning ahead_ms
    )
    select service_clock() + make_interval(secs => ahead_ms::float8 / 1000) as now from moved
  `);
}
