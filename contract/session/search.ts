/** Checkouts as the dashboard lists them. */
import { z } from 'zod';
import { SESSION_STATES } from '../../domain/session/session.ts';
import { pageOf } from '../core/answers.ts';
import { EXAMPLE_CUSTOMER_ID } from '../core/examples.ts';
import { periodQuery } from '../core/pagination.ts';
import { disputeStatus } from '../payment/search.ts';
import { checkoutDetails, exampleCheckoutDetails } from './checkout-details.ts';

export const foundCheckout = checkoutDetails
  .omit({ subscription_id: true, attempts: true, order_id: true, coupon: true })
  .extend({
    payment_dispute_status: disputeStatus,
    product_name: z.string().nullable(),
    customer: z
      .object({ id: z.string(), email: z.string().nullable(), name: z.string().nullable() })
      .meta({ id: 'CheckoutCustomer' }),
  })
  .meta({ id: 'FoundCheckout' });
export type FoundCheckout = z.infer<typeof foundCheckout>;

export const searchCheckoutsQuery = periodQuery.extend({ status: z.enum(SESSION_STATES).optional() });

const {
  subscription_id: _subscription,
  attempts: _attempts,
  order_id: _order,
  coupon: _coupon,
  ...example
} = exampleCheckoutDetails;
export const exampleFoundCheckout: FoundCheckout = {
  ...example,
  payment_dispute_status: null,
  product_name: 'Coffee, 1 kg',
  customer: { id: EXAMPLE_CUSTOMER_ID, email: 'ada@shop.example', name: 'Ada' },
};

export const foundCheckoutPage = pageOf(foundCheckout, exampleFoundCheckout);
