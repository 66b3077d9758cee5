import type { Changes } from '../../db/core/changes.ts';
import type { Pool } from '../../db/core/pool.ts';
import { findClaim } from '../../db/session/pay-requests.ts';

/**
 * Waits for a click's attempt in its row. The update that makes it is answered with its workflow task, and that may
 * wait for the rail (docs/decisions/0020-the-first-call-within-the-task.md).
 * @param signal ends the wait; the promise then stays pending
 */
export function claimSeen(
  changes: Changes,
  pool: Pool,
  { sessionId, claimId }: { readonly sessionId: string; readonly claimId: string },
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = changes.subscribe(sessionId, () => {
      findClaim(pool, sessionId, claimId).then(
        (claim) => claim?.payment_id && resolve(),
        // The answer to the update remains.
        () => {},
      );
    });
    signal.addEventListener('abort', unsubscribe, { once: true });
  });
}
