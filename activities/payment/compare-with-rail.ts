/** Shared by an operator's settling of a session and of a charge (rule 17). */
import type { Resolution } from '../../domain/core/resolution.ts';
import { type AttemptOutcome, isFinalOutcome } from '../../domain/payment/attempt.ts';
import type { EndAtRail } from '../../domain/payment/attempt-step.ts';

/** The part that is ended at the rail before the operator's decision counts. */
export function endBeforeDeciding({ outcome }: Resolution): EndAtRail {
  return outcome === 'failed' ? 'open' : 'challenge';
}

/**
 * - `known`: the rail has settled the attempt, so that its answer counts and the operator's does not.
 * - `unpaid`: the rail waits for the buyer, so that the operator's `succeeded` does not count; the write refuses it.
 */
export function compareWithRail(outcome: AttemptOutcome, request: Resolution) {
  return {
    known: isFinalOutcome(outcome),
    agrees: (outcome.kind === 'approved') === (request.outcome === 'succeeded'),
    unpaid: outcome.kind === 'challenge' && request.outcome === 'succeeded',
  };
}

/** Why an operator's decision about an unknown outcome was not written. */
export function whyNotWritten(changed: 'session' | 'subscription', unpaid: boolean): string {
  return unpaid
    ? 'nothing was written: the rail waits for the buyer to pass a challenge, which it has not ended; try again'
    : `nothing was written: the ${changed} changed meanwhile, or a second person has to confirm this amount (npm run ops -- resolve)`;
}
