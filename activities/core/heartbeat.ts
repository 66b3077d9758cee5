import { Context } from '@temporalio/activity';

/**
 * Heartbeats every second, with the progress if given, so that Temporal detects a dead worker at the heartbeat
 * time-out. Not for local activities, which cannot heartbeat: their workflow task times out.
 */
export async function whileHeartbeating<T>(work: () => Promise<T>, progress?: () => unknown): Promise<T> {
  const context = Context.current();
  const beat = setInterval(() => context.heartbeat(progress?.()), 1_000);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}
