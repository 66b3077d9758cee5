/** Invoices as the dashboard lists them. */
import { z } from 'zod';
import { pageOf } from '../core/answers.ts';
import { UNIQUE } from '../core/examples.ts';
import { cents } from '../core/fields.ts';
import { periodQuery } from '../core/pagination.ts';
import { exampleInvoice, invoice } from './resources.ts';

export const foundInvoice = invoice
  .extend({
    payment_id: z.string().nullable().meta({ description: 'The payment that settled it; null until then.' }),
    refunded_amount: cents.meta({
      description:
        'The amount of that payment that is refunded or being refunded, including refunds without a credit note.',
    }),
    credit_notes: z.array(z.string()).meta({ description: 'Numbers of its credit notes, oldest first.' }),
  })
  .meta({ id: 'FoundInvoice' });
export type FoundInvoice = z.infer<typeof foundInvoice>;

const printsCodes = z.enum(['true']).optional().meta({
  description:
    'Only documents whose PDF prints the code of a character in the customer’s details, such as [U+0B95], because no font contains it.',
});

export const searchInvoicesQuery = periodQuery.extend({
  status: invoice.shape.status.optional(),
  prints_codes: printsCodes,
});
export const searchCreditNotesQuery = periodQuery.extend({ prints_codes: printsCodes });

const exampleFoundInvoice: FoundInvoice = {
  ...exampleInvoice,
  payment_id: `ap_pay_${UNIQUE}`,
  refunded_amount: 0,
  credit_notes: [],
};

export const foundInvoicePage = pageOf(foundInvoice, exampleFoundInvoice);
