/** GET and PATCH /v1/merchants/:merchantId/settings: one flat object, documented in docs/settings.md. */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import {
  merchantSettingsAnswer,
  type SettingsChanges,
  settingsChanges,
} from '../../../contract/merchant/settings.ts';
import { findSettings, knowsTimeZone, updateSettings } from '../../../db/merchant/settings.ts';
import type { Permission } from '../../../domain/core/permissions.ts';
import { ApiError, invalidRequest } from '../../http/errors.ts';
import { parseRequest } from '../../http/request/parse-request.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';

/** The permission that a field requires instead of `manage_identity`. */
const NEEDED: Partial<Record<keyof SettingsChanges, Permission>> = {
  support_refund_limit: 'set_refund_limit',
};

export const showSettingsRoute = merchantRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/settings',
  allow: ['read'],
  describe: showing,
  answer: async (_request, { merchantId }) => (await findSettings(pool, merchantId)) ?? 'merchant_not_found',
}));

export const updateSettingsRoute = merchantRoute(({ pool }) => ({
  method: 'patch',
  path: '/v1/merchants/:merchantId/settings',
  allow: ['manage_identity'],
  describe: changing,
  answer: async (request, { merchantId, permissions, actor }) => {
    const changes = parseRequest(settingsChanges, request.body);
    refuseFields(changes, permissions);
    if (changes.time_zone && !(await knowsTimeZone(pool, changes.time_zone)))
      throw invalidRequest('time_zone must be an IANA time zone, such as Europe/Berlin.', {
        field: 'time_zone',
        reason: 'unknown_value',
      });
    return (await updateSettings(pool, merchantId, changes, actor)) ?? 'merchant_not_found';
  },
}));

/** @throws ApiError 403 for a field that the caller may not change */
function refuseFields(changes: SettingsChanges, permissions: ReadonlySet<Permission>): void {
  for (const field of Object.keys(changes) as (keyof SettingsChanges)[]) {
    if (permissions.has(NEEDED[field] ?? 'manage_identity')) continue;
    throw new ApiError('administration_forbidden', { message: `Your role may not change ${field}.` });
  }
}

const showing: OperationDescription = {
  operationId: 'showMerchantSettings',
  tag: 'Merchants',
  summary: 'A merchant’s settings',
  description: 'One flat object for both environments. The defaults change nothing.',
  answers: { 200: { description: 'The settings.', ...merchantSettingsAnswer } },
};

const changing: OperationDescription = {
  operationId: 'updateMerchantSettings',
  tag: 'Merchants',
  summary: 'Change a merchant’s settings',
  description:
    'For an owner or a `platform` person, `support_refund_limit` for an owner only. Absent fields stay unchanged; a change is in the audit log with the old and ' +
    'the new value. `PATCH /v1/invoice-settings` changes none of them.',
  body: { schema: settingsChanges, example: { time_zone: 'Europe/Berlin' }, required: false },
  answers: { 200: { description: 'The settings.', ...merchantSettingsAnswer } },
};
