/** GET /v1/merchants/:merchantId/api-keys: the active keys, newest first; `environment` filters a person's list. */
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { EXAMPLE_REQUEST_ID } from '../../../contract/core/answers.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { apiKeyListAnswer, exampleApiKey } from '../../../contract/merchant/api-keys.ts';
import { listApiKeys } from '../../../db/merchant/api-keys.ts';
import { ENVIRONMENTS } from '../../../domain/core/environment.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { accessOf, exchangeOf } from '../../http/exchange.ts';
import { environmentFilter } from '../../http/lists/environment-filter.ts';
import type { Route } from '../../http/route.ts';
import { merchantPath } from '../core/merchant-of-request.ts';
import { API_KEYS } from './key-paths.ts';

export function listApiKeysRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const list: RequestHandler = async (request, response) => {
    const { merchantId } = accessOf(response);
    const data = await listApiKeys(pool, merchantId, environmentFilter(request, response));
    response.json({ data, request_id: exchangeOf(response).requestId });
  };
  return { method: 'get', path: API_KEYS, handlers: [...gate.read, list], describe };
}

const { key: _, ...listed } = exampleApiKey;
const describe: OperationDescription = {
  operationId: 'listApiKeys',
  tag: 'API keys',
  summary: 'List active API keys',
  description:
    'Newest first, without the keys themselves. A rotated key is listed until its `expires_at`. An API key ' +
    'can list only the keys of its environment.',
  security: 'apiKeyOrPerson',
  path: merchantPath,
  query: z.object({ environment: z.enum(ENVIRONMENTS).optional() }),
  answers: {
    200: {
      description: 'The keys.',
      schema: apiKeyListAnswer,
      example: { data: [listed], request_id: EXAMPLE_REQUEST_ID },
    },
  },
  errors: [],
};
