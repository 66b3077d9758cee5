/** Shared by the routes of scheduled changes, which answer 202 with the subscription and its change. */
import type { OperationDescription } from '../../contract/core/operation.ts';
import { withFlowId } from '../../contract/openapi/headers.ts';
import { exampleChange, exampleSubscription } from '../../contract/subscription/resources.ts';
import { subscriptionAnswer } from '../../contract/subscription/subscription-operations.ts';
import { refusalsOf, type WantedChange } from '../../domain/subscription/operations.ts';
import { changeNowUpdate, scheduleChangeUpdate } from '../../workflows/subscription/subscription-messages.ts';
import type { ApiContext } from '../http/context.ts';
import type { Route } from '../http/route.ts';
import { operationRoute } from './operation-route.ts';
import { type Sending, sending } from './subscription-operation.ts';

type ChangeDescription = Pick<
  OperationDescription,
  'operationId' | 'summary' | 'description' | 'body' | 'errors'
>;

interface ChangeOperation {
  /** @throws ApiError 400 */
  readonly read: (body: Readonly<Record<string, unknown>>) => WhenToChange;
  /** The route's own description; the errors common to all changes are added. */
  readonly describe: ChangeDescription;
}

export function changeRoute(context: ApiContext, path: string, { read, describe }: ChangeOperation): Route {
  const errors = [...CHANGE_ERRORS, 'payment_method_declined', 'payment_rail_unavailable'] as const;
  return operationRoute(context, path, {
    read: (body) => changeSending(read(body)),
    isDone: ({ change }) => change?.status !== 'pending',
    describe: { answers, ...describe, errors: [...errors, ...(describe.errors ?? [])] },
  });
}

export type WhenToChange = WantedChange & { readonly effective: 'now' | 'period_end' };

export function changeSending({ effective, ...change }: WhenToChange): Sending {
  return sending(effective === 'now' ? changeNowUpdate : scheduleChangeUpdate, change);
}

/** Returns when the change takes effect: by default at the end of the period. */
export function whenOf({
  effective = 'period_end',
  calculated_at: calculatedAt,
}: {
  readonly effective?: 'now' | 'period_end' | undefined;
  readonly calculated_at?: string | undefined;
}): Pick<WhenToChange, 'effective' | 'calculatedAt'> {
  return { effective, calculatedAt: calculatedAt ?? null };
}

/** Rejections of a change to another plan. */
export const PLAN_ERRORS = [
  'plan_unchanged',
  'plan_not_found',
  'plan_incompatible',
  'recurring_price_interval_missing',
  'subscription_exists',
] as const;

/** Rejections of every change, and of its preview. */
export const CHANGE_ERRORS = [
  'subscription_not_found',
  ...refusalsOf('scheduleChange', 'changeNow'),
  'change_needs_period_end',
  'preview_outdated',
] as const;

const answers: OperationDescription['answers'] = {
  202: {
    description:
      'The subscription, with its `change`. The response waits up to five seconds for the charge of an immediate change.',
    schema: subscriptionAnswer,
    example: { ...exampleSubscription, change: exampleChange },
    headers: withFlowId,
    links: [
      {
        operationId: 'cancelSubscriptionChange',
        parameters: { id: '$response.body#/id' },
      },
    ],
  },
};
