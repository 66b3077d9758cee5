/** GET and PATCH /v1/merchants/:merchantId/settings: one flat object, documented in docs/settings.md. */
import type { RequestHandler, Response } from 'express';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import {
  exampleSettings,
  type MerchantSettings,
  merchantSettingsAnswer,
  type SettingsChanges,
  settingsChanges,
} from '../../../contract/merchant/settings.ts';
import { findSettings, knowsTimeZone, updateSettings } from '../../../db/merchant/settings.ts';
import type { Permission } from '../../../domain/core/permissions.ts';
import { administering } from '../../http/auth/administer.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { ApiError } from '../../http/errors.ts';
import { accessOf, actorOf, exchangeOf } from '../../http/exchange.ts';
import { parseRequest } from '../../http/request/parse-request.ts';
import type { Route } from '../../http/route.ts';
import { MERCHANT, merchantPath } from '../core/merchant-of-request.ts';

const SETTINGS = `${MERCHANT}/settings`;

/** The permission that a field requires instead of `manage_identity`. */
const NEEDED: Partial<Record<keyof SettingsChanges, Permission>> = {
  support_refund_limit: 'set_refund_limit',
};

export function showSettingsRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const show: RequestHandler = async (_request, response) =>
    send(response, await findSettings(pool, accessOf(response).merchantId));
  return { method: 'get', path: SETTINGS, handlers: [...gate.read, show], describe: showing };
}

export function updateSettingsRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const update: RequestHandler = async (request, response) => {
    const changes = parseRequest(settingsChanges, request.body);
    refuseFields(changes, accessOf(response).permissions);
    if (changes.time_zone && !(await knowsTimeZone(pool, changes.time_zone)))
      throw new ApiError('invalid_request', { message: 'time_zone is not known to the database.' });
    send(response, await updateSettings(pool, accessOf(response).merchantId, changes, actorOf(response)));
  };
  return {
    method: 'patch',
    path: SETTINGS,
    handlers: [...administering(gate, 'manage_identity'), update],
    describe: changing,
  };
}

/** @throws ApiError 403 for a field that the caller may not change */
function refuseFields(changes: SettingsChanges, permissions: ReadonlySet<Permission>): void {
  for (const field of Object.keys(changes) as (keyof SettingsChanges)[]) {
    if (permissions.has(NEEDED[field] ?? 'manage_identity')) continue;
    throw new ApiError('administration_forbidden', { message: `Your role may not change ${field}.` });
  }
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
    'For an owner or a `platform` person, `support_refund_limit` for an owner only. Absent fields stay unchanged; a change is in the audit log with the old and ' +
    'the new value. `PATCH /v1/invoice-settings` changes none of them.',
  security: 'person',
  path: merchantPath,
  body: { schema: settingsChanges, example: { time_zone: 'Europe/Berlin' }, required: false },
  answers: {
    200: { description: 'The settings.', schema: merchantSettingsAnswer, example: exampleSettings },
  },
  errors: [],
};
