/**
 * POST /v1/subscriptions/:id/plan-change/preview, …/quantity/preview and …/cancel/preview: show what a change would
 * charge and when a cancellation ends the subscription.
 */
import type { RequestHandler } from 'express';
import { exampleSingle } from '../../contract/core/examples.ts';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { exampleChange } from '../../contract/subscription/resources.ts';
import {
  cancelRequest,
  changePreviewAnswer,
  describedPlanChangeRequest,
  exampleChangePreview,
  quantityRequest,
} from '../../contract/subscription/subscription-operations.ts';
import type { Pool } from '../../db/core/pool.ts';
import { type PreviewedChange, previewCancel, previewChange } from '../../db/subscription/preview-change.ts';
import type { Scope } from '../../domain/core/environment.ts';
import { refusalsOf } from '../../domain/subscription/operations.ts';
import { authenticate } from '../http/authentication/api-key.ts';
import { refuseOtherMerchantInBody } from '../http/authentication/own-merchant.ts';
import type { ApiContext } from '../http/context.ts';
import { scopeOf } from '../http/exchange.ts';
import { readJsonBody } from '../http/request/json-body.ts';
import { refuseUnknownFields } from '../http/request/refuse-unknown-fields.ts';
import { sendResource } from '../http/resource.ts';
import type { Route } from '../http/route.ts';
import { isAtPeriodEnd } from './cancel-subscription.ts';
import { PLAN_ERRORS, type WhenToChange } from './change-route.ts';
import { readPlanChange } from './plan-change.ts';
import { readQuantity } from './quantity.ts';
import {
  readSubscription,
  refusalOf,
  subscriptionIdOf,
  subscriptionOfKey,
} from './subscription-operation.ts';

export function planChangePreviewRoute(context: ApiContext): Route {
  return previewRoute(context, 'plan-change', changeTo(readPlanChange), planChange);
}

export function quantityPreviewRoute(context: ApiContext): Route {
  return previewRoute(context, 'quantity', changeTo(readQuantity), quantityChange);
}

export function cancelPreviewRoute(context: ApiContext): Route {
  const read: Read = (body) => {
    const atPeriodEnd = isAtPeriodEnd(body);
    return (pool, subscriptionId) => previewCancel(pool, { subscriptionId, atPeriodEnd });
  };
  return previewRoute(context, 'cancel', read, cancellation);
}

export type Preview = (pool: Pool, subscriptionId: string) => ReturnType<typeof previewChange>;
/** @throws ApiError 400 */
type Read = (body: Readonly<Record<string, unknown>>) => Preview;

function changeTo(read: (body: Readonly<Record<string, unknown>>) => WhenToChange): Read {
  return (body) => {
    const wanted = read(body);
    return (pool, subscriptionId) => previewChange(pool, { subscriptionId, ...wanted });
  };
}

function previewRoute(
  context: ApiContext,
  operation: string,
  read: Read,
  describe: OperationDescription,
): Route {
  const show: RequestHandler = async (request, response) => {
    const scope = scopeOf(response);
    const subscriptionId = subscriptionIdOf(request);
    const preview = read(request.body);
    await readSubscription(context, scope, subscriptionId);
    sendResource(response, 200, await readPreview(context, scope, subscriptionId, preview));
  };
  return {
    method: 'post',
    path: `/v1/subscriptions/:id/${operation}/preview`,
    handlers: [
      authenticate(context),
      readJsonBody,
      refuseOtherMerchantInBody,
      refuseUnknownFields(describe, subscriptionOfKey(context)),
      show,
    ],
    describe,
  };
}

/** @throws ApiError if the operation would be rejected */
export async function readPreview(
  context: ApiContext,
  scope: Scope,
  subscriptionId: string,
  preview: Preview,
) {
  const previewed = await preview(context.pool, subscriptionId);
  if (previewed.kind === 'refused') throw await refusalOf(context, { scope, subscriptionId }, previewed);
  return shown(previewed);
}

function shown({ lines, total, currency, calculatedAt, effectiveAt, nextRenewal }: PreviewedChange) {
  return {
    lines: lines.map(({ unitAmount, taxRate, taxAmount, ...line }) => ({
      ...line,
      unit_amount: unitAmount,
      tax_rate: taxRate,
      tax_amount: taxAmount,
    })),
    total,
    currency,
    calculated_at: calculatedAt,
    effective_at: effectiveAt,
    next_renewal: nextRenewal,
  };
}

const common = {
  tag: 'Subscriptions',
  description:
    'With the body of the change: its lines and total, and what the next renewal will charge. Nothing changes. Send its ' +
    '`calculated_at` with the change to charge exactly these lines (at the end of the period: this renewal), within 15 ' +
    'minutes, while nothing else has changed (409 `preview_outdated` otherwise).',
  security: 'apiKey',
  answers: {
    200: {
      description: 'The charge of the change.',
      schema: changePreviewAnswer,
      example: exampleSingle(exampleChangePreview),
    },
  },
} satisfies Partial<OperationDescription>;

const COMMON_ERRORS = [
  'invalid_request',
  'subscription_not_found',
  ...refusalsOf('scheduleChange', 'changeNow'),
  'subscription_charge_pending',
  'change_needs_period_end',
  'preview_outdated',
] as const;

const planChange: OperationDescription = {
  ...common,
  operationId: 'previewPlanChange',
  summary: 'Preview a plan change',
  body: {
    schema: describedPlanChangeRequest,
    example: { target_plan_id: exampleChange.target_plan_id, effective: 'now' },
    required: true,
  },
  errors: [...COMMON_ERRORS, ...PLAN_ERRORS],
};

const quantityChange: OperationDescription = {
  ...common,
  operationId: 'previewQuantity',
  summary: 'Preview a change of quantity',
  body: { schema: quantityRequest, example: { quantity: 5, effective: 'now' }, required: true },
  errors: [...COMMON_ERRORS, 'quantity_unchanged', 'subscription_quantity_invalid'],
};

const cancellation: OperationDescription = {
  ...common,
  operationId: 'previewCancel',
  summary: 'Preview a cancellation',
  description:
    'With the body of the cancellation: when it ends the subscription. Nothing changes. A cancellation charges ' +
    'nothing, and refunds nothing of the paid period: refund its payment separately.',
  body: { schema: cancelRequest, example: { at_period_end: true }, required: false },
  answers: {
    200: {
      description: 'When the subscription would end.',
      schema: changePreviewAnswer,
      example: exampleSingle({ ...exampleChangePreview, lines: [], total: 0, next_renewal: null }),
    },
  },
  errors: ['invalid_request', 'subscription_not_found', ...refusalsOf('cancel')],
};
