/** Operations on a subscription: requests and responses. */
import { z } from 'zod';
import { requiredText, text } from '../core/text.ts';
import { CLOSED } from '../core/unknown-field.ts';
import { subscription, subscriptionChange } from './resources.ts';

export const cancelRequest = z
  .object({
    at_period_end: z
      .boolean()
      .optional()
      .meta({ description: 'If true, at the end of the current period; by default immediately.' }),
  })
  .meta({ id: 'SubscriptionCancelRequest', ...CLOSED });

/** Operations that need nothing but their subscription. */
export const emptyRequest = z.object({}).meta({ id: 'EmptyRequest', ...CLOSED });

const targetPlanId = text(200).meta({ description: 'A recurring product in the same offering.' });
const targetProductId = text(200).meta({ description: 'Alias of target_plan_id.' });

export const planChangeRequest = z.object({
  target_plan_id: targetPlanId.nullish(),
  target_product_id: targetProductId.nullish(),
});

/** In the API description, one of the two names is required. */
export const describedPlanChangeRequest = z
  .union([
    z.object({ target_plan_id: targetPlanId }).meta({ id: 'PlanChangeToPlan', ...CLOSED }),
    z.object({ target_product_id: targetProductId }).meta({ id: 'PlanChangeToProduct', ...CLOSED }),
  ])
  .meta({ id: 'PlanChangeRequest' });

export const offeringChangeRequest = z
  .object({
    target_offering_id: requiredText(200),
    target_plan_id: requiredText(200).meta({ description: 'A recurring product in that offering.' }),
  })
  .meta({ id: 'OfferingChangeRequest', ...CLOSED });

export const changeCancelRequest = z
  .object({ action_id: requiredText(200).meta({ description: 'The action_id of the change.' }) })
  .meta({ id: 'ChangeCancelRequest', ...CLOSED });

export const advanceRequest = z
  .object({
    to: z.iso
      .datetime({ offset: true })
      .meta({ description: "RFC 3339, any offset; not before the subscription's clock." }),
  })
  .meta({ id: 'AdvanceRequest' });

const requestId = { request_id: z.string() };

export const subscriptionAnswer = subscription.extend(requestId).meta({ id: 'SubscriptionAnswer' });
export const changeAnswer = subscriptionChange.extend(requestId).meta({ id: 'SubscriptionChangeAnswer' });

export const subscriptionPath = z.object({
  id: z.string().meta({ example: 'ap_sub_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8' }),
});
