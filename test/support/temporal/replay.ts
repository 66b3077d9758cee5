/** Replays histories with the current workflow code: the guard for every change of a workflow. */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { workflowBundle as workflowBundleFile } from '../../../sandbox/stack/temporal/workflow-bundle.ts';

export const HISTORIES = fileURLToPath(new URL('../../replay/histories/', import.meta.url));

export interface SavedHistory {
  readonly workflowId: string;
  readonly history: unknown;
}

/** @returns the differences between the current workflow code and each history, by workflow id */
export async function replay(histories: readonly SavedHistory[]): Promise<ReadonlyMap<string, Error>> {
  const workflowBundle = { codePath: await workflowBundleFile() };
  const differences = new Map<string, Error>();
  const results = Worker.runReplayHistories({ workflowBundle }, histories);
  for await (const { workflowId, error } of results) if (error) differences.set(workflowId, error);
  return differences;
}

/** @throws when the current workflow code differs from a history */
export async function replayAll(histories: readonly SavedHistory[]): Promise<void> {
  for (const [workflowId, error] of await replay(histories)) {
    throw new Error(`${workflowId}: ${error.message}`, { cause: error });
  }
}

/**
 * With SAVE_HISTORIES=1 saves the workflow's runs: the last one as `test/replay/histories/<name>.json`, the
 * earlier ones as `<name>-run-1.json` and so on. An existing file is never replaced.
 */
export async function keepHistory(handle: WorkflowHandle, name: string): Promise<void> {
  if (process.env.SAVE_HISTORIES !== '1') return;
  const runs = await runsOf(handle);
  await mkdir(HISTORIES, { recursive: true });
  for (const [n, history] of runs.entries()) {
    const file = `${HISTORIES}${name}${n < runs.length - 1 ? `-run-${n + 1}` : ''}.json`;
    // The stack traces in a history contain the path of the project's folder.
    const json = historyToJSON(history).replaceAll(`${PROJECT_DIR}/`, '/app/');
    await writeFile(file, `${JSON.stringify(JSON.parse(json))}\n`, { flag: 'wx' }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      },
    );
  }
}

/** The decoded payloads of a run's history, to be searched for data that must not be in it. */
export async function payloadsOf(handle: WorkflowHandle): Promise<string> {
  const history = historyToJSON(await handle.fetchHistory());
  const payloads = [...history.matchAll(/"data":\s*"([^"]+)"/g)];
  return payloads.map(([, data]) => Buffer.from(data ?? '', 'base64').toString()).join('\n');
}

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

/** The runs of a workflow, oldest first, found through the run that each one continues. */
async function runsOf({ client, workflowId }: WorkflowHandle): Promise<readonly History[]> {
  const runs: History[] = [];
  let runId: string | undefined;
  do {
    const history = await client.getHandle(workflowId, runId).fetchHistory();
    if (didSomething(history)) runs.unshift(history);
    const started = history.events?.[0]?.workflowExecutionStartedEventAttributes;
    runId = started?.continuedExecutionRunId || undefined;
  } while (runId);
  return runs;
}

/** True if the run has completed a task; the replay of a run without one never ends. */
function didSomething({ events }: History): boolean {
  return (
    events?.some(({ workflowTaskCompletedEventAttributes }) => workflowTaskCompletedEventAttributes) ?? false
  );
}
