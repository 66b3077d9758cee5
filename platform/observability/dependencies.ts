/** Whether PostgreSQL and Temporal answer this process, asked in each scrape. */
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
