/** POST /v1/subscriptions/:id/pause: begins no new period after the current paid one, until a date or `resume`. */
import { pauseRequest } from '../../contract/subscription/subscription-operations.ts';
import { refusalsOf } from '../../domain/subscription/operations.ts';
import { pauseSubscriptionUpdate } from '../../workflows/subscription/subscription-messages.ts';
import type { ApiContext } from '../http/context.ts';
import { parseFields } from '../http/request/parse-fields.ts';
import type { Route } from '../http/route.ts';
import { operationRoute } from './operation-route.ts';
import { sending } from './subscription-operation.ts';

export function pauseRoute(context: ApiContext): Route {
  return operationRoute(context, '/v1/subscriptions/:id/pause', {
    read: (body) => {
      const { resumes_at: resumesAt = null } = parseFields(pauseRequest, body, 'pause');
      return sending(pauseSubscriptionUpdate, { resumesAt });
    },
    describe: {
      operationId: 'pauseSubscription',
      summary: 'Pause a subscription',
      description:
        'From the end of the paid period the subscription is `paused`, and nothing is charged until `resumes_at` or ' +
        '`resume`, which begins a period. Retries of an unpaid invoice continue; the pause begins once it is paid. ' +
        'Repeating the request changes the date. `subscription.updated` reports it; `subscription.paused` is sent ' +
        'when the pause begins, to endpoints that list it.',
      body: { schema: pauseRequest, example: { resumes_at: '2026-06-01T00:00:00Z' }, required: false },
      errors: ['subscription_not_found', ...refusalsOf('pause')],
    },
    shows: {
      pause_at_period_end: true,
      resumes_at: '2026-06-01T00:00:00.000Z',
    },
  });
}
