/** An operator settles a charge: look-up and write are one turn of the main loop (rule 17). */
import type { Resolution } from '../../domain/core/resolution.ts';
import type { SubscriptionView } from '../../domain/subscription/subscription-steps.ts';
import type { Entry } from '../core/inbox.ts';
import { database } from '../core/proxies.ts';
import { compareWithRail, lookUpOrEndAttempt, resolveAnswers, whyNotWritten } from '../core/resolve.ts';
import { recordCharge, type SubscriptionRun } from './subscription-charge.ts';
import type { SubscriptionCommand } from './subscription-handlers.ts';
import type { SubscriptionStateAnswer } from './subscription-messages.ts';

/**
 * Looks the charge up once more, and the rail's answer takes precedence. The write requires the version read before the
 * look-up.
 * @param requestId the stored request's id, if there is one
 */
export async function resolveCharge(
  run: SubscriptionRun,
  entry: Entry<SubscriptionCommand>,
  request: Resolution,
  requestId: string | null,
): Promise<SubscriptionView> {
  const { subscriptionId } = run;
  const { done, refuse } = resolveAnswers<SubscriptionView>(entry, requestId);
  const settled = (view: SubscriptionView) =>
    done(view, view.status, { status: view.status } satisfies SubscriptionStateAnswer);
  const seen = await database.loadSubscription(subscriptionId);
  const paymentId = seen.openPayment?.paymentId;
  if (!seen.reconciling || !paymentId) {
    return refuse(seen, `nothing to resolve: the subscription is ${seen.status}, and no charge is in doubt`);
  }
  const outcome = await lookUpOrEndAttempt(paymentId, request);
  const { known, agrees, unpaid } = compareWithRail(outcome, request);
  if (!known) {
    const { written, view } = await database.resolveSubscription({
      subscriptionId,
      paymentId,
      version: seen.version,
      request,
      unpaid,
    });
    return written ? settled(view) : refuse(view, whyNotWritten('subscription', unpaid));
  }
  const recorded = await recordCharge(run, seen, { paymentId, outcome }, request);
  return agrees
    ? settled(recorded)
    : refuse(
        recorded,
        `the rail reports ${outcome.kind}, which is now recorded; the subscription is ${recorded.status}`,
      );
}
