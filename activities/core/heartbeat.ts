import { Context } from '@temporalio/activity';

/**
 * Heartbeats every second, so that Temporal notices a dead worker at the heartbeat time-out. Local activities cannot
 * heartbeat; their workflow task times out instead.
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
