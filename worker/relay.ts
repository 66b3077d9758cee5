/**
 * The relay does work that cannot wait a minute for the sweep, in four loops. The first starts the workflows
 * of sessions that the API could not start (Temporal was down, or the process died between insert and start),
 * of new subscriptions and of refunds, within 2 s of their creation or of Temporal's return. The second
 * resends claims that have not reached the rail. The third notifies operators of incidents that began or
 * ended, the fourth alerts if the sweep does not run. All read their work from rows, so that a restart loses nothing.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import {
  type OperatorsWebhook,
  operatorsTeller,
  type TellDeps,
} from '../activities/operations/notify-operators.ts';
import { claimResender } from '../activities/sweep/resend-claims.ts';
import { secondsSinceSweep } from '../db/core/heartbeats.ts';
import {
  type StarterDeps,
  startUnstartedRefunds,
  startUnstartedSessions,
  startUnstartedSubscriptions,
} from '../platform/temporal/start-workflows.ts';

const EVERY_MS = 1_000;
const OPERATORS_EVERY_SECONDS = 10;
const SWEEP_IS_LATE_AFTER_SECONDS = 300;

export type OperatorsToTell = Omit<TellDeps['operators'], 'webhook'> & {
  readonly webhook: OperatorsWebhook | null;
};

/** Runs separate loops, because a buyer's charge must not wait behind 500 sessions to start. */
export async function runRelay(
  deps: StarterDeps & { readonly logger: Logger; readonly operators?: OperatorsToTell },
  stopped: AbortSignal,
): Promise<void> {
  const upSince = Date.now();
  let sweepAlertedAt = 0;
  const resendClaims = claimResender(deps);
  await Promise.all([
    again('starting workflows failed, retrying', async () => {
      const started = await startUnstartedSessions(deps);
      if (started > 0)
        deps.logger.warn({ started }, 'started session workflows that the API had left unstarted');
      await startUnstartedSubscriptions(deps);
      await startUnstartedRefunds(deps);
    }),
    again('watching the sweep failed, retrying', watchSweep),
    again('resending claims failed, retrying', resendClaims),
    tellOperators(),
  ]);

  async function again(
    problem: string,
    turn: () => Promise<void>,
    everyMs: number = EVERY_MS,
  ): Promise<void> {
    while (!stopped.aborted) {
      await turn().catch((err: unknown) => deps.logger.warn({ err }, problem));
      await pause(everyMs, undefined, { signal: stopped }).catch(() => {});
    }
  }

  async function tellOperators(): Promise<void> {
    const { operators } = deps;
    if (!operators?.webhook) return;
    const tell = operatorsTeller({
      ...deps,
      operators: { ...operators, webhook: operators.webhook },
      compareEverySeconds: OPERATORS_EVERY_SECONDS - 1,
    });
    await again('notifying operators failed, retrying', () => tell(stopped), OPERATORS_EVERY_SECONDS * 1_000);
  }

  /** Alerts if the sweep's heartbeat is missing (rule 27). */
  async function watchSweep(): Promise<void> {
    const now = Date.now();
    if (now - upSince < SWEEP_IS_LATE_AFTER_SECONDS * 1_000 || now - sweepAlertedAt < 60_000) return;
    const seconds = await secondsSinceSweep(deps.pool);
    if (seconds < SWEEP_IS_LATE_AFTER_SECONDS) return;
    sweepAlertedAt = now;
    deps.logger.error({ secondsSinceSweep: seconds }, 'sweep is not running');
  }
}
