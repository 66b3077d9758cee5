/** Numbers for the dashboard's first page. */
import { z } from 'zod';
import { single } from '../core/answers.ts';
import { cents } from '../core/fields.ts';

const sales = z
  .object({
    count: z.int().meta({
      description: 'Payments that succeeded, including refunded ones but not card checks of 0 cents.',
    }),
    amount: cents,
    refunded: cents,
  })
  .meta({ id: 'SalesOfAPeriod' });

export const overview = z
  .object({
    currency: z.string(),
    time_zone: z
      .string()
      .meta({ description: 'The merchant’s time zone, which determines when its days begin.' }),
    today: sales,
    last_30_days: sales,
    previous_30_days: sales,
    days: z
      .array(z.object({ day: z.string(), count: z.int(), amount: cents }).meta({ id: 'SalesOfADay' }))
      .meta({ description: 'The last 60, oldest first.' }),
    checkouts: z.object({ created: z.int(), paid: z.int() }).meta({
      id: 'CheckoutCounts',
      description:
        'Sessions created in the last 30 days that have ended, and the number of them that were paid.',
    }),
    declines: z
      .array(z.object({ failure_code: z.string().nullable(), count: z.int() }).meta({ id: 'DeclineCount' }))
      .meta({ description: 'Declines of the last 30 days, most frequent first.' }),
    subscriptions: z
      .object({
        active: z.int(),
        trialing: z.int(),
        past_due: z.int(),
        monthly_amount: cents.meta({
          description:
            'Monthly recurring revenue: the prices of the next periods, less coupons, by interval and including tax. Excludes subscriptions that end or pause with their period.',
        }),
      })
      .meta({ id: 'SubscriptionCounts' }),
    attention: z
      .object({
        disputes_open: z.int(),
        declines_above_limit: z
          .int()
          .meta({ description: 'Within ten minutes: somebody may be testing cards.' }),
        unconfirmed_payments: z.int(),
        endpoints_disabled: z.int(),
        endpoints_failing: z.int(),
        deliveries_exhausted: z.int(),
        rail_account: z.enum(['active', 'activating', 'disabled', 'missing']),
      })
      .meta({ id: 'AttentionCounts' }),
  })
  .meta({ id: 'Overview' });
export type Overview = z.infer<typeof overview>;

const none = { count: 0, amount: 0, refunded: 0 };
const exampleOverview: Overview = {
  currency: 'EUR',
  time_zone: 'Europe/Berlin',
  today: { count: 3, amount: 5_700, refunded: 0 },
  last_30_days: { count: 41, amount: 77_900, refunded: 1_900 },
  previous_30_days: none,
  days: [{ day: '2026-01-31', count: 3, amount: 5_700 }],
  checkouts: { created: 60, paid: 41 },
  declines: [{ failure_code: 'insufficient_funds', count: 4 }],
  subscriptions: { active: 12, trialing: 2, past_due: 1, monthly_amount: 10_800 },
  attention: {
    disputes_open: 0,
    declines_above_limit: 0,
    unconfirmed_payments: 0,
    endpoints_disabled: 0,
    endpoints_failing: 1,
    deliveries_exhausted: 0,
    rail_account: 'active',
  },
};

export const overviewAnswer = single(overview, exampleOverview);
