/**
 * POST /v1/subscriptions/:id/plan-change/preview, …/quantity/preview and …/cancel/preview: show what a change would
 * charge and when a cancellation ends the subscription.
 */
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
import { storedLine } from '../../domain/subscription/proration.ts';
import type { ApiContext } from '../http/context.ts';
import { keyRoute } from '../http/routes/gated-route.ts';
import { readCancel, wantedCancel } from './cancel-subscription.ts';
import { CHANGE_ERRORS, PLAN_ERRORS, type WhenToChange } from './change-route.ts';
import { readPlanChange } from './plan-change.ts';
import { readQuantity } from './quantity.ts';
import { readSubscription, refusalOf, subscriptionIdOf } from './subscription-operation.ts';

export type Preview = (pool: Pool, subscriptionId: string) => ReturnType<typeof previewChange>;
/** @throws ApiError 400 */
type Read = (body: Readonly<Record<string, unknown>>) => Preview;

function changeTo(read: (body: Readonly<Record<string, unknown>>) => WhenToChange): Read {
  return (body) => {
    const wanted = read(body);
    return (pool, subscriptionId) => previewChange(pool, { subscriptionId, ...wanted });
  };
}

function cancelWith(body: Readonly<Record<string, unknown>>): Preview {
  const wanted = wantedCancel(readCancel(body));
  return (pool, subscriptionId) => previewCancel(pool, { subscriptionId, ...wanted });
}

function previewRoute(operation: string, read: Read, describe: OperationDescription) {
  return keyRoute((context) => ({
    method: 'post',
    path: `/v1/subscriptions/:id/${operation}/preview`,
    describe,
    find: (request, scope) => readSubscription(context, scope, subscriptionIdOf(request)),
    answer: async (request, scope) => {
      const subscriptionId = subscriptionIdOf(request);
      const preview = read(request.body);
      await readSubscription(context, scope, subscriptionId);
      return readPreview(context, scope, subscriptionId, preview);
    },
  }));
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
    lines: lines.map((line) => storedLine(line, { key: line.key, period: line.period })),
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
  answers: {
    200: {
      description: 'The charge of the change.',
      schema: changePreviewAnswer,
      example: exampleChangePreview,
    },
  },
} satisfies Partial<OperationDescription>;

const planChange: OperationDescription = {
  ...common,
  operationId: 'previewPlanChange',
  summary: 'Preview a plan change',
  body: {
    schema: describedPlanChangeRequest,
    example: { target_plan_id: exampleChange.target_plan_id, effective: 'now' },
    required: true,
  },
  errors: [...CHANGE_ERRORS, ...PLAN_ERRORS],
};

const quantityChange: OperationDescription = {
  ...common,
  operationId: 'previewQuantity',
  summary: 'Preview a change of quantity',
  body: { schema: quantityRequest, example: { quantity: 5, effective: 'now' }, required: true },
  errors: [...CHANGE_ERRORS, 'quantity_unchanged', 'subscription_quantity_invalid'],
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
      example: { ...exampleChangePreview, lines: [], total: 0, next_renewal: null },
    },
  },
  errors: ['subscription_not_found', ...refusalsOf('cancel'), 'preview_outdated'],
};

export const planChangePreviewRoute = previewRoute('plan-change', changeTo(readPlanChange), planChange);
export const quantityPreviewRoute = previewRoute('quantity', changeTo(readQuantity), quantityChange);
export const cancelPreviewRoute = previewRoute('cancel', cancelWith, cancellation);
