/** Operations on a subscription: requests and responses. */
import { z } from 'zod';
import { MOST_QUANTITY } from '../../domain/core/money.ts';
import { LONGEST_TRIAL_DAYS } from '../../domain/subscription/first-period.ts';
import { rule } from '../core/faults.ts';
import { cents, currency, givenInstant, instant, signedCents } from '../core/fields.ts';
import { requiredText, text } from '../core/text.ts';
import { CLOSED } from '../core/unknown-field.ts';
import { subscription, subscriptionChange } from './resources.ts';

/** Sent with an operation to have the effect that its preview showed. */
const previewed = {
  calculated_at: givenInstant.optional().meta({
    description:
      'The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`), at most 15 minutes old. Exactly its ' +
      'lines, or its next renewal, are charged; 409 `preview_outdated` if it no longer applies.',
  }),
};

export const cancelRequest = z
  .object({
    at_period_end: z
      .boolean()
      .optional()
      .meta({ description: 'If true, at the end of the current period; by default immediately.' }),
    ...previewed,
  })
  .meta({ id: 'SubscriptionCancelRequest', ...CLOSED });

export const pauseRequest = z
  .object({
    resumes_at: givenInstant.nullish().meta({
      description:
        'RFC 3339, after the end of the period, at most five years later. By default it lasts until `resume`.',
    }),
  })
  .meta({ id: 'SubscriptionPauseRequest', ...CLOSED });

const NOW_OR_INSTANT = new RegExp(`^now$|${z.regexes.datetime({ offset: true }).source}`);

export const trialRequest = z
  .object({
    // A plain string, because several client generators cannot read a union of a literal and a date-time.
    ends_at: z
      .string()
      .max(40)
      .regex(NOW_OR_INSTANT, {
        error: 'must be "now", or a timestamp with a UTC offset, such as 2026-01-31T09:30:00Z',
      })
      .refine(
        (value) => value === 'now' || givenInstant.safeParse(value).success,
        rule('out_of_range', 'must be between the years 1970 and 9999, in UTC'),
      )
      .meta({
        description: `\`now\`, or RFC 3339, later than the subscription's clock by at most ${LONGEST_TRIAL_DAYS} days.`,
        example: '2026-06-01T00:00:00Z',
      }),
    ...previewed,
  })
  .meta({ id: 'SubscriptionTrialRequest', ...CLOSED });

export const resumeRequest = z.object(previewed).meta({ id: 'SubscriptionResumeRequest', ...CLOSED });

/** The body of operations without parameters. */
export const emptyRequest = z.object({}).meta({ id: 'EmptyRequest', ...CLOSED });

const targetPlanId = text(200).meta({
  description: 'A recurring product in the same offering; the current one, to move to its current price.',
});
const targetProductId = text(200).meta({ description: 'Alias of target_plan_id.' });

const when = {
  effective: z
    .enum(['now', 'period_end'])
    .optional()
    .meta({
      description:
        '`now`: the unused share of the paid period is credited, and its remaining time charged at the new price (a whole ' +
        'new period if the interval differs). Default: `period_end`.',
    }),
  ...previewed,
};

export const planChangeRequest = z.object({
  target_plan_id: targetPlanId.nullish(),
  target_product_id: targetProductId.nullish(),
  ...when,
});

/** For the API description: requires one of the two names. */
export const describedPlanChangeRequest = z
  .union([
    z.object({ target_plan_id: targetPlanId, ...when }).meta({ id: 'PlanChangeToPlan', ...CLOSED }),
    z.object({ target_product_id: targetProductId, ...when }).meta({ id: 'PlanChangeToProduct', ...CLOSED }),
  ])
  .meta({ id: 'PlanChangeRequest' });

export const offeringChangeRequest = z
  .object({
    target_offering_id: requiredText(200),
    target_plan_id: requiredText(200).meta({ description: 'A recurring product in that offering.' }),
    ...when,
  })
  .meta({ id: 'OfferingChangeRequest', ...CLOSED });

export const quantityRequest = z
  .object({
    quantity: z
      .int()
      .min(1)
      .max(MOST_QUANTITY)
      .meta({ description: 'Within the bounds of the plan.', example: 5 }),
    ...when,
  })
  .meta({ id: 'QuantityRequest', ...CLOSED });

export const changeCancelRequest = z
  .object({ action_id: requiredText(200).meta({ description: 'The action_id of the change.' }) })
  .meta({ id: 'ChangeCancelRequest', ...CLOSED });

export const advanceRequest = z
  .object({
    to: givenInstant.meta({ description: "RFC 3339, any offset; not before the subscription's clock." }),
  })
  .meta({ id: 'AdvanceRequest' });

const requestId = { request_id: z.string() };

const chargeLine = z
  .object({
    key: z.enum(['period', 'rest', 'unused', 'discount']),
    period: z.object({ start: instant, end: instant }).meta({ id: 'ChargePeriod' }),
    quantity: z.int().positive(),
    unit_amount: signedCents,
    amount: signedCents,
    tax_rate: z.number().nonnegative(),
    tax_amount: signedCents,
  })
  .meta({ id: 'ChargeLine' });

export const changePreviewAnswer = z
  .object({
    lines: z.array(chargeLine),
    total: cents.meta({ description: 'Charged now: the sum of the lines.' }),
    currency,
    calculated_at: instant,
    effective_at: instant,
    next_renewal: z
      .object({ at: instant, total: cents })
      .meta({ id: 'NextRenewal' })
      .nullable()
      .meta({ description: '`null` if no renewal follows, as after a cancellation.' }),
    ...requestId,
  })
  .meta({ id: 'ChangePreviewAnswer' });

export const subscriptionAnswer = subscription.extend(requestId).meta({ id: 'SubscriptionAnswer' });
export const changeAnswer = subscriptionChange.extend(requestId).meta({ id: 'SubscriptionChangeAnswer' });

const REST = { start: '2026-02-16T09:30:00.000Z', end: '2026-02-28T09:30:00.000Z' };
export const exampleChangePreview: Omit<z.infer<typeof changePreviewAnswer>, 'request_id'> = {
  lines: [
    {
      key: 'unused',
      period: REST,
      quantity: 1,
      unit_amount: -386,
      amount: -386,
      tax_rate: 19,
      tax_amount: -62,
    },
    {
      key: 'rest',
      period: REST,
      quantity: 1,
      unit_amount: 1_900,
      amount: 814,
      tax_rate: 19,
      tax_amount: 130,
    },
  ],
  total: 428,
  currency: 'EUR',
  calculated_at: REST.start,
  effective_at: REST.start,
  next_renewal: { at: REST.end, total: 1_900 },
};
