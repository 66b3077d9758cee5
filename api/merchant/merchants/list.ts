/** GET /v1/merchants: the merchants that a person may see, newest first. */
import type { RequestHandler } from 'express';
import type { DescribedOperation } from '../../../contract/core/operation.ts';
import { merchantListAnswer, merchantListQuery } from '../../../contract/merchant/merchants.ts';
import { listMerchants } from '../../../db/merchant/merchants.ts';
import type { MerchantGate } from '../../http/authentication/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { personOf } from '../../http/exchange.ts';
import { pageAfterId } from '../../http/lists/cursor.ts';
import { parseRequest } from '../../http/request/parse-request.ts';
import { sendResource } from '../../http/resource.ts';
import type { Route } from '../../http/route.ts';

export function listMerchantsRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const list: RequestHandler = async (request, response) => {
    const { cursor = null, limit } = parseRequest(merchantListQuery, request.query);
    const { roles, merchants } = personOf(response);
    const among = roles.includes('platform') ? null : merchants;
    const rows = await listMerchants(pool, among, { before: cursor, limit: limit + 1 });
    sendResource(response, 200, pageAfterId(rows, limit));
  };
  return { method: 'get', path: '/v1/merchants', handlers: [...gate.people, list], describe };
}

const describe: DescribedOperation = {
  operationId: 'listMerchants',
  tag: 'Merchants',
  summary: 'Your merchants',
  description: '`platform` people see every merchant, others those named in their token. Newest first.',
  security: 'person',
  query: merchantListQuery,
  answers: { 200: { description: 'A page of merchants.', ...merchantListAnswer } },
};
