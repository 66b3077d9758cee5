/** Rail webhooks that no workflow has processed yet. */
import {
  markWebhooksPresented,
  paymentsWithUnappliedWebhooks,
  takeUnknownWebhooks,
} from '../../db/payment/unapplied-webhooks.ts';
import { presentWebhookTo } from '../../platform/temporal/messages.ts';
import { startReconcile, tellReconcile } from '../../platform/temporal/start-workflows.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { eachAlone } from '../core/each-alone.ts';

const LIMIT = 500;

/**
 * Forwards stored webhooks: signals the workflow of an open attempt; otherwise signals or starts the payment's
 * `reconcile` workflow.
 */
export async function presentWebhooks(deps: ActivityDeps): Promise<void> {
  const { pool, client, logger } = deps;
  await eachAlone(logger, await paymentsWithUnappliedWebhooks(pool, LIMIT), async (webhook) => {
    const { paymentId, ownerId, merchantId, environment } = webhook;
    const payment = { paymentId, merchantId, environment };
    // A webhook stays unapplied while the rail does not answer; a signal each minute would cause a look-up
    // each minute.
    if (webhook.presented) {
      if (!webhook.open) await startReconcile(client, payment);
      return;
    }
    if (!webhook.open) await tellReconcile(client, payment);
    else if (ownerId) await presentWebhookTo(deps, ownerId, paymentId);
    await markWebhooksPresented(pool, paymentId);
  });
  for (const unknown of await takeUnknownWebhooks(pool))
    logger.error(
      {
        ...unknown,
        reference: unknown.reference?.slice(0, 100),
        rail_reference: unknown.rail_reference?.slice(0, 100),
      },
      'rail webhook with an unknown reference',
    );
}
