/** An operator's stored request to settle: read and answered by the workflow that it concerns. */
import * as requests from '../../db/payment/resolve-requests.ts';
import type { ActivityDeps } from '../core/deps.ts';

export function createResolveRequests({ pool }: Pick<ActivityDeps, 'pool'>) {
  return {
    loadResolveRequest(requestId: string) {
      return requests.loadResolveRequest(pool, requestId);
    },

    answerResolveRequest(input: { readonly requestId: string; readonly answer: string }): Promise<void> {
      return requests.answerResolveRequest(pool, input.requestId, input.answer);
    },
  };
}
