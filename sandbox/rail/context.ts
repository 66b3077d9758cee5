/** What routes and operations of one running rail share. */
import type { Logger } from 'pino';
import type { Pool } from './db/pool.ts';
import type { Faults } from './faults.ts';

export interface Context {
  readonly pool: Pool;
  readonly log: Logger;
  /** Where browsers reach this rail, without a slash at the end. */
  readonly publicUrl: string;
  /** How long a pending charge takes to settle, and a cancelled one to be approved all the same. */
  readonly settleAfterMs: number;
  readonly faults: Faults;
  /** Tells the background work that there is something to do now. */
  wake(): void;
}
