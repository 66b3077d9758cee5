import type { ResolveCommand, StoredRequest } from '../../domain/core/resolution.ts';
import type { SessionView } from '../../domain/session/session-steps.ts';
import { type Entry, refuseResolve } from '../core/inbox.ts';
import { database, rail } from '../core/proxies.ts';
import { countAgain, type SessionRun, waitOf } from './session-attempt.ts';
import { stateOf } from './session-messages.ts';

/** An operator's decision about an attempt in doubt. The rail is asked first, and its answer takes precedence. */
export async function resolve(
  run: SessionRun,
  entry: Entry<unknown>,
  request: ResolveCommand | StoredRequest,
): Promise<SessionView> {
  const seen = await database.loadCheckout(run.checkoutId);
  const isInDoubt = seen.state === 'reconciliation_required';
  const attemptId = (isInDoubt && seen.openPayment?.paymentId) || null;
  const { view, refused } = await rail.resolveSession({
    ...waitOf(run, seen),
    attemptId,
    version: seen.version,
    request,
  });
  if (refused === null) entry.answer(stateOf(view));
  else refuseResolve(entry, refused);
  return countAgain(run, view);
}
