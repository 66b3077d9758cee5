/** Subjects that operators look up: anything with an id that `npm run ops -- search` and `why` can show. */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { single } from '../core/answers.ts';
import { OPERATOR_COMMANDS } from './commands.ts';
import { KINDS_OF_INCIDENT } from './incident-kinds.ts';
import { exampleIncident, incident } from './incidents.ts';
import { operatorRequest } from './requests.ts';

const SUBJECT_KINDS = [
  'session',
  'payment',
  'subscription',
  'refund',
  'dispute',
  'invoice',
  'event',
  'endpoint',
  'rail_account',
  'merchant',
  /** An entire rail in one environment: `<rail>:<environment>`. */
  'rail',
  /** A command that waits, or has waited, for a second person. */
  'request',
  /** A subject that exists only in incidents, such as the sweep. */
  'incident',
] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

export const subject = z
  .object({
    kind: z.enum(SUBJECT_KINDS),
    id: z.string(),
    state: z.string(),
    // Not nullable: clients expect a string.
    merchant_id: z.string().meta({ description: 'Empty if it concerns the whole installation.' }),
    environment: z.enum(ENVIRONMENTS).nullable(),
    amount: z.int().nullable().meta({ description: 'Cents.' }),
    currency: z.string().nullable(),
    created_at: z.iso.datetime(),
    rail_reference: z.string().nullable().meta({
      description:
        'The card processor’s own id of a payment, refund or dispute. Null if it has none yet, or is of another kind.',
    }),
    found_by: z.string().meta({ description: 'The kind of id or reference that matched.' }),
  })
  .meta({ id: 'OperatorSubject' });
export type Subject = z.infer<typeof subject>;

export const subjectHistoryEntry = z
  .object({
    at: z.iso.datetime(),
    what: z.string(),
    id: z.string().meta({ description: 'The id of the affected object.' }),
  })
  .meta({ id: 'OperatorHistoryEntry' });
export type HistoryEntry = z.infer<typeof subjectHistoryEntry>;

const fittingCommand = z
  .object({
    command: z.enum(OPERATOR_COMMANDS),
    incident_kind: z
      .enum(KINDS_OF_INCIDENT)
      .nullable()
      .meta({ description: 'The kind of incident that `incident_close` closes; null for other commands.' }),
  })
  .meta({ id: 'FittingCommand' });
export type FittingCommand = z.infer<typeof fittingCommand>;

const explanation = z.object({
  subject,
  means: z.string().meta({ description: 'Description of its state.' }),
  by_itself: z.string().meta({ description: 'What happens next without an operator.' }),
  next_at: z.iso.datetime().nullable().meta({ description: 'When the service acts next.' }),
  rail_said: z
    .object({ at: z.iso.datetime(), words: z.string() })
    .meta({ id: 'RailSaid' })
    .nullable()
    .meta({ description: 'The last answer of the card processor.' }),
  request: operatorRequest
    .nullable()
    .meta({ description: 'For a `request`, to people who may read the audit log: the requested command.' }),
  incidents: z.array(incident),
  history: z.array(subjectHistoryEntry).meta({ description: 'Oldest first, the latest hundred.' }),
  related: z.array(
    z
      .object({ kind: z.string(), id: z.string(), state: z.string(), environment: z.enum(ENVIRONMENTS) })
      .meta({ id: 'RelatedSubject' }),
  ),
  commands: z.array(fittingCommand).meta({
    description: 'Commands that a platform person can run now; others are refused.',
  }),
  workflow_url: z.string().nullable().meta({ description: 'Null without `TEMPORAL_UI_URL`.' }),
});

export type Explanation = z.infer<typeof explanation>;

export const exampleSubject: Subject = {
  kind: 'payment',
  id: 'ap_pay_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
  state: 'processing',
  merchant_id: 'ap_mer_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
  environment: 'production',
  amount: 1_900,
  currency: 'EUR',
  created_at: '2026-01-31T09:30:00.000Z',
  rail_reference: 'pi_1',
  found_by: 'id',
};

const exampleExplanation = {
  subject: exampleSubject,
  means: 'Sent to the rail; the outcome is not known yet.',
  by_itself: 'The rail is asked again until it answers; a webhook from it triggers a look-up at once.',
  next_at: null,
  rail_said: { at: '2026-01-31T09:30:20.000Z', words: 'lookup: unknown, timeout (20000 ms)' },
  request: null,
  incidents: [exampleIncident],
  history: [
    {
      at: '2026-01-31T09:30:00.000Z',
      what: 'attempt 1 claimed',
      id: 'ap_pay_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
    },
  ],
  related: [
    {
      kind: 'session',
      id: 'ap_chk_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
      state: 'reconciliation_required',
      environment: 'production' as const,
    },
  ],
  commands: [{ command: 'ask' as const, incident_kind: null }],
  workflow_url: null,
};

export const explanationBody = single(explanation, exampleExplanation, 'OperatorExplanation');
