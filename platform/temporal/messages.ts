/** Messages that more than one place sends to a row's workflow. */
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Pool } from '../../db/core/pool.ts';
import { readLedgerCopy } from '../../db/restore/fence.ts';
import { railWebhookSignal, resolveRequestedSignal, wakeSignal } from '../../workflows/core/messages.ts';
import { payUpdate } from '../../workflows/session/session-messages.ts';
import { send } from './send.ts';
import type { StarterDeps } from './start-workflows.ts';
import { endIfTasksFail } from './stuck-runs.ts';

/** Signals the workflow to read its row. A row that has ended needs no signal. */
export async function wake(deps: StarterDeps, id: string): Promise<void> {
  // A stuck run would accept the signal and never handle it.
  await endIfTasksFail(deps.client, id);
  try {
    await send(deps, id, (run) => run.signal(wakeSignal));
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/** Makes the owner of an open payment look it up at the rail now (rule 24). */
export function presentWebhookTo(deps: StarterDeps, ownerId: string, paymentId: string): Promise<void> {
  return send(deps, ownerId, (run) => run.signal(railWebhookSignal, { attemptId: paymentId }));
}

export function requestResolution(deps: StarterDeps, subjectId: string, requestId: string): Promise<void> {
  return send(deps, subjectId, (run) => run.signal(resolveRequestedSignal, { requestId }));
}

/**
 * Repeats a click's update under its id, for a claimed attempt that the workflow may not know (rule 43): a no-op while
 * the first one is being handled, and during a start delay updates are the only messages that get through (rule 15).
 */
export async function repeatClick(
  deps: StarterDeps,
  { checkoutId, claimId }: { readonly checkoutId: string; readonly claimId: string },
): Promise<void> {
  const click = { args: [{ claimId }] as [{ claimId: string }], updateId: claimId };
  await send(deps, checkoutId, (run) => run.executeUpdate(payUpdate, click));
}

/**
 * The id of a subscription's update. Temporal answers a repeated id from its history; but a restored database may have
 * lost the operation, so the same request gets another update id in the new epoch.
 */
export async function updateIdOf(pool: Pool, operationKey: string): Promise<string> {
  const { epoch } = await readLedgerCopy(pool);
  return `${operationKey}@${epoch}`;
}

export const operationKeyOf = (updateId: string): string => updateId.replace(/@\d+$/, '');
