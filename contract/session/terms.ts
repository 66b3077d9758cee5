/**
 * The terms with which a session was created (`checkouts.terms`). Later changes of catalogue or merchant do not affect
 * a buyer who is already on the page.
 */
import { z } from 'zod';
import { CURRENCIES } from '../../domain/core/money.ts';
import { billingCycles, quantityRange } from '../core/fields.ts';

export const sessionTerms = z.object({
  /** True if the page asks for a coupon code. */
  takes_codes: z.boolean().nullish(),
  product: z.object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    external_reference: z.string().nullable(),
    offering_id: z.string().nullable(),
    /** The quantities that the buyer may choose on the page; null if the quantity is fixed. */
    quantity: quantityRange.nullable(),
    one_subscription_per_customer: z.boolean().nullish(),
    one_trial_per_customer: z.boolean().nullish(),
    image: z.object({ name: z.string(), width: z.number(), height: z.number() }).nullish(),
  }),
  price: z.object({
    id: z.string(),
    amount: z.number().int().positive(),
    currency: z.enum(CURRENCIES),
    tax_rate: z.number().nonnegative(),
    billing_mode: z.enum(['one_time', 'recurring']),
    recurring: z
      .object({
        interval: z.enum(['day', 'week', 'month', 'year']),
        interval_count: z.number().int().positive(),
        trial_period_days: z.number().int().positive().nullable(),
        /** True if the buyer has already had the trial: the price applies instead. */
        trial_used: z.boolean().nullish(),
        billing_cycles: billingCycles.nullish(),
      })
      .nullable(),
  }),
  merchant: z.object({
    name: z.string(),
    support_email: z.string().nullish(),
    support_url: z.string().nullish(),
    support_phone: z.string().nullish(),
    branding: z.object({
      logo_url: z.string().nullish(),
      color: z.string().nullish(),
      language: z.string().nullish(),
    }),
    legal_identity: z.object({
      name: z.string().nullish(),
      address_lines: z.array(z.string()).nullish(),
      vat_id: z.string().nullish(),
      /** The note that the law requires on invoices without VAT: an exemption, or a special scheme. */
      vat_note: z.string().nullish(),
    }),
  }),
});
