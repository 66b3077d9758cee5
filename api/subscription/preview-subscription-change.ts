/**
 * GET /v1/merchants/:merchantId/subscriptions/:subscriptionId/change-preview: shows a person what a change of plan or
 * quantity would charge.
 */
import type { z } from 'zod';
import { exampleSingle } from '../../contract/core/examples.ts';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { merchantSubscriptionPath, subscriptionPreviewQuery } from '../../contract/subscription/details.ts';
import {
  changePreviewAnswer,
  exampleChangePreview,
} from '../../contract/subscription/subscription-operations.ts';
import type { WantedChange } from '../../db/subscription/change-target.ts';
import { ApiError } from '../http/errors.ts';
import { parseRequest } from '../http/request/parse-request.ts';
import { merchantRoute } from '../http/routes/gated-route.ts';
import { readPreview } from './change-preview.ts';
import { SUBSCRIPTION, subscriptionOfPath } from './subscription-of-person.ts';

export const previewSubscriptionChangeRoute = merchantRoute((context) => ({
  method: 'get',
  path: `${SUBSCRIPTION}/change-preview`,
  allow: ['read'],
  describe,
  answer: async (request, _caller, response) => {
    const { effective, ...named } = parseRequest(subscriptionPreviewQuery, request.query);
    const wanted = wantedOf(named);
    const { id: subscriptionId, scope } = await subscriptionOfPath(context, request, response);
    return readPreview(context, scope, {
      subscriptionId,
      ...wanted,
      effective,
    });
  },
}));

/** @throws ApiError 400 */
function wantedOf({
  plan_id,
  offering_id,
  quantity,
}: Omit<z.infer<typeof subscriptionPreviewQuery>, 'effective'>): WantedChange {
  if (plan_id !== undefined) {
    const type = offering_id === undefined ? 'plan_change' : 'offering_change';
    return { type, targetPlanId: plan_id, targetOfferingId: offering_id ?? null, calculatedAt: null };
  }
  if (quantity === undefined)
    throw new ApiError('invalid_request', { message: 'plan_id or quantity is required.' });
  return { type: 'quantity_change', quantity, calculatedAt: null };
}

const describe: OperationDescription = {
  operationId: 'previewSubscriptionChange',
  tag: 'Dashboard',
  summary: 'Preview a change of a subscription',
  description:
    'As `POST /v1/subscriptions/{id}/plan-change/preview`, also for another offering, and as `quantity/preview`. Nothing ' +
    'changes.',
  security: 'apiKeyOrPerson',
  path: merchantSubscriptionPath,
  query: subscriptionPreviewQuery,
  answers: {
    200: {
      description: 'What the change would charge.',
      schema: changePreviewAnswer,
      example: exampleSingle(exampleChangePreview),
    },
  },
  errors: [
    'invalid_request',
    'plan_unchanged',
    'quantity_unchanged',
    'subscription_quantity_invalid',
    'offering_unchanged',
    'subscription_not_found',
    'plan_not_found',
    'offering_not_found',
    'subscription_incomplete',
    'subscription_finished',
    'subscription_trialing',
    'subscription_past_due',
    'subscription_paused',
    'subscription_change_scheduled',
    'subscription_cancel_scheduled',
    'subscription_charging_stopped',
    'subscription_charge_pending',
    'change_needs_period_end',
    'plan_incompatible',
    'subscription_exists',
  ],
};
