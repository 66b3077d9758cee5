/** After a restore of Temporal, waits until no worker that was started before the restore still polls (rule 45). */
import { setTimeout as pause } from 'node:timers/promises';
import { type Polling, workersSince } from '../../platform/temporal/old-workers.ts';
import type { OpsContext } from './core/command.ts';

const TIMEOUT_MS = 15 * 60_000;

/** @param instant when Temporal was available again, ISO 8601 */
export async function restoredTemporal(
  { temporal }: OpsContext,
  { instant, waits, json }: { readonly instant: string; readonly waits: boolean; readonly json: boolean },
): Promise<number> {
  const print = json ? () => {} : console.log;
  print(
    'Restart every worker: one that ran during the restore still caches runs that are newer than the restored histories.',
  );
  let printed = '';
  for (const end = performance.now() + TIMEOUT_MS; ; await pause(1_000)) {
    const polling = await workersSince(temporal, instant);
    const isDone = polling.old.length + polling.unserved.length === 0;
    const line = describe(polling, instant);
    if (line !== printed) print(line);
    printed = line;
    if (!isDone && waits && performance.now() < end) continue;
    if (json) console.log(JSON.stringify({ restarted: isDone, ...polling }));
    return isDone ? 0 : 1;
  }
}

function describe({ old, unserved }: Polling, instant: string): string {
  if (old.length > 0)
    return `Started before ${instant}, and polling in the last five minutes: ${old.join(', ')}`;
  if (unserved.length > 0) return `No worker started since ${instant} serves ${unserved.join(', ')}.`;
  return 'Every worker was restarted. The sweep starts the workflows that Temporal has lost.';
}
