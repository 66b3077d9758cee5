/** POST /v1/merchants/:merchantId/api-keys: a new key for one environment. Only this response contains it. */
import type { RequestHandler } from 'express';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { createdApiKeyAnswer, exampleCreatedApiKey, newApiKey } from '../../../contract/merchant/api-keys.ts';
import { createApiKey } from '../../../db/merchant/api-keys.ts';
import { administering } from '../../http/auth/administer.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { ApiError } from '../../http/errors.ts';
import { accessOf, actorOf, exchangeOf } from '../../http/exchange.ts';
import { parseRequest } from '../../http/request/parse-request.ts';
import { refuseUnknownFields } from '../../http/request/refuse-unknown-fields.ts';
import type { Route } from '../../http/route.ts';
import { merchantPath } from '../core/merchant-of-request.ts';
import { API_KEYS } from './key-paths.ts';
import { makeApiKey, withSecret } from './new-key.ts';

export function createApiKeyRoute({ pool, config }: ApiContext, gate: MerchantGate): Route {
  const create: RequestHandler = async (request, response) => {
    const { expires_at: endsAt, ...terms } = parseRequest(newApiKey, request.body);
    const { merchantId } = accessOf(response);
    const made = makeApiKey({ ...terms, endsAt }, config.secrets.apiKeyPepper);
    const apiKey = await createApiKey(pool, merchantId, made.stored, actorOf(response));
    if (apiKey === 'api_key_limit_reached') throw new ApiError(apiKey);
    const { requestId } = exchangeOf(response);
    response.status(201).json({ ...withSecret(apiKey, made.key), request_id: requestId });
  };
  return {
    method: 'post',
    path: API_KEYS,
    // Reject unknown fields: a misspelt `scope` would otherwise create an unrestricted key.
    handlers: [
      ...administering(gate, 'manage_keys'),
      refuseUnknownFields(describe, async () => true),
      create,
    ],
    describe,
  };
}

const describe: OperationDescription = {
  operationId: 'createApiKey',
  tag: 'API keys',
  summary: 'Create an API key',
  description:
    'For owners and developers. Only this response contains `key`: only its hash is stored. An environment has at ' +
    'most twenty active keys.',
  security: 'person',
  path: merchantPath,
  body: { schema: newApiKey, example: { environment: 'sandbox', name: 'Web shop' }, required: true },
  answers: {
    201: { description: 'The key.', schema: createdApiKeyAnswer, example: exampleCreatedApiKey },
  },
  errors: ['api_key_limit_reached'],
};
