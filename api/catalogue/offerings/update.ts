/** PATCH …/offerings/:offeringId: name, plans, and `status`. What is absent stays as it is. */
import type { RequestHandler } from 'express';
import { exampleOffering, offeringAnswer, offeringChanges } from '../../../contract/catalogue/offerings.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { updateOffering } from '../../../db/catalogue/offerings.ts';
import { administering, granted, sendResource } from '../../http/administer.ts';
import type { ApiContext } from '../../http/context.ts';
import { actorOf } from '../../http/exchange.ts';
import type { MerchantGate } from '../../http/merchant-gate.ts';
import { parseFields } from '../../http/parse-fields.ts';
import type { Route } from '../../http/route.ts';
import { OFFERING, offeringOfRequest, offeringPath } from './offering-of-request.ts';

export function updateOfferingRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const update: RequestHandler = async (request, response) => {
    const ref = offeringOfRequest(request, response);
    const changes = parseFields(offeringChanges, request.body, 'offering');
    sendResource(response, 200, granted(await updateOffering(pool, ref, changes, actorOf(response))));
  };
  return { method: 'patch', path: OFFERING, handlers: [...administering(gate), update], describe };
}

const describe: OperationDescription = {
  operationId: 'updateOffering',
  tag: 'Catalogue',
  summary: 'Change an offering, activate or deactivate it',
  description:
    'What is absent stays as it is. `plan_ids` is the whole new set: plans that are not in it leave the offering. ' +
    'Subscriptions stay in the offering that they were agreed in, and scheduled changes are carried out. With ' +
    '`status` `inactive` nobody changes to the offering any more.',
  security: 'person',
  path: offeringPath,
  body: { schema: offeringChanges, example: { plan_ids: exampleOffering.plan_ids }, required: false },
  answers: {
    200: { description: 'The offering as it is now.', schema: offeringAnswer, example: exampleOffering },
  },
  errors: ['offering_not_found', 'plan_not_found', 'plan_in_other_offering', 'product_not_recurring'],
};
