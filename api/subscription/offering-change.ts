/** POST /v1/subscriptions/:id/offering-change: a plan of another offering, from the end of the period or now. */
import { exampleChange, exampleSubscription } from '../../contract/subscription/resources.ts';
import { offeringChangeRequest } from '../../contract/subscription/subscription-operations.ts';
import type { ApiContext } from '../http/context.ts';
import { parseFields } from '../http/request/parse-fields.ts';
import type { Route } from '../http/route.ts';
import { changeRoute, PLAN_ERRORS, whenOf } from './change-route.ts';

export function offeringChangeRoute(context: ApiContext): Route {
  return changeRoute(context, '/v1/subscriptions/:id/offering-change', {
    read: (body) => {
      const fields = parseFields(offeringChangeRequest, body, 'offering_change');
      return {
        type: 'offering_change',
        targetPlanId: fields.target_plan_id,
        targetOfferingId: fields.target_offering_id,
        ...whenOf(fields),
      };
    },
    describe: {
      operationId: 'changeOffering',
      summary: 'Change to a plan of another offering',
      description:
        'Switches to a plan of another offering at the end of the current period or trial. A subscription whose plan is ' +
        'in no offering can change plans only this way. `effective` as in `plan-change`.',
      body: {
        schema: offeringChangeRequest,
        example: {
          target_offering_id: exampleSubscription.offering?.id,
          target_plan_id: exampleChange.target_plan_id,
        },
        required: true,
      },
      errors: [...PLAN_ERRORS, 'offering_not_found', 'offering_unchanged'],
    },
  });
}
