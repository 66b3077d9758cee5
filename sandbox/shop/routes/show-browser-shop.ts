/** GET /browser: a shop without a server. Its policy lets the script connect to the service only. */
import type { RequestHandler } from 'express';
import type { ShopConfig } from '../core/config.ts';
import { contentSecurityPolicy } from '../core/security-headers.ts';
import { browserShopPage, type CameBack } from '../pages/browser-shop.ts';

export function showBrowserShop(config: ShopConfig): RequestHandler {
  return async (request, response) => {
    const { back } = request.query;
    const cameBack: CameBack = back === 'success' || back === 'fail' ? back : null;
    response.set('Content-Security-Policy', contentSecurityPolicy([config.apiUrl]));
    response.send(await browserShopPage(config, cameBack));
  };
}
