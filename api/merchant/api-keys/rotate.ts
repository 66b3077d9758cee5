/** POST /v1/merchants/:merchantId/api-keys/:keyId/rotate: replaces a key that stays valid for some hours. */
import type { RequestHandler } from 'express';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import {
  apiKeyRotation,
  exampleCreatedApiKey,
  rotatedApiKeyAnswer,
} from '../../../contract/merchant/api-keys.ts';
import { type KeyTerms, listApiKeys, rotateApiKey } from '../../../db/merchant/api-keys.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import { refuseOtherMerchantInBody } from '../../http/auth/own-merchant.ts';
import type { ApiContext } from '../../http/context.ts';
import { ApiError } from '../../http/errors.ts';
import { accessOf, actorOf, exchangeOf } from '../../http/exchange.ts';
import { readJsonBody } from '../../http/request/json-body.ts';
import { parseRequest } from '../../http/request/parse-request.ts';
import { refuseUnknownFields } from '../../http/request/refuse-unknown-fields.ts';
import type { Route } from '../../http/route.ts';
import { API_KEY, KEY_ID, keyPath } from './key-paths.ts';
import { makeApiKey, withSecret } from './new-key.ts';

export function rotateApiKeyRoute({ pool, config }: ApiContext, gate: MerchantGate): Route {
  const rotate: RequestHandler = async (request, response) => {
    const { overlap_hours: overlapHours } = parseRequest(apiKeyRotation, request.body);
    const keyId = String(request.params.keyId);
    if (!KEY_ID.test(keyId)) throw new ApiError('api_key_not_found');
    const { merchantId } = accessOf(response);
    const makeKey = (terms: KeyTerms) => makeApiKey(terms, config.secrets.apiKeyPepper);
    const rotation = await rotateApiKey(
      pool,
      merchantId,
      { keyId, overlapHours, makeKey },
      actorOf(response),
    );
    if (typeof rotation === 'string') throw new ApiError(rotation);
    const { key, apiKey, replaced } = rotation;
    response.status(201).json({
      ...withSecret(apiKey, key),
      replaces: { id: replaced.id, expires_at: replaced.expires_at },
      request_id: exchangeOf(response).requestId,
    });
  };
  return {
    method: 'post',
    path: `${API_KEY}/rotate`,
    handlers: [
      ...gate.allow('manage_keys'),
      readJsonBody,
      refuseOtherMerchantInBody,
      refuseUnknownFields(describe, async ({ params }, response) => {
        const keys = await listApiKeys(pool, accessOf(response).merchantId, null);
        return keys.some(({ id }) => id === params.keyId);
      }),
      rotate,
    ],
    describe,
  };
}

const describe: OperationDescription = {
  operationId: 'rotateApiKey',
  tag: 'API keys',
  summary: 'Rotate an API key',
  description:
    'A new key with the same environment, name, scope and expiry, contained only in this response. The previous key stays valid for ' +
    '`overlap_hours` more (default 24), so that every server can switch; ' +
    'if it was due to expire sooner, it still does. For a leaked key: `overlap_hours: 0`.',
  security: 'person',
  path: keyPath,
  body: { schema: apiKeyRotation, example: { overlap_hours: 24 }, required: false },
  answers: {
    201: {
      description: 'The new key, and when the previous one expires.',
      schema: rotatedApiKeyAnswer,
      example: {
        ...exampleCreatedApiKey,
        replaces: {
          id: 'ap_key_019a3b00000e7c7ab1f2d3e4f5a6b7c8',
          expires_at: '2026-02-01T09:30:00.000Z',
        },
      },
    },
  },
  errors: ['api_key_not_found', 'api_key_limit_reached'],
};
