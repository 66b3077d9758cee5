/** Stored operator requests without an answer: the signal was never sent, or the signalled run had ended. */
import { answerResolveRequest, unansweredResolveRequests } from '../../db/payment/resolve-requests.ts';
import { requestResolution } from '../../platform/temporal/messages.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { eachAlone } from '../core/each-alone.ts';

const BATCH = 500;

/**
 * Repeats the signal of each unanswered request; a workflow that has answered by now ignores it. If the subject has
 * ended, no workflow answers, so the answer is written here. The sweep restarts missing workflows of open rows.
 */
export async function presentResolveRequests(deps: ActivityDeps): Promise<void> {
  const { pool, logger } = deps;
  const requests = await unansweredResolveRequests(pool, BATCH);
  await eachAlone(logger, requests, async ({ requestId, subjectId, state, finished }) => {
    if (!finished) return requestResolution(deps, subjectId, requestId);
    // The answer does not name who settled the subject: it may have been this request, in a run that died before it
    // wrote its answer.
    const answer = state
      ? `no longer open: it is ${state}; the audit log shows whether an operator settled it`
      : `refused: ${subjectId} does not exist`;
    return answerResolveRequest(pool, requestId, answer);
  });
}
