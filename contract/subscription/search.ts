/** Subscriptions as the dashboard lists them. */
import { z } from 'zod';
import { pageOf } from '../core/answers.ts';
import { EXAMPLE_CUSTOMER_ID } from '../core/examples.ts';
import { instant } from '../core/fields.ts';
import { periodQuery } from '../core/pagination.ts';
import { exampleSubscription, subscription } from './resources.ts';

export const foundSubscription = subscription
  .extend({
    customer: z
      .object({ id: z.string(), email: z.string().nullable(), name: z.string().nullable() })
      .meta({ id: 'SubscriptionCustomer' }),
    next_charge_at: instant.nullable().meta({
      description: 'By the subscription’s clock; null if nothing will be charged.',
    }),
    clock: instant.meta({
      description: 'The current time by the subscription’s clock, which may be ahead in the sandbox.',
    }),
    created_at: instant.meta({ description: '`from` and `to` are compared with it.' }),
  })
  .meta({ id: 'FoundSubscription' });
export type FoundSubscription = z.infer<typeof foundSubscription>;

export const searchSubscriptionsQuery = periodQuery.extend({
  status: subscription.shape.status.optional(),
});
export const exampleFoundSubscription: FoundSubscription = {
  ...exampleSubscription,
  customer: { id: EXAMPLE_CUSTOMER_ID, email: 'ada@shop.example', name: 'Ada' },
  next_charge_at: exampleSubscription.current_period_end,
  clock: '2026-02-01T09:30:00.000Z',
  created_at: '2026-01-31T09:30:00.000Z',
};

export const foundSubscriptionPage = pageOf(foundSubscription, exampleFoundSubscription);
