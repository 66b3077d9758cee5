/** GET /v1/operations/merchants: the health of each merchant. */
import type { OperationDescription } from '../../contract/core/operation.ts';
import { merchantHealthPage, merchantHealthQuery } from '../../contract/operations/overview.ts';
import { listMerchantHealth } from '../../db/operations/merchant-health.ts';
import { pageAfterId } from '../http/lists/cursor.ts';
import { parseRequest } from '../http/request/parse-request.ts';
import { merchantsSeenBy, operatorRoute } from './operator-gate.ts';

export const listMerchantHealthRoute = operatorRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/operations/merchants',
  may: 'see',
  describe,
  answer: async (request, _caller, response) => {
    const { q, cursor = null, limit } = parseRequest(merchantHealthQuery, request.query);
    const merchants = merchantsSeenBy(response);
    const rows = await listMerchantHealth(pool, {
      merchants,
      q: q?.trim() || null,
      after: cursor,
      limit: limit + 1,
    });
    return pageAfterId(rows, limit);
  },
}));

const describe: OperationDescription = {
  operationId: 'listMerchantHealth',
  tag: 'Operations',
  summary: 'The health of each merchant',
  description:
    'Newest first, paginated: whether it can sell, whether its endpoints answer, its latest sale, and its open ' +
    'incidents. `support` people see their merchants only.',
  query: merchantHealthQuery,
  answers: { 200: { description: 'A page.', ...merchantHealthPage } },
};
