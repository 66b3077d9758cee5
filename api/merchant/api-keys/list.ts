/** GET /v1/merchants/:merchantId/api-keys: the active keys, newest first; `environment` filters a person's list. */
import { z } from 'zod';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { apiKeyListAnswer, exampleApiKey } from '../../../contract/merchant/api-keys.ts';
import { listApiKeys } from '../../../db/merchant/api-keys.ts';
import { ENVIRONMENTS } from '../../../domain/core/environment.ts';
import { environmentFilter } from '../../http/lists/environment-filter.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';
import { API_KEYS } from './key-paths.ts';

export const listApiKeysRoute = merchantRoute(({ pool }) => ({
  method: 'get',
  path: API_KEYS,
  allow: ['read'],
  describe,
  answer: async (request, { merchantId }, response) => {
    const data = await listApiKeys(pool, merchantId, environmentFilter(request, response));
    return { data };
  },
}));

const { key: _, ...listed } = exampleApiKey;
const describe: OperationDescription = {
  operationId: 'listApiKeys',
  tag: 'API keys',
  summary: 'List active API keys',
  description:
    'Newest first, without the keys themselves. A rotated key is listed until its `expires_at`. An API key ' +
    'can list only the keys of its environment.',
  query: z.object({ environment: z.enum(ENVIRONMENTS).optional() }),
  answers: {
    200: {
      description: 'The keys.',
      schema: apiKeyListAnswer,
      example: { data: [listed] },
    },
  },
};
