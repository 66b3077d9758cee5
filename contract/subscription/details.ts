/** One subscription in the dashboard, and the commands that a person can give. */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { MOST_QUANTITY } from '../../domain/core/money.ts';
import { single } from '../core/answers.ts';
import { BEGUN, UNIQUE } from '../core/examples.ts';
import { cents, givenInstant, instant } from '../core/fields.ts';
import { browserUrl, requiredText } from '../core/text.ts';
import { CLOSED } from '../core/unknown-field.ts';
import { examplePaymentLink } from '../invoice/resources.ts';
import { disputeStatus } from '../payment/search.ts';
import { eventType } from '../webhook/events.ts';
import { exampleChange } from './resources.ts';
import { exampleFoundSubscription, foundSubscription } from './search.ts';
import { cancelRequest, quantityRequest, resumeRequest, trialRequest } from './subscription-operations.ts';

const SUBSCRIPTION_UPDATES = [
  'renewed',
  'cancellation_set',
  'cancellation_undone',
  'pause_set',
  'pause_withdrawn',
  'trial_moved',
  'plan_change_scheduled',
  'quantity_change_scheduled',
  'plan_changed',
  'quantity_changed',
  'change_waits',
  'change_failed',
  'change_withdrawn',
  'price_move_announced',
  'price_move_withdrawn',
  'charging_stopped',
  'charging_continued',
  'imported',
] as const;
export type SubscriptionUpdate = (typeof SUBSCRIPTION_UPDATES)[number];

const happening = z
  .object({
    at: instant.meta({ description: 'By the subscription’s clock.' }),
    what: eventType,
    change: z.enum(SUBSCRIPTION_UPDATES).nullable().meta({
      description:
        'What `subscription.updated` reports; null if only the status changed, and for other events.',
    }),
    event_id: z.string(),
    status: z.string().nullable().meta({ description: 'The subscription’s status afterwards.' }),
    payment_id: z.string().nullable(),
    payment_dispute_status: disputeStatus,
    amount: cents.nullable().meta({ description: 'Amount of the refund, the invoice or the payment.' }),
  })
  .meta({ id: 'SubscriptionHappening' });

export const subscriptionDetails = foundSubscription
  .extend({
    environment: z.enum(ENVIRONMENTS),
    checkout_id: z.string().nullable(),
    clock_target: instant.nullable().meta({ description: 'The target of a moving sandbox clock.' }),
    cancel_requested_at: instant
      .nullable()
      .meta({ description: 'It ends as soon as its open charge is settled.' }),
    charging_stopped_at: instant.nullable().meta({
      description:
        'Nothing is charged: a dispute was lost, or an operator has not yet decided about a request that was lost in a restore.',
    }),
    next_renewal: z
      .object({
        at: instant.nullable().meta({ description: 'When it begins; null during a pause without a date.' }),
        total: cents.meta({
          description:
            'The amount charged for a period that begins then; during a pause without a date, for one that begins now.',
        }),
      })
      .meta({ id: 'SubscriptionNextRenewal' })
      .nullable()
      .meta({
        description:
          'The next period, with the scheduled change and the coupon; null if none follows, or while it is past due.',
      }),
    dunning: z
      .object({
        unpaid_since: instant.meta({ description: 'The start of the oldest unpaid period.' }),
        declines: z.int().meta({ description: 'Declined charges for that period.' }),
        waits_for: z.enum(['charge', 'retry', 'payment_method', 'nothing']).meta({
          description:
            '`charge`: one is under way; `retry`: the next one is at `retry_at`; `payment_method`: nothing is charged before the customer replaces it; `nothing`: charging has stopped, or the subscription ends first.',
        }),
        retry_at: instant.nullable(),
        ends_at: instant.nullable().meta({
          description:
            'When the subscription ends if it stays unpaid; null until an operator has decided about a request that was lost in a restore.',
        }),
        failure_code: z.string().nullable().meta({ description: 'Why the latest charge failed.' }),
      })
      .meta({ id: 'SubscriptionDunning' })
      .nullable(),
    timeline: z.array(happening).meta({ description: 'Oldest first, the latest hundred.' }),
  })
  .meta({ id: 'SubscriptionDetails' });
export type SubscriptionDetails = z.infer<typeof subscriptionDetails>;

