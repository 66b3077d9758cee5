/** Rail webhooks stored during one of our calls (rule 38). */
import { hasWebhookBeside, ownerOfPayment } from '../../db/payment/rail-webhooks.ts';
import { type AttemptOutcome, isFinalOutcome } from '../../domain/payment/attempt.ts';
import { presentWebhookTo } from '../../platform/temporal/messages.ts';
import type { ActivityDeps } from '../core/deps.ts';

/**
 * Runs after a call: a webhook that the call's answer does not settle causes a look-up at once. Never throws, so
 * that the answer is not lost; scheduled look-ups and the sweep handle a webhook missed here.
 */
export async function presentWebhooksOfCall(
  deps: ActivityDeps,
  paymentId: string,
  outcome: AttemptOutcome,
): Promise<void> {
  const { pool, logger } = deps;
  if (isFinalOutcome(outcome)) return;
  try {
    const ownerId =
      (await hasWebhookBeside(pool, paymentId, outcome.kind)) && (await ownerOfPayment(pool, paymentId));
    if (ownerId) await presentWebhookTo(deps, ownerId, paymentId);
  } catch (err) {
    logger.warn(
      { paymentId, err },
      'rail webhook not passed to its workflow; a look-up or the sweep will handle it',
    );
  }
}
