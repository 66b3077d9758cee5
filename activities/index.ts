/** Everything that workflows may do to the world. Workflows import the types only. */
import { createBillingActivities } from './billing.ts';
import { createDeliverActivities } from './deliver.ts';
import type { ActivityDeps } from './deps.ts';
import { createRailAttemptActivities } from './rail-attempt.ts';
import { heedingTrouble } from './rail-trouble.ts';
import { createReconcileActivities } from './reconcile.ts';
import { createRecordActivities } from './record.ts';
import { createRefundActivities } from './refund.ts';
import { createSweepActivities } from './sweep.ts';

export type { ActivityDeps } from './deps.ts';
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
