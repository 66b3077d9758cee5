/** Everything that workflows may do to the world. Workflows import the types only. */

import type { ActivityDeps } from './core/deps.ts';
import { createRailAttemptActivities } from './payment/rail-attempt.ts';
import { heedingTrouble } from './payment/rail-trouble.ts';
import { createReconcileActivities } from './payment/reconcile.ts';
import { createRefundActivities } from './refund/refund.ts';
import { createRecordActivities } from './session/session-writes.ts';
import { createBillingActivities } from './subscription/subscription-writes.ts';
import { createSweepActivities } from './sweep/sweep.ts';
import { createDeliverActivities } from './webhook/deliver.ts';

export type { ActivityDeps } from './core/deps.ts';
export type Activities = ReturnType<typeof createActivities>;

export function createActivities(given: ActivityDeps) {
  const deps = { ...given, rails: heedingTrouble(given) };
  return {
    ...createRecordActivities(deps),
    ...createRailAttemptActivities(deps),
    ...createDeliverActivities({ ...deps, pool: deps.deliveryPool ?? deps.pool }),
    ...createBillingActivities(deps),
    ...createReconcileActivities(deps),
    ...createRefundActivities(deps),
    ...createSweepActivities(deps),
  };
}
