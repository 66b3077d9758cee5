/**
 * A due charge as one step of the workflow task: claimed, at the end of a period with its invoice, then sent, and
 * recorded if the rail answers soon (docs/decisions/0025-a-due-charge-is-one-step.md).
 */
import { Context } from '@temporalio/activity';
import pLimit from 'p-limit';
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import type { Due, SubscriptionView } from '../../domain/subscription/subscription-steps.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { whileHeartbeating } from '../core/heartbeat.ts';
import { callAndRecord, type Remaining } from '../payment/call-and-record.ts';
import type { Answered, FirstAnswer } from '../payment/charge-within-task.ts';

export interface DueCharge {
  readonly subscriptionId: string;
  readonly due: Extract<Due['action'], 'boundary' | 'charge'>;
  /** As in `recordCharge`, for an answer that settles nothing. */
  readonly patienceOver: boolean;
  readonly nextLookupSeconds: number;
}

export interface Billed {
  /** The subscription after the step. */
  readonly view: SubscriptionView;
  /** What the step claimed; absent without a claim. */
  readonly paymentId?: string;
  /** The rail's answer. Absent: nothing was sent, the rail has not answered yet, or the answer could not be stored. */
  readonly outcome?: AttemptOutcome;
  readonly left?: Remaining;
}

export interface BillingSteps {
  /** Both return the id of the payment that they claimed, if any. */
  crossBoundary(subscriptionId: string): Promise<string | null>;
  chargeOldest(subscriptionId: string): Promise<string | null>;
  /** The rail's answer if it comes soon, with its details. */
  chargeStored(paymentId: string): Promise<FirstAnswer>;
  recordCharge(outcome: Omit<DueCharge, 'due'> & OfAttempt & Answered): Promise<SubscriptionView>;
  storeDetails(answered: OfAttempt & Answered): Promise<unknown>;
  loadSubscription(subscriptionId: string): Promise<SubscriptionView>;
}

interface OfAttempt {
  readonly paymentId: string;
}

/**
 * Claims at once per process and environment. The renewals of a merchant wait for one another, for the number of its
 * next invoice: in a burst they would wait with every connection of the pool, and clicks with them.
 */
const CLAIMS_AT_ONCE = 4;

export function createBillingActivity(deps: ActivityDeps, steps: BillingSteps) {
  const inTurn = pLimit(CLAIMS_AT_ONCE);

  async function bill({ due, ...charge }: DueCharge): Promise<Billed> {
    const { subscriptionId } = charge;
    const claim = due === 'boundary' ? steps.crossBoundary : steps.chargeOldest;
    const view = () => steps.loadSubscription(subscriptionId);
    const { cancellationSignal } = Context.current();
    const paymentId = await inTurn(() => {
      // The time-out has passed in the queue: the next attempt is in it already.
      cancellationSignal.throwIfAborted();
      return claim(subscriptionId);
    });
    // Nothing to charge now, or the claim of a task that was lost: the workflow calls, or looks up what was called.
    if (paymentId === null) return { view: await view() };
    const { recorded, ...called } = await callAndRecord(deps, paymentId, {
      call: steps.chargeStored,
      // Nobody can pass it: the workflow ends it at the rail.
      isForWorkflow: ({ kind }) => kind === 'challenge',
      record: (answered) => steps.recordCharge({ ...charge, paymentId, ...answered }),
      storeDetails: (answered) => steps.storeDetails({ paymentId, ...answered }),
    });
    return { paymentId, ...called, view: recorded ?? (await view()) };
  }

  return {
    billWithinTask: (due: DueCharge): Promise<Billed> => whileHeartbeating(() => bill(due)),
  };
}
