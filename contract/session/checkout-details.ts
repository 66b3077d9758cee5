/** GET /v1/checkouts/{id}: a session's state, without the page's URL, which contains a token. */
import { z } from 'zod';
import { SESSION_FAILURE_REASONS, SESSION_STATES } from '../../domain/session/session.ts';
import { single } from '../core/answers.ts';
import { BEGUN, EXAMPLE_CUSTOMER_ID, UNIQUE } from '../core/examples.ts';
import { cents, currency, instant } from '../core/fields.ts';

export const checkoutDetails = z
  .object({
    id: z.string(),
    state: z.enum(SESSION_STATES),
    failure_reason: z.enum(SESSION_FAILURE_REASONS).nullable(),
    attempts: z.int().nonnegative().meta({ description: 'Attempts to pay so far.' }),
    amount: cents,
    quantity: z.int().positive(),
    currency,
    coupon: z
      .object({
        id: z.string(),
        code: z.string(),
        discount: cents.meta({ description: 'The discount now, which `amount` already excludes.' }),
      })
      .meta({ id: 'CheckoutCoupon' })
      .nullable(),
    product_id: z.string(),
    customer_id: z.string(),
    order_id: z.string().nullable().meta({ description: 'Created with the first attempt.' }),
    payment_id: z.string().nullable().meta({ description: 'The latest attempt.' }),
    subscription_id: z.string().nullable(),
    merchant_reference: z.string().nullable().meta({ description: 'reconciliation.merchantReference' }),
    created_at: instant,
    expires_at: instant,
    finished_at: instant.nullable(),
  })
  .meta({ id: 'CheckoutDetails' });
export type CheckoutDetails = z.infer<typeof checkoutDetails>;

export const exampleCheckoutDetails: CheckoutDetails = {
  id: `ap_chk_${UNIQUE}`,
  state: 'failed',
  failure_reason: 'expired',
  attempts: 1,
  amount: 900,
  quantity: 1,
  currency: 'EUR',
  coupon: null,
  product_id: `ap_prod_${UNIQUE}`,
  customer_id: EXAMPLE_CUSTOMER_ID,
  order_id: `ap_ord_${UNIQUE}`,
  payment_id: `ap_pay_${UNIQUE}`,
  subscription_id: null,
  merchant_reference: 'cart-17',
  created_at: BEGUN,
  expires_at: '2026-01-31T10:00:00.000Z',
  finished_at: '2026-01-31T10:00:01.000Z',
};

export const checkoutDetailsAnswer = single(checkoutDetails, exampleCheckoutDetails);
