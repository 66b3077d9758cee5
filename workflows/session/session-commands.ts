/** Executes each command in the main loop; the handlers only enqueue (rule 9). */
import type { SessionView } from '../../domain/session/session-steps.ts';
import type { Entry } from '../core/inbox.ts';
import { database } from '../core/proxies.ts';
import { resolveSession } from './resolve-session.ts';
import { lookUp, lookUpOrEnd, pay, type SessionRun } from './session-attempt.ts';
import { type SessionCommand, stateOf } from './session-handlers.ts';

/**
 * A signal reads the session again, because the view in memory may be stale: a restored Temporal may lack the update of
 * a claim that the database has, and the view's durations count from the moment it was read (rule 43).
 * @returns the session afterwards
 */
export async function execute(run: SessionRun, entry: Entry<SessionCommand>): Promise<SessionView> {
  const { checkoutId } = run;
  const { command } = entry;
  switch (command.kind) {
    case 'pay':
      return pay(run, { ...entry, command });
    case 'completeChallenge': {
      const returned = await database.recordChallengeReturned({ checkoutId, paymentId: command.paymentId });
      entry.answer(stateOf(returned));
      return returned.openPayment?.paymentId === command.paymentId ? lookUpOrEnd(run, returned) : returned;
    }
    case 'cancel': {
      const asked = await database.requestCancel({ checkoutId, what: command.what });
      const paymentId = asked.openPayment?.paymentId;
      const ended = paymentId ? await lookUp(run, asked, paymentId, 'open') : asked;
      entry.answer(stateOf(ended));
      return ended;
    }
    case 'railNews': {
      const now = await database.loadCheckout(checkoutId);
      return now.openPayment?.paymentId === command.paymentId ? lookUpOrEnd(run, now, 'asked') : now;
    }
    case 'wake':
      return lookUpOrEnd(run, await database.loadCheckout(checkoutId), 'asked');
    case 'resolve':
      return resolveSession(run, entry, command.request, null);
    case 'resolveRequested': {
      const request = await database.loadResolveRequest(command.requestId);
      return request
        ? resolveSession(run, entry, request, command.requestId)
        : database.loadCheckout(checkoutId);
    }
  }
}
