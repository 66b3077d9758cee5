/** POST /v1/payment-methods/change: the request. Violations are reported in the order of the fields. */

import { z } from 'zod';
import { EXAMPLE_CUSTOMER_ID, UNIQUE } from '../core/examples.ts';
import { browserUrl, requiredEmail, requiredText, text } from '../core/text.ts';
import { CLOSED } from '../core/unknown-field.ts';
import { billingDetails, tax } from './checkout.ts';

export const methodChangeRequest = z
  .object({
    subscriptionId: requiredText(200).meta({ example: 'ap_sub_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8' }),
    externalCustomerId: requiredText(160).meta({
      description: "The subscription's customer, by your reference.",
    }),
    customer: z
      .object({
        email: requiredEmail(320),
        name: text(160).nullish(),
        billingDetails: billingDetails.nullish(),
        tax: tax.nullish(),
      })
      .meta({ id: 'PaymentMethodChangeCustomer', ...CLOSED }),
    successUrl: requiredText(500).pipe(browserUrl(500)).meta({ example: 'https://shop.example/account' }),
    failUrl: requiredText(500).pipe(browserUrl(500)).meta({ example: 'https://shop.example/account' }),
  })
  .meta({ id: 'PaymentMethodChangeRequest', ...CLOSED });

export const methodChange = z
  .object({
    id: z.string().meta({ example: 'ap_pmc_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8' }),
    customerId: z.string(),
    hostedUrl: z.url().meta({ description: "Send the customer's browser here." }),
    expiresAt: z.iso.datetime().meta({ description: '15 minutes after creation.' }),
    request_id: z.string(),
  })
  .meta({ id: 'PaymentMethodChange' });
export type MethodChange = z.infer<typeof methodChange>;

export const exampleMethodChange: Omit<MethodChange, 'request_id'> = {
  id: `ap_pmc_${UNIQUE}`,
  customerId: EXAMPLE_CUSTOMER_ID,
  hostedUrl: 'https://pay.example.org/pay/ap_chk_1b9e7d3c5f2a48e6b4d0c8a7f6e5d4c3',
  expiresAt: '2026-01-31T09:45:00.000Z',
};
