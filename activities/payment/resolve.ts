/** An operator settles a session, a charge or a refund (rule 17): the rail is asked, and its answer takes precedence. */
import type { AnswerToRecord } from '../../db/payment/rail-calls.ts';
import {
  answerResolveRequest,
  loadResolveRequest,
  mustNotResolve,
} from '../../db/payment/resolve-requests.ts';
import type { LookupPlan } from '../../domain/core/lookup-schedule.ts';
import type { Resolution, ResolveCommand, StoredRequest } from '../../domain/core/resolution.ts';
import { type AttemptOutcome, isFinalOutcome } from '../../domain/payment/attempt.ts';
import type { ActivityDeps } from '../core/deps.ts';
import type { OfAttempt } from './attempt.ts';
import { lookUpAttempt } from './look-up-attempt.ts';
import { startReconcileNow } from './start-reconcile.ts';

/** An operator's decision about an attempt in doubt. */
export interface ToResolve extends LookupPlan {
  /** Null if nothing is in doubt, so that there is nothing to resolve. */
  readonly attemptId: string | null;
  /** The owner's version before the look-up. If it has changed, the operator's decision is not written. */
  readonly version: number;
  readonly request: ResolveCommand | StoredRequest;
}

export interface Resolved<View> {
  readonly view: View;
  /** Why the decision is invalid; null if it is valid. */
  readonly refused: string | null;
}

export interface InDoubt extends OfAttempt {
  readonly version: number;
  readonly request: Resolution;
}

interface Resolving<View> {
  view(ownerId: string): Promise<View>;
  stateOf(view: View): string;
  /** The reason why there is nothing to resolve. */
  whyNot(view: View): string;
  /** Asks the rail, compares, and writes the result; a repeated call finds the first call's result. */
  resolve(asked: InDoubt): Promise<Resolved<View>>;
}

/** The differences between resolving attempts of sessions and of subscriptions. */
interface OfPayment<View> extends Omit<Resolving<View>, 'resolve'> {
  readonly subject: 'session' | 'subscription';
  record(answer: AnswerToRecord<AttemptOutcome>): Promise<View>;
  /** @returns false if nothing was written */
  write(decision: InDoubt & { readonly unpaid: boolean }): Promise<boolean>;
  /** Returns whether nothing is left to decide after an answer was recorded or a decision written. */
  isSettled(view: View, isWritten: boolean): boolean;
}

/** Settles an attempt in doubt by the rail's answer, or by the operator's decision if the rail has no answer. */
export function resolvingPayment<View extends { readonly version: number }>(
  deps: ActivityDeps,
  asked: ToResolve,
  of: OfPayment<View>,
): Promise<Resolved<View>> {
  const { subject, stateOf } = of;
  return resolving(deps, asked, { ...of, resolve });

  async function resolve(inDoubt: InDoubt): Promise<Resolved<View>> {
    const { attemptId, ownerId, version, request } = inDoubt;
    // End the attempt or its challenge at the rail before the operator's decision takes effect.
    const answer = await lookUpAttempt(deps, attemptId, request.outcome === 'failed' ? 'open' : 'challenge');
    const { kind } = answer.outcome;
    const recorded = isFinalOutcome(answer.outcome)
      ? await of.record({ ...inDoubt, ...answer, resolution: request })
      : null;
    if (recorded && (kind === 'approved') !== (request.outcome === 'succeeded')) {
      const refused = `the rail reports ${kind}, which is now recorded; the ${subject} is ${stateOf(recorded)}`;
      return { view: recorded, refused };
    }
    if (recorded && of.isSettled(recorded, true)) return { view: recorded, refused: null };
    // While the rail waits for the buyer, the operator's `succeeded` is not written.
    const unpaid = kind === 'challenge' && request.outcome === 'succeeded';
    const isRefused = await mustNotResolve(deps.pool, request, attemptId, deps.secondPersonAbove);
    const decision = { ...inDoubt, version: recorded?.version ?? version, unpaid };
    const isWritten = !isRefused && (await of.write(decision));
    if (isWritten) void startReconcileNow(deps, attemptId);
    const view = await of.view(ownerId);
    return { view, refused: of.isSettled(view, isWritten) ? null : whyNotWritten(subject, unpaid) };
  }
}

/** Executes the request and, if it is stored, records its answer; a request already answered has no effect. */
export async function resolving<View>(
  { pool }: ActivityDeps,
  { attemptId, request: asked, ...of }: ToResolve,
  { view, stateOf, whyNot, resolve }: Resolving<View>,
): Promise<Resolved<View>> {
  const requestId = 'requestId' in asked ? asked.requestId : null;
  const request = 'requestId' in asked ? await loadResolveRequest(pool, asked.requestId) : asked;
  if (!request) return { view: await view(of.ownerId), refused: null };
  const nothing = async () => {
    const now = await view(of.ownerId);
    return { view: now, refused: `nothing to resolve: ${whyNot(now)}` };
  };
  const resolved = attemptId === null ? await nothing() : await resolve({ ...of, attemptId, request });
  const { refused } = resolved;
  const answer = refused === null ? `done: ${stateOf(resolved.view)}` : `refused: ${refused}`;
  if (requestId) await answerResolveRequest(pool, requestId, answer);
  return resolved;
}

/** Why an operator's decision about an unknown outcome was not written. */
function whyNotWritten(changed: 'session' | 'subscription', unpaid: boolean): string {
  return unpaid
    ? "nothing was written: the rail has not ended the buyer's challenge yet; try again"
    : `nothing was written: the ${changed} changed in the meantime, or a second person has to confirm this amount (npm run ops -- resolve)`;
}
