/** An operator settles a session, a charge or a refund (rule 17): the rail is asked, and its answer takes precedence. */
import { answerResolveRequest, loadResolveRequest } from '../../db/payment/resolve-requests.ts';
import type { Resolution } from '../../domain/core/resolution.ts';
import { type AttemptOutcome, isFinalOutcome } from '../../domain/payment/attempt.ts';
import type { EndAtRail, OfAttempt, Resolved, ToResolve } from '../../domain/payment/attempt-step.ts';
import type { ActivityDeps } from '../core/deps.ts';

/** Ends the attempt at the rail before the operator's decision counts. */
export function endBeforeDeciding({ outcome }: Resolution): EndAtRail {
  return outcome === 'failed' ? 'open' : 'challenge';
}

/**
 * - `known`: the rail has settled the attempt, so its answer counts and the operator's does not.
 * - `unpaid`: the rail waits for the buyer, so the write refuses the operator's `succeeded`.
 */
export function compareWithRail(outcome: AttemptOutcome, request: Resolution) {
  return {
    known: isFinalOutcome(outcome),
    agrees: (outcome.kind === 'approved') === (request.outcome === 'succeeded'),
    unpaid: outcome.kind === 'challenge' && request.outcome === 'succeeded',
  };
}

/** Why an operator's decision about an unknown outcome was not written. */
export function whyNotWritten(changed: 'session' | 'subscription', unpaid: boolean): string {
  return unpaid
    ? 'nothing was written: the rail waits for the buyer to pass a challenge, which it has not ended; try again'
    : `nothing was written: the ${changed} changed in the meantime, or a second person has to confirm this amount (npm run ops -- resolve)`;
}

export interface InDoubt extends OfAttempt {
  readonly version: number;
  readonly request: Resolution;
}

interface Resolving<View> {
  view(owner: string): Promise<View>;
  stateOf(view: View): string;
  /** Why nothing can be resolved. */
  whyNot(view: View): string;
  /** Asks, compares and writes; a repetition finds its own result. */
  resolve(asked: InDoubt): Promise<Resolved<View>>;
}

/** Carries the request out and, if it is stored, records its answer; a request already answered changes nothing. */
export async function resolving<View>(
  { pool }: ActivityDeps,
  { attemptId, request: asked, ...of }: ToResolve,
  { view, stateOf, whyNot, resolve }: Resolving<View>,
): Promise<Resolved<View>> {
  const requestId = 'requestId' in asked ? asked.requestId : null;
  const request = 'requestId' in asked ? await loadResolveRequest(pool, asked.requestId) : asked;
  if (!request) return { view: await view(of.owner), refused: null };
  const nothing = async () => {
    const now = await view(of.owner);
    return { view: now, refused: `nothing to resolve: ${whyNot(now)}` };
  };
  const resolved = attemptId === null ? await nothing() : await resolve({ ...of, attemptId, request });
  const { refused } = resolved;
  const answer = refused === null ? `done: ${stateOf(resolved.view)}` : `refused: ${refused}`;
  if (requestId) await answerResolveRequest(pool, requestId, answer);
  return resolved;
}
