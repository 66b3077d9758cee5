/**
 * Requests recoveries of an endpoint's deliveries: stores them first, then starts them now or leaves them to the
 * sweep.
 */
import type { Client } from '@temporalio/client';
import type { Actor } from '../../db/core/audit.ts';
import type { Pool } from '../../db/core/pool.ts';
import type { EndpointRef } from '../../db/webhook/events.ts';
import { beginRecovery } from '../../db/webhook/recover-deliveries.ts';
import {
  RECOVER_DELIVERIES_WORKFLOW,
  recoverDeliveriesStart,
} from '../../workflows/webhook/recovery-messages.ts';
import { endIfTasksFail } from './stuck-runs.ts';
import { unlessStarted } from './unless-started.ts';

interface RequestDeps {
  readonly pool: Pool;
  readonly temporal: Client;
  readonly deadlineMs: number;
  /** Temporal did not answer in time; the sweep starts it within two minutes. */
  readonly leftToSweep: (error: unknown) => void;
}

/**
 * Recovers the endpoint's missed events from an instant up to now.
 * @returns the end of the range, ISO 8601; null while another recovery of the endpoint is running, or if the
 * endpoint is not enabled
 */
export async function requestRecovery(
  { pool, temporal, deadlineMs, leftToSweep }: RequestDeps,
  endpoint: EndpointRef,
  since: string,
  actor: Actor,
): Promise<string | null> {
  const until = await beginRecovery(pool, endpoint, since, actor);
  if (until === null) return null;
  const start = () => startRecovery(temporal, endpoint, { since, until });
  // If Temporal has a run unknown to the row, the sweep starts this recovery after that run, or replaces it if it is
  // stuck.
  await temporal.withDeadline(Date.now() + deadlineMs, start).catch(leftToSweep);
  return until;
}

/**
 * Starts the recovery that the endpoint's row asks for; a stuck one is replaced (rule 45).
 *
 * @param range ISO 8601: deliveries written from `since` up to `until`
 * @returns false when a recovery of the endpoint is running
 */
export async function startRecovery(
  client: Client,
  endpoint: EndpointRef,
  { since, until }: { readonly since: string; readonly until: string },
): Promise<boolean> {
  const options = recoverDeliveriesStart(endpoint, since, until);
  const start = () => unlessStarted(() => client.workflow.start(RECOVER_DELIVERIES_WORKFLOW, options));
  return (await start()) || ((await endIfTasksFail(client, options.workflowId)) && (await start()));
}
