/** PATCH /v1/merchants/:merchantId: what is absent stays as it is; each field has its own permission. */
import type { RequestHandler } from 'express';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import {
  exampleMerchantAnswer,
  type MerchantChanges,
  merchantAnswer,
  merchantChanges,
} from '../../../contract/merchant/merchants.ts';
import { updateMerchant } from '../../../db/merchant/merchant-accounts.ts';
import type { Permission } from '../../../domain/permissions.ts';
import type { ApiContext } from '../../http/context.ts';
import { ApiError } from '../../http/errors.ts';
import { accessOf, actorOf } from '../../http/exchange.ts';
import { readJsonBody } from '../../http/json-body.ts';
import type { MerchantGate } from '../../http/merchant-gate.ts';
import { refuseOtherMerchantInBody } from '../../http/own-merchant.ts';
import { parseRequest } from '../../http/parse-request.ts';
import type { Route } from '../../http/route.ts';
import { MERCHANT, merchantPath, sendMerchant } from './merchant-of-request.ts';

/** What it takes to change a field. */
const NEEDED: Readonly<Record<keyof MerchantChanges, Permission>> = {
  name: 'manage_identity',
  legal_identity: 'manage_identity',
  branding: 'administer',
  capabilities: 'operate',
  status: 'operate',
};

export function updateMerchantRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const update: RequestHandler = async (request, response) => {
    const { merchantId, permissions } = accessOf(response);
    const changes = parseRequest(merchantChanges, request.body);
    for (const field of Object.keys(changes) as (keyof MerchantChanges)[]) {
      if (permissions.has(NEEDED[field])) continue;
      throw new ApiError('administration_forbidden', { message: `Your role may not change ${field}.` });
    }
    sendMerchant(response, await updateMerchant(pool, merchantId, changes, actorOf(response)));
  };
  return {
    method: 'patch',
    path: MERCHANT,
    handlers: [
      ...gate.allow('manage_identity', 'administer', 'operate'),
      readJsonBody,
      refuseOtherMerchantInBody,
      update,
    ],
    describe,
  };
}

const describe: OperationDescription = {
  operationId: 'updateMerchant',
  tag: 'Merchants',
  summary: 'Change a merchant',
  description:
    'What is absent stays as it is. `branding` takes an owner or a developer; `name` and `legal_identity` an owner ' +
    'or a `platform` person; `status` and `capabilities` a `platform` person. When one field is not allowed, ' +
    'nothing is changed.\n\n' +
    'Sessions that exist keep the name, branding and legal identity that they were created with. An inactive ' +
    'merchant’s API keys are refused at once; what was begun, subscriptions too, goes on.',
  security: 'person',
  path: merchantPath,
  body: {
    schema: merchantChanges,
    example: { branding: { color: '#0f766e', language: 'en' } },
    required: false,
  },
  answers: {
    200: {
      description: 'The merchant as it is now.',
      schema: merchantAnswer,
      example: exampleMerchantAnswer,
    },
  },
  errors: [],
};
