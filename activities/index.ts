/** All activities. Workflows import the types only. */

import { claimAttempt } from '../db/session/claim-attempt.ts';
import { recordOutcome } from '../db/session/record-outcome.ts';
import { chargeOldest, crossBoundary } from '../db/subscription/renew-subscription.ts';
import type { ActivityDeps } from './core/deps.ts';
import { aroundRails } from './payment/around-rail.ts';
import { createRailAttempts, storeDetails } from './payment/rail-attempt.ts';
import { createReconcileActivities } from './payment/reconcile.ts';
import { createResolveRequests } from './payment/resolve-requests.ts';
import { createTryAgain, failingWithCodes } from './payment/try-again.ts';
import { createRefundActivities } from './refund/refund.ts';
import { createRestoreActivities } from './restore/restore.ts';
import { createPayActivity } from './session/pay-within-task.ts';
import { createSessionWrites } from './session/session-writes.ts';
import { createBillingActivity } from './subscription/bill-within-task.ts';
import { createSubscriptionWrites } from './subscription/subscription-writes.ts';
import { createSweepActivities } from './sweep/sweep.ts';
import { createDeliverActivities } from './webhook/deliver.ts';

export type { ActivityDeps } from './core/deps.ts';
export type Activities = ReturnType<typeof createActivities>;

export function createActivities(given: ActivityDeps) {
  const deps = { ...given, rails: aroundRails(given) };
  const writes = createSessionWrites(deps);
  const attempts = createRailAttempts(deps);
  const subscriptionWrites = createSubscriptionWrites(deps);
  const aboutMoney = failingWithCodes(deps, {
    ...writes,
    ...attempts.activities,
    ...createPayActivity(deps, {
      claimAttempt: (click) => claimAttempt(deps.pool, click),
      chargeWithinTask: attempts.firstAnswer,
      storeDetails: ({ paymentId, ...answered }) => storeDetails(deps, paymentId, answered),
      recordOutcome: (outcome) => recordOutcome(deps.pool, outcome),
      loadCheckout: writes.loadCheckout,
    }),
    ...createResolveRequests(deps),
    ...subscriptionWrites,
    ...createBillingActivity(deps, {
      crossBoundary: (id) => crossBoundary(deps.pool, id),
      chargeOldest: (id) => chargeOldest(deps.pool, id),
      recordCharge: subscriptionWrites.recordCharge,
      loadSubscription: subscriptionWrites.loadSubscription,
      chargeStored: attempts.firstAnswerOfStored,
      storeDetails: ({ paymentId, ...answered }) => storeDetails(deps, paymentId, answered),
    }),
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
