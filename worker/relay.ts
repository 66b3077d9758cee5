/**
 * The relay: starts the workflow of every session that the API could not start (Temporal was away, or the
 * process died between the row and the start), and of every subscription that a checkout has begun, within 2 s
 * of its creation or Temporal's return. Durability is the row's; this loop is only its reader.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { startUnstartedRefunds } from '../activities/start-refunds.ts';
import {
  type StarterDeps,
  startUnstartedCheckouts,
  startUnstartedSubscriptions,
} from '../activities/start-workflows.ts';
import { secondsSinceSweep } from '../activities/sweep-heartbeat.ts';

const EVERY_MS = 1_000;
const SWEEP_IS_LATE_AFTER_SECONDS = 300;

export async function runRelay(
  deps: StarterDeps & { readonly logger: Logger },
  stopped: AbortSignal,
): Promise<void> {
  const upSince = Date.now();
  let toldOfSweepAt = 0;
  while (!stopped.aborted) {
    try {
      const started = await startUnstartedCheckouts(deps);
      if (started > 0) deps.logger.warn({ started }, 'started sessions that the API had not');
      await startUnstartedSubscriptions(deps);
      await startUnstartedRefunds(deps);
      await watchSweep();
    } catch (err) {
      deps.logger.warn({ err }, 'the relay could not start sessions; it tries again');
    }
    await pause(EVERY_MS, undefined, { signal: stopped }).catch(() => {});
  }

  /** A missing heartbeat of the sweep alerts (rule 27). */
  async function watchSweep(): Promise<void> {
    const now = Date.now();
    if (now - upSince < SWEEP_IS_LATE_AFTER_SECONDS * 1_000 || now - toldOfSweepAt < 60_000) return;
    const seconds = await secondsSinceSweep(deps.pool);
    if (seconds !== null && seconds < SWEEP_IS_LATE_AFTER_SECONDS) return;
    toldOfSweepAt = now;
    deps.logger.error({ secondsSinceSweep: seconds }, 'the sweep does not run');
  }
}
