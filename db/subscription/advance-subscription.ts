/** Advances a sandbox subscription's clock (rule 20): the target is stored as a row. */
import { isFinishedSubscription } from '../../domain/subscription.ts';
import { type Db, type Pool, sql } from '../core/pool.ts';
import { setTarget } from './subscription-clock.ts';
import {
  done,
  type Operation,
  type OperationAnswer,
  type OperationRefusal,
  operate,
  refused,
} from './subscription-operations.ts';
import type { LockedSubscription } from './subscription-row.ts';

export interface AdvanceOperation extends Operation {
  readonly to: string;
}

export function advanceSubscription(pool: Pool, operation: AdvanceOperation): Promise<OperationAnswer> {
  return operate(pool, operation, async (tx, subscription) => {
    // The database's format only: JavaScript alone also accepts '2027'.
    const to = new Date(operation.to).toISOString();
    const refusal = refusalOf(subscription, to);
    if (!refusal) await setTarget(tx, subscription.id, to);
    return refusal ? refused(refusal) : done();
  });
}

/** Returns a refusal instead of throwing: the workflow would retry invalid input for ever. */
function refusalOf({ environment, status, now }: LockedSubscription, to: string): OperationRefusal | null {
  if (environment !== 'sandbox') return 'sandbox_only';
  if (isFinishedSubscription(status)) return 'subscription_finished';
  if (status === 'incomplete') return 'subscription_incomplete';
  return to < now ? 'advance_target_past' : null;
}

/** The clock has reached its target, or the subscription ended on the way. */
export function hasArrived(db: Db, subscriptionId: string): Promise<boolean> {
  return db.exists(sql.unsafe`
    select from subscriptions s left join subscription_clocks clock on clock.subscription_id = s.id
    where s.id = ${subscriptionId} and (clock.target is null or s.status not in ('trialing', 'active', 'past_due'))
  `);
}
