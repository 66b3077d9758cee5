/** Customers as the dashboard lists them. */
import { z } from 'zod';
import { pageOf } from '../core/answers.ts';
import { BEGUN, EXAMPLE_CUSTOMER_ID } from '../core/examples.ts';
import { instant } from '../core/fields.ts';

export const foundCustomer = z
  .object({
    id: z.string(),
    external_customer_id: z.string().nullable(),
    email: z.string().nullable(),
    name: z.string().nullable(),
    created_at: instant,
  })
  .meta({ id: 'FoundCustomer' });
export type FoundCustomer = z.infer<typeof foundCustomer>;

export const foundCustomerPage = pageOf(foundCustomer);
export const exampleFoundCustomer: FoundCustomer = {
  id: EXAMPLE_CUSTOMER_ID,
  external_customer_id: 'u-17',
  email: 'ada@shop.example',
  name: 'Ada',
  created_at: BEGUN,
};
