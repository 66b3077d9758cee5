/** Deletes old events and the log of their deliveries. */
import type { Pool } from '../../db/core/pool.ts';
import { pruneEvents } from '../../db/webhook/prune-events.ts';

const PRUNED_AT_ONCE = 2_000;

export function createPruneActivities({ pool }: { readonly pool: Pool }) {
  return {
    /** @returns how many were deleted; 0 when none is old enough */
    pruneOldEvents(): Promise<number> {
      return pruneEvents(pool, PRUNED_AT_ONCE);
    },
  };
}
