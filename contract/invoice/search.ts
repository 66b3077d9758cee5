/** Invoices as the dashboard lists them. */
import { z } from 'zod';
import { pageOf } from '../core/answers.ts';
import { UNIQUE } from '../core/examples.ts';
import { periodQuery } from '../core/pages.ts';
import { exampleInvoice, invoice } from './resources.ts';

export const foundInvoice = invoice
  .extend({
    payment_id: z.string().nullable().meta({ description: 'The payment that settled it; null until then.' }),
  })
  .meta({ id: 'FoundInvoice' });
export type FoundInvoice = z.infer<typeof foundInvoice>;

const printsCodes = z.enum(['true']).optional().meta({
  description:
    'Only documents whose PDF prints the code of a character of the customer that no font has, such as [U+0B95].',
});

export const searchInvoicesQuery = periodQuery.extend({
  status: invoice.shape.status.optional(),
  prints_codes: printsCodes,
});
export const searchCreditNotesQuery = periodQuery.extend({ prints_codes: printsCodes });
export const foundInvoicePage = pageOf(foundInvoice);

export const exampleFoundInvoice: FoundInvoice = { ...exampleInvoice, payment_id: `ap_pay_${UNIQUE}` };
