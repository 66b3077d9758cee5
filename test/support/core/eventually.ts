/** Repeats a check until it passes; at the time-out, throws its last error. */
import { setTimeout as pause } from 'node:timers/promises';

export async function eventually<T>(
  check: () => Promise<T> | T,
  withinMs = 15_000,
  pauseMs = 20,
): Promise<T> {
  const until = performance.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > until) throw error;
      await pause(pauseMs);
    }
  }
}
