/** Waits until a part's health address answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Part } from './part.ts';

/** @throws Error with the part's last log lines if it exits or does not become ready in time */
export async function untilHealthy(part: Part, url: string, withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs;
  let last = 'no answer';
  for (;;) {
    if (!part.isRunning())
      throw new Error(`${part.name} exited before it was ready:\n${part.lastLines().join('\n')}`);
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
      await response.body?.cancel();
      if (response.ok) return;
      last = `status ${response.status}`;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    if (Date.now() > deadline) {
      const seconds = withinMs / 1_000;
      throw new Error(
        `${part.name} is not ready after ${seconds} s (${last}):\n${part.lastLines().join('\n')}`,
      );
    }
    await sleep(50);
  }
}
