/** Requests of merchants that Temporal remembers and a restored database has lost (rule 29). */
import { z } from 'zod';
import { isBilled } from '../../domain/subscription/subscription.ts';
import { type Db, type Pool, sql, type Transaction } from '../core/pool.ts';
import { inTransaction } from '../core/transaction.ts';
import { cancelChangeIn } from '../subscription/subscription-changes.ts';
import { recordSubscriptionEvent } from '../subscription/subscription-events.ts';
import {
  done,
  findOperationAnswer,
  type Operation,
  storeOperationAnswer,
} from '../subscription/subscription-operations.ts';
import {
  type LockedSubscription,
  lockSubscription,
  saveSubscription,
} from '../subscription/subscription-row.ts';
import { adoptEndIn } from './adopt-end.ts';

export interface RememberedRequest extends Operation {
  /** When the workflow took it. */
  readonly at: string;
  /** The change of plan that it scheduled or withdrew. */
  readonly changeId?: string | null;
}

/**
 * Repeats a cancellation, for the end of the period in which the merchant requested it. A later period that the
 * customer has not paid is not charged: the subscription ends now. Idempotent.
 * @returns null if there is nothing to do
 */
export async function adoptCancellation(
  pool: Pool,
  { subscriptionId, operationKey, at, atPeriodEnd }: RememberedRequest & { readonly atPeriodEnd: boolean },
): Promise<'ended' | 'ends_with_its_period' | null> {
  if (!(await isHere(pool, subscriptionId))) return null;
  return inTransaction(pool, async (tx) => {
    const subscription = await lockSubscription(tx, subscriptionId);
    if (await findOperationAnswer(tx, { subscriptionId, operationKey })) return null;
    if (!isBilled(subscription.status) || subscription.cancel_requested_at) return null;
    await storeOperationAnswer(tx, { subscriptionId, operationKey }, done());
    if (!atPeriodEnd || (await isInUnpaidLaterPeriod(tx, subscription, at))) {
      await adoptEndIn(tx, subscriptionId);
      return 'ended';
    }
    if (subscription.cancel_at_period_end) return null;
    const ending = await saveSubscription(tx, subscription, { cancel_at_period_end: true });
    await recordSubscriptionEvent(tx, ending, { type: 'subscription.updated' });
    return 'ends_with_its_period';
  });
}

/**
 * Withdraws again a change of plan that was withdrawn, so that it is neither applied nor charged. Idempotent.
 * @returns `too_late` if the change took effect meanwhile; null if there is nothing to do
 */
export async function adoptWithdrawnChange(
  pool: Pool,
  { subscriptionId, operationKey, changeId }: RememberedRequest,
): Promise<'withdrawn' | 'too_late' | null> {
  if (!(await isHere(pool, subscriptionId))) return null;
  return inTransaction(pool, async (tx) => {
    const subscription = await lockSubscription(tx, subscriptionId);
    if (await findOperationAnswer(tx, { subscriptionId, operationKey })) return null;
    const status = await tx.maybeOneFirst(sql.type(z.object({ status: z.string() }))`
      select status from subscription_changes where id = ${changeId ?? null}
    `);
    if (status === 'applied') return 'too_late';
    if (status !== 'scheduled' || !changeId) return null;
    const answer = await cancelChangeIn(tx, subscription, changeId);
    await storeOperationAnswer(tx, { subscriptionId, operationKey }, answer);
    return 'withdrawn';
  });
}

const isHere = (db: Db, subscriptionId: string) =>
  db.exists(sql.unsafe`select from subscriptions where id = ${subscriptionId}`);

/** Not on a moved sandbox clock, whose instants cannot be compared with Temporal's. */
async function isInUnpaidLaterPeriod(
  tx: Transaction,
  { id, current_period_start: start, unpaid_invoices: unpaid }: LockedSubscription,
  at: string,
): Promise<boolean> {
  if (unpaid === 0 || start === null || Date.parse(start) < Date.parse(at)) return false;
  return !(await tx.exists(sql.unsafe`select from subscription_clocks where subscription_id = ${id}`));
}

/**
 * Lists a lost request for an operator. It is not repeated automatically, because the period that it was meant for may
 * be over: the merchant decides. @returns whether this call listed it
 */
export async function listLostRequest(
  db: Db,
  epoch: number,
  { subscriptionId, operationKey, at, name }: RememberedRequest & { readonly name: string },
): Promise<boolean> {
  const listed = await db.any(sql.type(z.object({ reference: z.string() }))`
    insert into restore_findings (epoch, rail_account_id, kind, reference, merchant_id, environment, outcome,
      amount, currency, at, owner_id, state)
    select ${epoch}::bigint, rail_account_id, 'request', id || ':' || ${operationKey}::text, merchant_id, environment, ${name}, amount, currency, ${at}, id,
      'person'
    from subscriptions s
    where id = ${subscriptionId} and status in ('trialing', 'active', 'past_due') and not exists (
      select from subscription_operations o where o.subscription_id = s.id and o.operation_key = ${operationKey})
    on conflict (rail_account_id, reference) do nothing
    returning reference
  `);
  return listed.length > 0;
}
