/** An operator settles a charge: look-up and write are one step (rule 17). */
import { noLookups } from '../../domain/core/lookup-schedule.ts';
import type { Resolution } from '../../domain/core/resolution.ts';
import type { SubscriptionView } from '../../domain/subscription/subscription-steps.ts';
import type { Entry } from '../core/inbox.ts';
import { database, rail } from '../core/proxies.ts';
import { resolveAnswers } from '../core/resolve.ts';
import { openAttempt, type SubscriptionRun } from './subscription-charge.ts';
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
  const seen = await database.loadSubscription(subscriptionId);
  const paymentId = seen.openPayment?.paymentId;
  if (!seen.reconciling || !paymentId) {
    return refuse(seen, `nothing to resolve: the subscription is ${seen.status}, and no charge is in doubt`);
  }
  const ofAttempt = openAttempt(run, seen, paymentId);
  const { view, refused } = await rail.resolveSubscription({ ...ofAttempt, version: seen.version, request });
  if (!view.openPayment) Object.assign(run, noLookups());
  return refused === null
    ? done(view, view.status, { status: view.status } satisfies SubscriptionStateAnswer)
    : refuse(view, refused);
}
