/**
 * Wakes an endpoint's workflow after the commit. A failed wake-up is harmless: the sweep signals every overdue
 * endpoint.
 */
import type { WebhookEndpoint } from '../../contract/webhook/webhook-endpoints.ts';
import { wakeSignal } from '../../workflows/core/messages.ts';
import { DELIVER_EVENTS_WORKFLOW, deliverEventsStart } from '../../workflows/webhook/endpoint-messages.ts';
import type { ApiContext } from '../http/context.ts';

const DEADLINE_MS = 2_000;

/** Never throws. */
export async function wakeEndpoint(
  { temporal, logger }: ApiContext,
  endpoint: WebhookEndpoint,
): Promise<void> {
  const { id: endpointId, merchant_id: merchantId, environment } = endpoint;
  try {
    await temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
      temporal.workflow.signalWithStart(DELIVER_EVENTS_WORKFLOW, {
        ...deliverEventsStart({ endpointId, merchantId, environment }),
        signal: wakeSignal,
        signalArgs: [],
      }),
    );
  } catch (error) {
    logger.warn({ endpointId, err: error }, 'endpoint not woken; the sweep will');
  }
}
