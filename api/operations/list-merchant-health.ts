/** GET /v1/operations/merchants: the health of each merchant. */
import type { RequestHandler } from 'express';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { examplePageOf } from '../../contract/core/pages.ts';
import {
  exampleMerchantHealth,
  merchantHealthPage,
  merchantHealthQuery,
} from '../../contract/operations/overview.ts';
import { listMerchantHealth } from '../../db/operations/merchant-health.ts';
import type { MerchantGate } from '../http/auth/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import { exchangeOf } from '../http/exchange.ts';
import { parseRequest } from '../http/request/parse-request.ts';
import type { Route } from '../http/route.ts';
import { merchantsSeenBy, operators } from './operator-gate.ts';

export function listMerchantHealthRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const list: RequestHandler = async (request, response) => {
    const { q, cursor = null, limit } = parseRequest(merchantHealthQuery, request.query);
    const merchants = merchantsSeenBy(response);
    const rows = await listMerchantHealth(pool, {
      merchants,
      q: q?.trim() || null,
      after: cursor,
      limit: limit + 1,
    });
    const data = rows.slice(0, limit);
    response.json({
      data,
      next_cursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null,
      request_id: exchangeOf(response).requestId,
    });
  };
  return {
    method: 'get',
    path: '/v1/operations/merchants',
    handlers: [...operators(gate, 'see'), list],
    describe,
  };
}

const describe: OperationDescription = {
  operationId: 'listMerchantHealth',
  tag: 'Operations',
  summary: 'The health of each merchant',
  description:
    'Newest first, paginated: whether it can sell, whether its endpoints answer, its latest sale, and its open ' +
    'incidents. `support` people see their merchants only.',
  security: 'person',
  query: merchantHealthQuery,
  answers: {
    200: {
      description: 'A page.',
      schema: merchantHealthPage,
      example: examplePageOf(exampleMerchantHealth),
    },
  },
  errors: [],
};
