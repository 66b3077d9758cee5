/** Deletes rows past their retention, never payments, refunds or invoices. */
import { forgetOldest } from '../../db/core/delete-oldest.ts';
import { forgetOldKeys } from '../../db/core/idempotency.ts';
import { moneyMayMove } from '../../db/core/money-held.ts';
import { forgetOldRequestCounts } from '../../db/core/request-counts.ts';
import { forgetOldPolicyReports } from '../../db/operations/policy-reports.ts';
import { forgetOldRailWebhooks } from '../../db/payment/rail-webhooks.ts';
import { forgetOldResolveRequests } from '../../db/payment/resolve-requests.ts';
import { forgetDeclines } from '../../db/session/card-declines.ts';
import { forgetAbandonedSessions, forgetClicks } from '../../db/session/forget-sessions.ts';
import { DEFAULT_RETENTION } from '../../domain/core/retention.ts';
import { isChoreOver } from '../../platform/temporal/chore-budget.ts';
import type { ActivityDeps } from '../core/deps.ts';

/** A batch took 4 to 70 ms with 500,000 purchases on a busy machine, so a chore ends soon after its time is up. */
const BATCH = 500;

/**
 * One batch of each kind in rotation, until nothing is left or the time is up. A failing kind does not stop the
 * others.
 */
export async function forgetOld({ pool, retention: kept = DEFAULT_RETENTION }: ActivityDeps): Promise<void> {
  await forgetOldRequestCounts(pool);
  // Until money may move, the comparison with the rail may need an old row (rule 29).
  if (!(await moneyMayMove(pool))) return;
  let left: readonly (() => Promise<number>)[] = [
    () => forgetOldKeys(pool, BATCH),
    () => forgetAbandonedSessions(pool, kept.abandonedSessions, BATCH),
    () => forgetDeclines(pool, BATCH),
    () => forgetClicks(pool, kept.clicks, BATCH),
    () => forgetOldRailWebhooks(pool, kept.railWebhooks, BATCH),
    () => forgetOldest(pool, 'rail_answers', kept.railAnswers, BATCH),
    () => forgetOldPolicyReports(pool, kept.policyReports, BATCH),
    () => forgetOldest(pool, 'audit_log', kept.audit, BATCH),
    () => forgetOldResolveRequests(pool, kept.audit, BATCH),
  ];
  const errors: unknown[] = [];
  while (left.length > 0 && !isChoreOver()) {
    const more: (() => Promise<number>)[] = [];
    for (const forget of left) {
      try {
        if ((await forget()) >= BATCH) more.push(forget);
      } catch (error) {
        errors.push(error);
      }
    }
    left = more;
  }
  if (errors.length > 0) throw new AggregateError(errors, 'some kinds of old rows could not be deleted');
}
