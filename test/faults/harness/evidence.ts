/** Evidence for a violation: the logs, and the histories of the runs involved. */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { openTemporal } from '../../../platform/temporal/client.ts';
import type { Violation } from '../checker/check.ts';
import { unlessGone } from './collect.ts';
import type { Place } from './place/place.ts';

export async function keepEvidence(
  place: Place,
  violations: readonly Violation[],
  dir: string,
): Promise<void> {
  await mkdir(dir, { recursive: true });
  for (const file of place.logFiles) {
    // A process that logs warnings only may have no file.
    if (existsSync(file)) await copyFile(file, join(dir, basename(file)));
  }
  const named = violations.map(({ subject }) => subject).join(' ');
  const client = openTemporal({ address: `127.0.0.1:${place.temporal.port}`, namespace: 'default' });
  try {
    for await (const { workflowId, runId } of client.workflow.list()) {
      if (!named.includes(workflowId)) continue;
      const history = await client.workflow.getHandle(workflowId, runId).fetchHistory().catch(unlessGone);
      if (!history) continue;
      await writeFile(join(dir, `${workflowId}-${runId}.json`), historyToJSON(history));
    }
  } finally {
    await client.connection.close();
  }
}
