/** Counters of a merchant's billing objects. */
import { z } from 'zod';

export const billingDashboard = z
  .object({
    merchant_id: z.string(),
    orders: z.int().nonnegative(),
    payments: z.int().nonnegative(),
    invoices: z.int().nonnegative(),
    subscriptions: z
      .int()
      .nonnegative()
      .optional()
      .meta({ description: 'Present only with the subscriptions capability.' }),
    request_id: z.string(),
  })
  .meta({ id: 'BillingDashboard' });
