/** GET and PATCH /v1/merchants/:merchantId/settings: one flat object, documented in docs/settings.md. */
import type { RequestHandler, Response } from 'express';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import {
  exampleSettings,
  type MerchantSettings,
  merchantSettingsAnswer,
  settingsChanges,
} from '../../../contract/merchant/settings.ts';
import { findSettings, knowsTimeZone, updateSettings } from '../../../db/merchant/settings.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import { refuseOtherMerchantInBody } from '../../http/auth/own-merchant.ts';
import type { ApiContext } from '../../http/context.ts';
import { ApiError } from '../../http/errors.ts';
import { accessOf, actorOf, exchangeOf } from '../../http/exchange.ts';
import { readJsonBody } from '../../http/request/json-body.ts';
import { parseRequest } from '../../http/request/parse-request.ts';
import type { Route } from '../../http/route.ts';
import { MERCHANT, merchantPath } from '../core/merchant-of-request.ts';

const SETTINGS = `${MERCHANT}/settings`;

export function showSettingsRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const show: RequestHandler = async (_request, response) =>
    send(response, await findSettings(pool, accessOf(response).merchantId));
  return { method: 'get', path: SETTINGS, handlers: [...gate.read, show], describe: showing };
}

export function updateSettingsRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const update: RequestHandler = async (request, response) => {
    const changes = parseRequest(settingsChanges, request.body);
    if (changes.time_zone && !(await knowsTimeZone(pool, changes.time_zone)))
      throw new ApiError('invalid_request', { message: 'time_zone is not known to the database.' });
    send(response, await updateSettings(pool, accessOf(response).merchantId, changes, actorOf(response)));
  };
  return {
    method: 'patch',
    path: SETTINGS,
    handlers: [...gate.allow('manage_identity'), readJsonBody, refuseOtherMerchantInBody, update],
    describe: changing,
  };
}

function send(response: Response, settings: MerchantSettings | null): void {
  if (!settings) throw new ApiError('merchant_not_found');
  response.json({ ...settings, request_id: exchangeOf(response).requestId });
}

const showing: OperationDescription = {
  operationId: 'showMerchantSettings',
  tag: 'Merchants',
  summary: 'A merchant’s settings',
  description: 'One flat object for both environments. Every default changes nothing.',
  security: 'apiKeyOrPerson',
  path: merchantPath,
  answers: {
    200: { description: 'The settings.', schema: merchantSettingsAnswer, example: exampleSettings },
  },
  errors: [],
};

const changing: OperationDescription = {
  operationId: 'updateMerchantSettings',
  tag: 'Merchants',
  summary: 'Change a merchant’s settings',
  description:
    'For an owner or a `platform` person. Absent fields stay unchanged; a change is in the audit log with the old and ' +
    'the new value. `PATCH /v1/invoice-settings` changes none of them.',
  security: 'person',
  path: merchantPath,
  body: { schema: settingsChanges, example: { time_zone: 'Europe/Berlin' }, required: false },
  answers: {
    200: { description: 'The settings.', schema: merchantSettingsAnswer, example: exampleSettings },
  },
  errors: [],
};
