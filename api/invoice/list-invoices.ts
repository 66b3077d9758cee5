/** GET /v1/invoices: the invoices as issued. */
import { exampleInvoice, invoice } from '../../contract/invoice/resources.ts';
import { listInvoices } from '../../db/invoice/list-invoices.ts';
import { listRoute } from '../http/routes/list-route.ts';

export const listInvoicesRoute = listRoute(
  '/v1/invoices',
  ({ config }) => listInvoices(config.api.publicUrl),
  {
    operationId: 'listInvoices',
    summary: 'All invoices',
    description:
      'Invoices as issued. An invoice that is `created` with `amount_due` 0 is settled. `pdf_url` opens without a ' +
      'key: treat it as a secret of the customer.',
    resource: invoice,
    example: exampleInvoice,
  },
);
