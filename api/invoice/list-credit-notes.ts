/** GET /v1/credit-notes: the credit notes as issued. */
import { listOperation } from '../../contract/core/list-operation.ts';
import { creditNote, exampleCreditNote } from '../../contract/invoice/credit-note.ts';
import { listCreditNotes } from '../../db/invoice/list-credit-notes.ts';
import type { ApiContext } from '../http/context.ts';
import { listRoute } from '../http/lists/list-route.ts';
import type { Route } from '../http/route.ts';

export function listCreditNotesRoute(context: ApiContext): Route {
  return {
    ...listRoute(context, '/v1/credit-notes', listCreditNotes(context.config.api.publicUrl)),
    describe,
  };
}

const describe = listOperation({
  operationId: 'listCreditNotes',
  summary: 'All credit notes',
  description:
    'Credit notes as issued. A refund of a payment with an invoice has one as soon as it is `succeeded`. `pdf_url` ' +
    'opens without a key: treat it as a secret of the customer.',
  resource: creditNote,
  example: exampleCreditNote,
});
