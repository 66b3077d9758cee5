/** What operators look up: anything with an id, as `npm run ops -- search` and `why` show it. */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/environment.ts';
import { EXAMPLE_REQUEST_ID, single } from '../core/answers.ts';
import { OPERATOR_COMMANDS } from './commands.ts';
import { KINDS_OF_INCIDENT } from './incident-kinds.ts';
import { exampleIncident, incident } from './incidents.ts';

const SUBJECT_KINDS = [
  'session',
  'payment',
  'subscription',
  'refund',
  'dispute',
  'event',
  'endpoint',
  'rail_account',
  'merchant',
] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

export const subject = z
  .object({
    kind: z.enum(SUBJECT_KINDS),
    id: z.string(),
    state: z.string(),
    merchant_id: z.string(),
    environment: z.enum(ENVIRONMENTS).nullable(),
    amount: z.int().nullable().meta({ description: 'Cents.' }),
    currency: z.string().nullable(),
    created_at: z.iso.datetime(),
    found_by: z.string().meta({ description: 'Which of its ids or references was searched for.' }),
  })
  .meta({ id: 'OperatorSubject' });
export type Subject = z.infer<typeof subject>;

export const subjectHistoryEntry = z
  .object({
    at: z.iso.datetime(),
    what: z.string(),
    id: z.string().meta({ description: 'What it happened to.' }),
  })
  .meta({ id: 'OperatorHistoryEntry' });
export type HistoryEntry = z.infer<typeof subjectHistoryEntry>;

const fittingCommand = z
  .object({
    command: z.enum(OPERATOR_COMMANDS),
    incident_kind: z
      .enum(KINDS_OF_INCIDENT)
      .nullable()
      .meta({ description: 'What `incident_close` closes; null for every other command.' }),
  })
  .meta({ id: 'FittingCommand' });
export type FittingCommand = z.infer<typeof fittingCommand>;

const explanation = z.object({
  subject,
  means: z.string().meta({ description: 'Its state in words.' }),
  by_itself: z.string().meta({ description: 'What happens next without an operator.' }),
  next_at: z.iso.datetime().nullable().meta({ description: 'When the service acts next.' }),
  rail_said: z
    .object({ at: z.iso.datetime(), words: z.string() })
    .meta({ id: 'RailSaid' })
    .nullable()
    .meta({ description: 'The last answer of the card processor.' }),
  incidents: z.array(incident),
  history: z.array(subjectHistoryEntry).meta({ description: 'Oldest first, the latest hundred.' }),
  related: z.array(
    z.object({ kind: z.string(), id: z.string(), state: z.string() }).meta({ id: 'RelatedSubject' }),
  ),
  commands: z.array(fittingCommand).meta({
    description: 'What a platform person can do about it now; others than these are refused.',
  }),
  workflow_url: z.string().nullable().meta({ description: 'Null without `TEMPORAL_UI_URL`.' }),
});

export type Explanation = z.infer<typeof explanation>;

export const explanationBody = single(explanation).meta({ id: 'OperatorExplanation' });

export const subjectPath = z.object({
  id: z.string().meta({ example: 'ap_pay_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8' }),
});

export const exampleSubject: Subject = {
  kind: 'payment',
  id: 'ap_pay_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
  state: 'processing',
  merchant_id: 'ap_mer_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
  environment: 'production',
  amount: 1_900,
  currency: 'EUR',
  created_at: '2026-01-31T09:30:00.000Z',
  found_by: 'id',
};

export const exampleExplanation = {
  subject: exampleSubject,
  means: 'Sent to the rail; the outcome is not known yet.',
  by_itself: 'The rail is looked up again until it answers; its news triggers a look-up at once.',
  next_at: null,
  rail_said: { at: '2026-01-31T09:30:20.000Z', words: 'lookup: unknown, timeout (20000 ms)' },
  incidents: [exampleIncident],
  history: [
    {
      at: '2026-01-31T09:30:00.000Z',
      what: 'attempt 1 claimed',
      id: 'ap_pay_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
    },
  ],
  related: [
    { kind: 'session', id: 'ap_chk_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8', state: 'reconciliation_required' },
  ],
  commands: [{ command: 'ask' as const, incident_kind: null }],
  workflow_url: null,
  request_id: EXAMPLE_REQUEST_ID,
};

interface StateInWords {
  readonly means: string;
  readonly byItself: string;
}

