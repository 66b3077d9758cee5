/** A dispute (chargeback): the buyer's bank reverses a payment, and the merchant may contest it. */

/** `open`: not decided yet, whether or not evidence was submitted. */
export const DISPUTE_STATUSES = ['open', 'won', 'lost'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** The dispute as the rail reports it. */
export interface DisputeAtRail {
  /** The processor's id. */
  readonly railDisputeId: string;
  readonly status: DisputeStatus;
  readonly amountCents: number;
  readonly currency: string;
  /** The processor's reason code. */
  readonly reason: string;
  readonly openedAt: string;
  /** Deadline for submitting evidence; null when it has passed or evidence is not possible. */
  readonly evidenceDueBy: string | null;
}

/** The alert for a new or changed dispute; null if none is due. */
export function alertOfDispute(before: DisputeStatus | null, now: DisputeStatus): string | null {
  if (before === now || now === 'won') return null;
  return now === 'lost' ? 'dispute_lost' : 'dispute_opened';
}
