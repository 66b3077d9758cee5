/**
 * Requests to subscriptions, and ends of subscriptions, that Temporal has recorded but a restored database has lost
 * (rule 29).
 */
import { z } from 'zod';
import { isBilled } from '../../domain/subscription/subscription.ts';
import { type Db, type Pool, sql, type Transaction } from '../core/pool.ts';
import { inTransaction } from '../core/transaction.ts';
import { isEndedByDispute } from '../dispute/record-disputes.ts';
import { renewAgain, stopRenewing } from '../dispute/stop-renewing.ts';
import { isInQuestion } from '../subscription/calculate-change.ts';
import { FINISHED } from '../subscription/core/billed-statuses.ts';
import { isHeld, type LockedSubscription, lockSubscription } from '../subscription/core/subscription-row.ts';
import { cannotPause, pauseAsLost, settleLostEffect } from '../subscription/pause-subscription.ts';

export interface LostRequest {
  readonly subscriptionId: string;
  readonly operationKey: string;
  /** When the workflow received the request. */
  readonly at: string;
  readonly name: string;
  /**
   * `stops`: a cancellation, an end, a change now or a moved trial; nothing more is charged, and the subscription ends
   * with its period. `pauses`: a pause was requested or ended; nothing more is charged until the pause ends
   * (`pauseAsLost`). Null if the request is only listed.
   */
  readonly effect: 'stops' | 'pauses' | null;
  /** The pause's end; null without one, if it is unreadable, or if a later request about the pause was lost. */
  readonly resumesAt: string | null;
}

/** Returns which of these operations of a subscription the copy has. */
export async function knownOperations(
  db: Db,
  subscriptionId: string,
  operationKeys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (operationKeys.length === 0) return new Set();
  const known = await db.anyFirst(sql.type(z.object({ operation_key: z.string() }))`
    select operation_key from subscription_operations
    where subscription_id = ${subscriptionId} and operation_key = any (${sql.array([...operationKeys], 'text')})
  `);
  return new Set(known);
}

/**
 * Lists a lost request for an operator. The request is not repeated automatically, because the period that it concerned
 * may be over. A subscription due to end is stopped in the same transaction, so that it ends with its period; one whose
 * pause is uncertain is paused or held until an operator decides.
 * @returns whether this call listed the request; true again if it was repeated after an earlier restore
 */
export function listLostRequest(pool: Pool, epoch: number, request: LostRequest): Promise<boolean> {
  const { subscriptionId, operationKey, at, name, effect, resumesAt } = request;
  return inTransaction(pool, async (tx) => {
    const reference = await tx.maybeOneFirst(sql.type(z.object({ reference: z.string() }))`
      insert into restore_findings (epoch, rail_account_id, kind, reference, merchant_id, environment, outcome,
        amount, currency, at, owner_id, state)
      select ${epoch}::bigint, rail_account_id, 'request', id || ':' || ${operationKey}::text, merchant_id, environment, ${name}, amount, currency, ${at}, id,
        'person'
      from subscriptions s
      where id = ${subscriptionId} and status not in ${FINISHED} and not exists (
        select from subscription_operations o where o.subscription_id = s.id and o.operation_key = ${operationKey})
      on conflict (rail_account_id, reference) do update
        set epoch = excluded.epoch, outcome = excluded.outcome, at = excluded.at, state = 'person', effect = null,
          closed_at = null
        where restore_findings.epoch < excluded.epoch and restore_findings.at < excluded.at
      returning reference
    `);
    if (reference === null) return false;
    if (effect === null) return true;
    const subscription = await lockSubscription(tx, subscriptionId);
    if (!(await takeEffect(tx, subscription, { effect, at, resumesAt }))) return true;
    await tx.query(sql.typeAlias('void')`
      update restore_findings set effect = ${effect}, ends = ${subscription.cancel_at_period_end},
        collects = ${subscription.collects}
      where reference = ${reference}`);
    return true;
  });
}

/** @returns false if the subscription has ended, or a cancellation has already stopped it */
async function takeEffect(
  tx: Transaction,
  subscription: LockedSubscription,
  { effect, at, resumesAt }: Pick<LostRequest, 'effect' | 'at' | 'resumesAt'>,
): Promise<boolean> {
  const { id, status } = subscription;
  if (status === 'incomplete') return stopBeforeBegin(tx, id, { ends: effect === 'stops', resumesAt });
  if (effect === 'stops') return stopRenewing(tx, subscription);
  if (!isBilled(status)) return false;
  const requestedAt = await bySubscriptionClock(tx, id, at);
  const isFirst = !(await isPausedByAnother(tx, id));
  await pauseAsLost(tx, subscription, { requestedAt, resumesAt, isFirst });
  return true;
}

/** Stops an incomplete subscription, whose first payment is unknown: it then begins stopped (`beginStopped`). */
async function stopBeforeBegin(
  tx: Transaction,
  id: string,
  { ends, resumesAt }: { readonly ends: boolean; readonly resumesAt: string | null },
): Promise<boolean> {
  const { rowCount } = await tx.query(sql.typeAlias('void')`
    update subscriptions set charging_stopped_at = coalesce(charging_stopped_at, service_clock()),
      cancel_at_period_end = cancel_at_period_end or ${ends},
      resumes_at = case when ${ends} then resumes_at else ${resumesAt} end
    where id = ${id} and not (cancel_at_period_end and ${ends})`);
  return rowCount === 1;
}

