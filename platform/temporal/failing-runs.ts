/** The runs whose workflow tasks fail, with the error. */
import type { Client } from '@temporalio/client';
import { findRun, listStuckRuns } from './stuck-runs.ts';

const MOST_SHOWN = 10;
/** How many of the latest events are searched for the failed task. */
const EVENTS = 20;

export interface FailingRun {
  readonly workflow_id: string;
  readonly type: string;
  readonly tries: number;
  readonly error: string;
}

/**
 * The first few runs whose workflow tasks fail.
 * @returns null if the server does not list them (before 1.30)
 */
export async function readFailingRuns(client: Client): Promise<readonly FailingRun[] | null> {
  const ids = await listStuckRuns(client);
  return ids && Promise.all(ids.slice(0, MOST_SHOWN).map((id) => failingRun(client, id)));
}

async function failingRun(client: Client, workflowId: string): Promise<FailingRun> {
  const run = await findRun(client, workflowId);
  return {
    workflow_id: workflowId,
    type: run?.type ?? '',
    tries: run?.raw.pendingWorkflowTask?.attempt ?? 0,
    error: await lastTaskError(client, workflowId),
  };
}

/** The first line of the latest failure of a workflow task. */
async function lastTaskError(client: Client, workflowId: string): Promise<string> {
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId },
    maximumPageSize: EVENTS,
  });
  const failed = history?.events?.find((event) => event.workflowTaskFailedEventAttributes);
  return failed?.workflowTaskFailedEventAttributes?.failure?.message?.split('\n')[0] ?? 'unknown';
}
