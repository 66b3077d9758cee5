/** Replaying histories against today's workflow code: what guards every change of a workflow. */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { buildWorkflowBundle } from '../../worker/bundle.ts';

export const HISTORIES = fileURLToPath(new URL('../replay/histories/', import.meta.url));

let bundle: Promise<string> | undefined;

/** @throws when the workflow code of today would have done something else than a history says */
export async function replayAll(
  histories: readonly { workflowId: string; history: unknown }[],
): Promise<void> {
  bundle ??= buildWorkflowBundle();
  const results = Worker.runReplayHistories({ workflowBundle: { code: await bundle } }, histories);
  for await (const { workflowId, error } of results) {
    if (error) throw new Error(`${workflowId}: ${error.message}`, { cause: error });
  }
}

/** With SAVE_HISTORIES=1 keeps the run as `test/replay/histories/<name>.json`; an existing file is never replaced. */
export async function keepHistory(handle: WorkflowHandle, name: string): Promise<void> {
  if (process.env.SAVE_HISTORIES !== '1') return;
  const json = historyToJSON(await handle.fetchHistory());
  await mkdir(HISTORIES, { recursive: true });
  const file = `${HISTORIES}${name}.json`;
  await writeFile(file, `${JSON.stringify(JSON.parse(json))}\n`, { flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
}
