/** DELETE /v1/merchants/:merchantId/api-keys/:keyId: from the next request on, every process rejects the key. */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { exampleApiKey, revokedApiKeyAnswer } from '../../../contract/merchant/api-keys.ts';
import { revokeApiKey } from '../../../db/merchant/api-keys.ts';
import { pathId } from '../../http/request/path-id.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';

export const revokeApiKeyRoute = merchantRoute(({ pool }) => ({
  method: 'delete',
  path: '/v1/merchants/:merchantId/api-keys/:keyId',
  allow: ['manage_keys'],
  describe,
  answer: async (request, { merchantId, actor }) => {
    const id = pathId(request, 'keyId');
    const isRevoked = await revokeApiKey(pool, merchantId, id, actor);
    return isRevoked ? { id, revoked: true } : 'api_key_not_found';
  },
}));

const describe: OperationDescription = {
  operationId: 'revokeApiKey',
  tag: 'API keys',
  summary: 'Revoke an API key',
  description:
    'Takes effect immediately and for good: the next request with the key gets 401 `api_key_invalid`. To give ' +
    'servers time, rotate it instead. Operations that the key started continue.',
  answers: {
    200: {
      description: 'The key is revoked.',
      schema: revokedApiKeyAnswer,
      example: { id: exampleApiKey.id, revoked: true },
    },
  },
  errors: ['api_key_not_found'],
};
