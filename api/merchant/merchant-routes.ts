/** Routes of merchants, storefront clients, API keys, rail accounts and the audit log, behind the merchant gate. */
import type { MerchantGate } from '../http/authentication/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import type { Route } from '../http/route.ts';
import { createApiKeyRoute } from './api-keys/create.ts';
import { listApiKeysRoute } from './api-keys/list.ts';
import { revokeApiKeyRoute } from './api-keys/revoke.ts';
import { rotateApiKeyRoute } from './api-keys/rotate.ts';
import { listAuditRoute } from './audit/list.ts';
import { createMerchantRoute } from './merchants/create.ts';
import { listMerchantsRoute } from './merchants/list.ts';
import { showSettingsRoute, updateSettingsRoute } from './merchants/settings.ts';
import { showMerchantRoute } from './merchants/show.ts';
import { updateMerchantRoute } from './merchants/update.ts';
import { checkRailAccountRoute } from './rail-accounts/check.ts';
import { listRailAccountsRoute } from './rail-accounts/list.ts';
import { setRailAccountRoute } from './rail-accounts/set.ts';
import { createStorefrontClientRoute } from './storefront-clients/create.ts';
import { listStorefrontClientsRoute } from './storefront-clients/list.ts';
import { showStorefrontClientRoute } from './storefront-clients/show.ts';
import { updateStorefrontClientRoute } from './storefront-clients/update.ts';

export function merchantRoutes(context: ApiContext, gate: MerchantGate): readonly Route[] {
  return [
    listStorefrontClientsRoute,
    createStorefrontClientRoute,
    showStorefrontClientRoute,
    updateStorefrontClientRoute,
    listMerchantsRoute,
    createMerchantRoute,
    showMerchantRoute,
    updateMerchantRoute,
    showSettingsRoute,
    updateSettingsRoute,
    listAuditRoute,
    listApiKeysRoute,
    createApiKeyRoute,
    rotateApiKeyRoute,
    revokeApiKeyRoute,
    listRailAccountsRoute,
    setRailAccountRoute,
    checkRailAccountRoute,
  ].map((route) => route(context, gate));
}
