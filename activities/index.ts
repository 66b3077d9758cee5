/** All activities. Workflows import the types only. */
import type { ActivityDeps } from './core/deps.ts';
import { failingWithCodes } from './payment/failure-codes.ts';
import { guardedRails } from './payment/guarded-rail.ts';
import { createReconcileActivities } from './payment/reconcile.ts';
import { createTryAgain } from './payment/try-again.ts';
import { createRefundActivities } from './refund/refund.ts';
import { createRestoreActivities } from './restore/restore.ts';
import { createSessionActivities } from './session/session.ts';
import { createSubscriptionCharges } from './subscription/subscription-charges.ts';
import { createSubscriptionWrites } from './subscription/subscription-writes.ts';
import { createSweepActivities } from './sweep/sweep.ts';
import { createDeliverActivities } from './webhook/deliver.ts';

export type { ActivityDeps } from './core/deps.ts';
export type Activities = ReturnType<typeof createActivities>;

export function createActivities(given: ActivityDeps) {
  const deps = { ...given, rails: guardedRails(given) };
  const aboutMoney = failingWithCodes(deps, {
    ...createSessionActivities(deps),
    ...createSubscriptionWrites(deps),
    ...createSubscriptionCharges(deps),
    ...createReconcileActivities(deps),
    ...createRefundActivities(deps),
  });
  return {
    ...aboutMoney,
    ...createTryAgain(deps, aboutMoney),
    ...createDeliverActivities({ ...deps, pool: deps.deliveryPool ?? deps.pool }),
    ...createSweepActivities(deps),
    ...createRestoreActivities(deps),
  };
}
