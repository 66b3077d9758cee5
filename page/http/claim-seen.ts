import type { Changes } from '../../db/core/changes.ts';

/**
 * Waits until a click's attempt appears in its row. The update that creates the attempt is answered only when its
 * workflow task ends, which may wait for the rail (docs/decisions/0020-an-attempt-is-one-step.md).
 *
 * @param find reads the session; returns null while the session has no attempt of this click
 * @param signal ends the wait; the promise then stays pending
 */
export function claimSeen<Found>(
  changes: Changes,
  sessionId: string,
  find: () => Promise<Found | null>,
  signal: AbortSignal,
): Promise<Found> {
  return new Promise((resolve) => {
    const unsubscribe = changes.subscribe(sessionId, () => {
      find().then(
        (found) => found && resolve(found),
        // Ignore a failed read: the answer to the update is still pending.
        () => {},
      );
    });
    signal.addEventListener('abort', unsubscribe, { once: true });
  });
}
