/**
 * A click as one step of the workflow task: claimed, sent, and recorded if the rail answers soon
 * (docs/decisions/0023-a-click-is-one-step.md). Each part is what it is alone, with its own transaction: a task that is
 * lost runs all of it again, and every part finds what it did (rules 2 and 3).
 */
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import type { PayAnswer } from '../../domain/session/session.ts';
import type { SessionView } from '../../domain/session/session-steps.ts';
import type { RailCallOptions } from '../../workflows/core/messages.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { type Answered, type createChargeActivities, isUnderWay } from '../payment/charge-within-task.ts';
import { unlessUnanswered } from '../payment/unanswered.ts';

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
  /** The workflow's remaining work: wait for the call, or record its outcome and insist on it (rule 40). */
  readonly left?: 'call' | 'record';
}

/** `view` is present only if the answer ended the session. */
type Settled = Pick<Paid, 'outcome' | 'left'> & Partial<Pick<Paid, 'view'>>;

export interface PaySteps {
  claimAttempt(click: Click): Promise<PayAnswer>;
  /** The rail's answer if it comes soon, with its details. */
  chargeWithinTask: ReturnType<typeof createChargeActivities>['firstAnswer'];
  recordOutcome(outcome: Omit<Click, 'claimId'> & Answered & OfAttempt): Promise<SessionView | null>;
  storeDetails(answered: Answered & OfAttempt): Promise<unknown>;
  loadCheckout(checkoutId: string): Promise<SessionView>;
}

interface OfAttempt {
  readonly paymentId: string;
}

export function createPayActivity(deps: ActivityDeps, steps: PaySteps) {
  /** Records the answer together with its details, which a history must not hold. @returns what is left to do */
  async function callAndRecord(click: Click, paymentId: string): Promise<Settled> {
    let answered: Answered | undefined;
    try {
      const first = await steps.chargeWithinTask(paymentId);
      if (isUnderWay(first)) return { left: 'call' };
      answered = first;
      const { claimId: _, ...rest } = click;
      const ended = await steps.recordOutcome({ ...rest, paymentId, ...answered });
      return { outcome: answered.outcome, ...(ended && { view: ended }) };
    } catch (err) {
      // Not thrown: the buyer's click has its answer, and the workflow insists on what is left.
      deps.logger.warn({ err, paymentId }, 'attempt not settled with its claim');
      return answered && (await areStored(paymentId, answered))
        ? { outcome: answered.outcome, left: 'record' }
        : { left: 'call' };
    }
  }

  /** @returns false if the answer's details could not be stored: without them its outcome must not be recorded */
  async function areStored(paymentId: string, answered: Answered): Promise<boolean> {
    try {
      await steps.storeDetails({ paymentId, ...answered });
      return true;
    } catch (err) {
      deps.logger.warn({ err, paymentId }, 'answer not stored; the attempt is looked up');
      return false;
    }
  }

  return {
    async payWithinTask(click: Click, options?: RailCallOptions): Promise<Paid> {
      const answer = await steps.claimAttempt(click);
      const { checkoutId } = click;
      const view = () => steps.loadCheckout(checkoutId);
      // A repeated click whose attempt has moved on. If the attempt is still processing, the call finds its mark.
      if (answer.kind !== 'claimed' || answer.state !== 'processing') return { answer, view: await view() };
      const { paymentId } = answer;
      const settled = await callAndRecord(click, paymentId);
      const result = { answer, ...settled, view: settled.view ?? (await view()) };
      return unlessUnanswered(deps, { answer: settled.outcome, result, options });
    },
  };
}
