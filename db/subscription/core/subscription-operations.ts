/**
 * Merchants' operations on a subscription. Each is one transaction that first looks for a stored answer under the
 * operation's key, and otherwise stores its answer: a retry changes nothing and gets the same answer (rule 13).
 */
import { z } from 'zod';
import {
  type OperableSubscription,
  refusalOf,
  type SubscriptionOperationName,
} from '../../../domain/subscription/operations.ts';
import { type Db, type Pool, sql, type Transaction } from '../../core/pool.ts';
import { inTransaction } from '../../core/transaction.ts';
import {
  isChangePending,
  isLastPeriod,
  type LockedSubscription,
  lockSubscription,
} from './subscription-row.ts';

/** Reasons for refusing an operation, by error codes of the API (contract/core/errors.ts). */
export const REFUSALS = [
  'subscription_finished',
  'subscription_incomplete',
  'subscription_change_scheduled',
  'subscription_cancel_scheduled',
  'subscription_cancel_not_scheduled',
  'subscription_trialing',
  'subscription_not_trialing',
  'subscription_past_due',
  'subscription_paused',
  'subscription_not_paused',
  'subscription_charging_stopped',
  'subscription_change_not_found',
  'subscription_change_not_scheduled',
  'offering_not_found',
  'plan_not_found',
  'plan_unchanged',
  'quantity_unchanged',
  'subscription_quantity_invalid',
  'offering_unchanged',
  'plan_incompatible',
  'subscription_exists',
  'change_needs_period_end',
  'preview_outdated',
  'subscription_charge_pending',
  'recurring_price_interval_missing',
  'invoice_not_payable',
  'invoice_older_unpaid',
  'payment_method_declined',
  'attempts_of_today',
  'payment_rail_unavailable',
  'pause_date_invalid',
  'trial_end_invalid',
  'advance_target_past',
  'advance_too_far',
  'advances_running',
  'sandbox_only',
] as const;
export type OperationRefusal = (typeof REFUSALS)[number];

const TEMPORARY: ReadonlySet<OperationRefusal> = new Set([
  'advances_running',
  'attempts_of_today',
  'payment_rail_unavailable',
  'subscription_charge_pending',
]);

const operationAnswer = z.discriminatedUnion('kind', [
  /** `changeId`: the change that the operation scheduled. */
  z.object({
    kind: z.literal('done'),
    changeId: z.string().nullable(),
    /** The attempt that the operation created or joined. */
    paymentId: z.string().optional(),
  }),
  z.object({
    kind: z.literal('refused'),
    reason: z.enum(REFUSALS),
    /** The amount that the change would charge, in cents. */
    total: z.number().optional(),
  }),
]);
export type OperationAnswer = z.infer<typeof operationAnswer>;

export interface Operation {
  readonly subscriptionId: string;
  /** Derived from the idempotency key, or unique if the request has none. */
  readonly operationKey: string;
}

export const done = (changeId: string | null = null): OperationAnswer => ({ kind: 'done', changeId });
export type Refused = Extract<OperationAnswer, { kind: 'refused' }>;
export const refused = (reason: OperationRefusal, total?: number): Refused => ({
  kind: 'refused',
  reason,
  ...(total !== undefined && { total }),
});

/** Runs `work` once per operation key, under the subscription's lock, provided that the subscription allows it. */
export function operate(
  pool: Pool,
  name: SubscriptionOperationName,
  { subscriptionId, operationKey }: Operation,
  work: (tx: Transaction, subscription: LockedSubscription) => Promise<OperationAnswer>,
): Promise<OperationAnswer> {
  return inTransaction(pool, async (tx) => {
    const subscription = await lockSubscription(tx, subscriptionId);
    const earlier = await findOperationAnswer(tx, { subscriptionId, operationKey });
    if (earlier) return earlier;
    const refusal = refusalOf(name, operable(subscription));
    const answer = refusal ? refused(refusal) : await work(tx, subscription);
    // A temporary refusal is not stored: a retry under the same key is evaluated again.
    if (answer.kind === 'refused' && TEMPORARY.has(answer.reason)) return answer;
    await storeOperationAnswer(tx, { subscriptionId, operationKey }, answer);
    return answer;
  });
}

export function operable(subscription: LockedSubscription): OperableSubscription {
  const changePending = isChangePending(subscription);
  return {
    status: subscription.status,
    changePending,
    changeScheduled: subscription.open_change !== null && !changePending,
    chargingStopped: subscription.charging_stopped,
    cancelRequestedAt: subscription.cancel_requested_at,
    cancelAtPeriodEnd: subscription.cancel_at_period_end,
    collects: subscription.collects,
    hasUnpaid: subscription.unpaid_invoices > 0,
    pauseAtPeriodEnd: subscription.pause_at_period_end,
    isLastPeriod: isLastPeriod(subscription),
    chargeOpen: subscription.open_payment_id !== null,
    currentPeriodEnd: subscription.current_period_end,
    now: subscription.now,
  };
}

async function storeOperationAnswer(
  tx: Transaction,
  { subscriptionId, operationKey }: Operation,
  answer: OperationAnswer,
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    insert into subscription_operations (subscription_id, operation_key, answer)
    values (${subscriptionId}, ${operationKey}, ${sql.jsonb(answer)})
  `);
}

export function findOperationAnswer(
  db: Db,
  { subscriptionId, operationKey }: Operation,
): Promise<OperationAnswer | null> {
  return db.maybeOneFirst(sql.type(z.object({ answer: operationAnswer }))`
    select answer from subscription_operations
    where subscription_id = ${subscriptionId} and operation_key = ${operationKey}
  `);
}
