/** GET /v1/invoices: the invoices as issued. */
import { listOperation } from '../../contract/core/list-operation.ts';
import { exampleInvoice, invoice } from '../../contract/invoice/resources.ts';
import { listInvoices } from '../../db/invoice/list-invoices.ts';
import type { ApiContext } from '../http/context.ts';
import { listRoute } from '../http/lists/list-route.ts';
import type { Route } from '../http/route.ts';

export function listInvoicesRoute(context: ApiContext): Route {
  return { ...listRoute(context, '/v1/invoices', listInvoices(context.config.api.publicUrl)), describe };
}

const describe = listOperation({
  operationId: 'listInvoices',
  summary: 'All invoices',
  description:
    'Invoices as issued. An invoice that is `created` with `amount_due` 0 is settled. `pdf_url` opens without a ' +
    'key: treat it as a secret of the customer.',
  resource: invoice,
  example: exampleInvoice,
});
