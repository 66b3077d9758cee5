/** POST /v1/subscriptions/:id/quantity: more now, for the difference, or another quantity at the end of the period. */
import { quantityRequest } from '../../contract/subscription/subscription-operations.ts';
import type { ApiContext } from '../http/context.ts';
import { parseFields } from '../http/request/parse-fields.ts';
import type { Route } from '../http/route.ts';
import { changeRoute, type WhenToChange, whenOf } from './change-route.ts';

export function quantityRoute(context: ApiContext): Route {
  return changeRoute(context, '/v1/subscriptions/:id/quantity', {
    read: readQuantity,
    describe: {
      operationId: 'changeQuantity',
      summary: 'Change the quantity',
      description:
        'Another quantity of the same plan at the same price, from the end of the current period or trial. With ' +
        '`effective` `now` the difference for the rest of the period is charged, as in `plan-change`; a smaller quantity ' +
        'costs nothing now, and is 409 `change_needs_period_end`.',
      body: { schema: quantityRequest, example: { quantity: 5, effective: 'now' }, required: true },
      errors: ['quantity_unchanged', 'subscription_quantity_invalid'],
    },
  });
}

/** @throws ApiError 400 */
export function readQuantity(body: Readonly<Record<string, unknown>>): WhenToChange {
  const fields = parseFields(quantityRequest, body, 'subscription');
  return { type: 'quantity_change', quantity: fields.quantity, ...whenOf(fields) };
}
