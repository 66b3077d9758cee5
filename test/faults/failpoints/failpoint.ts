/** Kills this process at a named point, once per run of the harness. */
import { writeFileSync } from 'node:fs';
import { fileOf } from './armed.ts';
import { ALL_POINTS } from './points.ts';

/** Delays the kill, so that other work can reach its points first: a restart takes seconds. */
const OTHERS_ARRIVE_WITHIN_MS = 800;
const POINTS: ReadonlySet<string> = new Set(ALL_POINTS);

/** The first arrival is held and dies with its process; all later ones pass. */
export async function failpoint(name: string): Promise<void> {
  if (!POINTS.has(name) || !isFirst(name)) return;
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), OTHERS_ARRIVE_WITHIN_MS);
  await new Promise(() => {});
}

/** Each point has a file with the id of the process that it kills. Without the directory, no point is armed. */
function isFirst(name: string): boolean {
  try {
    writeFileSync(fileOf(process.env.FAILPOINTS_DIR ?? '', name), `${process.pid}`, { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}
