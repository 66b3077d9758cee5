/** A rail's list since an instant, for the comparison of the database with it (rule 29). */
import type { AttemptOutcome, UnknownReason } from '../domain/payment/attempt.ts';

/** A charge in `listSince`, to find charges unknown to the service. */
export interface RailCharge {
  readonly reference: string;
  readonly outcome: AttemptOutcome['kind'];
  readonly amountCents: number;
  readonly currency: string;
  readonly at: string;
}

/** A refund in `listRefundsSince`. */
export interface RailRefund {
  readonly reference: string;
  /** The refunded payment: our reference or the processor's id, whichever the processor lists. */
  readonly payment: string;
  readonly outcome: 'succeeded' | 'pending' | 'failed';
  readonly amountCents: number;
  readonly currency: string;
  readonly at: string;
}

/** The rail's lists have no "unknown" outcome: they throw, and the caller retries later. */
export class RailListFailed extends Error {
  override readonly name = 'RailListFailed';
  readonly reason: UnknownReason;

  /** @param detail such as the id of the unreadable object */
  constructor(rail: string, reason: UnknownReason, detail?: string) {
    super(`listing at ${rail} failed: ${[reason, detail].filter(Boolean).join(', ')}`);
    this.reason = reason;
  }
}
