/** How the outside reaches the checkout workflow: every handler records and enqueues, none acts (rule 9). */
import { ApplicationFailure, setHandler } from '@temporalio/workflow';
import type { SessionView } from '../../domain/session-plan.ts';
import { assertOneOf, assertText } from '../core/assert-fields.ts';
import type { Entry, Inbox } from '../core/inbox.ts';
import { type ResolveCommand, railNewsSignal, resolveRequestedSignal } from '../core/messages.ts';
import * as messages from './session-messages.ts';

export type Command =
  | { readonly kind: 'pay'; readonly claimId: string }
  | { readonly kind: 'completeChallenge'; readonly paymentId: string }
  | { readonly kind: 'cancel'; readonly what: 'attempt' | 'session' }
  | { readonly kind: 'resolve'; readonly request: ResolveCommand }
  | { readonly kind: 'resolveRequested'; readonly requestId: string }
  | { readonly kind: 'railNews'; readonly paymentId: string };

/** Whoever asked in the session's last moment hears how it ended, not an error. */
export function answerLate(entry: Entry<Command>, view: SessionView): void {
  if (entry.command.kind === 'pay') {
    entry.answer({ kind: 'refused', reason: 'finished', state: view.state } satisfies messages.PayAnswer);
  } else if (entry.command.kind === 'resolve') {
    entry.refuse(
      ApplicationFailure.nonRetryable(`nothing to resolve: the session is ${view.state}`, 'ResolveRefused'),
    );
  } else {
    entry.answer({ state: view.state, failureReason: view.failureReason } satisfies messages.StateAnswer);
  }
}

/** To be called before the first await; validators judge what is in the message alone (rule 11). */
export function registerHandlers(inbox: Inbox<Command>, status: () => messages.SessionStatus | null): void {
  setHandler(messages.payUpdate, ({ claimId }) => inbox.ask({ kind: 'pay', claimId }), {
    validator: ({ claimId }) => assertText({ claimId }),
    description: 'The buyer pays. { claimId } names a stored request; sent by the hosted page, not by hand.',
  });
  setHandler(
    messages.completeChallengeUpdate,
    ({ paymentId }) => inbox.ask({ kind: 'completeChallenge', paymentId }),
    {
      validator: ({ paymentId }) => assertText({ paymentId }),
      description: 'The buyer came back from 3-D Secure. { paymentId }; the rail is asked what became of it.',
    },
  );
  setHandler(messages.cancelUpdate, ({ what }) => inbox.ask({ kind: 'cancel', what }), {
    validator: ({ what }) => assertOneOf({ what }, ['attempt', 'session']),
    description:
      'Ends the open attempt at the rail: { "what": "attempt" } leaves the session payable, "session" ends it.',
  });
  setHandler(messages.resolveUpdate, (request) => inbox.ask({ kind: 'resolve', request }), {
    validator: ({ outcome, operator, reason, evidence }) => {
      assertOneOf({ outcome }, ['succeeded', 'failed']);
      assertText({ operator, reason, evidence });
    },
    description:
      'Settles a session that is reconciliation_required: { "outcome": "succeeded" | "failed", "operator", ' +
      '"reason", "evidence" }. The rail is asked once more and is not contradicted; an audit row is written.',
  });
  setHandler(railNewsSignal, ({ paymentId }) => inbox.put({ kind: 'railNews', paymentId }), {
    description: 'A hint that the rail has news of { paymentId }; the rail is asked before it is believed.',
  });
  setHandler(resolveRequestedSignal, ({ requestId }) => inbox.put({ kind: 'resolveRequested', requestId }), {
    description: 'An operator stored a request to resolve; { requestId }. Sent by `npm run ops -- resolve`.',
  });
  setHandler(messages.statusQuery, status, {
    description:
      'State, open payment, attempts, what it waits for and until when; null before the first task.',
  });
}
