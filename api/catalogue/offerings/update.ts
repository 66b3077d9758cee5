/** PATCH /v1/merchants/:merchantId/offerings/:offeringId: name, plans and `status`. Absent fields stay unchanged. */
import { exampleOffering, offeringAnswer, offeringChanges } from '../../../contract/catalogue/offerings.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { updateOffering } from '../../../db/catalogue/offerings.ts';
import { parseFields } from '../../http/request/parse-fields.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';
import { offeringOfRequest } from './offering-of-request.ts';

export const updateOfferingRoute = merchantRoute(({ pool }) => ({
  method: 'patch',
  path: '/v1/merchants/:merchantId/offerings/:offeringId',
  allow: ['manage_catalogue'],
  describe,
  answer: (request, { actor }, response) => {
    const ref = offeringOfRequest(request, response);
    const changes = parseFields(offeringChanges, request.body, 'offering');
    return updateOffering(pool, ref, changes, actor);
  },
}));

const describe: OperationDescription = {
  operationId: 'updateOffering',
  tag: 'Catalogue',
  summary: 'Change an offering, activate or deactivate it',
  description:
    'Absent fields stay unchanged. `plan_ids` replaces the whole set: plans missing from it leave the offering. ' +
    'Subscriptions stay in their agreed offering, and scheduled changes still apply. With ' +
    '`status` `inactive`, subscriptions can no longer change to it.',
  body: { schema: offeringChanges, example: { plan_ids: exampleOffering.plan_ids }, required: false },
  answers: { 200: { description: 'The changed offering.', ...offeringAnswer } },
  errors: ['offering_not_found', 'plan_not_found', 'plan_in_other_offering', 'product_not_recurring'],
};
