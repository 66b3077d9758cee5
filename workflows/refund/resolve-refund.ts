/** An operator settles a refund: look-up and write are one step (rule 17). */
import { countLookup } from '../../domain/core/lookup-schedule.ts';
import type { Resolution } from '../../domain/core/resolution.ts';
import type { RefundView } from '../../domain/refund/refund.ts';
import type { Entry } from '../core/inbox.ts';
import { rail } from '../core/proxies.ts';
import { resolveAnswers } from '../core/resolve.ts';
import type { RefundCommand } from './refund-handlers.ts';
import { ofRefund, type RefundRun } from './refund-lookup.ts';
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
  const { done, refuse } = resolveAnswers<RefundView>(entry, requestId);
  if (!seen.reconciling) return refuse(seen, 'nothing to resolve: the look-ups are still running');
  countLookup(run, 'asked');
  const { view, refused } = await rail.resolveRefund({ ...ofRefund(run), version: seen.version, request });
  return refused === null
    ? done(view, view.status, { status: view.status } satisfies RefundStateAnswer)
    : refuse(view, refused);
}
