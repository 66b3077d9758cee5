/** GET /v1/merchants/:merchantId/offerings/:offeringId */
import type { RequestHandler } from 'express';
import { exampleOffering, offeringAnswer } from '../../../contract/catalogue/offerings.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { findOffering } from '../../../db/catalogue/offerings.ts';
import { granted, sendResource } from '../../http/auth/administer.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import type { Route } from '../../http/route.ts';
import { OFFERING, offeringOfRequest, offeringPath } from './offering-of-request.ts';

export function showOfferingRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const show: RequestHandler = async (request, response) => {
    const offering = await findOffering(pool, offeringOfRequest(request, response));
    sendResource(response, 200, granted(offering ?? 'offering_not_found'));
  };
  return {
    method: 'get',
    path: OFFERING,
    handlers: [...gate.allow('read', 'manage_catalogue'), show],
    describe,
  };
}

const describe: OperationDescription = {
  operationId: 'showOffering',
  tag: 'Catalogue',
  summary: 'One offering',
  description: 'The offering with its plans, even if inactive.',
  security: 'apiKeyOrPerson',
  catalogue: true,
  path: offeringPath,
  answers: { 200: { description: 'The offering.', schema: offeringAnswer, example: exampleOffering } },
  errors: ['offering_not_found'],
};
