/** Activities of the webhook workflows. */
import { Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { listenForChanges } from '../../db/core/changes.ts';
import type { Pool } from '../../db/core/pool.ts';
import { moveBacklog } from '../../db/webhook/backlog.ts';
import { markAwake, planSleep, type SleepPlan } from '../../db/webhook/endpoint-sleep.ts';
import type { EndpointRef } from '../../db/webhook/events.ts';
import type { SubjectLinks } from '../../domain/core/subject-links.ts';
import type { Log } from '../../platform/observability/logger.ts';
import { createWebhookAgent } from '../../platform/outbound/agent.ts';
import { createResolve } from '../../platform/outbound/resolve.ts';
import type { SecretBox } from '../../platform/secrets/encryption.ts';
import { type LinkedSection, linksAbout, type PageAddresses } from '../core/subject-links.ts';
import type { WebhookSettings } from '../core/webhook-settings.ts';
import { type DrainProgress, drainEndpoint } from './drain.ts';
import { DueWatcher } from './due-watcher.ts';
import { createPruneActivities } from './prune-events.ts';
import { createRecoveryActivities } from './recover-deliveries.ts';

export interface DeliverDeps {
  readonly pool: Pool;
  readonly databaseUrl: string;
  readonly secretBox: SecretBox;
  readonly client: Client;
  readonly webhooks: WebhookSettings;
  readonly logger: Pick<Log, 'warn' | 'error'>;
  /** If absent, reports have no links. */
  readonly pages?: PageAddresses | undefined;
}

const NOTHING_SENT: DrainProgress = { delivered: 0, failed: 0, lastError: null };

/** The endpoint's row does not exist (rule 30); if it is written later, another run is started. */
const NO_ENDPOINT: DrainReport = {
  ...NOTHING_SENT,
  status: 'deleted',
  sleepMs: null,
  waiting: 0,
  waitingSince: null,
  failingSince: null,
  disabledReason: null,
};

export type DeliverActivities = ReturnType<typeof createDeliverActivities>;

/** The state after a drain: only ids, counts and error messages, because Temporal's history keeps it. */
export interface DrainReport extends DrainProgress, Omit<SleepPlan, 'missed'> {
  /** Operator links about an endpoint that is disabled or fails. */
  readonly pages?: SubjectLinks;
}

/** The section of docs/on-call.md about an endpoint that accepts no events. */
function sectionAbout({
  status,
  failingSince,
}: Pick<SleepPlan, 'status' | 'failingSince'>): LinkedSection | null {
  if (status === 'disabled') return 'endpoint_disabled';
  return status === 'enabled' && failingSince !== null ? 'endpoint_failing' : null;
}

export function createDeliverActivities(deps: DeliverDeps) {
  const { pool, secretBox, webhooks, logger } = deps;
  const agent = createWebhookAgent({
    allowLoopback: webhooks.allowLoopback,
    timeoutMs: webhooks.timeoutSeconds * 1_000,
    resolve: createResolve({ nameServers: webhooks.nameServers }),
    ca: webhooks.ca,
    egressProxy: webhooks.egressProxy,
  });
  const changes = listenForChanges({
    databaseUrl: deps.databaseUrl,
    channel: 'delivery_due',
    onLost: (err) => logger.warn({ err }, 'LISTEN connection lost: polling for deliveries'),
  });
  const watcher = new DueWatcher(pool, changes);

  return {
    /**
     * Sends the endpoint's due deliveries, then plans its sleep; `sleepMs` 0 means that more is due. Safe to run twice,
     * even concurrently, because deliveries are leased.
     */
    async deliverDue(endpoint: EndpointRef): Promise<DrainReport> {
      const context = Context.current();
      const awake = await markAwake(pool, endpoint.endpointId);
      if (!awake) return NO_ENDPOINT;
      const stop = context.cancellationSignal;
      const batches = { moved: () => context.heartbeat(), stop };
      // Must precede the drain: deliveries in the backlog are older than new ones.
      if (awake.mustMove) await moveBacklog(pool, endpoint.endpointId, batches);
      const progress =
        awake.status === 'enabled'
          ? await drainEndpoint(endpoint, awake.failing, {
              pool,
              secretBox,
              agent,
              watcher,
              settings: webhooks,
              stop,
              onAlert: () => logger.error({ ...endpoint }, 'webhook endpoint needs attention'),
            })
          : NOTHING_SENT;
      const { missed, ...plan } = await planSleep(pool, endpoint.endpointId, batches);
      const section = sectionAbout(plan);
      const pages = section && deps.pages && linksAbout(endpoint.endpointId, section, deps.pages);
      return { ...progress, ...plan, sleepMs: missed ? 0 : plan.sleepMs, ...(pages && { pages }) };
    },

    ...createRecoveryActivities(deps),
    ...createPruneActivities(deps),
  };
}
