/** Moving a sandbox subscription's clock forward (money-safety rule 20): its target is a row. */
import { isFinishedSubscription } from '../domain/subscription.ts';
import { type Db, type Pool, sql } from './pool.ts';
import { setTarget } from './subscription-clock.ts';
import { done, type Operation, type OperationResult, operate, refused } from './subscription-operations.ts';

export interface AdvanceOperation extends Operation {
  readonly to: string;
}

export function advanceSubscription(pool: Pool, operation: AdvanceOperation): Promise<OperationResult> {
  return operate(pool, operation, async (tx, subscription) => {
    const { id, environment, status, now } = subscription;
    if (environment !== 'sandbox')
      throw new Error(`${id}: only a sandbox subscription has a clock of its own`);
    const answer = isFinishedSubscription(status)
      ? refused('subscription_finished')
      : status === 'incomplete'
        ? refused('subscription_incomplete')
        : operation.to < now
          ? refused('advance_target_past')
          : done();
    if (answer.kind === 'done') await setTarget(tx, id, operation.to);
    return { answer, eventIds: [] };
  });
}

/** The clock is where it was sent, or the subscription ended on the way. */
export function hasArrived(db: Db, subscriptionId: string): Promise<boolean> {
  return db.exists(sql.unsafe`
    select from subscriptions s left join subscription_clocks clock on clock.subscription_id = s.id
    where s.id = ${subscriptionId} and (clock.target is null or s.status not in ('trialing', 'active', 'past_due'))
  `);
}
