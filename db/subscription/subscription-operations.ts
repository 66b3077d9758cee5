/**
 * Operations on a subscription by its merchant: each is one transaction that stores its answer under the
 * operation's key and reads it first, so that a retry changes nothing and hears the same (rule 13).
 */
import { z } from 'zod';
import { type Db, type Pool, sql, type Transaction } from '../core/pool.ts';
import type { EventIds } from '../webhook/events.ts';
import { type LockedSubscription, lockSubscription } from './subscription-row.ts';

/** Codes of the API's refusals (contract/core/errors.ts). */
const REFUSALS = [
  'subscription_finished',
  'subscription_incomplete',
  'subscription_change_scheduled',
  'subscription_cancel_scheduled',
  'subscription_change_not_found',
  'subscription_change_not_scheduled',
  'offering_not_found',
  'plan_not_found',
  'plan_unchanged',
  'offering_unchanged',
  'plan_incompatible',
  'recurring_price_interval_missing',
  'advance_target_past',
  'sandbox_only',
] as const;
export type OperationRefusal = (typeof REFUSALS)[number];

export const operationAnswer = z.discriminatedUnion('kind', [
  /** `changeId`: the scheduled change that the operation was about. */
  z.object({ kind: z.literal('done'), changeId: z.string().nullable() }),
  z.object({ kind: z.literal('refused'), reason: z.enum(REFUSALS) }),
]);
export type OperationAnswer = z.infer<typeof operationAnswer>;

export interface Operation {
  readonly subscriptionId: string;
  /** Of the idempotency key, or of this one request where there is none. */
  readonly operationKey: string;
}

export interface OperationResult {
  readonly answer: OperationAnswer;
  readonly eventIds: EventIds;
}

export const done = (changeId: string | null = null): OperationAnswer => ({ kind: 'done', changeId });
export const refused = (reason: OperationRefusal): OperationAnswer => ({ kind: 'refused', reason });

/** Does it once. `work` runs under the subscription's lock; nothing of what it wrote stays when it refuses. */
export function operate(
  pool: Pool,
  { subscriptionId, operationKey }: Operation,
  work: (tx: Transaction, subscription: LockedSubscription) => Promise<OperationResult>,
): Promise<OperationResult> {
  return pool.transaction(async (tx) => {
    const subscription = await lockSubscription(tx, subscriptionId);
    const earlier = await findOperationAnswer(tx, { subscriptionId, operationKey });
    if (earlier) return { answer: earlier, eventIds: [] };
    const result = await work(tx, subscription);
    await tx.query(sql.unsafe`
      insert into subscription_operations (subscription_id, operation_key, answer)
      values (${subscriptionId}, ${operationKey}, ${sql.jsonb(result.answer)})
    `);
    return result;
  });
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
