/** POST /v1/subscriptions/:id/trial: extends a trial, or ends it earlier or now. */
import type { z } from 'zod';
import { exampleSubscription } from '../../contract/subscription/resources.ts';
import { trialRequest } from '../../contract/subscription/subscription-operations.ts';
import { refusalsOf } from '../../domain/subscription/operations.ts';
import { moveTrialUpdate } from '../../workflows/subscription/subscription-messages.ts';
import type { ApiContext } from '../http/context.ts';
import { parseFields } from '../http/request/parse-fields.ts';
import type { Route } from '../http/route.ts';
import { operationRoute } from './operation-route.ts';
import { type Sending, sending } from './subscription-operation.ts';

export function trialRoute(context: ApiContext): Route {
  return operationRoute(context, '/v1/subscriptions/:id/trial', {
    read: (body) => trialSending(parseFields(trialRequest, body, 'trial')),
    isDone: ({ status }, { ends_at: endsAt }) => endsAt !== 'now' || status !== 'trialing',
    describe: {
      operationId: 'moveSubscriptionTrial',
      summary: 'Extend or end a trial',
      description:
        'Moves the end of the trial and with it the first charge, a scheduled change, later billing dates and ' +
        '`subscription.trial_ending`, which is sent again for the new end. `now` ends it at once: the first period begins ' +
        'and is charged, and the response waits up to five seconds for the period to begin. `subscription.updated` reports it.',
      body: { schema: trialRequest, example: { ends_at: '2026-06-01T00:00:00Z' }, required: true },
      errors: [
        'subscription_not_found',
        ...refusalsOf('moveTrial'),
        'subscription_charge_pending',
        'preview_outdated',
      ],
    },
    shows: {
      status: 'trialing',
      trial_start: exampleSubscription.current_period_start,
      trial_end: '2026-06-01T00:00:00.000Z',
      current_period_end: '2026-06-01T00:00:00.000Z',
    },
  });
}

export function trialSending({
  ends_at: endsAt,
  calculated_at: calculatedAt,
}: z.infer<typeof trialRequest>): Sending {
  const until = endsAt === 'now' ? null : new Date(endsAt).toISOString();
  return sending(moveTrialUpdate, { endsAt: until, calculatedAt: calculatedAt ?? null });
}
