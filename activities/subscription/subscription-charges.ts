/** A subscription's charges: each activity claims or continues a charge, and returns the changed subscription. */
import type { AnswerToRecord } from '../../db/payment/rail-calls.ts';
import { offerLink as insertLink } from '../../db/session/payment-links.ts';
import { recordCharge } from '../../db/subscription/record-charge.ts';
import { chargeOldest, renewPeriod } from '../../db/subscription/renew-subscription.ts';
import { resolveSubscription } from '../../db/subscription/resolve-subscription.ts';
import type { OfferLink } from '../../db/subscription/settle-change.ts';
import type { LookupPlan } from '../../domain/core/lookup-schedule.ts';
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import type { Due, SubscriptionView } from '../../domain/subscription/subscription-view.ts';
import { createPageToken } from '../../platform/secrets/page-token.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { attemptsOf } from '../payment/attempt.ts';
import { storeIfFinal } from '../payment/rail-attempt.ts';
import { resolvingPayment, type ToResolve } from '../payment/resolve.ts';
import { lookUpStored, sendStoredOnce } from '../payment/stored-attempt.ts';
import { fairClaims } from './fair-claims.ts';
import { loadSubscription } from './subscription-writes.ts';

/** The due charge. */
interface DueCharge extends LookupPlan {
  readonly due: Extract<Due['action'], 'boundary' | 'charge'>;
  readonly merchantId: string;
}

/** Returns the view with its next action due in `inMs`. */
function dueIn(view: SubscriptionView, inMs: number): SubscriptionView {
  return { ...view, next: view.next && { ...view.next, inMs } };
}

export function createSubscriptionCharges(deps: ActivityDeps) {
  const { pool, rails, secretBox } = deps;

  const offerLink: OfferLink = (tx, invoice) =>
    insertLink(tx, {
      ...invoice,
      pageToken: createPageToken(secretBox, 'ap_lnk_'),
      maxAttempts: deps.session.maxAttempts,
      railNames: [...rails.keys()],
    });

  async function record(answer: AnswerToRecord<AttemptOutcome>): Promise<SubscriptionView> {
    await recordCharge(pool, { ...answer, ...deps.billing, offerLink });
    return loadSubscription(deps, answer.ownerId);
  }

  const attempts = attemptsOf(deps, {
    name: 'charge',
    send: sendStoredOnce,
    lookUp: lookUpStored,
    record,
    storeUnrecorded: storeIfFinal,
    view: (subscriptionId) => loadSubscription(deps, subscriptionId),
  });

  const begin = attempts.begin(
    fairClaims(({ due, ownerId }: DueCharge) =>
      due === 'boundary'
        ? renewPeriod(pool, ownerId)
        : chargeOldest(pool, ownerId, deps.billing.dunningLadderDays),
    ),
  );

  return {
    /**
     * Claims nothing if nothing is due, or if the charge was already claimed in a workflow task that was lost: the
     * workflow continues with that claim. After a postponed claim, the view shows when to claim again.
     */
    async bill(charge: DueCharge) {
      const { againInMs, ...billed } = await begin(charge);
      return againInMs === null ? billed : { ...billed, view: dueIn(billed.view, againInMs) };
    },

    continueCharge: attempts.continueAttempt,
    lookUpCharge: attempts.lookUp,

    resolveSubscription: (asked: ToResolve) =>
      resolvingPayment(deps, asked, {
        subject: 'subscription',
        record,
        write: ({ ownerId: subscriptionId, attemptId: paymentId, ...decision }) =>
          resolveSubscription(pool, { subscriptionId, paymentId, ...decision, ...deps.billing }),
        isSettled: (_, isWritten) => isWritten,
        view: (subscriptionId) => loadSubscription(deps, subscriptionId),
        stateOf: ({ status }) => status,
        whyNot: ({ status }) => `the subscription is ${status}, and no charge is in doubt`,
      }),
  };
}
