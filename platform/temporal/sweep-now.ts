import type { Client } from '@temporalio/client';
import { SWEEP_SCHEDULE_ID } from '../../workflows/sweep/sweep-messages.ts';

const DEADLINE_MS = 5_000;

/** Starts a round of the sweep now, or after the running one. */
export function sweepNow(client: Client): Promise<void> {
  return client.withDeadline(Date.now() + DEADLINE_MS, () =>
    client.schedule.getHandle(SWEEP_SCHEDULE_ID).trigger('BUFFER_ONE'),
  );
}
