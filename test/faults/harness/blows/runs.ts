/** Workflow runs that are terminated, reset, and sent garbage. */
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Random } from '../core/random.ts';
import type { Blow, Victims } from './blow.ts';

const RUBBISH = [
  null,
  [],
  { attemptId: 7 },
  { attemptId: 'ap_pay_0' },
  'x'.repeat(10_000),
  { outcome: 'succeeded' },
];
const SIGNALS = ['railWebhook', 'resolveRequested', 'wake', 'no such signal'];

type Run = { readonly workflowId: string; readonly runId: string };

export function blowsToRuns({ client }: Victims): readonly Blow[] {
  return [
    { kind: 'rubbish signals', strike: (random) => onRuns(client, random, sendRubbish(random)) },
    { kind: 'a run is terminated', strike: (random) => onRuns(client, random, terminate) },
    { kind: 'a run is reset', strike: (random) => onRuns(client, random, reset) },
  ];
}
/** Applies `act` to a few runs of sessions, subscriptions, refunds and endpoints. */
async function onRuns(client: Client, random: Random, act: (client: Client, run: Run) => Promise<unknown>) {
  const found: Run[] = [];
  for await (const { workflowId, runId, type } of client.workflow.list({
    query: 'ExecutionStatus = "Running"',
  })) {
    if (type !== 'sweep' && type !== 'restore') found.push({ workflowId, runId });
    if (found.length >= 200) break;
  }
  const hit: string[] = [];
  for (let n = 0; n < 3 && found.length > 0; n++) {
    const run = random.pick(found);
    await act(client, run).catch((error: unknown) => {
      // The run has ended, or has no task to be reset to.
      if (!(error instanceof WorkflowNotFoundError || error instanceof Error)) throw error;
    });
    hit.push(run.workflowId);
  }
  return hit.join(', ') || 'none runs';
}

const sendRubbish =
  (random: Random) =>
  async (client: Client, { workflowId }: Run) => {
    const handle = client.workflow.getHandle(workflowId);
    for (let n = 0; n < 4; n++) await handle.signal(random.pick(SIGNALS), random.pick(RUBBISH));
  };

const terminate = (client: Client, { workflowId, runId }: Run) =>
  client.workflow.getHandle(workflowId, runId).terminate('fault harness');

async function reset(client: Client, { workflowId, runId }: Run): Promise<void> {
  const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  const ended = (events ?? []).filter(({ workflowTaskCompletedEventAttributes: task }) => task);
  const to = ended[Math.floor(ended.length / 2)];
  if (!to?.eventId) return;
  await client.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId, runId },
    reason: 'fault harness',
    requestId: `reset-${runId}`,
    workflowTaskFinishEventId: to.eventId,
  });
}
