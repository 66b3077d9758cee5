/** Disputes under `/v1/merchants/{merchantId}/disputes`. */
import { z } from 'zod';
import { DISPUTE_STATUSES } from '../../domain/dispute/dispute.ts';

export const dispute = z
  .object({
    id: z.string(),
    payment_id: z.string(),
    subscription_id: z.string().nullable().meta({
      description: 'The subscription that the payment was made for.',
    }),
    status: z.enum(DISPUTE_STATUSES).meta({
      description: 'open until the buyer’s bank has decided; lost: the money was returned to the buyer.',
    }),
    amount: z.int().meta({ description: 'Cents.' }),
    currency: z.string(),
    reason: z.string().meta({ description: 'The card processor’s reason code for the buyer’s objection.' }),
    evidence_due_by: z.iso.datetime().nullable().meta({
      description: 'Deadline for submitting evidence at the card processor; null if it cannot be submitted.',
    }),
    opened_at: z.iso.datetime(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Dispute' });
export type Dispute = z.infer<typeof dispute>;

export const exampleDispute: Dispute = {
  id: 'ap_dis_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
  payment_id: 'ap_pay_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
  subscription_id: 'ap_sub_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
  status: 'open',
  amount: 900,
  currency: 'EUR',
  reason: 'fraudulent',
  evidence_due_by: '2026-02-07T09:30:00.000Z',
  opened_at: '2026-01-31T09:30:00.000Z',
  created_at: '2026-01-31T09:31:00.000Z',
  updated_at: '2026-01-31T09:31:00.000Z',
};
