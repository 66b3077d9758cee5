/**
 * The relay: what cannot wait for the sweep's minute. It starts the workflow of every session that the API could
 * not start (Temporal was away, or the process died between the row and the start), and of every subscription
 * that a checkout has begun, within 2 s of its creation or Temporal's return; and it drives on the claims that
 * were not sent to the rail. Durability is the rows'; these loops are only their readers.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { claimDriver } from '../activities/drive-claims.ts';
import { startUnstartedRefunds } from '../activities/start-refunds.ts';
import {
  type StarterDeps,
  startUnstartedCheckouts,
  startUnstartedSubscriptions,
} from '../activities/start-workflows.ts';
import { secondsSinceSweep } from '../activities/sweep-heartbeat.ts';

const EVERY_MS = 1_000;
const SWEEP_IS_LATE_AFTER_SECONDS = 300;

/** Two loops: a buyer who waits for their card does not wait for 500 sessions to be started. */
export async function runRelay(
  deps: StarterDeps & { readonly logger: Logger },
  stopped: AbortSignal,
): Promise<void> {
  const upSince = Date.now();
  let toldOfSweepAt = 0;
  const driveClaims = claimDriver(deps);
  await Promise.all([
    eachSecond('the relay could not start sessions; it tries again', async () => {
      const started = await startUnstartedCheckouts(deps);
      if (started > 0) deps.logger.warn({ started }, 'started sessions that the API had not');
      await startUnstartedSubscriptions(deps);
      await startUnstartedRefunds(deps);
      await watchSweep();
    }),
    eachSecond('the relay could not drive claims on; it tries again', driveClaims),
  ]);

  async function eachSecond(problem: string, turn: () => Promise<void>): Promise<void> {
    while (!stopped.aborted) {
      await turn().catch((err: unknown) => deps.logger.warn({ err }, problem));
      await pause(EVERY_MS, undefined, { signal: stopped }).catch(() => {});
    }
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
