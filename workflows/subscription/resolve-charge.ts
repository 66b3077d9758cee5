/** An operator settles a charge: look-up and write are one turn of the main loop (rule 17). */
import { ApplicationFailure } from '@temporalio/workflow';
import type { SubscriptionView } from '../../domain/subscription-plan.ts';
import type { Entry } from '../core/inbox.ts';
import type { Resolution } from '../core/messages.ts';
import { database, rail } from '../core/proxies.ts';
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
  const seen = await database.loadSubscription(subscriptionId);
  const paymentId = seen.openPayment?.paymentId;
  if (!seen.reconciling || !paymentId) {
    return refuse(seen, `nothing to resolve: the subscription is ${seen.status}, and no charge is in doubt`);
  }
  const outcome =
    request.outcome === 'failed' ? await rail.endAttempt(paymentId) : await rail.lookUpAttempt(paymentId);
  const railKnows =
    outcome.kind === 'approved' || outcome.kind === 'declined' || outcome.kind === 'cancelled';
  if (!railKnows) {
    const { written, view } = await database.resolveSubscription({
      subscriptionId,
      paymentId,
      version: seen.version,
      request,
    });
    return written ? done(view) : refuse(view, 'the subscription changed meanwhile; read it again');
  }
  const told = await recordCharge(run, seen, outcome, request);
  const agrees = (outcome.kind === 'approved') === (request.outcome === 'succeeded');
  return agrees
    ? done(told)
    : refuse(
        told,
        `the rail reports ${outcome.kind}, which is now recorded; the subscription is ${told.status}`,
      );

  async function done(now: SubscriptionView): Promise<SubscriptionView> {
    entry.answer({ status: now.status } satisfies SubscriptionStateAnswer);
    if (requestId) await database.answerResolveRequest({ requestId, answer: `done: ${now.status}` });
    return now;
  }

  async function refuse(now: SubscriptionView, why: string): Promise<SubscriptionView> {
    entry.refuse(ApplicationFailure.nonRetryable(why, 'ResolveRefused'));
    if (requestId) await database.answerResolveRequest({ requestId, answer: `refused: ${why}` });
    return now;
  }
}
