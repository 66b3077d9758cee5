/** Temporal's histories and the logs: no endless failures, no personal data, no secret. */
import type { Facts, Violation } from './facts.ts';

const HANDFUL = 5;
/** An activity is retried as long as a fault lasts; one that still fails after the run is stuck. */
const STUCK = 10;
const CLOSED_BADLY = new Set(['FAILED', 'TIMED_OUT']);

export function checkInside({ runs, leakingLines, canaries, isLost }: Facts): Violation[] {
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
    // A terminated run was replaced: by the harness, or by the service because it could not go on.
    if (taskFailuresInARow > HANDFUL && status !== 'TERMINATED')
      found.push({
        promise: 'no workflow task fails on and on',
        subject,
        found: `${taskFailuresInARow} times in a row: ${failure}`,
      });
    if (pendingAttempts > STUCK)
      found.push({ promise: 'no activity fails on and on', subject, found: `${pendingAttempts} attempts` });
    // A restored database may lack the row that the run is about: the run ends, and has moved no money.
    if (CLOSED_BADLY.has(status) && !isLost(startedAt))
      found.push({ promise: 'no workflow fails', subject, found: `${status}: ${failure}` });
    const canary = canaries.find((each) => payloads.includes(each));
    if (canary)
      found.push({ promise: 'no personal data or secret in Temporal', subject, found: mask(canary) });
  }
  for (const line of leakingLines)
    found.push({ promise: 'no secret in a log', subject: 'a log', found: line.slice(0, 200) });
  return found;
}

/** The page with the violations must not leak it once more. */
const mask = (secret: string) => `${secret.slice(0, 8)}…`;
