/**
 * POST /v1/merchants/:merchantId/webhook-endpoints/:endpointId/recover: resends the events that this endpoint
 * has missed since an instant, in batches, through a workflow whose id is in `x-service-flow-id`. One
 * recovery at a time per endpoint.
 */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { withFlowId } from '../../../contract/openapi/headers.ts';
import { exampleEndpoint, recoveryAnswer } from '../../../contract/webhook/webhook-answers.ts';
import { recoveryRequest } from '../../../contract/webhook/webhook-endpoints.ts';
import { requestRecovery } from '../../../platform/temporal/start-recovery.ts';
import { recoveryWorkflowId } from '../../../workflows/webhook/recovery-messages.ts';
import { parseFields } from '../../http/request/parse-fields.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';
import { endpointOfRequest, refOf } from './endpoint-of-request.ts';

const START_DEADLINE_MS = 5_000;

export const recoverWebhookEndpointRoute = merchantRoute((context) => ({
  method: 'post',
  path: '/v1/merchants/:merchantId/webhook-endpoints/:endpointId/recover',
  allow: ['manage_endpoints'],
  describe,
  answer: async (request, { actor }, response) => {
    const { pool, temporal, logger } = context;
    const leftToSweep = (error: unknown) =>
      logger.warn({ err: error }, 'recovery not started; the sweep will start it');
    const { since } = parseFields(recoveryRequest, request.body, 'webhook_endpoint');
    const endpoint = await endpointOfRequest(context, request, response);
    if (endpoint.status !== 'enabled') return 'webhook_endpoint_not_enabled';
    const deps = { pool, temporal, deadlineMs: START_DEADLINE_MS, leftToSweep };
    const until = await requestRecovery(deps, refOf(endpoint), since, actor);
    if (until === null) {
      const { status } = await endpointOfRequest(context, request, response);
      return status === 'enabled' ? 'webhook_recovery_in_progress' : 'webhook_endpoint_not_enabled';
    }
    response.set('x-service-flow-id', recoveryWorkflowId(endpoint.id));
    return { endpoint_id: endpoint.id, since, until };
  },
}));

const describe: OperationDescription = {
  operationId: 'recoverWebhookEndpoint',
  tag: 'Webhook endpoints',
  summary: 'Resend missed events',
  description:
    'Resends, in batches, every event since a given time that this endpoint subscribes to and has not acknowledged. One recovery at a ' +
    'time per endpoint.',
  body: { schema: recoveryRequest, example: { since: '2026-01-30T00:00:00Z' }, required: true },
  answers: {
    202: {
      description: 'The recovery has started, or will within two minutes.',
      schema: recoveryAnswer,
      example: {
        endpoint_id: exampleEndpoint.id,
        since: '2026-01-30T00:00:00.000Z',
        until: '2026-01-31T09:30:00.000Z',
      },
      headers: withFlowId,
    },
  },
  errors: ['webhook_endpoint_not_found', 'webhook_endpoint_not_enabled', 'webhook_recovery_in_progress'],
};
