/**
 * Requests and ends of subscriptions that Temporal has recorded and a restored database has lost (rule 29).
 */
import { z } from 'zod';
import { type Pool, sql, type Transaction } from '../core/pool.ts';
import { inTransaction } from '../core/transaction.ts';
import { renewAgain, stopRenewing } from '../dispute/stop-renewing.ts';
import { lockSubscription } from '../subscription/subscription-row.ts';

export interface LostRequest {
  readonly subscriptionId: string;
  readonly operationKey: string;
  /** When the workflow took it. */
  readonly at: string;
  readonly name: string;
  /** It was cancelled, or had ended: nothing more is charged until an operator decides otherwise. */
  readonly stops: boolean;
}

/**
 * Lists a lost request for an operator. It is not repeated automatically, because its intended period may be
 * over. A subscription that was due to end is stopped in the same transaction, once: it ends with its period.
 * @returns whether this call listed it
 */
export function listLostRequest(pool: Pool, epoch: number, request: LostRequest): Promise<boolean> {
  const { subscriptionId, operationKey, at, name, stops } = request;
  return inTransaction(pool, async (tx) => {
    const reference = await tx.maybeOneFirst(sql.type(z.object({ reference: z.string() }))`
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
    if (reference === null) return false;
    if (stops && (await stopRenewing(tx, await lockSubscription(tx, subscriptionId))))
      await tx.query(
        sql.typeAlias('void')`update restore_findings set stopped = true where reference = ${reference}`,
      );
    return true;
  });
}

/** An operator lets the subscription continue. @returns whether this listed request had stopped it */
export async function goOnAfter(tx: Transaction, reference: string): Promise<boolean> {
  const subscriptionId = await tx.maybeOneFirst(sql.type(z.object({ id: z.string() }))`
    update restore_findings set stopped = false
    where reference = ${reference} and stopped and state = 'person' returning owner_id as id
  `);
  return subscriptionId !== null && renewAgain(tx, await lockSubscription(tx, subscriptionId));
}
