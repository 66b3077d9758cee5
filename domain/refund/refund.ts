/** A refund returns money to the buyer once, with a known outcome. */

import type { SubjectLinks } from '../core/subject-links.ts';
import type { UnknownReason } from '../payment/attempt.ts';
import type { PaymentStatus } from '../payment/payment.ts';

export const REFUND_STATUSES = ['pending', 'succeeded', 'failed'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** The rail's answer, in a form that a workflow's history may hold. */
export type RefundAnswer =
  | { readonly kind: 'succeeded' | 'pending' | 'notFound' }
  | { readonly kind: 'failed'; readonly code: string }
  | { readonly kind: 'unknown'; readonly reason: UnknownReason };

/** A refund as its workflow sees it. */
export interface RefundView {
  readonly refundId: string;
  readonly paymentId: string;
  readonly status: RefundStatus;
  readonly version: number;
  /** The mark: a call to the rail has begun, so its outcome must be looked up. */
  readonly called: boolean;
  /** The quick look-ups are used up: an operator may settle it. */
  readonly reconciling: boolean;
  /** Operator links; set while it waits for an operator. */
  readonly pages?: SubjectLinks;
}

export function isRefundable(status: PaymentStatus): boolean {
  return status === 'succeeded' || status === 'partially_refunded';
}

/** A payment's status once `refundedCents` of it are returned. */
export function statusAfterRefund(amountCents: number, refundedCents: number): PaymentStatus {
  return refundedCents >= amountCents ? 'refunded' : 'partially_refunded';
}
