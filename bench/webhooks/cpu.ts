/** CPU time of processes, from /proc (Linux): the cost of a delivery even on a busy machine. */
import { readdir, readFile } from 'node:fs/promises';

const TICKS_PER_SECOND = 100;

/** Milliseconds of CPU per delivery; 0 without /proc. */
export interface CpuPerDelivery {
  readonly senderMs: number;
  readonly postgresMs: number;
  /** The benchmark process, which publishes. */
  readonly publisherMs: number;
}

/** Starts measuring; the returned function reports the CPU time since then. */
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

/** CPU seconds of a process and its children, including exited ones. */
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
      // ppid; utime, stime, and the same for reaped children.
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
      return [Number(id), { parent: Number(fields[1]), ticks: ticks || 0 }] as const;
    }),
  );
  return new Map(found);
}
