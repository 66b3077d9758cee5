/**
 * A click as one step of the workflow task: claimed, sent, and recorded where the rail answers soon
 * (docs/decisions/0023-a-click-is-one-step.md). Each part is what it is alone, with its own transaction: a task that is
 * lost runs all of it again, and every part finds what it did (rules 2 and 3).
 */
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import type { PayAnswer } from '../../domain/session/session.ts';
import type { SessionView } from '../../domain/session/session-plan.ts';
import type { RailCallOptions } from '../../workflows/core/messages.ts';
import type { ActivityDeps } from '../core/deps.ts';
import type { FirstAnswer } from '../payment/charge-within-task.ts';
import { unlessUnanswered } from '../payment/unanswered.ts';

export interface Click {
  readonly checkoutId: string;
  readonly claimId: string;
  /** Whether the patience for an answer that settles nothing is over, as in `recordOutcome`. */
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

export interface PaySteps {
  claimAttempt(click: Click): Promise<PayAnswer>;
  chargeWithinTask(paymentId: string): Promise<FirstAnswer>;
  recordOutcome(outcome: Omit<Click, 'claimId'> & OfAttempt): Promise<void>;
  loadCheckout(checkoutId: string): Promise<SessionView>;
}

interface OfAttempt {
  readonly paymentId: string;
  readonly outcome: AttemptOutcome;
}

export function createPayActivity(deps: ActivityDeps, steps: PaySteps) {
  /** @returns what is left to do */
  async function callAndRecord(click: Click, paymentId: string): Promise<Pick<Paid, 'outcome' | 'left'>> {
    let outcome: AttemptOutcome | undefined;
    try {
      const first = await steps.chargeWithinTask(paymentId);
      if (first.kind === 'underWay') return { left: 'call' };
      outcome = first;
      const { claimId: _, ...rest } = click;
      await steps.recordOutcome({ ...rest, paymentId, outcome });
      return { outcome };
    } catch (err) {
      // Not thrown: the buyer's click has its answer, and the workflow insists on what is left.
      deps.logger.warn({ err, paymentId }, 'attempt not settled with its claim');
      return outcome ? { outcome, left: 'record' } : { left: 'call' };
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
      const result = { answer, view: await view(), ...settled };
      return unlessUnanswered(deps, { answer: settled.outcome, result, options });
    },
  };
}
