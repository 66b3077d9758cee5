/** Machine-readable field errors: the field's path, a reason and, if there is one, the limit. */
import { z } from 'zod';

/** Every reason, described for readers of the API description. */
export const REASONS = {
  required: 'missing, null or empty',
  type: 'not of the expected JSON type',
  format: 'not in the expected format',
  character: 'contains a character that is not allowed',
  too_short: 'fewer than `limit` characters',
  too_long: 'more than `limit` characters',
  too_few: 'fewer than `limit` entries',
  too_many: 'more than `limit` entries',
  too_small: 'below `limit`',
  too_large: 'above `limit`, or above an amount that the message states',
  too_early: 'an instant that is too early',
  too_late: 'an instant that is too late',
  out_of_range: 'outside its bounds, which the message states',
  unknown_value: 'not one of the accepted values',
  not_accepted: 'not accepted in this request',
  taken: 'already in use',
  inconsistent: 'contradicts other fields',
} as const;
type Reason = keyof typeof REASONS;

export interface Fault {
  /** The path in the request: `recurring.interval_count`; null if no single field is at fault. */
  readonly field: string | null;
  readonly reason: Reason;
  /** The smallest or largest accepted size or value. */
  readonly limit?: number;
}

/** The fields of a fault in an error's body. */
export const faultFields = {
  field: z.string().nullable().optional().meta({
    description:
      'With errors about the request: the path of the field, such as `recurring.interval_count`; null if no single field is at fault.',
  }),
  reason: z
    .string()
    .optional()
    .meta({
      description: `What is wrong with the field. New reasons may be added. ${Object.entries(REASONS)
        .map(([reason, meaning]) => `\`${reason}\`: ${meaning}.`)
        .join(' ')}`,
    }),
  limit: z.number().optional().meta({
    description: 'The smallest or largest accepted value or number of characters or entries.',
  }),
};

type Message = string | ((issue: { readonly input?: unknown }) => string);

/** The second argument of a `refine`: its message, and the reason that `faultOf` (`why-invalid.ts`) reads. */
export function rule(reason: Reason, error: Message, limit?: number) {
  return { error, params: { reason, limit } };
}
