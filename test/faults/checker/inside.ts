/** Temporal's histories and the logs: no endless failures, no personal data, no secret. */
import type { Facts, Violation } from './facts.ts';

const HANDFUL = 5;
/** An activity is retried as long as a fault lasts; one that still fails after the run is stuck. */
const STUCK = 10;
/** How long after a restore an older workflow may still start another run. */
const ASKED_WITHIN_MS = 60_000;
const CLOSED_BADLY = new Set(['FAILED', 'TIMED_OUT']);

export function checkInside(facts: Facts): Violation[] {
  const { runs, leakingLines, canaries, isLost } = facts;
  const found: Violation[] = [];
  for (const {
    workflowId,
    type,
    status,
    startedAt,
    failure,
    taskFailuresInARow,
    pendingAttempts,
    payloads,
  } of runs) {
    const subject = `${type} ${workflowId}`;
    // A terminated run was replaced by the harness, or by the service because it could not continue.
    if (taskFailuresInARow > HANDFUL && status !== 'TERMINATED')
      found.push({
        promise: 'no workflow task keeps failing',
        subject,
        found: `${taskFailuresInARow} times in a row: ${failure}`,
      });
    if (pendingAttempts > STUCK)
      found.push({ promise: 'no activity keeps failing', subject, found: `${pendingAttempts} attempts` });
    if (CLOSED_BADLY.has(status) && !isLost(startedAt) && !isAboutLost(facts, workflowId, startedAt))
      found.push({ promise: 'no workflow fails', subject, found: `${status}: ${failure}` });
    const canary = canaries.find((each) => payloads.includes(each));
    if (canary)
      found.push({ promise: 'no personal data or secret in Temporal', subject, found: mask(canary) });
  }
  for (const line of leakingLines)
    found.push({ promise: 'no secret in a log', subject: 'a log', found: line.slice(0, 200) });
  return found;
}

/** Masked, so that the page of violations does not repeat the leak. */
const mask = (secret: string) => `${secret.slice(0, 8)}…`;

/**
 * Whether a run is about a row that was lost in a restore. Such a run ends, and has moved no money. If it started
 * soon after the restore, it was requested by a workflow that remembers the lost row.
 */
function isAboutLost({ restores, sessions, subscriptions }: Facts, workflowId: string, startedAt: string) {
  const exists = [...sessions, ...subscriptions].some(({ id }) => id === workflowId);
  const afterMs = restores.map(({ at }) => Date.parse(startedAt) - Date.parse(at));
  return !exists && afterMs.some((ms) => ms >= 0 && ms <= ASKED_WITHIN_MS);
}
