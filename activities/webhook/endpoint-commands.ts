/** Operator commands on endpoints, as Temporal UI sends them: pause, resume, redeliver; recover; and pruning. */
import type { Client } from '@temporalio/client';
import { typedInTemporalUi } from '../../db/core/audit.ts';
import type { Pool } from '../../db/core/pool.ts';
import { enableEndpoint, pauseEndpoint, type StatusChange } from '../../db/webhook/endpoint-status.ts';
import type { EndpointRef } from '../../db/webhook/events.ts';
import { pruneEvents } from '../../db/webhook/prune-events.ts';
import {
  type RecoveredBatch,
  type RecoveryBatch,
  readBacklog,
  recoverBatch,
} from '../../db/webhook/recover-deliveries.ts';
import { redeliver } from '../../db/webhook/redeliver.ts';
import { type WakeLogger, wakeEndpoints } from '../../temporal/wake-endpoints.ts';
import type { OperatorCommand, RedeliverCommand } from '../../workflows/webhook/endpoint-messages.ts';

const PRUNED_AT_ONCE = 2_000;

interface CommandDeps {
  readonly pool: Pool;
  readonly client: Client;
  readonly logger: WakeLogger;
}

export function createDeliverCommands({ pool, client, logger }: CommandDeps) {
  return {
    pauseEndpoint({ operator, reason, ...endpoint }: EndpointRef & OperatorCommand): Promise<StatusChange> {
      return pauseEndpoint(pool, endpoint, { actor: typedInTemporalUi(operator), reason });
    },

    resumeEndpoint({ operator, reason, ...endpoint }: EndpointRef & OperatorCommand): Promise<StatusChange> {
      return enableEndpoint(pool, endpoint, { actor: typedInTemporalUi(operator), reason });
    },

    /** Idempotent: due deliveries stay due. */
    async redeliverEvent({ eventId, operator, reason, ...endpoint }: EndpointRef & RedeliverCommand) {
      return {
        found: await redeliver(pool, endpoint, eventId, { actor: typedInTemporalUi(operator), reason }),
      };
    },

    readBacklog(endpointId: string) {
      return readBacklog(pool, endpointId);
    },

    /** Makes a batch of missed deliveries due again and wakes the endpoint. */
    async recoverBatch(batch: RecoveryBatch & EndpointRef): Promise<RecoveredBatch> {
      const recovered = await recoverBatch(pool, batch);
      if (recovered.recovered > 0) await wakeEndpoints(client, [batch], logger);
      return recovered;
    },

    /** @returns how many were deleted; 0 when none is old enough */
    pruneOldEvents(): Promise<number> {
      return pruneEvents(pool, PRUNED_AT_ONCE);
    },
  };
}
