/**
 * The call of a claimed attempt and the record of its answer, within the workflow task of the claim. Each is what it is
 * alone, with its own transaction: if the task is lost in between, the mark in the row decides that the attempt is looked
 * up (rule 3).
 */
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { type Answered, type FirstAnswer, isUnderWay } from './charge-within-task.ts';

/** The workflow's remaining work: wait for the call, or record its outcome and insist on it (rule 40). */
export type Remaining = 'call' | 'record';

interface Called<Recorded> {
  /** The rail's answer. Absent: the rail has not answered yet. */
  readonly outcome?: AttemptOutcome;
  readonly left?: Remaining;
  /** Of `record`, if the answer is recorded. */
  readonly recorded?: Recorded;
}

interface Steps<Recorded> {
  /** The rail's answer if it comes soon, with its details. */
  call(paymentId: string): Promise<FirstAnswer>;
  /** Records the answer together with its details, which a history must not hold. */
  record(answered: Answered): Promise<Recorded>;
  /** True for an answer on which the workflow acts first: it is left to it. */
  isForWorkflow?(outcome: AttemptOutcome): boolean;
  /** Stores the details of an answer that is not recorded here. */
  storeDetails(answered: Answered): Promise<unknown>;
}

/** Never throws: the claim stands, and the workflow insists on what is left. */
export async function callAndRecord<Recorded>(
  { logger }: Pick<ActivityDeps, 'logger'>,
  paymentId: string,
  steps: Steps<Recorded>,
): Promise<Called<Recorded>> {
  let answered: Answered | undefined;
  try {
    const first = await steps.call(paymentId);
    if (isUnderWay(first)) return { left: 'call' };
    answered = first;
    if (steps.isForWorkflow?.(first.outcome)) {
      await steps.storeDetails(first);
      return { outcome: first.outcome, left: 'record' };
    }
    return { outcome: answered.outcome, recorded: await steps.record(answered) };
  } catch (err) {
    logger.warn({ err, paymentId }, 'attempt not settled with its claim');
    return answered && (await areStored(answered))
      ? { outcome: answered.outcome, left: 'record' }
      : { left: 'call' };
  }

  /** @returns false if the answer's details could not be stored: without them its outcome must not be recorded */
  async function areStored(answer: Answered): Promise<boolean> {
    try {
      await steps.storeDetails(answer);
      return true;
    } catch (err) {
      logger.warn({ err, paymentId }, 'answer not stored; the attempt is looked up');
      return false;
    }
  }
}
