/**
 * POST /v1/subscriptions/:id/cancel: ends a subscription, immediately unless `at_period_end` is true. An open charge is
 * settled first: the 200 waits for the settlement or, if that takes long, shows the current state.
 */
import type { z } from 'zod';
import { cancelRequest } from '../../contract/subscription/subscription-operations.ts';
import { refusalsOf } from '../../domain/subscription/operations.ts';
import { isFinishedSubscription } from '../../domain/subscription/subscription.ts';
import { cancelSubscriptionUpdate } from '../../workflows/subscription/subscription-messages.ts';
import type { ApiContext } from '../http/context.ts';
import { parseFields } from '../http/request/parse-fields.ts';
import type { Route } from '../http/route.ts';
import { operationRoute } from './operation-route.ts';
import { sending } from './subscription-operation.ts';

export function cancelSubscriptionRoute(context: ApiContext): Route {
  return operationRoute(context, '/v1/subscriptions/:id/cancel', {
    read: (body) => sending(cancelSubscriptionUpdate, wantedCancel(readCancel(body))),
    isDone: ({ status }, body) => readCancel(body).at_period_end || isFinishedSubscription(status),
    describe: {
      operationId: 'cancelSubscription',
      summary: 'Cancel a subscription',
      description:
        'Ends it immediately, or with `at_period_end` at the end of the current period; it continues until then. ' +
        '`subscription.cancelled` reports the end. A charge in progress is settled first: the response may then ' +
        'show the subscription in its current state. Cancel a scheduled change first. With the setting ' +
        '`collect_after_cancellation`, a subscription that ends with its period ends later if an invoice is still being retried.',
      idempotencyKey: 'optional',
      body: { schema: cancelRequest, example: { at_period_end: true }, required: false },
      errors: ['subscription_not_found', ...refusalsOf('cancel'), 'preview_outdated'],
    },
    shows: { cancel_at_period_end: true },
  });
}

type CancelFields = z.infer<typeof cancelRequest>;

/** @throws ApiError 400 */
export function readCancel(body: Readonly<Record<string, unknown>>): CancelFields {
  return parseFields(cancelRequest, body, 'subscription');
}

export function wantedCancel({ at_period_end: atPeriodEnd, calculated_at: calculatedAt }: CancelFields) {
  return { atPeriodEnd: atPeriodEnd ?? false, calculatedAt: calculatedAt ?? null };
}
