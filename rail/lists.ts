/** A rail's lists of charges and refunds since an instant, to compare the database with (rule 29). */
import type { AttemptOutcome, UnknownReason } from '../domain/payment/attempt.ts';

/** A charge in `listSince`, used to find charges that the service does not know. */
export interface RailCharge {
  readonly reference: string;
  readonly outcome: AttemptOutcome['kind'];
  readonly amountCents: number;
  readonly currency: string;
  /** The authorised quantity; null if there was no choice. The amount does not show it: a trial's is always 0. */
  readonly quantity: number | null;
  readonly at: string;
}

/** A refund in `listRefundsSince`. */
export interface RailRefund {
  readonly reference: string;
  /** The refunded payment: the service's reference or the processor's id, whichever the processor lists. */
  readonly payment: string;
  readonly outcome: 'succeeded' | 'pending' | 'failed';
  readonly amountCents: number;
  readonly currency: string;
  readonly at: string;
}

/** A dispute in `listDisputesSince`; it identifies its payment as a webhook does. */
export interface RailDispute {
  readonly railDisputeId: string;
  /** The service's reference for the payment; null if only the processor's id is known. */
  readonly reference: string | null;
  readonly railReference: string | null;
}

/** Thrown if a list cannot be read: unlike calls, lists have no "unknown" outcome, and the caller retries later. */
export class RailListFailed extends Error {
  override readonly name = 'RailListFailed';
  readonly reason: UnknownReason;

  /** @param detail for instance the id of an unreadable object */
  constructor(rail: string, reason: UnknownReason, detail?: string) {
    super(`listing at ${rail} failed: ${[reason, detail].filter(Boolean).join(', ')}`);
    this.reason = reason;
  }
}
