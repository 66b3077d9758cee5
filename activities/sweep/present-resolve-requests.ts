/** Operators' stored requests that nobody has answered: their signal was never sent, or its run had ended. */
import { answerResolveRequest, unansweredResolveRequests } from '../../db/payment/resolve-requests.ts';
import { resolveRequestedSignal } from '../../workflows/core/messages.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { eachAlone } from '../core/each-alone.ts';

const BATCH = 500;

/**
 * Signals again: a workflow that has answered meanwhile ignores it. What is over has no workflow that could
 * answer; one that is missing over an open row is the sweep's to start again.
 */
export async function presentResolveRequests({ pool, client, logger }: ActivityDeps): Promise<void> {
  const requests = await unansweredResolveRequests(pool, BATCH);
  await eachAlone(logger, requests, async ({ requestId, subjectId, state, finished }) => {
    if (!finished) return client.workflow.getHandle(subjectId).signal(resolveRequestedSignal, { requestId });
    // Settled by this very request, perhaps, whose run died before it wrote the answer: nothing is guessed.
    const answer = state
      ? `over: it is ${state}; the audit log tells whether an operator settled it`
      : `refused: there is no ${subjectId}`;
    return answerResolveRequest(pool, requestId, answer);
  });
}
