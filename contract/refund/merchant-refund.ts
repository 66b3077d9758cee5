/** A refund made by a person: POST /v1/merchants/{merchantId}/refunds. */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { requiredText } from '../core/text.ts';
import { CLOSED } from '../core/unknown-field.ts';

export const merchantRefundRequest = z
  .object({
    environment: z.enum(ENVIRONMENTS),
    payment_id: requiredText(64),
    amount: z.int().positive().optional().meta({
      description: 'Cents; defaults to everything not refunded yet.',
    }),
    if_refundable_amount: z
      .int()
      .nonnegative()
      .optional()
      .meta({
        description:
          'The refundable cents when the person decided, as the payment shows them. If they have changed: ' +
          '409 `refundable_amount_changed`, and nothing is refunded.',
      }),
    confirm_dispute: z.boolean().optional().meta({
      description:
        'Also refund the amount of open or lost disputes. Without this, the response is 409 `payment_disputed`.',
    }),
    reason: requiredText(500).optional().meta({ description: 'For your own records.' }),
  })
  .meta({ id: 'MerchantRefundRequest', ...CLOSED });
