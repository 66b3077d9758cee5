/** Shared by the routes and operations of a running rail. */
import type { Logger } from 'pino';
import type { Faults } from '../core/faults.ts';
import type { Pool } from '../db/pool.ts';

export interface Context {
  readonly pool: Pool;
  readonly log: Logger;
  /** Where browsers reach this rail, without a trailing slash. */
  readonly publicUrl: string;
  /** Delay before a pending charge settles, and before `ignoreCancel` approves a cancelled one. */
  readonly settleAfterMs: number;
  /** How long look-ups and cancels do not find a new charge or refund. */
  readonly lagMs: number;
  readonly faults: Faults;
  /** Starts the background work now instead of after its pause. */
  wake(): void;
}
