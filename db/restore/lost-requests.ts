/**
 * Requests to subscriptions, and ends of subscriptions, that Temporal has recorded but a restored database has lost
 * (rule 29).
 */
import { z } from 'zod';
import { refusalOf } from '../../domain/subscription/operations.ts';
import { type Db, type Pool, sql, type Transaction } from '../core/pool.ts';
import { inTransaction } from '../core/transaction.ts';
import { isEndedByDispute } from '../dispute/record-disputes.ts';
import { renewAgain, stopRenewing } from '../dispute/stop-renewing.ts';
import { BILLED } from '../subscription/core/billed-statuses.ts';
import { operable } from '../subscription/core/subscription-operations.ts';
import { type LockedSubscription, lockSubscription } from '../subscription/core/subscription-row.ts';
import { pauseAsLost } from '../subscription/pause-subscription.ts';

export interface LostRequest {
  readonly subscriptionId: string;
  readonly operationKey: string;
  /** When the workflow received the request. */
  readonly at: string;
  readonly name: string;
  /**
   * `stops`: the subscription was cancelled or had ended: nothing more is charged until an operator decides otherwise.
   * `pauses`: it was to pause with its period, and does so; without a date if a lost request ended the pause, unless it
   * had not begun by then. `holds`: a pause that the copy still has was ended: it loses its date. A subscription stops
   * instead if a period has begun here that the lost copy did not begin. Null if the request is only listed.
   */
  readonly effect: 'stops' | 'pauses' | 'holds' | null;
  /** Of a pause: when it was to end; null if it has no end, one that could not be read, or was ended by a request. */
  readonly resumesAt: string | null;
  /** Of a pause: when a lost request ended it; null if none did. */
  readonly resumedAt: string | null;
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
 * Lists a lost request for an operator. It is not repeated automatically, because the period that it concerned may be
 * over. A subscription due to end is stopped in the same transaction, once, so that it ends with its period; one due to
 * pause is paused until the date of the request, or until a person resumes it.
 *
 * @returns whether this call listed the request
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
      where id = ${subscriptionId} and status in ${BILLED} and not exists (
        select from subscription_operations o where o.subscription_id = s.id and o.operation_key = ${operationKey})
      on conflict (rail_account_id, reference) do nothing
      returning reference
    `);
    if (reference === null) return false;
    if (effect === null) return true;
    const subscription = await lockSubscription(tx, subscriptionId);
    const requestedAt = await bySubscriptionClock(tx, subscriptionId, at);
    const how = effect === 'stops' ? effect : await howToPause(tx, subscription, request, requestedAt);
    if (how === 'pauses') await pauseAsLost(tx, subscription, { requestedAt, resumesAt });
    else if (how === 'stops' && (await stopRenewing(tx, subscription)))
      await tx.query(sql.typeAlias('void')`
        update restore_findings set stopped = true, ends = ${subscription.cancel_at_period_end},
          collects = ${subscription.collects}
        where reference = ${reference}`);
    return true;
  });
}

/**
 * The restored copy must charge no period that the lost copy did not begin. Its own charge of the resumption has an id
 * that this copy cannot derive, so a pause that began and was ended lasts here until a person resumes it.
 * @returns null if the pause was ended before it began
 */
async function howToPause(
  tx: Transaction,
  subscription: LockedSubscription,
  { effect, resumedAt }: LostRequest,
  requestedAt: string,
): Promise<'pauses' | 'stops' | null> {
  const { id, current_period_start: start, current_period_end: end } = subscription;
  if (subscription.status === 'paused' || subscription.pause_at_period_end) return 'pauses';
  const hasBegun = start !== null && start > requestedAt;
  if (effect === 'holds') return hasBegun ? 'stops' : null;
  if (resumedAt !== null) {
    const endedAt = await bySubscriptionClock(tx, id, resumedAt);
    const began = [start, end].some((each) => each !== null && each > requestedAt && each <= endedAt);
    if (!began) return null;
  }
  const isOfPeriod = end !== null && end > requestedAt;
  return isOfPeriod && (hasBegun || lacksMore(subscription)) ? 'stops' : 'pauses';
}

/** Returns whether the copy has lost what made the pause possible: a change was withdrawn, or an invoice paid. */
function lacksMore(subscription: LockedSubscription): boolean {
  const refusal = refusalOf('pause', operable(subscription));
  return refusal === 'subscription_change_scheduled' || refusal === 'subscription_past_due';
}

function bySubscriptionClock(tx: Transaction, subscriptionId: string, at: string): Promise<string> {
  return tx.oneFirst(sql.type(z.object({ at: z.string() }))`
    select date_trunc('milliseconds', ${at}::timestamptz + (subscription_clock(${subscriptionId}) - service_clock())) as at
  `);
}

const owner = z.object({ id: z.string() });
const kept = z.object({ cancel_at_period_end: z.boolean(), collects: z.boolean() });

/**
 * Lets a stopped subscription continue, as an operator decided, unless it has lost a dispute since.
 *
 * @returns whether this listed request had stopped the subscription, and it continues
 */
export async function goOnAfter(tx: Transaction, reference: string): Promise<boolean> {
  const stopped = sql.fragment`reference = ${reference} and stopped and state = 'person'`;
  const id = await tx.maybeOneFirst(sql.type(owner)`
    select owner_id as id from restore_findings where ${stopped}`);
  if (id === null) return false;
  // Lock first: a lost dispute is recorded under the same lock, and finds the subscription already stopped.
  const subscription = await lockSubscription(tx, id);
  if (await isEndedByDispute(tx, id)) return false;
  const cancellation = await tx.maybeOne(sql.type(kept)`
    update restore_findings set stopped = false where ${stopped}
    returning ends as cancel_at_period_end, collects
  `);
  return cancellation !== null && renewAgain(tx, subscription, cancellation);
}
