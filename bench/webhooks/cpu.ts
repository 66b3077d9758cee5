/** CPU time per delivery: its cost even on a busy machine. */
import { cpuSeconds } from '../core/process-tree.ts';

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
    const seconds = await cpuSeconds({ sender, postgres });
    return [seconds.sender, seconds.postgres, (user + system) / 1e6];
  }
}
