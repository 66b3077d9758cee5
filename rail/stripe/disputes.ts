/** A payment's disputes, with Stripe's amounts and dates; Stripe's many states become three. */
import { z } from 'zod';
import type { DisputeStatus } from '../../domain/dispute/dispute.ts';
import type { DisputesOutcome } from '../outcomes.ts';
import type { Rail } from '../rail.ts';
import { call } from './core/call.ts';
import type { StripeApi } from './core/client.ts';
import { instantOf } from './core/instant.ts';
import { unknownOf } from './core/refused.ts';

const STATUSES: Readonly<Record<string, DisputeStatus>> = {
  // The bank has sent an inquiry: no money has moved yet, but an answer is expected.
  warning_needs_response: 'open',
  warning_under_review: 'open',
  needs_response: 'open',
  under_review: 'open',
  warning_closed: 'won',
  won: 'won',
  lost: 'lost',
};
/**
 * A prevented dispute: the buyer got the money back (`resolution`), unless the case was blocked.
 * https://docs.stripe.com/changelog/basil/2025-08-27/add-preventions-to-dispute
 */
const PREVENTED = 'prevented';
const BLOCKED = 'block';
const NEEDS_RESPONSE = ['warning_needs_response', 'needs_response'];

const disputeSchema = z.object({
  id: z.string().min(1),
  amount: z.number().int(),
  currency: z.string(),
  reason: z.string(),
  status: z.string(),
  created: z.number().int(),
  evidence_details: z.object({ due_by: z.number().int().nullish() }),
  payment_method_details: z.object({ card: z.object({ case_type: z.string() }).nullish() }).nullish(),
});
/** Reads one page only: a payment has one or two disputes, never a second page. */
const disputePageSchema = z.object({ data: z.array(disputeSchema) });

export async function listDisputes(
  api: StripeApi,
  { railReference }: Parameters<Rail['listDisputes']>[0],
): Promise<DisputesOutcome> {
  if (!railReference.startsWith('pi_')) return { kind: 'notFound' };
  const page = { payment_intent: railReference, limit: 100 };
  const answer = await call(api, disputePageSchema, (stripe) => stripe.disputes.list(page));
  if (answer.kind !== 'answer') return unknownOf(answer);
  return { kind: 'disputes', disputes: answer.value.data.map(disputeOf) };
}

function disputeOf({
  id,
  amount,
  currency,
  reason,
  status,
  created,
  ...rest
}: z.infer<typeof disputeSchema>) {
  const dueBy = rest.evidence_details.due_by;
  const caseType = rest.payment_method_details?.card?.case_type;
  const ofPrevented = caseType === BLOCKED ? 'won' : 'lost';
  return {
    railDisputeId: id,
    // Treat states that Stripe adds later as open, so that an operator looks at them.
    status: status === PREVENTED ? ofPrevented : (STATUSES[status] ?? 'open'),
    amountCents: amount,
    currency: currency.toUpperCase(),
    reason,
    openedAt: instantOf(created),
    evidenceDueBy: dueBy && NEEDS_RESPONSE.includes(status) ? instantOf(dueBy) : null,
  };
}
