/** Kills this process at a named point, once per run of the harness. */
import { writeFileSync } from 'node:fs';
import { fileOf } from './armed.ts';
import { FLOWS, pointsOf } from './points.ts';

/** Long enough for work to reach other points before the kill, because a restart takes seconds. */
const OTHERS_ARRIVE_WITHIN_MS = 800;
const POINTS: ReadonlySet<string> = new Set(FLOWS.flatMap(pointsOf));

/** The first arrival is held and dies with its process; all later ones pass. */
export async function failpoint(name: string): Promise<void> {
  if (!POINTS.has(name) || !isFirst(name)) return;
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), OTHERS_ARRIVE_WITHIN_MS);
  await new Promise(() => {});
}

/** One file per point, with the process that it kills, which it outlives. Without the directory nothing is armed. */
function isFirst(name: string): boolean {
  try {
    writeFileSync(fileOf(process.env.FAILPOINTS_DIR ?? '', name), `${process.pid}`, { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}