function isPausedByAnother(tx: Transaction, subscriptionId: string): Promise<boolean> {
  return tx.exists(sql.typeAlias('void')`
    select from restore_findings where owner_id = ${subscriptionId} and effect = 'pauses' and state = 'person'`);
}

function bySubscriptionClock(tx: Transaction, subscriptionId: string, at: string): Promise<string> {
  return tx.oneFirst(sql.type(z.object({ at: z.string() }))`
    select date_trunc('milliseconds', ${at}::timestamptz + (subscription_clock(${subscriptionId}) - service_clock())) as at
  `);
}

const decided = z.object({
  id: z.string(),
  effect: z.enum(['stops', 'pauses']),
  cancel_at_period_end: z.boolean(),
  collects: z.boolean(),
  /** True if another listed request pauses the subscription. */
  pauses: z.boolean(),
  /** True if another listed request stops it, and no operator has let it continue. */
  stops: z.boolean(),
});

/**
 * Lets a stopped, paused or held subscription continue, as an operator decided, unless it has lost a dispute since.
 *
 * @returns whether this listed request had an effect on the subscription, and it continues
 */
export async function continueAfter(tx: Transaction, reference: string): Promise<boolean> {
  const read = () =>
    tx.maybeOne(sql.type(decided)`
      select owner_id as id, effect, ends as cancel_at_period_end, collects, exists (
        select from restore_findings other
        where other.owner_id = f.owner_id and other.effect = 'pauses' and other.state = 'person') as pauses,
        exists (select from restore_findings where owner_id = f.owner_id and effect = 'stops') as stops
      from restore_findings f where reference = ${reference} and effect is not null and state = 'person'
    `);
  const id = (await read())?.id;
  if (id === undefined) return false;
  // Lock first: a lost dispute is recorded under the same lock, and finds a subscription that is still stopped.
  const subscription = await lockSubscription(tx, id);
  const finding = await read();
  if (!finding || (await isEndedByDispute(tx, id))) return false;
  if (!(await continueSubscription(tx, subscription, finding))) return false;
  await settleLostEffect(tx, subscription, finding.effect);
  return true;
}

async function continueSubscription(
  tx: Transaction,
  subscription: LockedSubscription,
  { effect, pauses, stops, cancel_at_period_end, collects }: z.infer<typeof decided>,
): Promise<boolean> {
  // A charge made now would have another id than the listed charge, and might bill the same again.
  if (await isInQuestion(tx, subscription)) return false;
  if (effect === 'stops')
    return renewAgain(tx, subscription, {
      cancel_at_period_end,
      collects,
      charging_stopped: pauses && cannotPause(subscription),
    });
  const { charging_stopped: isStopped, current_period_end: end, now, resumes_at: resumesAt } = subscription;
  const isPaused = subscription.status === 'paused';
  if (stops || (isPaused && subscription.clock_target !== null)) return false;
  const isDue = resumesAt !== null && resumesAt <= now;
  return renewAgain(tx, subscription, {
    pause_at_period_end: false,
    resumes_at: isPaused ? (isDue ? resumesAt : now) : null,
    // The merchant's own cancellation stays in force.
    ...(isStopped && { collects }),
    // Periods that passed while it was held are not charged.
    ...(isStopped && end !== null && end <= now && { next_period_waits: true }),
  });
}

/**
 * Lets a subscription held by a listed request about a pause begin that pause, once nothing is unpaid. Otherwise an
 * operator lets it continue (`continueAfter`), or its merchant cancels it. A listed cancellation is decided first. A
 * subscription whose first payment is unknown may begin held.
 *
 * @returns whether it is still held
 */
export async function staysHeld(tx: Transaction, reference: string): Promise<boolean> {
  const id = await heldBy(tx, reference);
  if (id === null) return false;
  const subscription = await lockSubscription(tx, id);
  // The merchant may have cancelled the subscription before it was locked.
  if ((await heldBy(tx, reference)) === null) return false;
  if (!isHeld(subscription) || cannotPause(subscription) || (await isInQuestion(tx, subscription)))
    return true;
  return !(await renewAgain(tx, subscription, {}));
}

function heldBy(tx: Transaction, reference: string): Promise<string | null> {
  return tx.maybeOneFirst(sql.type(z.object({ id: z.string() }))`
    select s.id from restore_findings f join subscriptions s on s.id = f.owner_id
    where f.reference = ${reference} and f.effect = 'pauses' and f.state = 'person'
      and s.status not in ${FINISHED}
      and s.charging_stopped_at is not null and s.cancel_requested_at is null
      and (not s.cancel_at_period_end or exists (
        select from restore_findings stop
        where stop.owner_id = s.id and stop.effect = 'stops' and not stop.ends and stop.state = 'person'))
  `);
}
