/** POST /v1/refunds and its resource. */
import { z } from 'zod';
import { REFUND_STATUSES } from '../../domain/refund/refund.ts';
import { single } from '../core/answers.ts';
import { rule } from '../core/faults.ts';
import { requiredText, text } from '../core/text.ts';
import { CLOSED } from '../core/unknown-field.ts';

const paymentId = requiredText(200).meta({ description: 'A settled payment.' });
const orderId = requiredText(200).meta({ description: 'The order of the payment.' });

const terms = {
  amount: z
    .int()
    .positive()
    .optional()
    .meta({ description: 'Cents; defaults to everything that is refundable.' }),
  currency: text(200).nullish().meta({ description: 'If sent, must equal the payment’s currency.' }),
  reason: text(500).nullish().meta({ description: 'For your own records.' }),
  confirmDispute: z.boolean().nullish().meta({
    description:
      'If true, also refunds amounts in open or lost disputes; the buyer may then receive that money twice. Otherwise the response is 409 `payment_disputed`.',
  }),
};

export const refundRequest = z
  .object({ paymentId: paymentId.nullish(), orderId: orderId.nullish(), ...terms })
  .refine(
    ({ paymentId, orderId }) => (paymentId ? 1 : 0) + (orderId ? 1 : 0) === 1,
    rule('inconsistent', 'Send either paymentId or orderId.'),
  );

/** For the API description: one type for each of the two ways to name the payment. */
export const describedRefundRequest = z
  .union([
    z.object({ paymentId, ...terms }).meta({ id: 'RefundOfPayment', ...CLOSED }),
    z.object({ orderId, ...terms }).meta({ id: 'RefundOfOrder', ...CLOSED }),
  ])
  .meta({ id: 'RefundRequest' });

export const refund = z
  .object({
    id: z.string(),
    payment_id: z.string(),
    order_id: z.string().nullable(),
    amount: z.int().positive(),
    currency: z.string(),
    reason: z.string().nullable(),
    status: z.enum(REFUND_STATUSES).meta({
      description: 'pending until the card processor has answered; a failed refund returned nothing.',
    }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Refund' });
export type Refund = z.infer<typeof refund>;

export const exampleRefund: Refund = {
  id: 'ap_ref_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
  payment_id: 'ap_pay_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
  order_id: 'ap_ord_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
  amount: 500,
  currency: 'EUR',
  reason: 'One of two arrived broken',
  status: 'succeeded',
  created_at: '2026-01-31T09:30:00.000Z',
};

export const refundAnswer = single(refund, exampleRefund);
