/** POST /v1/subscriptions/:id/plan-change: another plan of the same offering, from the end of the period or now. */
import { exampleChange } from '../../contract/subscription/resources.ts';
import {
  describedPlanChangeRequest,
  planChangeRequest,
} from '../../contract/subscription/subscription-operations.ts';
import type { ApiContext } from '../http/context.ts';
import { invalidRequest } from '../http/errors.ts';
import { parseFields } from '../http/request/parse-fields.ts';
import type { Route } from '../http/route.ts';
import { changeRoute, PLAN_ERRORS, type WhenToChange, whenOf } from './change-route.ts';

export function planChangeRoute(context: ApiContext): Route {
  return changeRoute(context, '/v1/subscriptions/:id/plan-change', {
    read: readPlanChange,
    describe: {
      operationId: 'changePlan',
      summary: 'Change the plan',
      description:
        'Another plan of the same offering, from the end of the current period or trial; or the current plan, to ' +
        'move the subscription to its current price. `target_product_id` is an alias of `target_plan_id`: a plan ' +
        '*is* a recurring product. Nothing is charged before the change applies; ' +
        '`subscription.updated` reports the schedule and the change. With `effective` `now` the difference is charged to the ' +
        'stored method, and the plan changes when that is paid: `change.status` is then `applied`. A decline is 202 with ' +
        "`failed`, and nothing has changed; if the bank requires the customer's confirmation, it is " +
        '`requires_action` with a `hostedUrl`, ' +
        'where they confirm and pay it. Until the outcome is known, it is `pending`, and other operations are refused. A ' +
        'change that costs nothing now is 409 `change_needs_period_end`.',
      body: {
        schema: describedPlanChangeRequest,
        example: { target_plan_id: exampleChange.target_plan_id },
        required: true,
      },
      errors: PLAN_ERRORS,
    },
  });
}

/** @throws ApiError 400 */
export function readPlanChange(body: Readonly<Record<string, unknown>>): WhenToChange {
  const fields = parseFields(planChangeRequest, body, 'plan_change');
  return { type: 'plan_change', targetPlanId: targetOf(fields), targetOfferingId: null, ...whenOf(fields) };
}

/** Returns the named plan. `target_product_id` is an alias: both may be sent if they are equal. */
function targetOf(fields: {
  readonly target_plan_id?: string | null | undefined;
  readonly target_product_id?: string | null | undefined;
}): string {
  const plan = fields.target_plan_id || null;
  const product = fields.target_product_id || null;
  if (plan && product && plan !== product) {
    throw invalidRequest('target_plan_id and target_product_id differ.', {
      field: 'target_product_id',
      reason: 'inconsistent',
    });
  }
  const target = plan ?? product;
  if (!target)
    throw invalidRequest('target_plan_id is required.', { field: 'target_plan_id', reason: 'required' });
  return target;
}
