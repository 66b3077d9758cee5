/** Checks in each scrape whether PostgreSQL, Temporal and the workers answer. */
import { observeGauges } from './gauges.ts';

const GAUGES = {
  'checkout.database.up': [
    '{server}',
    '1 if PostgreSQL answers this process within three seconds, otherwise 0.',
  ],
  'checkout.temporal.up': [
    '{server}',
    '1 if Temporal answers this process within three seconds, otherwise 0.',
  ],
} as const;

const OF_WORKERS = {
  'checkout.workers.missing': [
    '{queue}',
    '1 if no worker polls the task queue (state missing), or its tasks wait for over 20 s (late), otherwise 0.',
  ],
} as const;

interface Dependencies {
  /** Rejects if the database does not answer. */
  readonly askDatabase: () => Promise<unknown>;
  readonly askTemporal: () => Promise<unknown>;
}

export function observeDependencies({ askDatabase, askTemporal }: Dependencies): void {
  observeGauges(GAUGES, async (observe) => {
    const [database, temporal] = await Promise.allSettled([askDatabase(), askTemporal()]);
    observe('checkout.database.up', Number(database.status === 'fulfilled'));
    observe('checkout.temporal.up', Number(temporal.status === 'fulfilled'));
  });
}

/** Measured by the API, because missing workers cannot report themselves. No value while Temporal does not answer. */
export function observeWorkers(
  read: () => Promise<readonly { environment: string; queue: string; missing: boolean; late: boolean }[]>,
): void {
  observeGauges(OF_WORKERS, async (observe) => {
    for (const { environment, queue, ...states } of await read())
      for (const [state, holds] of Object.entries(states))
        observe('checkout.workers.missing', Number(holds), { environment, task_queue: queue, state });
  });
}
