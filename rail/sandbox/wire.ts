/** Schemas of the sandbox rail's answers, and how they map to outcomes. */
import { z } from 'zod';
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import { METHOD_TYPES } from '../../domain/payment/payment-method.ts';
import type { RailCharge, RailDispute, RailRefund } from '../lists.ts';
import type { DisputesOutcome, RailOutcome, RefundOutcome } from '../outcomes.ts';
import { declineOf } from './errors.ts';

const methodSchema = z.object({
  type: z.enum(METHOD_TYPES),
  brand: z.string().nullable(),
  last4: z.string().nullable(),
});

export const chargeSchema = z
  .object({
    id: z.string().min(1),
    reference: z.string(),
    status: z.enum(['approved', 'declined', 'requires_action', 'pending', 'cancelled']),
    amount: z.number().int(),
    currency: z.string(),
    quantity: z.number().int().nullable(),
    declineCode: z.string().nullable(),
    method: methodSchema.nullable(),
    cardFingerprint: z.string().nullable(),
    mandate: z.string().nullable(),
    challengeUrl: z.url({ protocol: /^https?$/ }).nullable(),
    updatedAt: z.string(),
  })
  .refine(({ status, challengeUrl }) => status !== 'requires_action' || challengeUrl !== null);
export type Charge = z.infer<typeof chargeSchema>;

export const tokenSchema = z.object({ cardFingerprint: z.string() });

export const chargePageSchema = z.object({ data: z.array(chargeSchema), next: z.string().nullable() });

export const refundSchema = z.object({
  id: z.string().min(1),
  status: z.enum(['succeeded', 'pending', 'failed']),
  amount: z.number().int(),
  currency: z.string(),
  failureCode: z.string().nullable(),
});

export const refundedTotalSchema = z.object({ refunded: z.number().int() });
const listedRefundSchema = refundSchema.extend({
  reference: z.string(),
  chargeReference: z.string(),
  createdAt: z.string(),
});
export const refundPageSchema = z.object({ data: z.array(listedRefundSchema), next: z.string().nullable() });

export const disputesSchema = z.object({
  data: z.array(
    z.object({
      id: z.string().min(1),
      amount: z.number().int(),
      currency: z.string(),
      reason: z.string(),
      status: z.enum(['open', 'won', 'lost']),
      evidenceDueBy: z.string(),
      createdAt: z.string(),
    }),
  ),
});

export const disputePageSchema = z.object({
  data: z.array(z.object({ id: z.string().min(1), chargeReference: z.string() })),
  next: z.string().nullable(),
});

export function listedDispute({
  id,
  chargeReference,
}: z.infer<typeof disputePageSchema>['data'][number]): RailDispute {
  return { railDisputeId: id, reference: chargeReference, railReference: null };
}

export function disputesOf({ data }: z.infer<typeof disputesSchema>): DisputesOutcome {
  const disputes = data.map(({ id, amount, currency, reason, status, evidenceDueBy, createdAt }) => ({
    railDisputeId: id,
    status,
    amountCents: amount,
    currency,
    reason,
    openedAt: createdAt,
    evidenceDueBy: status === 'open' ? evidenceDueBy : null,
  }));
  return { kind: 'disputes', disputes };
}

export function outcomeOf(charge: Charge): RailOutcome {
  const { id: railReference, method } = charge;
  switch (charge.status) {
    case 'approved':
      return { kind: 'approved', railReference, method, mandate: charge.mandate, moved: movedBy(charge) };
    case 'declined':
      return {
        kind: 'declined',
        ...declineOf(charge.declineCode),
        railReference,
        method,
        cardFingerprint: charge.cardFingerprint,
      };
    case 'requires_action':
      return { kind: 'challenge', url: charge.challengeUrl ?? '', railReference, method };
    case 'pending':
      return { kind: 'pending', railReference, method };
    case 'cancelled':
      return { kind: 'cancelled', railReference };
  }
}

export function refundOutcomeOf(refund: z.infer<typeof refundSchema>): RefundOutcome {
  const { id: railReference, status } = refund;
  if (status === 'failed')
    return { kind: 'failed', code: refund.failureCode ?? 'unknown', railReference: refund.id };
  return status === 'succeeded'
    ? { kind: status, railReference, moved: movedBy(refund) }
    : { kind: status, railReference };
}

function movedBy({ amount: amountCents, currency }: { readonly amount: number; readonly currency: string }) {
  return { amountCents, currency };
}

export function listedCharge(charge: Charge): RailCharge {
  const { reference, amount: amountCents, currency, quantity, updatedAt: at } = charge;
  return { reference, outcome: KINDS[charge.status], amountCents, currency, quantity, at };
}

export function listedRefund(refund: z.infer<typeof listedRefundSchema>): RailRefund {
  const {
    reference,
    chargeReference: payment,
    status: outcome,
    amount: amountCents,
    currency,
    createdAt: at,
  } = refund;
  return { reference, payment, outcome, amountCents, currency, at };
}

const KINDS: Readonly<Record<Charge['status'], AttemptOutcome['kind']>> = {
  approved: 'approved',
  declined: 'declined',
  requires_action: 'challenge',
  pending: 'pending',
  cancelled: 'cancelled',
};
