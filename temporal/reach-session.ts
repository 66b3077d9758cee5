/** Messages to a session's workflow that start it if it has no run. */
import { WorkflowNotFoundError } from '@temporalio/client';
import { findSessionToStart } from '../db/session/session-sweep.ts';
import { wakeSignal } from '../workflows/core/messages.ts';
import { payUpdate } from '../workflows/session/session-messages.ts';
import { restartSession, type StarterDeps } from './start-workflows.ts';

/** A worker answers in some 30 ms. Without a worker there is no answer; the next round tries again. */
const ANSWER_WITHIN_MS = 3_000;

/**
 * Repeats a click's update under its id, for a claimed attempt that the workflow may not know (rule 43): a no-op while
 * the first one is being handled, and during a start delay updates are the only messages that get through (rule 15).
 */
export function repeatClick(
  deps: StarterDeps,
  { checkoutId, claimId }: { readonly checkoutId: string; readonly claimId: string },
): Promise<void> {
  const click = { args: [{ claimId }] as [{ claimId: string }], updateId: claimId };
  return orRestart(deps, checkoutId, () =>
    deps.client.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
      deps.client.workflow.getHandle(checkoutId).executeUpdate(payUpdate, click),
    ),
  );
}

export function wakeSession(deps: StarterDeps, checkoutId: string): Promise<void> {
  return orRestart(deps, checkoutId, () => deps.client.workflow.getHandle(checkoutId).signal(wakeSignal));
}

async function orRestart(deps: StarterDeps, checkoutId: string, send: () => Promise<unknown>): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) return;
    const session = await findSessionToStart(deps.pool, checkoutId);
    if (session) await restartSession(deps, session);
  }
}
