/** Invoices as the dashboard lists them. */
import { z } from 'zod';
import { pageOf } from '../core/answers.ts';
import { UNIQUE } from '../core/examples.ts';
import { cents } from '../core/fields.ts';
import { periodQuery } from '../core/pages.ts';
import { exampleInvoice, invoice } from './resources.ts';

export const foundInvoice = invoice
  .extend({
    payment_id: z.string().nullable().meta({ description: 'The payment that settled it; null until then.' }),
    refunded_amount: cents.meta({
      description: 'What was refunded of that payment, and is being refunded; also what has no credit note.',
    }),
    credit_notes: z.array(z.string()).meta({ description: 'Numbers of its credit notes, oldest first.' }),
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

export const exampleFoundInvoice: FoundInvoice = {
  ...exampleInvoice,
  payment_id: `ap_pay_${UNIQUE}`,
  refunded_amount: 0,
  credit_notes: [],
};
