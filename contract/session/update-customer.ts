/** PATCH /v1/merchants/{merchantId}/customers/{customerId}: the party that the customer's next invoice names. */
import { z } from 'zod';
import { text } from '../core/text.ts';
import { CLOSED } from '../core/unknown-field.ts';
import { billingDetails, tax } from './checkout.ts';

export const customerChanges = z
  .object({
    name: text(160).nullish(),
    billing_details: billingDetails.nullish(),
    tax: tax.nullish(),
  })
  .meta({ id: 'CustomerChanges', ...CLOSED });
