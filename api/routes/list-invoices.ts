/** GET /v1/invoices: as issued. */
import { listInvoices } from '../../db/lists.ts';
import type { ApiContext } from '../context.ts';
import { listRoute } from '../list-route.ts';
import type { Route } from '../route.ts';

export function listInvoicesRoute(context: ApiContext): Route {
  return listRoute(context, '/v1/invoices', listInvoices(context.config.api.publicUrl));
}
