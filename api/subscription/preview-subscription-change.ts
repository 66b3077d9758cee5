/**
 * GET /v1/merchants/:merchantId/subscriptions/:subscriptionId/change-preview: shows a person what a plan or quantity
 * change or the end of a pause would charge, when a cancellation or pause would take effect, and what follows.
 */
import type { z } from 'zod';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { subscriptionPreviewQuery } from '../../contract/subscription/details.ts';
import {
  changePreviewAnswer,
  exampleChangePreview,
} from '../../contract/subscription/subscription-operations.ts';
import {
  previewCancel,
  previewChange,
  previewMoveTrial,
  previewPause,
  previewResume,
  previewUndoCancel,
} from '../../db/subscription/preview-change.ts';
import { refusalsOf, type WantedChange } from '../../domain/subscription/operations.ts';
import { invalidRequest } from '../http/errors.ts';
import { parseRequest } from '../http/request/parse-request.ts';
import { merchantRoute } from '../http/routes/gated-route.ts';
import { type Preview, readPreview } from './change-preview.ts';
import { subscriptionOfPath } from './subscription-of-person.ts';

export const previewSubscriptionChangeRoute = merchantRoute((context) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/subscriptions/:subscriptionId/change-preview',
  allow: ['read'],
  describe,
  answer: async (request, _caller, response) => {
    const preview = previewOf(parseRequest(subscriptionPreviewQuery, request.query));
    const { id, scope } = await subscriptionOfPath(context, request, response);
    return readPreview(context, scope, id, preview);
  },
}));

type Asked = z.infer<typeof subscriptionPreviewQuery>;

/** @throws ApiError 400 */
function previewOf({ command, effective, resumes_at, ends_at, ...named }: Asked): Preview {
  const atPeriodEnd = effective === 'period_end';
  if (command === 'cancel')
    return (pool, subscriptionId) => previewCancel(pool, { subscriptionId, atPeriodEnd });
  if (command === 'undo_cancel') return previewUndoCancel;
  if (command === 'resume') return previewResume;
  if (command === 'pause')
    return (pool, subscriptionId) => previewPause(pool, { subscriptionId, resumesAt: resumes_at ?? null });
  if (command === 'move_trial') {
    if (ends_at === undefined)
      throw invalidRequest('ends_at is required.', { field: 'ends_at', reason: 'required' });
    const endsAt = ends_at === 'now' ? null : ends_at;
    return (pool, subscriptionId) => previewMoveTrial(pool, { subscriptionId, endsAt });
  }
  const wanted = wantedOf(named);
  return (pool, subscriptionId) => previewChange(pool, { subscriptionId, ...wanted, effective });
}

/** @throws ApiError 400 */
function wantedOf({
  plan_id,
  offering_id,
  quantity,
}: Pick<Asked, 'plan_id' | 'offering_id' | 'quantity'>): WantedChange {
  if (plan_id !== undefined) {
    const type = offering_id === undefined ? 'plan_change' : 'offering_change';
    return { type, targetPlanId: plan_id, targetOfferingId: offering_id ?? null, calculatedAt: null };
  }
  if (quantity === undefined)
    throw invalidRequest('command, plan_id or quantity is required.', { field: null, reason: 'required' });
  return { type: 'quantity_change', quantity, calculatedAt: null };
}

const describe: OperationDescription = {
  operationId: 'previewSubscriptionChange',
  tag: 'Dashboard',
  summary: 'Preview a change of a subscription',
  description:
    'Plan changes (also to another offering), quantity changes and cancellations are previewed as by ' +
    '`POST /v1/subscriptions/{id}/plan-change/preview`, `quantity/preview` and `cancel/preview`. For `undo_cancel`, ' +
    '`pause`, `resume` and `move_trial`, the response shows their charge and the renewal that follows. Nothing changes.',
  query: subscriptionPreviewQuery,
  answers: {
    200: {
      description: 'The charge, its date, and the next renewal.',
      schema: changePreviewAnswer,
      example: exampleChangePreview,
    },
  },
  errors: [
    'plan_unchanged',
    'quantity_unchanged',
    'subscription_quantity_invalid',
    'offering_unchanged',
    'subscription_not_found',
    'plan_not_found',
    'offering_not_found',
    ...refusalsOf('cancel', 'undoCancel', 'pause', 'resume', 'moveTrial', 'scheduleChange', 'changeNow'),
    'change_needs_period_end',
    'plan_incompatible',
    'recurring_price_interval_missing',
    'subscription_exists',
  ],
};
