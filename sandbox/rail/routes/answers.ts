/** Charges, refunds and disputes as API resources. */
import { fingerprintOf } from '../core/test-cards.ts';
import type { Charge } from '../db/charges.ts';
import type { Dispute } from '../db/disputes.ts';
import type { Refund } from '../db/refunds.ts';

export function chargeAnswer(publicUrl: string, charge: Charge) {
  const { id, reference, status, amount, currency, quantity, declineCode, method, createdAt, updatedAt } =
    charge;
  const open = status === 'requires_action';
  return {
    id,
    reference,
    status,
    amount,
    currency,
    quantity,
    declineCode,
    method,
    cardFingerprint: charge.cardName && fingerprintOf(charge.cardName),
    mandate: charge.mandateId,
    challengeUrl: open ? `${publicUrl}/challenge/${charge.challengeId}` : null,
    createdAt,
    updatedAt,
  };
}

export function disputeAnswer({ id, amount, currency, reason, status, evidenceDueBy, createdAt }: Dispute) {
  return { id, amount, currency, reason, status, evidenceDueBy, createdAt };
}

export function refundAnswer({ accountId, ...refund }: Refund) {
  return refund;
}
