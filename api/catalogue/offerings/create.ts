/** POST /v1/merchants/:merchantId/offerings: a named group of plans; subscribers may change between them. */
import type { RequestHandler } from 'express';
import { exampleOffering, newOffering, offeringAnswer } from '../../../contract/catalogue/offerings.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { createOffering } from '../../../db/catalogue/offerings.ts';
import { administering, granted, sendResource } from '../../http/auth/administer.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { accessOf, actorOf } from '../../http/exchange.ts';
import { parseFields } from '../../http/request/parse-fields.ts';
import type { Route } from '../../http/route.ts';
import { OFFERINGS, offeringsPath } from './offering-of-request.ts';

export function createOfferingRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const create: RequestHandler = async (request, response) => {
    const fields = parseFields(newOffering, request.body, 'offering');
    const { merchantId } = accessOf(response);
    const offering = await createOffering(pool, merchantId, fields, actorOf(response));
    sendResource(response, 201, granted(offering));
  };
  return {
    method: 'post',
    path: OFFERINGS,
    handlers: [...administering(gate, 'manage_catalogue'), create],
    describe,
  };
}

const describe: OperationDescription = {
  operationId: 'createOffering',
  tag: 'Catalogue',
  summary: 'Create an offering',
  description:
    'A plan change stays inside the offering of the subscription; a plan is in at most one offering. Subscriptions ' +
    'created before a plan joined the offering are in none.',
  security: 'apiKeyOrPerson',
  catalogue: true,
  path: offeringsPath,
  body: {
    schema: newOffering,
    example: { name: exampleOffering.name, plan_ids: exampleOffering.plan_ids },
    required: true,
  },
  answers: {
    201: {
      description: 'The offering.',
      schema: offeringAnswer,
      example: exampleOffering,
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
