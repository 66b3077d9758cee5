/**
 * GET /rails/:rail/:railAccountId/fields: the card-field document for processors whose fields are a script. The
 * adapter writes the document and its policy; only the hosted page may frame it.
 */
import { randomBytes } from 'node:crypto';
import type { RequestHandler } from 'express';
import { assetsUnder } from '../../page/http/assets.ts';
import { openRailAccount } from '../../rail/accounts.ts';
import type { ApiContext } from '../http/context.ts';
import { ApiError } from '../http/errors.ts';
import type { Route } from '../http/route.ts';
import { railAccountOfRequest } from '../merchant/rail-accounts/rail-account-of-request.ts';

export function railFieldsRoute(context: ApiContext): Route {
  const { publicUrl } = context.config.api;

  const show: RequestHandler<{ rail: string; railAccountId: string }> = async (request, response) => {
    const row = await railAccountOfRequest(context, request.params);
    const { rail, account } = openRailAccount(context, row);
    const script = (await assetsUnder(publicUrl)).fieldScripts[rail.name];
    if (!rail.fieldsDocument || !script) throw new ApiError('route_not_found');
    const document = rail.fieldsDocument(account, {
      query: new URL(request.originalUrl, publicUrl).searchParams,
      pageOrigin: new URL(publicUrl).origin,
      nonce: randomBytes(16).toString('base64'),
      scriptUrl: script.path,
      scriptIntegrity: script.integrity,
    });
    response.set({
      // An absolute URL, because this document is served from another host. CSP reports need no CORS preflight.
      'Content-Security-Policy': `${document.contentSecurityPolicy}; report-uri ${publicUrl}/pay/csp-reports`,
      'Permissions-Policy': document.permissionsPolicy,
      // The processor's script reports the document's URL to its servers; the URL contains no secret.
      'Referrer-Policy': 'strict-origin-when-cross-origin',
      'X-Robots-Tag': 'noindex, nofollow',
    });
    response.type('html').send(document.html);
  };

  return {
    method: 'get',
    path: '/rails/:rail/:railAccountId/fields',
    handlers: [show as unknown as RequestHandler],
    describe: null,
  };
}
