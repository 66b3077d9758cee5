/** The speed of this machine, for limits of CPU time: busy neighbours and older processors slow everything down. */
import { deflateSync } from 'node:zlib';

/** Duration of the work below on an idle core of the Intel Xeon on which the limits were measured. */
const REFERENCE_MS = 460;
const TEXT = Buffer.from(Array.from({ length: 300_000 }, (_, n) => (n * 7_919) % 99_991).join(' '));

/** @returns how many times slower than the reference a core is now, at least 1 */
export function slowness(): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return Math.max(1, (user + system) / 1_000 / REFERENCE_MS);
}

/**
 * @returns how many times longer than the reference the work takes now, alongside everything else that runs:
 *   at least 1
 */
export function delay(): number {
  const start = performance.now();
  work();
  return Math.max(1, (performance.now() - start) / REFERENCE_MS);
}

function work(): void {
  for (let n = 0; n < 10; n++) deflateSync(TEXT, { level: 9 });
}
