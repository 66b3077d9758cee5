import type { OperationDescription } from '../../../contract/core/operation.ts';
import { exampleApiKey, revokedApiKeyAnswer } from '../../../contract/merchant/api-keys.ts';
import { revokeApiKey } from '../../../db/merchant/api-keys.ts';
import { ApiError } from '../../http/errors.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';
import { API_KEY, KEY_ID } from './key-paths.ts';

export const revokeApiKeyRoute = merchantRoute(({ pool }) => ({
  method: 'delete',
  path: API_KEY,
  allow: ['manage_keys'],
  describe,
  answer: async (request, { merchantId, actor }) => {
    const id = String(request.params.keyId);
    const revoked = KEY_ID.test(id) && (await revokeApiKey(pool, merchantId, id, actor));
    if (!revoked) throw new ApiError('api_key_not_found');
    return { id, revoked: true };
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
