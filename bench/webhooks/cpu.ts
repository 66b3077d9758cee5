/** CPU time of processes, from /proc (Linux): what a delivery costs, also on a machine that is busy with other things. */
import { readdir, readFile } from 'node:fs/promises';

const TICKS_PER_SECOND = 100;

/** Milliseconds of CPU per delivery; 0 where there is no /proc. */
export interface CpuPerDelivery {
  readonly senderMs: number;
  readonly postgresMs: number;
  /** The measuring process itself, which publishes. */
  readonly publisherMs: number;
}

/** Begins to measure. @returns a function that says what was used since then */
export async function cpuMeter(sender: number, postgres: number) {
  const before = await used();
  return async (deliveries: number): Promise<CpuPerDelivery> => {
    const after = await used();
    const [senderMs = 0, postgresMs = 0, publisherMs = 0] = after.map(
      (seconds, index) => ((seconds - (before[index] ?? 0)) * 1_000) / deliveries,
    );
    return { senderMs, postgresMs, publisherMs };
  };

  async function used(): Promise<readonly number[]> {
    const { user, system } = process.cpuUsage();
    return [await cpuSeconds(sender), await cpuSeconds(postgres), (user + system) / 1e6];
  }
}

/** Seconds that a process and its children, the ended ones included, have used. */
async function cpuSeconds(pid: number): Promise<number> {
  const all = await processes();
  const ofTree = (id: number): number =>
    (all.get(id)?.ticks ?? 0) +
    [...all].filter(([, { parent }]) => parent === id).reduce((sum, [child]) => sum + ofTree(child), 0);
  return ofTree(pid) / TICKS_PER_SECOND;
}

async function processes(): Promise<Map<number, { parent: number; ticks: number }>> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    ids.map(async (id) => {
      const stat = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // ppid; utime, stime and those of children that were waited for.
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
      return [Number(id), { parent: Number(fields[1]), ticks: ticks || 0 }] as const;
    }),
  );
  return new Map(found);
}
