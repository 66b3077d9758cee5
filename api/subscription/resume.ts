/** POST /v1/subscriptions/:id/resume: ends a pause and begins a period now, or cancels a pause that has not begun. */
import type { z } from 'zod';
import { resumeRequest } from '../../contract/subscription/subscription-operations.ts';
import { refusalsOf } from '../../domain/subscription/operations.ts';
import { resumeSubscriptionUpdate } from '../../workflows/subscription/subscription-messages.ts';
import type { ApiContext } from '../http/context.ts';
import { parseFields } from '../http/request/parse-fields.ts';
import type { Route } from '../http/route.ts';
import { operationRoute } from './operation-route.ts';
import { type Sending, sending } from './subscription-operation.ts';

export function resumeRoute(context: ApiContext): Route {
  return operationRoute(context, '/v1/subscriptions/:id/resume', {
    read: (body) => resumeSending(parseFields(resumeRequest, body, 'resume')),
    isDone: ({ status }) => status !== 'paused',
    describe: {
      operationId: 'resumeSubscription',
      summary: 'Resume a paused subscription',
      description:
        'Begins a period now and charges it with the stored method; later periods are counted from now. A pause ' +
        'that has not begun is cancelled, and nothing is charged. The response waits up to five seconds for the ' +
        'period to begin. ' +
        '`subscription.updated` reports it; `subscription.resumed` is sent when the period begins, to endpoints that list it.',
      body: { schema: resumeRequest, example: {}, required: false },
      errors: [
        'subscription_not_found',
        ...refusalsOf('resume'),
        'subscription_charge_pending',
        'preview_outdated',
      ],
    },
  });
}

export function resumeSending({ calculated_at: calculatedAt }: z.infer<typeof resumeRequest>): Sending {
  return sending(resumeSubscriptionUpdate, { calculatedAt: calculatedAt ?? null });
}
