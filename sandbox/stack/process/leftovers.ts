/**
 * Ends programs of an earlier run, which survive only if a SIGKILL hit both our process and the leash. Such a
 * program would still hold the database files open.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { processes } from './processes.ts';

/** Ends every process whose command line contains `text`, which must be unique to this working copy. */
export async function endLeftovers(text: string, signal: NodeJS.Signals, timeoutMs = 5_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  let asked = new Set<number>();
  for (let pids = pidsWith(text); pids.length > 0; pids = pidsWith(text)) {
    const late = Date.now() > deadline;
    for (const pid of pids) if (late || !asked.has(pid)) kill(pid, late ? 'SIGKILL' : signal);
    asked = new Set(pids);
    await sleep(50);
  }
}

export function pidsWith(text: string): number[] {
  return processes()
    .filter(({ args }) => args.includes(text))
    .map(({ pid }) => pid);
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has exited.
  }
}
