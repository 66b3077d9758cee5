/** A month's invoices less its credit notes, by tax rate. */
import { z } from 'zod';
import { currency, signedCents } from '../core/fields.ts';
import { environmentOnly } from '../core/pagination.ts';

const taxSums = z.object({ net: signedCents, tax: signedCents, gross: signedCents }).meta({ id: 'TaxSums' });

export const taxSummaryRow = z
  .object({
    currency,
    tax_rate: z.number().nonnegative().meta({ description: 'Percent.' }),
    invoiced: taxSums,
    credited: taxSums,
    total: taxSums,
  })
  .meta({
    id: 'TaxSummaryRow',
    description:
      '`invoiced` sums the invoices issued in the month, except void ones, and `credited` its credit notes; `total` is `invoiced` less `credited`.',
  });
export type TaxSummaryRow = z.infer<typeof taxSummaryRow>;

export const taxSummaryQuery = environmentOnly.extend({
  month: z
    .string()
    .regex(/^2\d{3}-(0[1-9]|1[0-2])$/, { error: 'must be a month such as 2026-11' })
    .meta({
      description:
        'The month of the printed dates of issue, which are in the merchant’s time zone at that time.',
      example: '2026-11',
    }),
});

export const taxSummaryAnswer = z
  .object({ data: z.array(taxSummaryRow), request_id: z.string() })
  .meta({ id: 'TaxSummaryAnswer' });

export const exampleTaxSummaryRow: TaxSummaryRow = {
  currency: 'EUR',
  tax_rate: 19,
  invoiced: { net: 100_000, tax: 19_000, gross: 119_000 },
  credited: { net: 10_000, tax: 1_900, gross: 11_900 },
  total: { net: 90_000, tax: 17_100, gross: 107_100 },
};
