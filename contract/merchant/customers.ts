/** Customers as the dashboard lists them. */
import { z } from 'zod';
import { pageOf, single } from '../core/answers.ts';
import { BEGUN, EXAMPLE_CUSTOMER_ID } from '../core/examples.ts';
import { cents, currency, instant } from '../core/fields.ts';

export const foundCustomer = z
  .object({
    id: z.string(),
    external_customer_id: z.string().nullable(),
    email: z.string().nullable(),
    name: z.string().nullable(),
    billing_details: z.record(z.string(), z.string().nullable()).nullable(),
    tax_value: z.string().nullable(),
    tax_type: z.string().nullable(),
    paid_amount: cents.meta({
      description: 'Cents of all payments in `currency` that succeeded, less refunds.',
    }),
    currency,
    last_paid_at: instant.nullable(),
    created_at: instant,
  })
  .meta({ id: 'FoundCustomer' });
export type FoundCustomer = z.infer<typeof foundCustomer>;

const exampleFoundCustomer: FoundCustomer = {
  id: EXAMPLE_CUSTOMER_ID,
  external_customer_id: 'u-17',
  email: 'ada@shop.example',
  name: 'Ada',
  billing_details: {
    line1: 'Hafenstraße 1',
    line2: null,
    city: 'Hamburg',
    region: null,
    postal_code: '20457',
    country: 'DE',
  },
  tax_value: null,
  tax_type: null,
  paid_amount: 1_900,
  currency: 'EUR',
  last_paid_at: BEGUN,
  created_at: BEGUN,
};

export const foundCustomerPage = pageOf(foundCustomer, exampleFoundCustomer);
export const customerAnswer = single(foundCustomer, exampleFoundCustomer, 'CustomerAnswer');
