/**
 * A click as one step of the workflow task: claimed, sent, and recorded if the rail answers soon
 * (docs/decisions/0023-a-click-is-one-step.md). Each part is what it is alone, with its own transaction: a task that is
 * lost runs all of it again, and every part finds what it did (rules 2 and 3).
 */
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import type { PayAnswer } from '../../domain/session/session.ts';
import type { SessionView } from '../../domain/session/session-steps.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { callAndRecord, type Remaining } from '../payment/call-and-record.ts';
import type { Answered, FirstAnswer } from '../payment/charge-within-task.ts';

export interface Click {
  readonly checkoutId: string;
  readonly claimId: string;
  /** Whether an answer that settles nothing now needs an operator, as in `recordOutcome`. */
  readonly patienceOver: boolean;
  readonly nextLookupSeconds: number;
}

export interface Paid {
  readonly answer: PayAnswer;
  /** The session after the step. */
  readonly view: SessionView;
  /** The rail's answer. Absent: nothing was sent, or the rail has not answered yet. */
  readonly outcome?: AttemptOutcome;
  readonly left?: Remaining;
}

export interface PaySteps {
  claimAttempt(click: Click): Promise<PayAnswer>;
  /** The rail's answer if it comes soon, with its details. */
  chargeWithinTask(paymentId: string): Promise<FirstAnswer>;
  recordOutcome(outcome: Omit<Click, 'claimId'> & Answered & OfAttempt): Promise<SessionView | null>;
  storeDetails(answered: Answered & OfAttempt): Promise<unknown>;
  loadCheckout(checkoutId: string): Promise<SessionView>;
}

interface OfAttempt {
  readonly paymentId: string;
}

export function createPayActivity(deps: ActivityDeps, steps: PaySteps) {
  return {
    async payWithinTask(click: Click): Promise<Paid> {
      const answer = await steps.claimAttempt(click);
      const { checkoutId } = click;
      const view = () => steps.loadCheckout(checkoutId);
      // A repeated click whose attempt has moved on. If the attempt is still processing, the call finds its mark.
      if (answer.kind !== 'claimed' || !answer.isOpen || answer.state !== 'processing')
        return { answer, view: await view() };
      const { paymentId } = answer;
      const { claimId: _, ...rest } = click;
      const { recorded, ...called } = await callAndRecord(deps, paymentId, {
        call: steps.chargeWithinTask,
        // The session, if this answer ended it.
        record: (answered) => steps.recordOutcome({ ...rest, paymentId, ...answered }),
        storeDetails: (answered) => steps.storeDetails({ paymentId, ...answered }),
      });
      return { answer, ...called, view: recorded ?? (await view()) };
    },
  };
}
