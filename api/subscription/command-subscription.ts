/**
 * POST /v1/merchants/:merchantId/subscriptions/:subscriptionId/commands: a person cancels or changes a subscription,
 * or moves its clock.
 */
import type { OperationDescription } from '../../contract/core/operation.ts';
import { withFlowId } from '../../contract/openapi/headers.ts';
import {
  type SubscriptionCommand,
  subscriptionCommand,
  subscriptionDetailsAnswer,
} from '../../contract/subscription/details.ts';
import type { Permission } from '../../domain/core/permissions.ts';
import { refusalsOf, SUBSCRIPTION_OPERATIONS } from '../../domain/subscription/operations.ts';
import * as messages from '../../workflows/subscription/subscription-messages.ts';
import type { MerchantGate } from '../http/authentication/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import { ApiError } from '../http/errors.ts';
import { accessOf } from '../http/exchange.ts';
import type { Operation } from '../http/idempotency.ts';
import { parseRequest } from '../http/request/parse-request.ts';
import type { Route } from '../http/route.ts';
import { personRoute } from '../http/routes/keyed-route.ts';
import { wantedCancel } from './cancel-subscription.ts';
import { changeSending, whenOf } from './change-route.ts';
import { clockSending } from './clock-advance.ts';
import { resumeSending } from './resume.ts';
import { auditRequest, readDetails, subscriptionOfPath } from './subscription-of-person.ts';
import { type Sending, sending } from './subscription-operation.ts';
import { trialSending } from './trial.ts';

export function commandSubscriptionRoute(context: ApiContext, gate: MerchantGate): Route {
  const act: Operation = async (request, response, operationId) => {
    const command = parseRequest(subscriptionCommand, request.body);
    if (!accessOf(response).permissions.has(neededFor(command)))
      throw new ApiError('administration_forbidden');
    const subscription = await subscriptionOfPath(context, request, response);
    const { id, scope } = subscription;
    if (command.command === 'advance' && scope.environment !== 'sandbox') throw new ApiError('sandbox_only');
    const send = sendingOf(command);
    const { command: name, ...asked } = command;
    await auditRequest(context, subscription, response, name, asked);
    await send(context, { scope, subscriptionId: id, operationId });
    const body = await readDetails(context, response, subscription);
    // Only bodies with a link are encrypted, because an erasure cannot clear encrypted ones.
    return { status: 200, body, flowId: id, isSecret: typeof body.change?.hostedUrl === 'string' };
  };
  return personRoute(context, gate, ['manage_subscriptions', 'serve_subscribers', 'move_clock'], {
    path: '/v1/merchants/:merchantId/subscriptions/:subscriptionId/commands',
    describe,
    find: (...of) => subscriptionOfPath(context, ...of),
    sealed: true,
    operation: act,
  });
}

function neededFor(command: SubscriptionCommand): Permission {
  switch (command.command) {
    case 'cancel':
      return command.at_period_end ? 'serve_subscribers' : 'manage_subscriptions';
    case 'undo_cancel':
    case 'pause':
    case 'resume':
    case 'pay':
      return 'serve_subscribers';
    case 'advance':
      return 'move_clock';
    case 'move_trial':
    case 'change_plan':
    case 'change_quantity':
    case 'cancel_change':
      return 'manage_subscriptions';
  }
}

/** @throws ApiError 400 immediately if the clock's target is too far ahead */
function sendingOf(command: SubscriptionCommand): Sending {
  switch (command.command) {
    case 'cancel':
      return sending(messages.cancelSubscriptionUpdate, wantedCancel(command));
    case 'undo_cancel':
      return sending(messages.undoCancelUpdate, {});
    case 'pause':
      return sending(messages.pauseSubscriptionUpdate, { resumesAt: command.resumes_at });
    case 'resume':
      return resumeSending(command);
    case 'move_trial':
      return trialSending(command);
    case 'pay':
      return sending(messages.payInvoiceUpdate, { invoiceId: command.invoice_id });
    case 'change_plan': {
      const { plan_id: targetPlanId, offering_id: targetOfferingId } = command;
      const type = targetOfferingId === null ? 'plan_change' : 'offering_change';
      return changeSending({ type, targetPlanId, targetOfferingId, ...whenOf(command) });
    }
    case 'change_quantity':
      return changeSending({ type: 'quantity_change', quantity: command.quantity, ...whenOf(command) });
    case 'cancel_change':
      return sending(messages.cancelChangeUpdate, { changeId: command.change_id });
    case 'advance':
      return clockSending(command.to);
  }
}

const describe: OperationDescription = {
  operationId: 'commandSubscription',
  tag: 'Dashboard',
  summary: 'Cancel or change a subscription, as a person',
  description:
    'Same as `POST /v1/subscriptions/{id}/cancel`, `plan-change`, `offering-change`, `quantity`, `plan-change/cancel`, `trial` and, in the ' +
    'sandbox, `advance`, and as `cancel/undo`, `pause`, `resume` and `POST /v1/invoices/{id}/pay`. Owners and managers may give every command; ' +
    'support may cancel at the period’s end, undo that, pause, resume and charge an invoice; developers may move the clock. The audit ' +
    'log names the requester. The response does not wait for an open charge or a moving clock: read the subscription again.',
  idempotencyKey: 'required',
  body: {
    schema: subscriptionCommand,
    example: { command: 'cancel', at_period_end: true },
    required: true,
  },
  answers: {
    200: { description: 'The current subscription.', ...subscriptionDetailsAnswer, headers: withFlowId },
  },
  errors: [
    'sandbox_only',
    'plan_unchanged',
    'quantity_unchanged',
    'subscription_quantity_invalid',
    'offering_unchanged',
    'subscription_not_found',
    'plan_not_found',
    'offering_not_found',
    'subscription_change_not_found',
    ...refusalsOf(...SUBSCRIPTION_OPERATIONS),
    'invoice_not_payable',
    'invoice_older_unpaid',
    'payment_method_declined',
    'payment_rail_unavailable',
    'subscription_change_not_scheduled',
    'change_needs_period_end',
    'preview_outdated',
    'plan_incompatible',
    'recurring_price_interval_missing',
    'subscription_exists',
  ],
};
