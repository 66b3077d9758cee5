/** POST /v1/merchants/:merchantId/api-keys/:keyId/rotate: replaces a key, which stays valid for `overlap_hours`. */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { apiKeyRotation, rotatedApiKeyAnswer } from '../../../contract/merchant/api-keys.ts';
import { hasApiKey, type KeyTerms, rotateApiKey } from '../../../db/merchant/api-keys.ts';
import { ApiError } from '../../http/errors.ts';
import { parseRequest } from '../../http/request/parse-request.ts';
import { pathId } from '../../http/request/path-id.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';
import { makeApiKey, withSecret } from './new-key.ts';

export const rotateApiKeyRoute = merchantRoute(({ pool, config }) => ({
  method: 'post',
  path: '/v1/merchants/:merchantId/api-keys/:keyId/rotate',
  allow: ['manage_keys'],
  describe,
  find: (request, { merchantId }) => hasApiKey(pool, merchantId, pathId(request, 'keyId')),
  answer: async (request, { merchantId, actor }) => {
    const { overlap_hours: overlapHours } = parseRequest(apiKeyRotation, request.body);
    const keyId = pathId(request, 'keyId');
    const makeKey = (terms: KeyTerms) => makeApiKey(terms, config.secrets.apiKeyPepper);
    const rotation = await rotateApiKey(pool, merchantId, { keyId, overlapHours, makeKey }, actor);
    if (typeof rotation === 'string') throw new ApiError(rotation);
    const { key, apiKey, replaced } = rotation;
    return {
      ...withSecret(apiKey, key),
      replaces: { id: replaced.id, expires_at: replaced.expires_at },
    };
  },
}));

const describe: OperationDescription = {
  operationId: 'rotateApiKey',
  tag: 'API keys',
  summary: 'Rotate an API key',
  description:
    'A new key with the same environment, name, scope and expiry, contained only in this response. The previous key stays valid for ' +
    '`overlap_hours` more (default 24), so that every server can switch; ' +
    'if it was due to expire sooner, it still does. For a leaked key: `overlap_hours: 0`.',
  body: { schema: apiKeyRotation, example: { overlap_hours: 24 }, required: false },
  answers: {
    201: { description: 'The new key, and when the previous one expires.', ...rotatedApiKeyAnswer },
  },
  errors: ['api_key_not_found', 'api_key_limit_reached'],
};
