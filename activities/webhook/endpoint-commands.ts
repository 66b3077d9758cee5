/** Operator commands on endpoints, as sent by Temporal UI: pause, resume, redeliver. */
import { typedInTemporalUi } from '../../db/core/audit.ts';
import type { Pool } from '../../db/core/pool.ts';
import { enableEndpoint, pauseEndpoint, type StatusChange } from '../../db/webhook/endpoint-status.ts';
import type { EndpointRef } from '../../db/webhook/events.ts';
import { redeliver } from '../../db/webhook/redeliver.ts';
import type { OperatorCommand, RedeliverCommand } from '../../workflows/webhook/endpoint-messages.ts';

export function createEndpointCommands({ pool }: { readonly pool: Pool }) {
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
  };
}
