/** A rail's answers. */

import type { DisputeAtRail } from '../domain/dispute/dispute.ts';
import type { DeclineCode, UnknownReason } from '../domain/payment/attempt.ts';
import type { MethodSummary } from '../domain/payment/payment-method.ts';

/** The outcome is not known yet. `account_refused` disables the account, `misconfigured` alerts the operator. */
export interface RailUnknown {
  readonly kind: 'unknown';
  readonly reason: UnknownReason;
  /**
   * For the operator: codes and the processor's request id, but never the processor's text, which may contain secrets.
   */
  readonly detail?: string;
}

/** The amount that the processor reports as charged or refunded; absent if it reports none. */
export interface Moved {
  readonly amountCents: number;
  readonly currency: string;
}

/** The rail's answer, with all details that the service stores. */
export type RailOutcome =
  | {
      readonly kind: 'approved';
      /** The processor's id of the charge. */
      readonly railReference: string;
      readonly method: MethodSummary | null;
      /** Secret reference of the stored mandate, if one was requested. */
      readonly mandate: string | null;
      readonly moved?: Moved;
    }
  | {
      readonly kind: 'declined';
      readonly code: DeclineCode;
      /** False for a hard decline: the same card must not be tried again. */
      readonly retryable: boolean;
      readonly railReference: string | null;
      readonly method: MethodSummary | null;
      /** The processor's identifier of the card, the same in all attempts with this card at this account. */
      readonly cardFingerprint?: string | null;
    }
  | {
      readonly kind: 'challenge';
      /** The 3-D Secure page, framed by a separate child document. */
      readonly url: string;
      readonly railReference: string;
      readonly method: MethodSummary | null;
    }
  | { readonly kind: 'pending'; readonly railReference: string | null; readonly method: MethodSummary | null }
  | { readonly kind: 'cancelled'; readonly railReference: string | null }
  | { readonly kind: 'notFound' }
  | RailUnknown;

export type RefundOutcome =
  | { readonly kind: 'succeeded'; readonly railReference: string; readonly moved?: Moved }
  | { readonly kind: 'pending'; readonly railReference: string }
  /** `railReference` is absent if the processor rejected the refund immediately. */
  | { readonly kind: 'failed'; readonly code: string; readonly railReference?: string }
  | { readonly kind: 'notFound' }
  | RailUnknown;

/** All refunds of a payment, whether made by this service or by a person in the processor's dashboard. */
export type RefundedTotal =
  | {
      readonly kind: 'total';
      /** The amount already returned to the buyer. */
      readonly refundedCents: number;
      /** The amount in progress, which can still fail. */
      readonly pendingCents: number;
    }
  | { readonly kind: 'notFound' }
  | RailUnknown;

/** `account_refused` also covers an account that the processor no longer allows to charge. */
export type AccountAnswer = { readonly kind: 'active' } | RailUnknown;

export type DisputesOutcome =
  | { readonly kind: 'disputes'; readonly disputes: readonly DisputeAtRail[] }
  | { readonly kind: 'notFound' }
  | RailUnknown;
