/** Recovers an endpoint's missed events, batch by batch. */
import type { Client } from '@temporalio/client';
import type { Pool } from '../../db/core/pool.ts';
import type { EndpointRef } from '../../db/webhook/events.ts';
import {
  type RecoveredBatch,
  type RecoveryBatch,
  readBacklog,
  recoverBatch,
} from '../../db/webhook/recover-deliveries.ts';
import type { Log } from '../../platform/observability/logger.ts';
import { wakeEndpoint } from '../../platform/temporal/wake-endpoints.ts';

interface RecoveryDeps {
  readonly pool: Pool;
  readonly client: Client;
  readonly logger: Pick<Log, 'warn'>;
}

export function createRecoveryActivities({ pool, client, logger }: RecoveryDeps) {
  return {
    readBacklog(endpointId: string) {
      return readBacklog(pool, endpointId);
    },

    /** Makes a batch of missed deliveries due again and wakes the endpoint. */
    async recoverBatch(batch: RecoveryBatch & EndpointRef): Promise<RecoveredBatch> {
      const recovered = await recoverBatch(pool, batch);
      if (recovered.recovered > 0) await wakeEndpoint(client, batch, logger);
      return recovered;
    },
  };
}
