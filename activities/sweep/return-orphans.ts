/**
 * The sweep's work on orphaned charges: forwards rail webhooks to their workflows, starts missing returns, and looks
 * failed returns up again.
 */
import { readClock } from '../../db/core/pool.ts';
import { disputedCents } from '../../db/payment/disputed-part.ts';
import {
  applyReturnLookup,
  applyWebhooksOfReturns,
  type DoubtedReturn,
  returnsInDoubt,
  returnsWithWebhooks,
  unreturnedOrphans,
} from '../../db/payment/orphaned-charges.ts';
import { paymentAtRailOf } from '../../db/payment/payment-at-rail.ts';
import { presentWebhooks } from '../../db/payment/rail-webhooks.ts';
import { startReconcile, tellReconcile } from '../../platform/temporal/start-workflows.ts';
import { openRailAccount } from '../../rail/accounts.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { eachAlone } from '../core/each-alone.ts';

const LIMIT = 500;
/** Low, because all chores of a round share less than a minute. */
const LOOKUPS_EACH_ROUND = 2;

/** Signals the workflows first; only then are their webhooks marked as handled. */
export async function returnOrphans(deps: ActivityDeps): Promise<void> {
  const { pool, client, logger } = deps;
  const before = await readClock(pool);
  const withWebhooks = await returnsWithWebhooks(pool, before);
  const unsignalled = new Set(withWebhooks.map(({ paymentId }) => paymentId));
  await eachAlone(logger, withWebhooks, async (orphan) => {
    await tellReconcile(client, orphan);
    unsignalled.delete(orphan.paymentId);
  });
  await applyWebhooksOfReturns(pool, before, [...unsignalled]);
  await eachAlone(logger, await unreturnedOrphans(pool, LIMIT), (orphan) => startReconcile(client, orphan));
}

/** A separate chore, so that a rail that does not answer cannot delay the start of other returns. */
export async function lookUpReturnsInDoubt(deps: ActivityDeps): Promise<void> {
  const doubted = await returnsInDoubt(deps.pool, LOOKUPS_EACH_ROUND);
  await presentWebhooks(deps.pool, doubted);
  await eachAlone(deps.logger, doubted, (each) => askAgain(deps, each));
}

/** A webhook is only a hint: the rail is queried, repeatedly while the outcome is unknown. */
async function askAgain(deps: ActivityDeps, doubted: DoubtedReturn): Promise<void> {
  const { pool, client, logger, session } = deps;
  const { paymentId } = doubted;
  const row = await paymentAtRailOf(pool, paymentId);
  if (!row) return;
  const { rail, account } = openRailAccount(deps, row);
  const total = await rail.refundedTotal({
    account,
    reference: paymentId,
    railReference: row.rail_order_id ?? '',
    signal: AbortSignal.timeout(session.railCallTimeoutSeconds * 1_000),
  });
  if (total.kind !== 'total' || total.pendingCents > 0) return;
  const { lostCents } = await disputedCents(pool, paymentId);
  const isBack = total.refundedCents + lostCents >= row.amount;
  await applyReturnLookup(pool, doubted, isBack);
  if (isBack) return;
  logger.error({ paymentId }, 'return of an orphaned charge reversed by the rail');
  await startReconcile(client, doubted);
}
