/** Coupons as people manage them. Each belongs to one environment. */
import { z } from 'zod';
import { comparedCode } from '../../domain/catalogue/coupon.ts';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { MAX_CENTS } from '../../domain/core/money.ts';
import { listOf, single } from '../core/answers.ts';
import { UNIQUE } from '../core/examples.ts';
import { rule } from '../core/faults.ts';
import { givenInstant, instant } from '../core/fields.ts';
import { printedText, requiredText } from '../core/text.ts';
import { CLOSED } from '../core/unknown-field.ts';
import { exampleProduct } from './resources.ts';

const environment = z.enum(ENVIRONMENTS);
const percent = z.int().min(1).max(100);
const amount = z.int().positive().max(MAX_CENTS);
const duration = z.enum(['once', 'repeating', 'forever']);
const count = z.int().positive().max(1_000_000_000);

const described = {
  percent:
    'Percentage of the price times the quantity, rounded half up to the cent. Exactly one of `percent` and `amount` is set.',
  amount: 'Cents off each charge; at most its price.',
  duration:
    'Which charges of a subscription the coupon reduces, counted after a trial: the first, the first `periods`, or all.',
  productIds: 'Products that it applies to; null for all.',
  validUntil: 'From this time on, it cannot be redeemed. Subscriptions that have it keep it.',
};

export const coupon = z
  .object({
    id: z.string(),
    merchant_id: z.string(),
    environment,
    code: z.string().meta({ description: 'As given. Compared case-insensitively.' }),
    percent: percent.nullable().meta({ description: described.percent }),
    amount: amount.nullable().meta({ description: described.amount }),
    duration: duration.meta({ description: described.duration }),
    periods: count.nullable(),
    product_ids: z.array(z.string()).nullable().meta({ description: described.productIds }),
    first_purchase_only: z.boolean(),
    valid_from: instant.nullable(),
    valid_until: instant.nullable().meta({ description: described.validUntil }),
    max_redemptions: count.nullable(),
    max_per_customer: count.nullable(),
    redemptions: z
      .int()
      .nonnegative()
      .meta({ description: 'Number of checkouts with it that are paid or being paid.' }),
    status: z.enum(['active', 'stopped']),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'Coupon' });
export type Coupon = z.infer<typeof coupon>;

export const newCoupon = z
  .object({
    environment,
    code: printedText(60)
      .refine((code) => comparedCode(code) !== '', rule('required', 'must not be blank'))
      .meta({
        description: 'The code that buyers type and invoices print. Surrounding white space is ignored.',
        example: 'SPRING24',
      }),
    percent: percent.nullish().meta({ description: described.percent }),
    amount: amount.nullish().meta({ description: described.amount }),
    duration: duration.meta({ description: described.duration }),
    periods: count.nullish().meta({ description: 'Required with `repeating`, not accepted otherwise.' }),
    product_ids: z
      .array(requiredText(200))
      .min(1)
      .max(500)
      .optional()
      .meta({ description: 'Products that it applies to. If absent, all.' }),
    first_purchase_only: z.boolean().default(false).meta({
      description:
        'Only for customers who have bought nothing from the merchant before; a trial or a free period counts as a purchase.',
    }),
    // Null is not accepted: JSON turns NaN and invalid dates into null, which would lift the limit.
    valid_from: givenInstant.optional(),
    valid_until: givenInstant.optional().meta({ description: described.validUntil }),
    max_redemptions: count
      .optional()
      .meta({ description: 'The maximum for all customers together. If absent, no limit.' }),
    max_per_customer: count.optional(),
  })
  .refine(({ percent: share, amount: cents }) => (share == null) !== (cents == null), {
    ...rule('inconsistent', 'or amount is required, and not both'),
    path: ['percent'],
  })
  .refine(({ duration: lasts, periods }) => (lasts === 'repeating') === (periods != null), {
    ...rule('inconsistent', 'is required with repeating and not accepted otherwise'),
    path: ['periods'],
  })
  .refine(({ valid_from: from, valid_until: until }) => from == null || until == null || from < until, {
    ...rule('too_early', 'must be after valid_from'),
    path: ['valid_until'],
  })
  .meta({ id: 'CouponRequest', ...CLOSED });
export type NewCoupon = z.infer<typeof newCoupon>;

export const couponChanges = z
  .object({
    status: z
      .literal('stopped')
      .meta({ description: 'It can no longer be redeemed. Subscriptions that have it keep it.' }),
  })
  .meta({ id: 'CouponChanges', ...CLOSED });

export const exampleCoupon: Coupon = {
  id: `ap_cpn_${UNIQUE}`,
  merchant_id: exampleProduct.merchant_id,
  environment: 'sandbox',
  code: 'SPRING24',
  percent: 20,
  amount: null,
  duration: 'repeating',
  periods: 3,
  product_ids: [exampleProduct.id],
  first_purchase_only: false,
  valid_from: null,
  valid_until: '2026-06-01T00:00:00.000Z',
  max_redemptions: 100,
  max_per_customer: 1,
  redemptions: 12,
  status: 'active',
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
};

export const couponAnswer = single(coupon, exampleCoupon);
export const couponList = listOf(coupon, exampleCoupon);
