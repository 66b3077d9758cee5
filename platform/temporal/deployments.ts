/** Temporal's worker deployments: which build takes new workflows, and which builds still have pinned ones. */
import type { Client } from '@temporalio/client';

export const DEFAULT_DEPLOYMENT = 'hosted-checkout';

/** Indexed by temporal.api.enums.v1.WorkerDeploymentVersionStatus. */
const STATES = ['unknown', 'inactive', 'current', 'ramping', 'draining', 'drained'];

export interface Build {
  readonly buildId: string;
  /** `draining`: open sessions are pinned to it. `drained`: its workers can be stopped. */
  readonly state: string;
  /** The percentage of new workflows that the build gets while it ramps. */
  readonly percent?: number;
  /**
   * Number of runs pinned to the build, as of some seconds ago. At 0, the build's workers can be stopped even before
   * Temporal reports the build as drained.
   */
  readonly open: number;
}

/** @returns newest first; rejects with NOT_FOUND before the first worker with a build has started */
export async function listBuilds(client: Client, deploymentName: string): Promise<readonly Build[]> {
  const info = await describe(client, deploymentName);
  const percent = info?.routingConfig?.rampingVersionPercentage ?? 0;
  const summaries = [...(info?.versionSummaries ?? [])].sort(
    (a, b) => Number(b.createTime?.seconds ?? 0) - Number(a.createTime?.seconds ?? 0),
  );
  return Promise.all(
    summaries.map(async ({ deploymentVersion, status }) => {
      const buildId = deploymentVersion?.buildId ?? '';
      const state = STATES[status ?? 0] ?? 'unknown';
      const { count } = await client.workflow.count(openOn(deploymentName, buildId));
      return { buildId, state, open: count, ...(state === 'ramping' && { percent }) };
    }),
  );
}

/** Reads the routing, because the states of builds follow it with a delay. */
export async function readCurrent(client: Client, deploymentName: string): Promise<string | undefined> {
  const info = await describe(client, deploymentName);
  return info?.routingConfig?.currentDeploymentVersion?.buildId ?? undefined;
}

async function describe(client: Client, deploymentName: string) {
  const { namespace } = client.options;
  const answer = await client.workflowService.describeWorkerDeployment({ namespace, deploymentName });
  return answer.workerDeploymentInfo;
}

/**
 * Routes all new workflows, and the runs that are not pinned, to a build. Temporal refuses this if a queue has no
 * workers of the build.
 */
export async function makeCurrent(client: Client, deploymentName: string, buildId: string): Promise<void> {
  const { namespace } = client.options;
  await client.workflowService.setWorkerDeploymentCurrentVersion({ namespace, deploymentName, buildId });
}

/** Routes a percentage of new workflows to a build; 0 ends the ramp. */
export async function ramp(
  client: Client,
  deploymentName: string,
  buildId: string,
  percentage: number,
): Promise<void> {
  const { namespace } = client.options;
  await client.workflowService.setWorkerDeploymentRampingVersion({
    namespace,
    deploymentName,
    buildId: percentage === 0 ? '' : buildId,
    percentage,
  });
}

/**
 * For a build that will not return: its open runs continue on the current build. A run that cannot be replayed there
 * fails its tasks, and the sweep replaces it (rule 45).
 * @param timeoutMs for each call
 * @returns how many runs moved; runs not yet in Temporal's list need another call
 */
export async function abandonBuild(
  client: Client,
  deploymentName: string,
  buildId: string,
  timeoutMs: number,
): Promise<number> {
  const { namespace } = client.options;
  const query = openOn(deploymentName, buildId);
  const within = <T>(call: () => Promise<T>) => client.withDeadline(Date.now() + timeoutMs, call);
  const open = client.workflow.list({ query })[Symbol.asyncIterator]();
  let moved = 0;
  // Reading a page of the list is a call, too.
  for (let run = await within(() => open.next()); !run.done; run = await within(() => open.next())) {
    const { workflowId, runId } = run.value;
    await within(() =>
      client.workflowService.updateWorkflowExecutionOptions({
        namespace,
        workflowExecution: { workflowId, runId },
        workflowExecutionOptions: { versioningOverride: { autoUpgrade: true } },
        updateMask: { paths: ['versioning_override'] },
      }),
    );
    moved += 1;
  }
  return moved;
}

function openOn(deploymentName: string, buildId: string): string {
  return (
    `TemporalWorkerDeploymentVersion = "${deploymentName}:${buildId}" AND ExecutionStatus = "Running" ` +
    'AND TemporalWorkflowVersioningBehavior = "Pinned"'
  );
}
