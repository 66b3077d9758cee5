/** The sweep's Schedule, for operators: whether it runs, and why a round fails. */
import { type Client, ScheduleNotFoundError } from '@temporalio/client';
import { SWEEP_SCHEDULE_ID } from '../../workflows/sweep/sweep-messages.ts';
import { findRun } from './stuck-runs.ts';

export interface SweepSchedule {
  readonly paused: boolean;
  /** Who paused it and why, if stated. */
  readonly note: string;
  readonly last_started_at: string | null;
  readonly next_at: string | null;
  /** Activities of the running round that are being retried. */
  readonly failing: readonly { readonly activity: string; readonly tries: number; readonly error: string }[];
}

/** @returns null before the first worker has started and created the Schedule */
export function readSweepSchedule(client: Client, timeoutMs: number): Promise<SweepSchedule | null> {
  return client.withDeadline(Date.now() + timeoutMs, async () => {
    try {
      const { state, info } = await client.schedule.getHandle(SWEEP_SCHEDULE_ID).describe();
      const rounds = info.recentActions.map(({ takenAt }) => takenAt.getTime());
      const running = info.runningActions.map(({ workflow }) => workflow.workflowId);
      return {
        paused: state.paused,
        note: state.note ?? '',
        last_started_at: rounds.length > 0 ? new Date(Math.max(...rounds)).toISOString() : null,
        next_at: info.nextActionTimes[0]?.toISOString() ?? null,
        failing: (await Promise.all(running.map((id) => failingActivities(client, id)))).flat(),
      };
    } catch (error) {
      if (error instanceof ScheduleNotFoundError) return null;
      throw error;
    }
  });
}

export function unpauseSweep(client: Client, timeoutMs: number, note: string): Promise<void> {
  return client.withDeadline(Date.now() + timeoutMs, () =>
    client.schedule.getHandle(SWEEP_SCHEDULE_ID).unpause(note),
  );
}

async function failingActivities(client: Client, workflowId: string): Promise<SweepSchedule['failing']> {
  const run = await findRun(client, workflowId);
  const pending = run?.raw.pendingActivities ?? [];
  return pending
    .filter(({ lastFailure }) => lastFailure)
    .map(({ activityType, attempt, lastFailure }) => ({
      activity: activityType?.name ?? '',
      tries: attempt ?? 0,
      error: lastFailure?.message?.split('\n')[0] ?? 'unknown',
    }));
}
