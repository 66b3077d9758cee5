/** DELETE /v1/merchants/:merchantId/api-keys/:keyId: from the next request on, every process rejects the key. */
import type { RequestHandler } from 'express';
import { EXAMPLE_REQUEST_ID } from '../../../contract/core/answers.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { exampleApiKey, revokedApiKeyAnswer } from '../../../contract/merchant/api-keys.ts';
import { revokeApiKey } from '../../../db/merchant/api-keys.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { ApiError } from '../../http/errors.ts';
import { accessOf, actorOf, exchangeOf } from '../../http/exchange.ts';
import type { Route } from '../../http/route.ts';
import { API_KEY, KEY_ID, keyPath } from './key-paths.ts';

export function revokeApiKeyRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const revoke: RequestHandler = async (request, response) => {
    const id = String(request.params.keyId);
    const { merchantId } = accessOf(response);
    const revoked = KEY_ID.test(id) && (await revokeApiKey(pool, merchantId, id, actorOf(response)));
    if (!revoked) throw new ApiError('api_key_not_found');
    response.json({ id, revoked: true, request_id: exchangeOf(response).requestId });
  };
  return { method: 'delete', path: API_KEY, handlers: [...gate.allow('manage_keys'), revoke], describe };
}

const describe: OperationDescription = {
  operationId: 'revokeApiKey',
  tag: 'API keys',
  summary: 'Revoke an API key',
  description:
    'Immediate and permanent: the next request with it is answered 401 `api_key_invalid`. To give servers time, ' +
    'rotate it instead. Operations that the key started continue.',
  security: 'person',
  path: keyPath,
  answers: {
    200: {
      description: 'The key is revoked.',
      schema: revokedApiKeyAnswer,
      example: { id: exampleApiKey.id, revoked: true, request_id: EXAMPLE_REQUEST_ID },
    },
  },
  errors: ['api_key_not_found'],
};
