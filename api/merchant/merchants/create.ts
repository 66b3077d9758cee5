/** POST /v1/merchants: a new merchant with a first API key for the sandbox. Only this response contains the key. */
import type { RequestHandler } from 'express';
import type { DescribedOperation } from '../../../contract/core/operation.ts';
import {
  createdMerchantAnswer,
  exampleCreatedMerchant,
  newMerchant,
} from '../../../contract/merchant/merchants.ts';
import { createMerchant } from '../../../db/merchant/merchants.ts';
import { PERMISSIONS } from '../../../domain/core/permissions.ts';
import type { MerchantGate } from '../../http/authentication/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { ApiError } from '../../http/errors.ts';
import { exchangeOf, personOf } from '../../http/exchange.ts';
import { readJsonBody } from '../../http/request/json-body.ts';
import { parseRequest } from '../../http/request/parse-request.ts';
import type { Route } from '../../http/route.ts';
import { FIRST_KEY, makeApiKey, withSecret } from '../api-keys/new-key.ts';

/** Requires the platform role, because a new merchant has no people yet. */
const mayCreate: RequestHandler = (_request, response, next) => {
  const operators: readonly string[] = PERMISSIONS.operate;
  const { roles } = personOf(response);
  if (!roles.some((role) => operators.includes(role))) throw new ApiError('administration_forbidden');
  next();
};

export function createMerchantRoute({ pool, config }: ApiContext, gate: MerchantGate): Route {
  const create: RequestHandler = async (request, response) => {
    const fields = parseRequest(newMerchant, request.body);
    const { requestId } = exchangeOf(response);
    const { actor } = personOf(response);
    const made = makeApiKey(FIRST_KEY, config.secrets.apiKeyPepper);
    const { merchant, apiKey } = await createMerchant(pool, fields, made.stored, { actor, requestId });
    response.status(201).json({ ...merchant, api_key: withSecret(apiKey, made.key), request_id: requestId });
  };
  return {
    method: 'post',
    path: '/v1/merchants',
    handlers: [...gate.people, mayCreate, readJsonBody, create],
    describe,
  };
}

const describe: DescribedOperation = {
  operationId: 'createMerchant',
  tag: 'Merchants',
  summary: 'Create a merchant',
  description:
    'For `platform` people. The merchant is active immediately, has no rail account yet, and gets a first API key for ' +
    'the sandbox: only this response contains `api_key.key`. Its own people see it once the identity ' +
    'provider names its id in their tokens.',
  security: 'person',
  body: { schema: newMerchant, example: { name: exampleCreatedMerchant.name }, required: true },
  answers: {
    201: {
      description: 'The merchant and its first API key.',
      ...createdMerchantAnswer,
      links: [{ operationId: 'showMerchant', parameters: { merchantId: '$response.body#/id' } }],
    },
  },
};
