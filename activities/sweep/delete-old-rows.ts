/** Deletes rows past their retention, never payments, refunds or invoices. */

import { deleteOldest, deleteOldKeys } from '../../db/core/delete-old-rows.ts';
import { moneyMayMove } from '../../db/core/money-held.ts';
import { deleteOldRequestCounts } from '../../db/core/request-counts.ts';
import { deleteOldPolicyReports } from '../../db/operations/policy-reports.ts';
import { deleteOldRailWebhooks } from '../../db/payment/rail-webhooks.ts';
import { deleteOldResolveRequests } from '../../db/payment/resolve-requests.ts';
import { deleteDeclines } from '../../db/session/card-declines.ts';
import { deleteAbandonedSessions, deleteClicks } from '../../db/session/delete-old-sessions.ts';
import { DEFAULT_RETENTION } from '../../domain/core/retention.ts';
import { isChoreOver } from '../../platform/temporal/chore-budget.ts';
import type { ActivityDeps } from '../core/deps.ts';

/** A batch took 4 to 70 ms with 500,000 purchases under load, so the chore ends soon after its time budget. */
const BATCH = 500;

/**
 * Deletes one batch of each kind in turn, until nothing is left or the time budget is used up. A failing kind does not
 * stop the others.
 */
export async function deleteOld({ pool, retention: kept = DEFAULT_RETENTION }: ActivityDeps): Promise<void> {
  await deleteOldRequestCounts(pool);
  // Until money may move again, the comparison with the rail may need an old row (rule 29).
  if (!(await moneyMayMove(pool))) return;
  let left: readonly (() => Promise<number>)[] = [
    () => deleteOldKeys(pool, BATCH),
    () => deleteAbandonedSessions(pool, kept.abandonedSessions, BATCH),
    () => deleteDeclines(pool, BATCH),
    () => deleteClicks(pool, kept.clicks, BATCH),
    () => deleteOldRailWebhooks(pool, kept.railWebhooks, BATCH),
    () => deleteOldest(pool, 'rail_answers', kept.railAnswers, BATCH),
    () => deleteOldPolicyReports(pool, kept.policyReports, BATCH),
    () => deleteOldest(pool, 'audit_log', kept.audit, BATCH),
    () => deleteOldResolveRequests(pool, kept.audit, BATCH),
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
