/** POST /v1/merchants/:merchantId/api-keys: a new key for one environment. Only this response contains it. */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { createdApiKeyAnswer, newApiKey } from '../../../contract/merchant/api-keys.ts';
import { createApiKey } from '../../../db/merchant/api-keys.ts';
import { parseRequest } from '../../http/request/parse-request.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';
import { makeApiKey, withSecret } from './new-key.ts';

// Unknown fields are rejected: a misspelt `scope` would otherwise create an unrestricted key.
export const createApiKeyRoute = merchantRoute(({ pool, config }) => ({
  method: 'post',
  path: '/v1/merchants/:merchantId/api-keys',
  allow: ['manage_keys'],
  describe,
  answer: async (request, { merchantId, actor }) => {
    const { expires_at: endsAt = null, ...terms } = parseRequest(newApiKey, request.body);
    const made = makeApiKey({ ...terms, endsAt }, config.secrets.apiKeyPepper);
    const apiKey = await createApiKey(pool, merchantId, made.stored, actor);
    return typeof apiKey === 'string' ? apiKey : withSecret(apiKey, made.key);
  },
}));

const describe: OperationDescription = {
  operationId: 'createApiKey',
  tag: 'API keys',
  summary: 'Create an API key',
  description:
    'For owners and developers. Only this response contains `key`: only its hash is stored. An environment has at ' +
    'most twenty active keys.',
  body: { schema: newApiKey, example: { environment: 'sandbox', name: 'Web shop' }, required: true },
  answers: { 201: { description: 'The key.', ...createdApiKeyAnswer } },
  errors: ['api_key_limit_reached'],
};
