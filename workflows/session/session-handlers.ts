/** Messages to the checkout workflow: handlers enqueue, the main loop acts (rule 9). */
import type { ResolveCommand } from '../../domain/core/resolution.ts';
import type { PayAnswer } from '../../domain/session/session.ts';
import type { SessionView } from '../../domain/session/session-steps.ts';
import { onBareSignal, onQuery, onSignal, onUpdate } from '../core/handlers.ts';
import type { Entry, Inbox } from '../core/inbox.ts';
import * as core from '../core/messages.ts';
import { message, oneOf, text } from '../core/parse-message.ts';
import { refuseResolve } from '../core/resolve.ts';
import * as messages from './session-messages.ts';

export type SessionCommand =
  | { readonly kind: 'pay'; readonly claimId: string }
  | { readonly kind: 'completeChallenge'; readonly paymentId: string }
  | { readonly kind: 'cancel'; readonly what: 'attempt' | 'session' }
  | { readonly kind: 'resolve'; readonly request: ResolveCommand }
  | { readonly kind: 'resolveRequested'; readonly requestId: string }
  | { readonly kind: 'railNews'; readonly paymentId: string }
  | { readonly kind: 'wake' };

export type PayEntry = Entry<Extract<SessionCommand, { readonly kind: 'pay' }>>;

export function isPay(command: SessionCommand): command is PayEntry['command'] {
  return command.kind === 'pay';
}

export function stateOf({ state, failureReason }: SessionView): messages.SessionStateAnswer {
  return { state, failureReason };
}

/** Commands that arrive as the session ends get its final state; a `resolve` is refused. */
export function answerLate(entry: Entry<SessionCommand>, view: SessionView): void {
  if (entry.command.kind === 'pay') {
    entry.answer({ kind: 'refused', reason: 'finished', state: view.state } satisfies PayAnswer);
  } else if (entry.command.kind === 'resolve') {
    refuseResolve(entry, `nothing to resolve: the session is ${view.state}`);
  } else {
    entry.answer(stateOf(view));
  }
}

/** Call before the first await; validators check the message alone (rule 11). */
export function registerSessionHandlers(
  inbox: Inbox<SessionCommand>,
  status: () => messages.SessionWorkflowStatus | null,
): void {
  onUpdate(
    messages.payUpdate,
    message<messages.PayCommand>({ claimId: text }),
    ({ claimId }) => inbox.ask({ kind: 'pay', claimId }),
    'The buyer pays. { claimId } names a stored request; sent by the hosted page, not by hand.',
  );
  onUpdate(
    messages.completeChallengeUpdate,
    message<messages.CompleteChallengeCommand>({ paymentId: text }),
    ({ paymentId }) => inbox.ask({ kind: 'completeChallenge', paymentId }),
    'The buyer returned from 3-D Secure. { paymentId }; looks the payment up at the rail.',
  );
  onUpdate(
    messages.cancelUpdate,
    message<messages.CancelCommand>({ what: oneOf('attempt', 'session') }),
    ({ what }) => inbox.ask({ kind: 'cancel', what }),
    'Ends the open attempt at the rail: { "what": "attempt" } leaves the session payable, "session" ends it.',
  );
  onUpdate(
    messages.resolveUpdate,
    core.resolveCommand,
    (request) => inbox.ask({ kind: 'resolve', request }),
    'Settles a session that is reconciliation_required: { "outcome": "succeeded" | "failed", "operator", ' +
      '"reason", "evidence" }. The rail is asked once more, and its answer takes precedence; writes an audit row.',
  );
  onSignal(
    core.railNewsSignal,
    core.railNews,
    ({ paymentId }) => inbox.put({ kind: 'railNews', paymentId }),
    'A hint that the rail has news of { paymentId }; verified by a look-up.',
  );
  onBareSignal(
    core.wakeSignal,
    () => inbox.put({ kind: 'wake' }),
    'The session is overdue: its row is read again, and the rail is asked about an open attempt.',
  );
  onSignal(
    core.resolveRequestedSignal,
    core.resolveRequested,
    ({ requestId }) => inbox.put({ kind: 'resolveRequested', requestId }),
    'An operator stored a request to resolve; { requestId }. Sent by `npm run ops -- resolve`.',
  );
  onQuery(
    messages.statusQuery,
    status,
    'State, open payment, attempts, what it waits for and until when, or null before the first task.',
  );
}
