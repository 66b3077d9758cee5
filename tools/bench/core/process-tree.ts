/** Resource use of processes, from /proc (Linux): CPU time and peak memory. */
import { readdir, readFile } from 'node:fs/promises';

const TICKS_PER_SECOND = 100;

interface Process {
  readonly parent: number;
  readonly ticks: number;
}

/** CPU seconds of each process and its children, including exited ones; 0 without /proc. */
export async function cpuSeconds<Name extends string>(
  pids: Readonly<Record<Name, number>>,
): Promise<Record<Name, number>> {
  const all = await processes();
  const ofTree = (id: number): number =>
    (all.get(id)?.ticks ?? 0) +
    [...all].filter(([, { parent }]) => parent === id).reduce((sum, [child]) => sum + ofTree(child), 0);
  const entries = Object.entries<number>(pids).map(([name, pid]) => [name, ofTree(pid) / TICKS_PER_SECOND]);
  return Object.fromEntries(entries) as Record<Name, number>;
}

/** The largest resident size so far of one process among these and their children, in MiB. */
export async function peakMemoryMiB(pid: number): Promise<number> {
  const all = await processes();
  const ofTree = (id: number): number[] => [
    id,
    ...[...all].filter(([, { parent }]) => parent === id).flatMap(([child]) => ofTree(child)),
  ];
  return Math.max(...(await Promise.all(ofTree(pid).map((id) => peakMiB(id)))));
}

async function peakMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_024;
}

async function processes(): Promise<Map<number, Process>> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    ids.map(async (id) => {
      const stat = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // ppid; utime, stime, and the same for reaped children.
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
      return [Number(id), { parent: Number(fields[1]), ticks: ticks || 0 }] as const;
    }),
  );
  return new Map(found);
}
