import type { WorkflowHandle } from '@temporalio/client';

/** The details of a run that Temporal UI shows; empty before its first task. */
export async function currentDetails(run: WorkflowHandle): Promise<string> {
  const metadata = await run.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails ?? '';
}
