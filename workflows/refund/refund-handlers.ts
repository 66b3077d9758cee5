/** Messages to the refund workflow: handlers enqueue, the main loop acts (rule 9). */
import type { ResolveCommand } from '../../domain/core/resolution.ts';
import { onBareSignal, onQuery, onSignal, onUpdate } from '../core/handlers.ts';
import type { Inbox } from '../core/inbox.ts';
import * as core from '../core/messages.ts';
import * as messages from './refund-messages.ts';

export type RefundCommand =
  | { readonly kind: 'wake' }
  | { readonly kind: 'resolve'; readonly request: ResolveCommand }
  | { readonly kind: 'resolveRequested'; readonly requestId: string };

/** Call before the first await; validators check the message alone (rule 11). */
export function registerRefundHandlers(
  inbox: Inbox<RefundCommand>,
  status: () => messages.RefundWorkflowStatus | null,
): void {
  onUpdate(
    messages.resolveRefundUpdate,
    core.resolveCommand,
    (request) => inbox.ask({ kind: 'resolve', request }),
    'Settles a refund whose outcome the rail does not report: { "outcome": "succeeded" | "failed", ' +
      '"operator", "reason", "evidence" }. The rail is asked once more, and its answer takes precedence.',
  );
  onSignal(
    core.resolveRequestedSignal,
    core.resolveRequested,
    ({ requestId }) => inbox.put({ kind: 'resolveRequested', requestId }),
    'An operator stored a request to resolve. Sent by `npm run ops -- resolve`.',
  );
  onBareSignal(
    core.wakeSignal,
    () => inbox.put({ kind: 'wake' }),
    'The rail has news, or the refund is overdue: look up now.',
  );
  onQuery(
    messages.refundStatusQuery,
    status,
    'State, payment and number of look-ups; null before the first one.',
  );
}
