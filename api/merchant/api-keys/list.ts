/** GET /v1/merchants/:merchantId/api-keys: the active keys, newest first; `environment` filters a person's list. */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { bothEnvironments } from '../../../contract/core/pagination.ts';
import { apiKeyListAnswer } from '../../../contract/merchant/api-keys.ts';
import { listApiKeys } from '../../../db/merchant/api-keys.ts';
import { environmentFilter } from '../../http/lists/environment-filter.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';

export const listApiKeysRoute = merchantRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/api-keys',
  allow: ['read'],
  describe,
  answer: async (request, { merchantId }, response) => {
    const data = await listApiKeys(pool, merchantId, environmentFilter(request, response));
    return { data };
  },
}));

const describe: OperationDescription = {
  operationId: 'listApiKeys',
  tag: 'API keys',
  summary: 'List active API keys',
  description:
    'Newest first, without the keys themselves. A rotated key is listed until its `expires_at`. An API key ' +
    'can list only the keys of its environment.',
  query: bothEnvironments,
  answers: { 200: { description: 'The keys.', ...apiKeyListAnswer } },
};
