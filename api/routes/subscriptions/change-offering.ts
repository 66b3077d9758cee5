/** POST /v1/subscriptions/:id/offering-change: a plan of another offering, from the end of the period on. */
import { offeringChangeRequest } from '../../../contract/subscription-operations.ts';
import {
  type ScheduleChangeCommand,
  scheduleChangeUpdate,
} from '../../../workflows/subscription-messages.ts';
import type { ApiContext } from '../../context.ts';
import { parseFields } from '../../parse-fields.ts';
import type { Route } from '../../route.ts';
import { changeRoute } from './change-route.ts';

export function changeOfferingRoute(context: ApiContext): Route {
  return changeRoute(context, '/v1/subscriptions/:id/offering-change', {
    update: scheduleChangeUpdate,
    readCommand: (body): ScheduleChangeCommand => {
      const fields = parseFields(offeringChangeRequest, body, 'offering_change');
      return {
        type: 'offering_change',
        targetPlanId: fields.target_plan_id,
        targetOfferingId: fields.target_offering_id,
      };
    },
  });
}
