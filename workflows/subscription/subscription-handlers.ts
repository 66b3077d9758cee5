/** Messages to the subscription workflow: handlers enqueue, the main loop acts (rule 9). */
import { ApplicationFailure, currentUpdateInfo } from '@temporalio/workflow';
import type { Environment } from '../../domain/core/environment.ts';
import type { ResolveCommand } from '../../domain/core/resolution.ts';
import { onBareSignal, onBareUpdate, onQuery, onSignal, onUpdate } from '../core/handlers.ts';
import type { Inbox } from '../core/inbox.ts';
import * as core from '../core/messages.ts';
import { instant, message, nullable, oneOf, text, trueOrFalse } from '../core/parse-message.ts';
import * as messages from './subscription-messages.ts';

export type SubscriptionCommand =
  | messages.SubscriptionOperation
  | { readonly kind: 'reload' }
  | { readonly kind: 'wake' }
  | { readonly kind: 'railNews'; readonly paymentId: string }
  | { readonly kind: 'resolve'; readonly request: ResolveCommand }
  | { readonly kind: 'resolveRequested'; readonly requestId: string };

/**
 * Call before the first await; validators check the message and the run's input alone (rule 11). Operator input that
 * the database would reject must be refused here: in the main loop it would be retried for ever.
 */
export function registerSubscriptionHandlers(
  inbox: Inbox<SubscriptionCommand>,
  environment: Environment,
  status: () => messages.SubscriptionWorkflowStatus | null,
): void {
  registerOperations(inbox, environment);
  onBareUpdate(
    messages.methodUpdatedUpdate,
    () => inbox.ask<messages.SubscriptionStateAnswer>({ kind: 'reload' }),
    'The payment method was replaced: charges unpaid invoices at once. Sent by methodChange.',
  );
  onUpdate(
    messages.resolveChargeUpdate,
    core.resolveCommand,
    (request) => inbox.ask({ kind: 'resolve', request }),
    'Settles a charge whose outcome the rail does not report: { "outcome": "succeeded" | "failed", "operator", ' +
      '"reason", "evidence" }. The rail is asked once more, and its answer takes precedence; writes an audit row.',
  );
  onSignal(
    core.railNewsSignal,
    core.railNews,
    ({ paymentId }) => inbox.put({ kind: 'railNews', paymentId }),
    'A hint that the rail has news of { paymentId }; verified by a look-up.',
  );
  onSignal(
    core.resolveRequestedSignal,
    core.resolveRequested,
    ({ requestId }) => inbox.put({ kind: 'resolveRequested', requestId }),
    'An operator stored a request to resolve; { requestId }. Sent by `npm run ops -- resolve`.',
  );
  onBareSignal(
    core.wakeSignal,
    () => inbox.put({ kind: 'wake' }),
    'The subscription is overdue: its row is read again, and the rail is asked about an open charge.',
  );
  onQuery(
    messages.subscriptionStatusQuery,
    status,
    'State, next charge, dunning step, scheduled change; null before the first task.',
  );
}

/** A merchant's operations, sent by the API. */
function registerOperations(inbox: Inbox<SubscriptionCommand>, environment: Environment): void {
  const ask = (operation: messages.SubscriptionOperation) => inbox.ask<messages.OperationAnswer>(operation);
  onUpdate(
    messages.scheduleChangeUpdate,
    message<messages.ScheduleChangeCommand>({
      type: oneOf('plan_change', 'offering_change'),
      targetPlanId: text,
      targetOfferingId: nullable(text),
    }),
    (change) => ask({ kind: 'scheduleChange', operationKey: updateId(), change }),
    'Schedules a change for the end of the period: { "type": "plan_change" | "offering_change", ' +
      '"targetPlanId", "targetOfferingId" (null for a plan change) }. Sent by the API.',
  );
  onUpdate(
    messages.cancelChangeUpdate,
    message<messages.CancelChangeCommand>({ changeId: text }),
    ({ changeId }) => ask({ kind: 'cancelChange', operationKey: updateId(), changeId }),
    'Cancels a scheduled change: { "changeId": "ap_chg_…" }.',
  );
  onUpdate(
    messages.cancelSubscriptionUpdate,
    message<messages.CancelSubscriptionCommand>({ atPeriodEnd: trueOrFalse }),
    ({ atPeriodEnd }) => ask({ kind: 'cancel', operationKey: updateId(), atPeriodEnd }),
    'Ends the subscription: { "atPeriodEnd": false } at once (an open charge is settled first), true with ' +
      'its period.',
  );
  onUpdate(
    messages.advanceClockUpdate,
    (given, name) => {
      if (environment === 'sandbox') return advanceClock(given, name);
      throw ApplicationFailure.nonRetryable(
        'only a sandbox subscription has its own clock',
        'InvalidRequest',
      );
    },
    ({ to }) => ask({ kind: 'advanceClock', operationKey: updateId(), to }),
    'Sandbox only: moves this subscription\'s clock forward, { "to": "2027-01-31T00:00:00Z" }.',
  );
}

const advanceClock = message<messages.AdvanceClockCommand>({ to: instant });

function updateId(): string {
  const id = currentUpdateInfo()?.id;
  if (!id) throw new Error('not in an update');
  return id;
}
