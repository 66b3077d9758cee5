/** The directory of a run's failpoints: armed while it exists, with a file for each point that no longer kills. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ALL_POINTS } from './points.ts';

const SPARED = 'spared';
const POLL_MS = 500;

/** @param points those that kill in this run */
export async function armFailpoints(dir: string, points: readonly string[]): Promise<void> {
  await mkdir(dir);
  const spared = ALL_POINTS.filter((point) => !points.includes(point));
  for (const point of spared) await writeFile(fileOf(dir, point), SPARED);
}

export const fileOf = (dir: string, point: string) => join(dir, encodeURIComponent(point));

/**
 * The points at which a process was killed, and how many processes were killed. Each point has a file with the
 * process id.
 */
export async function readFailpoints(dir: string): Promise<{ failpoints: string[]; deaths: number }> {
  const files = await readdir(dir).catch(() => []);
  const read = await Promise.all(
    files.map(async (file) => [decodeURIComponent(file), await readFile(join(dir, file), 'utf8')] as const),
  );
  const hit = read.filter(([, by]) => by !== SPARED);
  return { failpoints: hit.map(([point]) => point), deaths: new Set(hit.map(([, by]) => by)).size };
}

/** Resolves once every point has killed a process, or on timeout. */
export async function untilReached(dir: string, points: readonly string[], withinMs: number): Promise<void> {
  for (const end = performance.now() + withinMs; performance.now() < end; await pause(POLL_MS)) {
    const { failpoints } = await readFailpoints(dir);
    if (points.every((point) => failpoints.includes(point))) return;
  }
}
