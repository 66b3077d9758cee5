/**
 * The clock of a sandbox subscription, moved by its merchant (rule 20). The clock jumps from one due instant to the
 * next, so that nothing before its target is skipped.
 */
import { z } from 'zod';
import { waitsForCharge } from '../../../domain/subscription/operations.ts';
import { type Due, nextDue } from '../../../domain/subscription/subscription-view.ts';
import { type Db, sql, type Transaction } from '../../core/pool.ts';
import { operable } from './subscription-operations.ts';
import { type LockedSubscription, timetableOf } from './subscription-row.ts';

/** Maximum number of years that a clock can be moved ahead of today. */
export const FARTHEST_YEARS = 20;

/**
 * Returns the locked subscription at the instant when `action` is due: now, or the instant to which a moving clock
 * jumps. Returns null if something else is due before, or the action is not due yet.
 */
export async function arriveAt(
  tx: Transaction,
  subscription: LockedSubscription,
  action: Due['action'],
): Promise<LockedSubscription | null> {
  const due = nextDue(timetableOf(subscription));
  if (due?.action !== action) return null;
  if (due.at <= subscription.now) return subscription;
  const { clock_target: target } = subscription;
  if (target === null || due.at > target || waits(subscription)) return null;
  return { ...subscription, now: await setClock(tx, subscription.id, due.at) };
}

/** Sets the clock to its target if nothing else is due before; the clock then continues at normal speed. */
export async function reachTarget(tx: Transaction, subscription: LockedSubscription): Promise<boolean> {
  const { id, clock_target: target } = subscription;
  if (target === null || waits(subscription)) return false;
  const due = nextDue(timetableOf(subscription));
  if (due && due.at <= target) return false;
  if (target > subscription.now) await setClock(tx, id, target);
  await tx.query(
    sql.typeAlias('void')`update subscription_clocks set target = null where subscription_id = ${id}`,
  );
  return true;
}

const waits = (subscription: LockedSubscription) => waitsForCharge('advanceClock', operable(subscription));

/** Returns the current time by the subscription's clock. */
export function readSubscriptionClock(db: Db, subscriptionId: string): Promise<string> {
  return db.oneFirst(
    sql.type(z.object({ now: z.string() }))`select subscription_clock(${subscriptionId}) as now`,
  );
}

/** Sets the clock's target, which never moves backwards. */
export async function setTarget(tx: Transaction, subscriptionId: string, target: string): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    insert into subscription_clocks as clock (subscription_id, target) values (${subscriptionId}, ${target})
    on conflict (subscription_id) do update
    set target = greatest(clock.target, excluded.target), moved_at = service_clock()
  `);
}

/** @returns what the clock shows afterwards: `at` or slightly later */
function setClock(tx: Transaction, subscriptionId: string, at: string): Promise<string> {
  return tx.oneFirst(sql.type(z.object({ now: z.string() }))`
    with moved as (
      update subscription_clocks
      set ahead_ms = ceil(ms_between(service_clock(), ${at}::timestamptz)), moved_at = service_clock()
      where subscription_id = ${subscriptionId}
      returning ahead_ms
    )
    select service_clock() + make_interval(secs => ahead_ms::float8 / 1000) as now from moved
  `);
}
