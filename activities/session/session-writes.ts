/** Database writes of the checkout workflow: one short transaction each. */
import { mustNotResolve } from '../../db/payment/resolve-requests.ts';
import { type OutcomeToRecord, recordOutcome as record } from '../../db/session/record-outcome.ts';
import { resolveSession, type SessionResolution } from '../../db/session/resolve-session.ts';
import * as commands from '../../db/session/session-commands.ts';
import { loadSessionView } from '../../db/session/session-view.ts';
import type { SessionView } from '../../domain/session/session-steps.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { withLinks } from '../core/subject-links.ts';
import { startReconcileNow } from '../payment/start-reconcile.ts';

export function createSessionWrites(deps: ActivityDeps) {
  const { pool } = deps;

  async function load(checkoutId: string): Promise<SessionView> {
    const view = await loadSessionView(pool, checkoutId);
    return view.state === 'reconciliation_required' ? withLinks(view, checkoutId, deps.pages) : view;
  }

  /** The session after the write. */
  async function viewAfter(checkoutId: string, written: Promise<void>): Promise<SessionView> {
    await written;
    return load(checkoutId);
  }

  return {
    loadCheckout: load,

    async recordOutcome(input: OutcomeToRecord): Promise<SessionView> {
      return (await record(pool, input)) ?? load(input.checkoutId);
    },

    recordChallengeReturned(input: {
      readonly checkoutId: string;
      readonly paymentId: string;
    }): Promise<SessionView> {
      const { checkoutId, paymentId } = input;
      return viewAfter(checkoutId, commands.recordChallengeReturned(pool, checkoutId, paymentId));
    },

    requestCancel(input: {
      readonly checkoutId: string;
      readonly what: 'attempt' | 'session';
    }): Promise<SessionView> {
      return viewAfter(input.checkoutId, commands.requestCancel(pool, input.checkoutId, input.what));
    },

    expireCheckout(checkoutId: string): Promise<SessionView> {
      return viewAfter(checkoutId, commands.expireSession(pool, checkoutId));
    },

    async resolveCheckout(input: SessionResolution): Promise<SessionView> {
      const { request, paymentId } = input;
      if (await mustNotResolve(pool, request, paymentId, deps.secondPersonAbove))
        return load(input.checkoutId);
      if (await resolveSession(pool, input)) void startReconcileNow(deps, input.paymentId);
      return load(input.checkoutId);
    },
  };
}
