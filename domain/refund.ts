/** A refund: money on its way back to the buyer, once, with a known outcome. */
import type { UnknownReason } from './attempt.ts';
import type { PaymentStatus } from './payment.ts';

export const REFUND_STATUSES = ['pending', 'succeeded', 'failed'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** What the rail said, as it may stand in a workflow's history. */
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
  /** The mark: a call to the rail was begun, so its outcome has to be looked up. */
  readonly called: boolean;
  /** The look-ups have outlasted their patience: a person may settle it. */
  readonly reconciling: boolean;
}

export function isRefundable(status: PaymentStatus): boolean {
  return status === 'succeeded' || status === 'partially_refunded';
}

/** What a payment is once `refundedCents` of it are back with the buyer. */
export function statusAfterRefund(amountCents: number, refundedCents: number): PaymentStatus {
  return refundedCents >= amountCents ? 'refunded' : 'partially_refunded';
}
