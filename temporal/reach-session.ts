/** Messages to a session's workflow that start it if it has no run, or one that cannot go on (rule 45). */
import { WorkflowNotFoundError } from '@temporalio/client';
import { findSessionToStart } from '../db/session/session-sweep.ts';
import { wakeSignal } from '../workflows/core/messages.ts';
import { payUpdate } from '../workflows/session/session-messages.ts';
import { restartSession, type StarterDeps } from './start-workflows.ts';
import { endIfStuck, endUnlessHealthy, findRun } from './stuck-runs.ts';

/** A worker answers in some 30 ms. Without a worker there is no answer; the next round tries again. */
const ANSWER_WITHIN_MS = 3_000;

/**
 * Repeats a click's update under its id, for a claimed attempt that the workflow may not know (rule 43): a no-op while
 * the first one is being handled, and during a start delay updates are the only messages that get through (rule 15).
 * @param failed gets the cause when it returns false
 * @returns whether the workflow has it, or a new run reads the claim
 */
export function repeatClick(
  deps: StarterDeps,
  { checkoutId, claimId }: { readonly checkoutId: string; readonly claimId: string },
  failed?: (cause: unknown) => void,
): Promise<boolean> {
  const click = { args: [{ claimId }] as [{ claimId: string }], updateId: claimId };
  const send = () =>
    deps.client.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
      deps.client.workflow.getHandle(checkoutId).executeUpdate(payUpdate, click),
    );
  return orRestart(deps, checkoutId, send, failed);
}

/** A run that cannot go on would accept the signal and never hear it. */
export async function wakeSession(deps: StarterDeps, checkoutId: string): Promise<boolean> {
  await endUnlessHealthy(deps.client, await findRun(deps.client, checkoutId), false);
  return orRestart(deps, checkoutId, () => deps.client.workflow.getHandle(checkoutId).signal(wakeSignal));
}

async function orRestart(
  deps: StarterDeps,
  checkoutId: string,
  send: () => Promise<unknown>,
  failed: (cause: unknown) => void = () => {},
): Promise<boolean> {
  const sentAt = new Date();
  try {
    await send();
    return true;
  } catch (error) {
    const hasNoRun =
      error instanceof WorkflowNotFoundError || (await endIfStuck(deps.client, checkoutId, error, sentAt));
    const session = hasNoRun ? await findSessionToStart(deps.pool, checkoutId) : null;
    if (session) {
      await restartSession(deps, session);
      return true;
    }
    failed(error);
    return false;
  }
}
