/** Rail webhooks that no workflow has processed yet. */
import {
  markNewsPresented,
  paymentsWithUnappliedNews,
  takeUnknownNews,
} from '../../db/payment/unapplied-news.ts';
import { presentNewsTo } from '../../platform/temporal/messages.ts';
import { startReconcile, tellReconcile } from '../../platform/temporal/start-workflows.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { eachAlone } from '../core/each-alone.ts';

const LIMIT = 500;

/**
 * Passes stored webhooks on: signals the workflow of an open attempt, or signals or starts the payment's
 * `reconcile` workflow.
 */
export async function presentNews(deps: ActivityDeps): Promise<void> {
  const { pool, client, logger } = deps;
  await eachAlone(logger, await paymentsWithUnappliedNews(pool, LIMIT), async (news) => {
    const { paymentId, ownerId, merchantId, environment } = news;
    const payment = { paymentId, merchantId, environment };
    // A webhook stays unapplied while the rail does not answer; a signal each minute would cause a look-up
    // each minute.
    if (news.presented) {
      if (!news.open) await startReconcile(client, payment);
      return;
    }
    if (!news.open) await tellReconcile(client, payment);
    else if (ownerId) await presentNewsTo(deps, ownerId, paymentId);
    await markNewsPresented(pool, paymentId);
  });
  for (const unknown of await takeUnknownNews(pool))
    logger.error(
      {
        ...unknown,
        reference: unknown.reference?.slice(0, 100),
        rail_reference: unknown.rail_reference?.slice(0, 100),
      },
      'rail webhook with an unknown reference',
    );
}
