/** Database writes of the checkout workflow: one short transaction each. */

import { loadSessionView } from '../../db/session/core/session-view.ts';
import * as commands from '../../db/session/session-commands.ts';
import type { SessionView } from '../../domain/session/session-view.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { withLinks } from '../core/subject-links.ts';

export async function loadCheckout({ pool, pages }: ActivityDeps, checkoutId: string): Promise<SessionView> {
  const view = await loadSessionView(pool, checkoutId);
  return view.state === 'reconciliation_required' ? withLinks(view, checkoutId, pages) : view;
}

export function createSessionWrites(deps: ActivityDeps) {
  const { pool } = deps;

  /** The session after the write. */
  async function viewAfter(checkoutId: string, written: Promise<void>): Promise<SessionView> {
    await written;
    return loadCheckout(deps, checkoutId);
  }

  return {
    loadCheckout: (checkoutId: string) => loadCheckout(deps, checkoutId),

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
  };
}
