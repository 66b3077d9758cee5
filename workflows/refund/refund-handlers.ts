/** Messages to the refund workflow: every handler records and enqueues, none acts (rule 9). */
import { ApplicationFailure, setHandler } from '@temporalio/workflow';
import { assertOneOf, assertText } from '../core/assert-fields.ts';
import type { Entry, Inbox } from '../core/inbox.ts';
import { type ResolveCommand, resolveRequestedSignal, wakeSignal } from '../core/messages.ts';
import * as messages from './refund-messages.ts';

export type RefundCommand =
  | { readonly kind: 'lookAgain' }
  | { readonly kind: 'resolve'; readonly request: ResolveCommand }
  | { readonly kind: 'resolveRequested'; readonly requestId: string };

export function refuseResolve(entry: Entry<RefundCommand>, why: string): void {
  entry.refuse(ApplicationFailure.nonRetryable(why, 'ResolveRefused'));
}

/** Call before the first await; validators check the message alone (rule 11). */
export function registerRefundHandlers(
  inbox: Inbox<RefundCommand>,
  status: () => messages.RefundWorkflowStatus | null,
): void {
  setHandler(messages.resolveRefundUpdate, (request) => inbox.ask({ kind: 'resolve', request }), {
    validator: ({ outcome, operator, reason, evidence }) => {
      assertOneOf({ outcome }, ['succeeded', 'failed']);
      assertText({ operator, reason, evidence });
    },
    description:
      'Settles a refund whose outcome the rail does not report: { "outcome": "succeeded" | "failed", ' +
      '"operator", "reason", "evidence" }. The rail is looked up once more, and its answer takes precedence.',
  });
  setHandler(resolveRequestedSignal, ({ requestId }) => inbox.put({ kind: 'resolveRequested', requestId }), {
    description: 'An operator stored a request to resolve. Sent by `npm run ops -- resolve`.',
  });
  setHandler(wakeSignal, () => inbox.put({ kind: 'lookAgain' }), {
    description: 'The rail has news, or the refund is overdue: look up now. Sent by the sweep.',
  });
  setHandler(messages.refundStatusQuery, status, {
    description: 'State, payment and number of look-ups; null before the first one.',
  });
}