const NOTHING = 'Nothing.';
const LOOK_UPS = 'The rail is looked up again until it answers; its news triggers a look-up at once.';

/** States in words, by kind. A state that is missing here is shown as it is. */
const STATES: Readonly<Record<SubjectKind, Readonly<Record<string, StateInWords>>>> = {
  session: {
    created: { means: 'Waiting for the buyer to pay.', byItself: 'It expires if the buyer does not pay.' },
    processing: { means: 'A payment is at the rail; its outcome is not known yet.', byItself: LOOK_UPS },
    requires_action: {
      means: "The buyer is in the bank's 3-D Secure challenge.",
      byItself: 'The rail is asked when the buyer returns, or when the challenge is over.',
    },
    succeeded: { means: 'Paid.', byItself: NOTHING },
    failed: { means: 'Ended without payment.', byItself: 'Money that arrives later goes back to the buyer.' },
    reconciliation_required: {
      means: 'The rail gave no clear answer. The buyer may have been charged.',
      byItself: LOOK_UPS,
    },
  },
  payment: {
    processing: { means: 'Sent to the rail; the outcome is not known yet.', byItself: LOOK_UPS },
    requires_action: { means: 'The bank wants the buyer to confirm.', byItself: LOOK_UPS },
    succeeded: { means: 'The rail confirmed the charge.', byItself: NOTHING },
    failed: { means: 'The charge failed; no money was taken by it.', byItself: NOTHING },
    cancelled: { means: 'Ended at the rail before a charge.', byItself: NOTHING },
    refunded: { means: 'Charged, and refunded in full.', byItself: NOTHING },
    partially_refunded: { means: 'Charged, and refunded in part.', byItself: NOTHING },
  },
  subscription: {
    incomplete: { means: 'Waiting for the first payment.', byItself: 'It begins when its session is paid.' },
    trialing: { means: 'In its free trial.', byItself: 'The first charge is made at the end of the trial.' },
    active: { means: 'Paid up.', byItself: 'It renews at the end of the period.' },
    past_due: {
      means: 'A charge failed.',
      byItself: 'It is charged again, or waits for a new payment method, until the dunning ladder ends.',
    },
    cancelled: { means: 'Ended.', byItself: NOTHING },
    expired: { means: 'Never began: its session was not paid.', byItself: NOTHING },
  },
  refund: {
    pending: { means: 'Sent to the rail; the outcome is not known yet.', byItself: LOOK_UPS },
    succeeded: { means: 'The buyer has the money back.', byItself: NOTHING },
    failed: { means: 'No money was returned.', byItself: 'The amount may be refunded again.' },
  },
  dispute: {
    open: {
      means: "The buyer's bank disputes the payment.",
      byItself: 'The rail is asked daily how it ended.',
    },
    won: { means: 'Decided for the merchant.', byItself: NOTHING },
    lost: { means: 'The money is back with the buyer.', byItself: NOTHING },
  },
  event: {
    delivered: { means: 'Accepted by every endpoint that subscribes to it.', byItself: NOTHING },
    pending: {
      means: 'Not yet accepted by every endpoint.',
      byItself: 'It is sent again on the retry schedule.',
    },
    held: {
      means: 'Held, because an endpoint is paused or disabled.',
      byItself: 'It is sent after a resume.',
    },
    exhausted: { means: 'An endpoint accepted it in none of its attempts.', byItself: NOTHING },
    unaddressed: { means: 'No endpoint subscribed to it.', byItself: NOTHING },
  },
  endpoint: {
    enabled: { means: 'Receives events.', byItself: 'Failed deliveries are retried.' },
    paused: { means: 'Paused: its events are held.', byItself: NOTHING },
    disabled: { means: 'Disabled after failures: its events are held.', byItself: NOTHING },
    deleted: { means: 'Deleted.', byItself: NOTHING },
  },
  rail_account: {
    active: { means: 'Takes payments.', byItself: NOTHING },
    activating: { means: 'Cannot take payments yet.', byItself: NOTHING },
    disabled: { means: 'Takes no new payments.', byItself: 'Open payments are still looked up.' },
  },
  merchant: {
    active: { means: 'Sells.', byItself: NOTHING },
    inactive: {
      means: 'Stopped: its keys are refused.',
      byItself: 'Open sessions and subscriptions continue.',
    },
  },
};

export function stateInWords(kind: SubjectKind, state: string): StateInWords {
  return STATES[kind][state] ?? { means: state, byItself: NOTHING };
}
