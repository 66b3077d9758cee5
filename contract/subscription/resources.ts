/** Subscription and its scheduled change as the API returns them. */
import { z } from 'zod';
import { exampleProduct } from '../catalogue/resources.ts';
import { BEGUN, ENDS, EXAMPLE_CARD, EXAMPLE_CUSTOMER_ID, UNIQUE } from '../core/examples.ts';
import { cents, currency, instant, paymentMethod } from '../core/fields.ts';

export const subscriptionChange = z
  .object({
    action_id: z.string(),
    type: z.enum(['plan_change', 'offering_change', 'quantity_change']),
    status: z.enum(['scheduled', 'pending', 'requires_action', 'applied', 'cancelled', 'failed']).meta({
      description:
        '`pending`: its charge is under way or in doubt; `requires_action`: the customer must confirm and pay at `hostedUrl`, as the bank requires; `failed`: it was not paid. Nothing changes before `applied`.',
    }),
    hostedUrl: z.url().nullable().meta({
      description:
        'With `requires_action`, the page on which the customer confirms and pays the change, for 24 hours and at most until the period ends; otherwise null, as in lists and for callers who may not act for subscribers. Send it only to the customer.',
    }),
    target_plan_id: z.string(),
    target_offering_id: z.string().nullable(),
    quantity: z.int().positive().meta({ description: 'The quantity afterwards.' }),
    effective_at: instant,
  })
  .meta({ id: 'SubscriptionChange' });

export const subscription = z
  .object({
    id: z.string(),
    customer_id: z.string(),
    product_id: z.string(),
    plan: z.object({ id: z.string(), name: z.string() }).meta({ id: 'SubscriptionPlan' }),
    price_id: z.string().meta({ description: 'The price of its plan at which it renews.' }),
    offering: z.object({ id: z.string(), name: z.string() }).meta({ id: 'SubscriptionOffering' }).nullable(),
    status: z.enum(['incomplete', 'trialing', 'active', 'past_due', 'cancelled', 'expired', 'paused']),
    current_period_start: instant.nullable(),
    current_period_end: instant.nullable(),
    trial_start: instant.nullable(),
    trial_end: instant.nullable(),
    amount: cents.meta({ description: 'The price of a period: unit price times `quantity`.' }),
    quantity: z.int().positive(),
    currency,
    payment_method: paymentMethod.nullable(),
    cancel_at_period_end: z.boolean(),
    pause_at_period_end: z.boolean().meta({
      description:
        'True until its pause begins: at the end of the period, once nothing is unpaid, unless it then ends.',
    }),
    resumes_at: instant.nullable().meta({
      description:
        'When its pause ends; null without a pause, if the pause lasts until `resume`, or while it is set to end.',
    }),
    billing_cycles_left: z.int().nonnegative().nullable().meta({
      description:
        'Periods still to be charged after the current one, or after the trial; null without a limit and after the end.',
    }),
    ends_at: instant.nullable().meta({
      description:
        'When it ends, if it ends with its current period: set to cancel, or in its last billing cycle. An unpaid invoice of that cycle is retried first.',
    }),
    cancelled_at: instant.nullable(),
    coupon: z
      .object({
        id: z.string(),
        code: z.string(),
        percent: z.int().positive().nullable(),
        amount: cents.nullable().meta({ description: 'Cents off each charge; null if it takes `percent`.' }),
        periods_left: z.int().nonnegative().nullable().meta({
          description:
            'The number of charges after the current period, or after the trial, that it will reduce; null for all.',
        }),
      })
      .meta({ id: 'SubscriptionCoupon' })
      .nullable()
      .meta({ description: 'The discount on `amount` in the current period, or after the trial.' }),
    price_move: z
      .object({
        id: z.string(),
        amount: cents.meta({ description: 'The new price of a period: unit price times `quantity`.' }),
        from: instant.meta({
          description: 'The first period that begins at or after this time is charged at the new price.',
        }),
      })
      .meta({ id: 'SubscriptionPriceMove' })
      .nullable()
      .meta({ description: 'The announced move to its plan’s new price, until it applies.' }),
    change: subscriptionChange.nullable(),
  })
  .meta({ id: 'Subscription' });
export type Subscription = z.infer<typeof subscription>;

export const exampleSubscription: Subscription = {
  id: `ap_sub_${UNIQUE}`,
  customer_id: EXAMPLE_CUSTOMER_ID,
  product_id: exampleProduct.id,
  plan: { id: exampleProduct.id, name: exampleProduct.name },
  price_id: `ap_price_${UNIQUE}`,
  offering: { id: `ap_off_${UNIQUE}`, name: 'Coffee' },
  status: 'active',
  current_period_start: BEGUN,
  current_period_end: ENDS,
  trial_start: null,
  trial_end: null,
  amount: 900,
  quantity: 1,
  currency: 'EUR',
  payment_method: EXAMPLE_CARD,
  cancel_at_period_end: false,
  pause_at_period_end: false,
  resumes_at: null,
  billing_cycles_left: null,
  ends_at: null,
  cancelled_at: null,
  coupon: null,
  price_move: null,
  change: null,
};

export const exampleChange: NonNullable<Subscription['change']> = {
  action_id: `ap_chg_${UNIQUE}`,
  type: 'plan_change',
  status: 'scheduled',
  hostedUrl: null,
  target_plan_id: 'ap_prod_019a3c1c8f3b7d21a4c5e6f708192a3b',
  target_offering_id: null,
  quantity: 1,
  effective_at: ENDS,
};
