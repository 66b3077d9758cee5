import { Context } from '@temporalio/activity';

/**
 * Heartbeats every second, so that a dead worker is noticed at the heartbeat time-out. A local activity has none: its
 * workflow task times out.
 */
export async function whileHeartbeating<T>(work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  if (context.info.isLocal) return work();
  const beat = setInterval(() => context.heartbeat(), 1_000);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}
