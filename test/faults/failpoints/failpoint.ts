/** Kills this process at a named point, once per run of the harness. */
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { FLOWS, pointsOf } from './points.ts';

/** So that one kill finds other work at other points: a start takes seconds. */
const OTHERS_ARRIVE_WITHIN_MS = 400;
const POINTS: ReadonlySet<string> = new Set(FLOWS.flatMap(pointsOf));

/** The first to arrive holds, and dies with its process; all later ones pass. */
export async function failpoint(name: string): Promise<void> {
  if (!POINTS.has(name) || !isFirst(name)) return;
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), OTHERS_ARRIVE_WITHIN_MS);
  await new Promise(() => {});
}

/** One file per point, which outlives the process. Without the directory nothing is armed. */
function isFirst(name: string): boolean {
  try {
    openSync(join(process.env.FAILPOINTS_DIR ?? '', encodeURIComponent(name)), 'wx');
    return true;
  } catch {
    return false;
  }
}
