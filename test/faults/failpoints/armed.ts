/** The directory of a run's failpoints: armed while it exists, with a file for each point that is over. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CERTAIN_POINTS, FLOWS, pointsOf } from './points.ts';

const SPARED = 'spared';

/** @param hasRare is asked for each point that a short run may miss whether this one has it */
export async function armFailpoints(dir: string, hasRare: (point: string) => boolean): Promise<void> {
  await mkdir(dir);
  const rare = FLOWS.flatMap(pointsOf).filter((point) => !CERTAIN_POINTS.includes(point));
  const spared = rare.filter((point) => !hasRare(point));
  for (const point of spared) await writeFile(fileOf(dir, point), SPARED);
}

export const fileOf = (dir: string, point: string) => join(dir, encodeURIComponent(point));

/** The points at which a process was killed, and how many processes that were: a point's file names its own. */
export async function readFailpoints(dir: string): Promise<{ failpoints: string[]; deaths: number }> {
  const files = await readdir(dir).catch(() => []);
  const read = await Promise.all(
    files.map(async (file) => [decodeURIComponent(file), await readFile(join(dir, file), 'utf8')] as const),
  );
  const hit = read.filter(([, by]) => by !== SPARED);
  return { failpoints: hit.map(([point]) => point), deaths: new Set(hit.map(([, by]) => by)).size };
}
