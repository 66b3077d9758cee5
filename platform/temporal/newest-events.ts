/** The end of a run's history, by which a run that is ahead of it is known (rule 45). */
import type { Client, WorkflowExecutionDescription } from '@temporalio/client';

/** More events than can follow a signal. */
const NEWEST_EVENTS = 50;

export type Events = NonNullable<
  NonNullable<
    Awaited<ReturnType<Client['workflowService']['getWorkflowExecutionHistoryReverse']>>['history']
  >['events']
>;

export async function readNewestEvents(
  client: Client,
  { workflowId, runId }: WorkflowExecutionDescription,
): Promise<Events> {
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId, runId },
    maximumPageSize: NEWEST_EVENTS,
  });
  return history?.events ?? [];
}

/** The run's task is about to be done: what it makes of the newest events is not known yet. */
export function isTaskAhead([newest]: Events): boolean {
  return Boolean(newest?.workflowTaskScheduledEventAttributes || newest?.workflowTaskStartedEventAttributes);
}
