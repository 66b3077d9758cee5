/** GET /v1/merchants/:merchantId/access: the caller's permissions. */
import type { OperationDescription } from '../../contract/core/operation.ts';
import { accessAnswer } from '../../contract/merchant/access.ts';
import { findMerchant } from '../../db/merchant/merchants.ts';
import { findSettings } from '../../db/merchant/settings.ts';
import type { Permission } from '../../domain/core/permissions.ts';
import { ApiError } from '../http/errors.ts';
import { merchantRoute } from '../http/routes/gated-route.ts';

export const showAccessRoute = merchantRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/access',
  allow: ['read', 'manage_catalogue'],
  describe,
  answer: async (_request, { merchantId, actor, permissions }) => {
    const merchant = await findMerchant(pool, merchantId);
    const settings = await findSettings(pool, merchantId);
    if (!merchant || !settings) throw new ApiError('merchant_not_found');
    return {
      merchant_id: merchantId,
      merchant_name: merchant.name,
      merchant_status: merchant.status,
      time_zone: settings.time_zone,
      actor: actor.actor,
      permissions: [...permissions],
      refund_limit: refundLimit(permissions, settings.support_refund_limit),
      subscriptions: merchant.capabilities.subscriptions,
    };
  },
}));

function refundLimit(permissions: ReadonlySet<Permission>, ofSupport: number): number | null {
  if (permissions.has('refund')) return null;
  return permissions.has('refund_within_limit') ? ofSupport : 0;
}

const describe: OperationDescription = {
  operationId: 'showAccess',
  tag: 'Dashboard',
  summary: 'Your permissions here',
  description: 'The caller’s permissions at this merchant. The table of roles is in docs/people.md.',
  answers: { 200: { description: 'The permissions.', ...accessAnswer } },
};
