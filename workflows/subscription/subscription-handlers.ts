/** Messages to the subscription workflow: every handler records and enqueues, none acts (rule 9). */
import { ApplicationFailure, currentUpdateInfo, setHandler } from '@temporalio/workflow';
import type { Environment } from '../../domain/environment.ts';
import { assertInstant, assertOneOf, assertText } from '../core/assert-fields.ts';
import type { Inbox } from '../core/inbox.ts';
import { type ResolveCommand, railNewsSignal, resolveRequestedSignal, wakeSignal } from '../core/messages.ts';
import * as messages from './subscription-messages.ts';

export type SubscriptionCommand =
  | messages.SubscriptionOperation
  | { readonly kind: 'lookAgain' }
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
  const ask = (operation: messages.SubscriptionOperation) => inbox.ask<messages.OperationReply>(operation);

  setHandler(
    messages.scheduleChangeUpdate,
    (change) => ask({ kind: 'scheduleChange', operationKey: updateId(), change }),
    {
      validator: ({ type, targetPlanId, targetOfferingId }) => {
        assertOneOf({ type }, ['plan_change', 'offering_change']);
        assertText({ targetPlanId });
        if (targetOfferingId !== null) assertText({ targetOfferingId });
      },
      description:
        'Schedules a change for the end of the period: { "type": "plan_change" | "offering_change", ' +
        '"targetPlanId", "targetOfferingId" (null for a plan change) }. Sent by the API.',
    },
  );
  setHandler(
    messages.cancelChangeUpdate,
    ({ changeId }) => ask({ kind: 'cancelChange', operationKey: updateId(), changeId }),
    {
      validator: ({ changeId }) => assertText({ changeId }),
      description: 'Cancels a scheduled change: { "changeId": "ap_chg_…" }.',
    },
  );
  setHandler(
    messages.cancelSubscriptionUpdate,
    ({ atPeriodEnd }) => ask({ kind: 'cancel', operationKey: updateId(), atPeriodEnd }),
    {
      validator: ({ atPeriodEnd }) => {
        if (typeof atPeriodEnd !== 'boolean') {
          throw ApplicationFailure.nonRetryable('atPeriodEnd must be true or false', 'InvalidRequest');
        }
      },
      description:
        'Ends the subscription: { "atPeriodEnd": false } at once (an open charge is settled first), true with ' +
        'its period.',
    },
  );
  setHandler(
    messages.advanceClockUpdate,
    ({ to }) => ask({ kind: 'advanceClock', operationKey: updateId(), to }),
    {
      validator: ({ to }) => {
        if (environment !== 'sandbox') {
          throw ApplicationFailure.nonRetryable(
            'only a sandbox subscription has its own clock',
            'InvalidRequest',
          );
        }
        assertInstant({ to });
      },
      description:
        'Sandbox only: moves this subscription\'s clock forward, { "to": "2027-01-31T00:00:00Z" }.',
    },
  );
  setHandler(
    messages.methodUpdatedUpdate,
    () => inbox.ask<messages.SubscriptionStateAnswer>({ kind: 'lookAgain' }),
    {
      description: 'The payment method was replaced: charges unpaid invoices at once. Sent by methodChange.',
    },
  );
  setHandler(messages.resolveChargeUpdate, (request) => inbox.ask({ kind: 'resolve', request }), {
    validator: ({ outcome, operator, reason, evidence }) => {
      assertOneOf({ outcome }, ['succeeded', 'failed']);
      assertText({ operator, reason, evidence });
    },
    description:
      'Settles a charge whose outcome the rail does not report: { "outcome": "succeeded" | "failed", "operator", ' +
      '"reason", "evidence" }. The rail is looked up once more, and its answer takes precedence; writes an audit row.',
  });
  setHandler(railNewsSignal, ({ paymentId }) => inbox.put({ kind: 'railNews', paymentId }), {
    description: 'A hint that the rail has news of { paymentId }; verified by a look-up.',
  });
  setHandler(resolveRequestedSignal, ({ requestId }) => inbox.put({ kind: 'resolveRequested', requestId }), {
    description: 'An operator stored a request to resolve; { requestId }. Sent by `npm run ops -- resolve`.',
  });
  setHandler(wakeSignal, () => inbox.put({ kind: 'lookAgain' }), {
    description: 'Something is overdue in the database: reread it. Sent by the sweep.',
  });
  setHandler(messages.subscriptionStatusQuery, status, {
    description: 'State, next charge, dunning step, scheduled change; null before the first task.',
  });
}

function updateId(): string {
  const id = currentUpdateInfo()?.id;
  if (!id) throw new Error('not in an update');
  return id;
}
