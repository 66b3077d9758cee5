/** POST /v1/merchants/:merchantId/offerings: a named group of plans; subscribers may change between them. */
import { exampleOffering, newOffering, offeringAnswer } from '../../../contract/catalogue/offerings.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { createOffering, findOffering } from '../../../db/catalogue/offerings.ts';
import { parseFields } from '../../http/request/parse-fields.ts';
import { createRoute } from '../../http/routes/keyed-route.ts';

export const createOfferingRoute = createRoute(({ pool }) => ({
  path: '/v1/merchants/:merchantId/offerings',
  allow: ['manage_catalogue'],
  describe,
  idPrefix: 'ap_off_',
  find: (pool, merchantId, offeringId) => findOffering(pool, { merchantId, offeringId }),
  create: async (request, { merchantId, actor }, id) => {
    const fields = parseFields(newOffering, request.body, 'offering');
    return createOffering(pool, merchantId, fields, actor, id);
  },
}));

const describe: OperationDescription = {
  operationId: 'createOffering',
  tag: 'Catalogue',
  summary: 'Create an offering',
  description:
    'A plan change stays inside the offering of the subscription; a plan is in at most one offering. Subscriptions ' +
    'created before a plan joined the offering are in none.',
  idempotencyKey: 'optional',
  body: {
    schema: newOffering,
    example: { name: exampleOffering.name, plan_ids: exampleOffering.plan_ids },
    required: true,
  },
  answers: {
    201: {
      description: 'The offering.',
      ...offeringAnswer,
      links: [
        {
          operationId: 'updateOffering',
          parameters: { merchantId: '$response.body#/merchant_id', offeringId: '$response.body#/id' },
        },
      ],
    },
  },
  errors: ['plan_not_found', 'plan_in_other_offering', 'product_not_recurring'],
};
