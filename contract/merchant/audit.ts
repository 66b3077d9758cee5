/** A merchant's audit log: who changed what, when, with the state before and after. */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { EXAMPLE_REQUEST_ID, pageOf } from '../core/answers.ts';
import { anyJson } from '../core/fields.ts';
import { period } from '../core/pagination.ts';
import { requiredText } from '../core/text.ts';

/** The recorded changes, by subject. */
export const AUDITED = {
  api_key: ['create', 'expire', 'revoke', 'rotate'],
  checkout: ['resolve'],
  coupon: ['create', 'update'],
  customer: ['erased', 'exported', 'update'],
  database_session: ['end'],
  deployment: ['abandon', 'make_current', 'ramp'],
  dispute: ['close', 'decided_by_rail'],
  incident: ['close'],
  invoice: ['credit', 'skip_numbers'],
  list: ['exported'],
  merchant: ['create', 'update'],
  offering: ['create', 'update'],
  operator_request: ['ask', 'withdraw'],
  orphaned_charge: ['returned'],
  price: ['activate', 'create', 'deactivate'],
  price_move: ['cancel', 'create'],
  product: ['create', 'import', 'update'],
  rail: ['pause', 'resume'],
  rail_account: ['disabled_by_rail', 'replaced', 'set'],
  refund: ['create', 'resolve'],
  restore: ['announce', 'settle'],
  secrets_key: ['rotate'],
  settings: ['update'],
  storefront_client: ['create', 'update'],
  subscription: [
    'advance_requested',
    'cancel_change_requested',
    'cancel_requested',
    'change_plan_requested',
    'change_quantity_requested',
    'import',
    'method_change_requested',
    'move_trial_requested',
    'pause_requested',
    'pay_requested',
    'payment_link_requested',
    'resolve',
    'resume_requested',
    'undo_cancel_requested',
  ],
  sweep: ['start', 'unpause'],
  webhook_delivery: ['resend'],
  webhook_endpoint: [
    'create',
    'delete',
    'enable',
    'pause',
    'recover_requested',
    'rotate_secret',
    'test',
    'update',
  ],
} as const;
type Audited = typeof AUDITED;
type ActionOf<Subject extends keyof Audited> = `${Subject}.${Audited[Subject][number]}`;
/** Subject and what happened to it: `api_key.revoke`. */
export type AuditAction = { [Subject in keyof Audited]: ActionOf<Subject> }[keyof Audited];

const instant = z.iso.datetime();
const environment = z.enum(ENVIRONMENTS);
/** As stored: its members depend on the subject. */
const state = anyJson.meta({
  description: 'The subject at that time, without secrets; null if it did not exist.',
});

export const auditEntry = z
  .object({
    id: z.string(),
    at: instant,
    environment: environment
      .nullable()
      .meta({ description: 'Null if it is not specific to an environment.' }),
    actor: z.string().meta({
      description:
        '`person:` and their id at the identity provider, `api_key:` and the key’s id, `operator:` and the user of a machine, or `temporal-ui:` and ' +
        'the text typed there.',
    }),
    action: z.string().meta({ example: 'api_key.revoke' }),
    subject_id: z.string(),
    request_id: z.string().nullable().meta({ description: 'The request that made the change.' }),
    before: state,
    after: state,
  })
  .meta({ id: 'AuditEntry' });

export const auditQuery = z.object({
  environment: environment.optional().meta({ description: 'Absent: everything.' }),
  subject_id: requiredText(64).optional().meta({ description: 'Only changes of this subject.' }),
  ...period,
  cursor: z
    .string()
    .regex(/^[0-9]{1,15}$/, { error: 'must be the next_cursor of a page' })
    .optional()
    .meta({ description: 'next_cursor of the previous page.', example: '17' }),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

export const exampleAudit = {
  id: '17',
  at: '2026-01-31T09:30:00.000Z',
  environment: null,
  actor: 'person:ada@harbour-coffee.example',
  action: 'merchant.update',
  subject_id: 'ap_mer_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
  request_id: EXAMPLE_REQUEST_ID,
  before: { name: 'Harbor Coffee' },
  after: { name: 'Harbour Coffee' },
};

export const auditAnswer = pageOf(auditEntry, exampleAudit);
