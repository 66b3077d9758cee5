/** Temporal's record of a subscription whose rows the database has lost (rule 29). */
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import {
  cancelSubscriptionUpdate,
  undoCancelUpdate,
} from '../../workflows/subscription/subscription-messages.ts';
import { findRun } from './stuck-runs.ts';

/**
 * `cancelled`: a run was asked to end the subscription, immediately or with its period, and may not have done
 * so yet.
 */
export type RememberedEnd = 'ended' | 'cancelled';

const DEADLINE_MS = 5_000;

/** @returns null if the subscription has not ended and no cancellation of it stands */
export function readRememberedEnd(client: Client, subscriptionId: string): Promise<RememberedEnd | null> {
  return client.withDeadline(Date.now() + DEADLINE_MS, () => readEnd(client, subscriptionId));
}

async function readEnd(client: Client, subscriptionId: string): Promise<RememberedEnd | null> {
  const latest = await findRun(client, subscriptionId);
  if (!latest) return null;
  // The list may lack the latest run, because Temporal lists runs with a delay.
  const runs = new Map([[latest.runId, latest.status.name]]);
  for await (const { runId, status } of client.workflow.list({ query: `WorkflowId = '${subscriptionId}'` }))
    if (!runs.has(runId)) runs.set(runId, status.name);
  if ([...runs.values()].includes('COMPLETED')) return 'ended';
  // The latest run first: it may have withdrawn a cancellation requested in an earlier run.
  for (const runId of runs.keys()) {
    const asked = await cancellationIn(client, subscriptionId, runId);
    if (asked) return asked === 'cancelled' ? asked : null;
  }
  return null;
}

/**
 * A cancellation counts unless it was refused, because its answer may be lost. A withdrawal counts only if it
 * succeeded.
 */
async function cancellationIn(
  client: Client,
  workflowId: string,
  runId: string,
): Promise<'cancelled' | 'undone' | null> {
  const asked = new Set<string>();
  const undoing = new Set<string>();
  let isUndone = false;
  for (const event of await eventsOf(client, workflowId, runId)) {
    // "Request Cancellation" in Temporal UI.
    if (event.workflowExecutionCancelRequestedEventAttributes) return 'cancelled';
    const { meta, input } = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest ?? {};
    if (meta?.updateId && input?.name === cancelSubscriptionUpdate.name) asked.add(meta.updateId);
    if (meta?.updateId && input?.name === undoCancelUpdate.name) undoing.add(meta.updateId);
    const answered = event.workflowExecutionUpdateCompletedEventAttributes;
    const updateId = answered?.meta?.updateId ?? '';
    const kind = kindOf(answered?.outcome?.success?.payloads?.[0]);
    if (kind === 'refused') asked.delete(updateId);
    if (kind !== 'done' || !undoing.has(updateId)) continue;
    asked.clear();
    isUndone = true;
  }
  if (asked.size > 0) return 'cancelled';
  return isUndone ? 'undone' : null;
}

async function eventsOf(client: Client, workflowId: string, runId: string) {
  try {
    return (await client.workflow.getHandle(workflowId, runId).fetchHistory()).events ?? [];
  } catch (error) {
    // The run was deleted after it had been listed.
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    return [];
  }
}

function kindOf(payload: Payload | null | undefined): unknown {
  const answer: unknown = payload && defaultPayloadConverter.fromPayload(payload);
  return typeof answer === 'object' && answer !== null && 'kind' in answer ? answer.kind : undefined;
}
