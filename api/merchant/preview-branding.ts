/**
 * GET /v1/merchants/:merchantId/branding-preview: the address of the hosted page with this branding, saved or
 * not.
 */
import type { OperationDescription } from '../../contract/core/operation.ts';
import { brandingPreviewAnswer, brandingPreviewQuery } from '../../contract/merchant/branding-preview.ts';
import { findMerchant } from '../../db/merchant/merchants.ts';
import { previewAddress } from '../../page/http/preview-address.ts';
import { ApiError } from '../http/errors.ts';
import { environmentScope } from '../http/lists/environment-scope.ts';
import { parseRequest } from '../http/request/parse-request.ts';
import { merchantRoute } from '../http/routes/gated-route.ts';

export const previewBrandingRoute = merchantRoute(({ pool, secretBox, config }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/branding-preview',
  allow: ['read'],
  describe,
  answer: async (request, _caller, response) => {
    const { merchantId, environment } = environmentScope(request, response);
    const wanted = parseRequest(brandingPreviewQuery, request.query);
    const merchant = await findMerchant(pool, merchantId);
    if (!merchant) throw new ApiError('merchant_not_found');
    const preview = {
      name: wanted.name ?? merchant.name,
      logoUrl: wanted.logo_url || null,
      color: wanted.color ?? null,
      language: wanted.language ?? null,
      environment,
      framedBy: wanted.origin ?? null,
    };
    const { path, expiresAt } = previewAddress(secretBox, preview, Date.now());
    const url = config.api.publicUrl.replace(/\/$/, '') + path;
    return { url, expires_at: expiresAt };
  },
}));

const describe: OperationDescription = {
  operationId: 'previewBranding',
  tag: 'Dashboard',
  summary: 'Preview the hosted page',
  description:
    'The hosted page with this branding and an example purchase. Nothing is saved, and nothing can be paid there. ' +
    'Only pages of the API’s own origin and of `origin` can frame it.',
  query: brandingPreviewQuery,
  answers: { 200: { description: 'The preview’s URL, valid for ten minutes.', ...brandingPreviewAnswer } },
};
