/** An operator settles a refund: look-up and write are one turn of the main loop (rule 17). */

import type { Resolution } from '../../domain/core/resolution.ts';
import type { RefundView } from '../../domain/refund/refund.ts';
import type { Entry } from '../core/inbox.ts';
import { database } from '../core/proxies.ts';
import { resolveAnswers } from '../core/resolve.ts';
import type { RefundCommand } from './refund-handlers.ts';
import { lookUp, type RefundRun } from './refund-lookup.ts';
import type { RefundStateAnswer } from './refund-messages.ts';

/**
 * Looks the refund up once more, and the rail's answer takes precedence. The write requires the version read before the
 * look-up.
 * @param requestId the stored request's id, if there is one
 */
export async function resolveRefund(
  run: RefundRun,
  seen: RefundView,
  entry: Entry<RefundCommand>,
  request: Resolution,
  requestId: string | null,
): Promise<RefundView> {
  const { refundId } = run;
  const { refuse } = resolveAnswers<RefundView>(entry, requestId);
  if (!seen.reconciling) return refuse(seen, 'nothing to resolve: the look-ups are still running');
  const recorded = await lookUp(run, 'asked', request);
  if (recorded.status !== 'pending' && recorded.status !== request.outcome) {
    return refuse(recorded, `the rail reports ${recorded.status}, which is now recorded`);
  }
  const now =
    recorded.status === 'pending'
      ? await database.resolveRefund({ refundId, version: seen.version, request })
      : recorded;
  if (now.status === 'pending')
    return refuse(
      now,
      'nothing was written: a call may still be running (try again in a minute), or a second person has to confirm this amount (npm run ops -- resolve)',
    );
  // Skips `done`: its await would reorder the commands of refunds that are being resolved.
  entry.answer({ status: now.status } satisfies RefundStateAnswer);
  if (requestId) await database.answerResolveRequest({ requestId, answer: `done: ${now.status}` });
  return now;
}
