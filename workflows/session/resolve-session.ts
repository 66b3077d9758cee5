/** An operator settles a session: look-up and write are one turn of the main loop (rule 17). */
import type { Resolution } from '../../domain/core/resolution.ts';
import { isFinal } from '../../domain/session/session.ts';
import type { SessionView } from '../../domain/session/session-steps.ts';
import type { Entry } from '../core/inbox.ts';
import { database } from '../core/proxies.ts';
import { compareWithRail, lookUpOrEndAttempt, resolveAnswers, whyNotWritten } from '../core/resolve.ts';
import { recordOutcome, type SessionRun } from './session-attempt.ts';
import { type SessionCommand, stateOf } from './session-handlers.ts';

/**
 * Looks the attempt up once more, and the rail's answer takes precedence. The write requires the version read before
 * the look-up.
 * @param requestId the stored request's id, if there is one
 */
export async function resolveSession(
  run: SessionRun,
  entry: Entry<SessionCommand>,
  request: Resolution,
  requestId: string | null,
): Promise<SessionView> {
  const { checkoutId } = run;
  const { done, refuse } = resolveAnswers<SessionView>(entry, requestId);
  const seen = await database.loadCheckout(checkoutId);
  const paymentId = seen.openPayment?.paymentId;
  if (seen.state !== 'reconciliation_required' || !paymentId) {
    return refuse(seen, `nothing to resolve: the session is ${seen.state}`);
  }
  const outcome = await lookUpOrEndAttempt(paymentId, request);
  const { known, agrees, unpaid } = compareWithRail(outcome, request);
  const recorded = known ? await recordOutcome(run, seen, { paymentId, outcome }, request) : seen;
  if (known && !agrees) {
    return refuse(
      recorded,
      `the rail reports ${outcome.kind}, which is now recorded; the session is ${recorded.state}`,
    );
  }
  if (isFinal(recorded.state)) return done(recorded, recorded.state, stateOf(recorded));
  // The rail does not know, or it agrees and the session stays payable: the operator's decision ends it.
  const resolved = await database.resolveCheckout({
    checkoutId,
    paymentId,
    version: recorded.version,
    request,
    unpaid,
  });
  if (!isFinal(resolved.state)) return refuse(resolved, whyNotWritten('session', unpaid));
  return done(resolved, resolved.state, stateOf(resolved));
}
