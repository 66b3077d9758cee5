/** A merchant's settings: one flat object. The defaults leave the service's behaviour unchanged. */
import { z } from 'zod';
import { MAX_CENTS } from '../../domain/core/money.ts';
import { single } from '../core/answers.ts';
import { rule } from '../core/faults.ts';
import { browserUrl, email, text } from '../core/text.ts';

const contact = (how: string) =>
  `Shown on the hosted page as ${how}: after a decline, while the outcome is unknown, and at the end.`;

const days = (before: string, event: string) =>
  z
    .int()
    .min(0)
    .max(60)
    .meta({
      description: `Days before ${before} at which \`${event}\` is sent to endpoints that list it, never before the period starts. 0 disables it. Applies to periods that begin later, and to current ones whose announcement is not yet due when an endpoint starts to list the event.`,
    });

const fields = {
  time_zone: z
    .string()
    .refine(isTimeZone, rule('unknown_value', 'must be an IANA time zone such as Europe/Berlin'))
    .meta({
      description:
        'The IANA time zone in which invoices are dated and numbered by year, and in which the days of the dashboard’s first page and lists begin. Issued invoices keep theirs.',
      example: 'Europe/Berlin',
    }),
  invoice_prefix: z
    .string()
    .max(20)
    .regex(/^([\w.-]*[a-z_.-])?$/i, {
      error: 'may contain letters, digits, ".", "_" and "-", and must not end in a digit',
    })
    .refine(
      (prefix) => !/CN-$/i.test(prefix),
      rule('format', 'must not end in CN-, which begins credit notes'),
    )
    .meta({
      description: 'The prefix of new invoice numbers. The series continues: no number is used twice.',
      example: 'RE-',
    }),
  invoice_first_number: z.int().min(1).max(900_000_000).meta({
    description:
      'Each year’s series begins with this number, in each environment. A series that is already beyond it continues: numbers never decrease.',
    example: 500,
  }),
  credit_note_on_lost_dispute: z.boolean().meta({
    description:
      'Whether a lost dispute issues a credit note for the disputed amount. If the dispute is won after all, a new invoice reverses it.',
  }),
  credit_note_on_uncollectible: z.boolean().meta({
    description: 'Whether an invoice that becomes `uncollectible` is credited in full.',
  }),
  collect_after_cancellation: z.boolean().meta({
    description:
      'Whether unpaid invoices are still retried after a cancellation at the end of the period: the subscription then ends with its period, but not before they are paid or their retries are over. Applies to later cancellations; an immediate one always ends it at once.',
  }),
  trial_ending_days: days('the end of a trial', 'subscription.trial_ending'),
  renewal_upcoming_days: days('a renewal', 'subscription.renewal_upcoming'),
  price_move_notice_days: z.int().min(0).max(365).meta({
    description:
      'How many days before its charge each subscriber’s [move to a new price](subscriptions.md#a-new-price-for-all) is announced. Applies to moves created later.',
  }),
  support_refund_limit: z.int().min(0).max(MAX_CENTS).meta({
    description:
      'Cents that support may refund per payment, counting all its refunds; only an owner may change it. 0 allows none.',
    example: 5_000,
  }),
  support_email: email(200)
    .nullable()
    .meta({
      description: contact('an email link'),
      example: 'help@example.com',
    }),
  support_url: browserUrl(500)
    .nullable()
    .meta({
      description: contact('a link'),
      example: 'https://example.com/help',
    }),
  support_phone: text(40)
    .regex(/^\+?\d[\d ()./-]{2,38}$/, { error: 'must be a phone number such as +49 40 123456' })
    .nullable()
    .meta({ description: contact('a phone link'), example: '+49 40 123456' }),
};

export const merchantSettings = z.object(fields).meta({ id: 'MerchantSettings' });
export type MerchantSettings = z.infer<typeof merchantSettings>;
export const settingsChanges = z.object(fields).partial().meta({ id: 'MerchantSettingsChanges' });
export type SettingsChanges = z.infer<typeof settingsChanges>;

/** The settings of a new merchant, equal to the defaults of the columns. */
export const DEFAULT_SETTINGS: MerchantSettings = {
  time_zone: 'UTC',
  invoice_prefix: '',
  invoice_first_number: 1,
  credit_note_on_lost_dispute: false,
  credit_note_on_uncollectible: false,
  collect_after_cancellation: false,
  trial_ending_days: 3,
  renewal_upcoming_days: 7,
  price_move_notice_days: 30,
  support_refund_limit: 0,
  support_email: null,
  support_url: null,
  support_phone: null,
};

/** Accepts names but not offsets, which have no daylight-saving time. */
function isTimeZone(name: string): boolean {
  try {
    return /^[a-z]/i.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

export const merchantSettingsAnswer = single(merchantSettings, DEFAULT_SETTINGS);
