/** One checkout in the dashboard, with its history. */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { single } from '../core/answers.ts';
import { BEGUN } from '../core/examples.ts';
import { happening } from '../payment/search.ts';
import { checkoutDetails, exampleCheckoutDetails } from './checkout-details.ts';
import { exampleFoundCheckout, foundCheckout } from './search.ts';

export const checkoutHistory = checkoutDetails
  .extend({
    payment_dispute_status: foundCheckout.shape.payment_dispute_status,
    product_name: foundCheckout.shape.product_name,
    customer: foundCheckout.shape.customer,
    environment: z.enum(ENVIRONMENTS),
    timeline: z.array(happening).meta({ description: 'Events of all attempts, oldest first.' }),
  })
  .meta({ id: 'CheckoutHistory' });
export type CheckoutHistory = z.infer<typeof checkoutHistory>;

const { payment_dispute_status, product_name, customer } = exampleFoundCheckout;
const exampleCheckoutHistory: CheckoutHistory = {
  ...exampleCheckoutDetails,
  payment_dispute_status,
  product_name,
  customer,
  environment: 'sandbox',
  timeline: [
    { at: BEGUN, what: 'checkout_created', reference: exampleCheckoutDetails.id, amount: 900, detail: null },
  ],
};

export const checkoutHistoryAnswer = single(checkoutHistory, exampleCheckoutHistory);
