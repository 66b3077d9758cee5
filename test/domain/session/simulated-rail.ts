/**
 * An in-memory card processor, whose state the service learns only from queries. Calls may be lost in either
 * direction, arrive late, or wait for the buyer; a decision is final.
 */
import type { AttemptOutcome } from '../../../domain/payment/attempt.ts';

/** The course of one call to charge. */
export interface Script {
  /** Whether the call reaches the processor. */
  readonly arrives: boolean;
  readonly first: 'approved' | 'declined' | 'challenge' | 'pending';
  /** The outcome of a challenge or a pending charge. */
  readonly next: 'approved' | 'declined';
  /** Whether the answer arrives. */
  readonly answerKept: boolean;
}

export type Truth =
  | 'under_way'
  | 'never_arrived'
  | 'challenge'
  | 'pending'
  | 'approved'
  | 'declined'
  | 'cancelled';

export const SETTLED: readonly Truth[] = ['never_arrived', 'approved', 'declined', 'cancelled'];

export interface Charge {
  readonly script: Script;
  truth: Truth;
  /** The answer in transit to the caller, if any. */
  answer: AttemptOutcome | null;
}

export interface SimulatedRail {
  readonly charges: readonly Charge[];
  authorize(script: Script): Charge;
  /** The call in flight reaches the processor, or is lost for good. */
  arrive(charge: Charge): void;
  /** The buyer completes the challenge, or the processor decides. */
  settle(charge: Charge): void;
  lookup(charge: Charge): AttemptOutcome;
  cancel(charge: Charge): AttemptOutcome;
  /** After the call's deadline a missing charge can no longer appear (rules 3 and 4). */
  passDeadline(): void;
}

/** @param cancelHolds whether a cancel also stops a call in flight */
export function simulateRail(cancelHolds: boolean): SimulatedRail {
  const charges: Charge[] = [];
  let deadlinePassed = false;

  function lookup({ truth }: Charge): AttemptOutcome {
    // After the deadline "not found" is final; the workflow treats it as cancelled.
    if (truth === 'never_arrived' && deadlinePassed) return { kind: 'cancelled' };
    return seen(truth);
  }

  return {
    charges,
    authorize(script) {
      const charge: Charge = { script, truth: 'under_way', answer: null };
      charges.push(charge);
      return charge;
    },
    arrive(charge) {
      if (charge.truth !== 'under_way') return;
      charge.truth = charge.script.arrives ? charge.script.first : 'never_arrived';
      charge.answer = charge.script.arrives && charge.script.answerKept ? seen(charge.truth) : null;
    },
    settle(charge) {
      if (charge.truth === 'challenge' || charge.truth === 'pending') charge.truth = charge.script.next;
    },
    lookup,
    cancel(charge) {
      const stoppable = charge.truth === 'challenge' || charge.truth === 'pending';
      const held = cancelHolds && (charge.truth === 'under_way' || charge.truth === 'never_arrived');
      if (stoppable || held) charge.truth = 'cancelled';
      return lookup(charge);
    },
    passDeadline() {
      deadlinePassed = true;
      for (const charge of charges) this.arrive(charge);
    },
  };
}

function seen(truth: Truth): AttemptOutcome {
  switch (truth) {
    case 'under_way':
    case 'never_arrived':
      return { kind: 'notFound' };
    case 'declined':
      return { kind: 'declined', code: 'card_declined', retryable: true };
    default:
      return { kind: truth };
  }
}