export const subscriptionCommand = z
  .discriminatedUnion('command', [
    z
      .object({ command: z.literal('cancel'), ...cancelRequest.shape, at_period_end: z.boolean() })
      .meta({ id: 'SubscriptionCommandCancel', ...CLOSED }),
    z.object({ command: z.literal('undo_cancel') }).meta({ id: 'SubscriptionCommandUndoCancel', ...CLOSED }),
    z
      .object({ command: z.literal('pause'), resumes_at: givenInstant.nullable() })
      .meta({ id: 'SubscriptionCommandPause', ...CLOSED }),
    z
      .object({ command: z.literal('resume'), ...resumeRequest.shape })
      .meta({ id: 'SubscriptionCommandResume', ...CLOSED }),
    z
      .object({ command: z.literal('move_trial'), ...trialRequest.shape })
      .meta({ id: 'SubscriptionCommandMoveTrial', ...CLOSED }),
    z
      .object({ command: z.literal('pay'), invoice_id: requiredText(200) })
      .meta({ id: 'SubscriptionCommandPay', ...CLOSED }),
    z
      .object({
        command: z.literal('change_plan'),
        plan_id: requiredText(200),
        offering_id: requiredText(200)
          .nullable()
          .meta({ description: 'Another offering; null for a plan of the current one.' }),
        effective: z.enum(['now', 'period_end']).optional().meta({ description: 'Default: `period_end`.' }),
        calculated_at: quantityRequest.shape.calculated_at,
      })
      .meta({ id: 'SubscriptionCommandChangePlan', ...CLOSED }),
    z
      .object({ command: z.literal('change_quantity'), ...quantityRequest.shape })
      .meta({ id: 'SubscriptionCommandChangeQuantity', ...CLOSED }),
    z
      .object({ command: z.literal('cancel_change'), change_id: requiredText(200) })
      .meta({ id: 'SubscriptionCommandCancelChange', ...CLOSED }),
    z
      .object({ command: z.literal('advance'), to: givenInstant })
      .meta({ id: 'SubscriptionCommandAdvance', ...CLOSED }),
  ])
  .meta({ id: 'SubscriptionCommand' });
export type SubscriptionCommand = z.infer<typeof subscriptionCommand>;

export const subscriptionPreviewQuery = z.object({
  command: z.enum(['cancel', 'undo_cancel', 'pause', 'resume', 'move_trial']).optional().meta({
    description:
      'A cancellation or a pause, the end of either, or another end of the trial; absent for a change.',
  }),
  ends_at: trialRequest.shape.ends_at.optional().meta({
    description: 'With `move_trial`: as in the command.',
    example: '2026-06-01T00:00:00Z',
  }),
  resumes_at: givenInstant.optional().meta({
    description: 'With `pause`: when it ends; absent for a pause without an end.',
    example: '2026-06-01T00:00:00Z',
  }),
  plan_id: requiredText(200).optional().meta({
    description: 'The plan to change to; absent for a change of quantity.',
    example: exampleChange.target_plan_id,
  }),
  quantity: z.coerce.number().int().min(1).max(MOST_QUANTITY).optional().meta({
    description: 'Without `plan_id`: the quantity to change to.',
    example: 5,
  }),
  offering_id: requiredText(200).optional().meta({
    description: 'Another offering; absent for a plan of the current one.',
  }),
  effective: z.enum(['now', 'period_end']),
});

export const methodChangeLinkRequest = z
  .object({
    return_url: requiredText(500).pipe(browserUrl(500)).meta({
      description: 'Where the buyer’s browser goes afterwards.',
      example: 'https://shop.example/account',
    }),
  })
  .meta({ id: 'MethodChangeLinkRequest', ...CLOSED });

export const invoiceLinkRequest = z
  .object({ invoice_id: requiredText(200) })
  .meta({ id: 'InvoiceLinkRequest', ...CLOSED });

const exampleMethodChangeLink = {
  url: 'https://pay.example.org/pay/ap_pmc_1b9e7d3c5f2a48e6b4d0c8a7f6e5d4c3',
  expires_at: '2026-01-31T09:45:00.000Z',
};

export const exampleSubscriptionDetails: SubscriptionDetails = {
  ...exampleFoundSubscription,
  environment: 'sandbox',
  checkout_id: `ap_chk_${UNIQUE}`,
  clock_target: null,
  cancel_requested_at: null,
  charging_stopped_at: null,
  next_renewal: {
    at: exampleFoundSubscription.next_charge_at,
    total: exampleFoundSubscription.amount,
  },
  dunning: null,
  timeline: [
    {
      at: BEGUN,
      what: 'subscription.created',
      change: null,
      event_id: 'evt_1b9e7d3c5f2a48e6b4d0c8a7f6e5d4c3',
      status: 'active',
      payment_id: `ap_pay_${UNIQUE}`,
      payment_dispute_status: null,
      amount: 900,
    },
  ],
};

export const subscriptionDetailsAnswer = single(subscriptionDetails, exampleSubscriptionDetails);
export const methodChangeLink = single(
  z.object({
    url: z.url().meta({ description: 'The page on which the buyer replaces the payment method.' }),
    expires_at: instant,
  }),
  exampleMethodChangeLink,
  'MethodChangeLink',
);
export const invoiceLink = single(
  z.object({
    url: z.url().meta({ description: 'The page on which the buyer pays the invoice.' }),
    expires_at: instant,
  }),
  { url: examplePaymentLink.hostedUrl, expires_at: examplePaymentLink.expiresAt },
  'InvoiceLink',
);
