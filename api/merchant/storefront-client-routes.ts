/** Storefront clients, behind the gate that authorizes readers and administrators. */
import type { MerchantGate } from '../http/auth/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import type { Route } from '../http/route.ts';
import { createStorefrontClientRoute } from './storefront-clients/create.ts';
import { listStorefrontClientsRoute } from './storefront-clients/list.ts';
import { showStorefrontClientRoute } from './storefront-clients/show.ts';
import { updateStorefrontClientRoute } from './storefront-clients/update.ts';

export function storefrontClientRoutes(context: ApiContext, gate: MerchantGate): readonly Route[] {
  return [
    listStorefrontClientsRoute,
    createStorefrontClientRoute,
    showStorefrontClientRoute,
    updateStorefrontClientRoute,
  ].map((route) => route(context, gate));
}
