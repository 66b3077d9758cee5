/** GET /v1/merchants/:merchantId/offerings: the merchant's offerings with their plans, newest first. */
import type { RequestHandler } from 'express';
import { exampleOffering, offeringList } from '../../../contract/catalogue/offerings.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { listOfferings } from '../../../db/catalogue/offerings.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { accessOf } from '../../http/exchange.ts';
import { sendList } from '../../http/lists/list-route.ts';
import type { Route } from '../../http/route.ts';
import { OFFERINGS, offeringsPath } from './offering-of-request.ts';

export function listOfferingsRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const list: RequestHandler = (_request, response) =>
    sendList(response, (batch) => listOfferings(pool, accessOf(response).merchantId, batch));
  return {
    method: 'get',
    path: OFFERINGS,
    handlers: [...gate.allow('read', 'manage_catalogue'), list],
    describe,
  };
}

const { request_id, ...inList } = exampleOffering;

const describe: OperationDescription = {
  operationId: 'listOfferings',
  tag: 'Catalogue',
  summary: 'The offerings of a merchant',
  description: 'All of them, newest first, including inactive ones.',
  security: 'apiKeyOrPerson',
  catalogue: true,
  path: offeringsPath,
  answers: {
    200: { description: 'The offerings.', schema: offeringList, example: { data: [inList], request_id } },
  },
  errors: [],
};
