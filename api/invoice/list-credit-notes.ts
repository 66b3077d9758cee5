/** GET /v1/credit-notes: the credit notes as issued. */
import { creditNote, exampleCreditNote } from '../../contract/invoice/credit-note.ts';
import { listCreditNotes } from '../../db/invoice/list-credit-notes.ts';
import { listRoute } from '../http/routes/list-route.ts';

export const listCreditNotesRoute = listRoute(
  '/v1/credit-notes',
  ({ config }) => listCreditNotes(config.api.publicUrl),
  {
    operationId: 'listCreditNotes',
    summary: 'All credit notes',
    description:
      'Credit notes as issued. A refund of a payment with an invoice has one as soon as it is `succeeded`. `pdf_url` ' +
      'opens without a key: treat it as a secret of the customer.',
    resource: creditNote,
    example: exampleCreditNote,
  },
);
