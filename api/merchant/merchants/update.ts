/** PATCH /v1/merchants/:merchantId: absent fields stay unchanged; the permission depends on the field. */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import {
  type MerchantChanges,
  merchantAnswer,
  merchantChanges,
} from '../../../contract/merchant/merchants.ts';
import { updateMerchant } from '../../../db/merchant/merchants.ts';
import type { Permission } from '../../../domain/core/permissions.ts';
import { ApiError } from '../../http/errors.ts';
import { parseRequest } from '../../http/request/parse-request.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';

/** The permission that each field requires. */
const NEEDED: Readonly<Record<keyof MerchantChanges, Permission>> = {
  name: 'manage_identity',
  legal_identity: 'manage_identity',
  branding: 'manage_branding',
  capabilities: 'operate',
  status: 'operate',
  renew_after_lost_dispute: 'manage_subscriptions',
};

export const updateMerchantRoute = merchantRoute(({ pool }) => ({
  method: 'patch',
  path: '/v1/merchants/:merchantId',
  allow: ['manage_identity', 'manage_branding', 'manage_subscriptions', 'operate'],
  describe,
  answer: async (request, { merchantId, permissions, actor }) => {
    const changes = parseRequest(merchantChanges, request.body);
    for (const field of Object.keys(changes) as (keyof MerchantChanges)[]) {
      if (permissions.has(NEEDED[field])) continue;
      throw new ApiError('administration_forbidden', { message: `Your role may not change ${field}.` });
    }
    return (await updateMerchant(pool, merchantId, changes, actor)) ?? 'merchant_not_found';
  },
}));

const describe: OperationDescription = {
  operationId: 'updateMerchant',
  tag: 'Merchants',
  summary: 'Change a merchant',
  description:
    'Absent fields stay unchanged. `branding` requires an owner, a manager or a developer; `renew_after_lost_dispute` an ' +
    'owner or a manager; `name` and `legal_identity` an owner or a `platform` person; `status` and `capabilities` a ' +
    '`platform` person. If one field is not allowed, ' +
    'nothing is changed.\n\n' +
    'Existing sessions keep the name, branding and legal identity that they were created with. An inactive ' +
    'merchant’s API keys are refused immediately; sessions and subscriptions in progress continue.',
  body: {
    schema: merchantChanges,
    example: { branding: { color: '#0f766e', language: 'en' } },
    required: false,
  },
  answers: { 200: { description: 'The changed merchant.', ...merchantAnswer } },
};
