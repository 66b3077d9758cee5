/** An operator settles a session: look-up and write are one step (rule 17). */
import type { Resolution } from '../../domain/core/resolution.ts';
import type { SessionView } from '../../domain/session/session-steps.ts';
import type { Entry } from '../core/inbox.ts';
import { database, rail } from '../core/proxies.ts';
import { resolveAnswers } from '../core/resolve.ts';
import { countAgain, openAttempt, type SessionRun } from './session-attempt.ts';
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
  const ofAttempt = openAttempt(run, seen, paymentId);
  const { view, refused } = await rail.resolveSession({ ...ofAttempt, version: seen.version, request });
  const resolved = countAgain(run, view);
  return refused === null ? done(resolved, resolved.state, stateOf(resolved)) : refuse(resolved, refused);
}
