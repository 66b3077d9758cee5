/**
 * POST /v1/merchants/:merchantId/webhook-endpoints/:endpointId/recover: resends the events that this endpoint
 * has missed since an instant, in batches, through a workflow whose id is in `x-service-flow-id`. One
 * recovery at a time per endpoint.
 */
import type { RequestHandler } from 'express';
import { EXAMPLE_REQUEST_ID } from '../../../contract/core/answers.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { withFlowId } from '../../../contract/openapi/headers.ts';
import { endpointPath, exampleEndpoint, recoveryAnswer } from '../../../contract/webhook/webhook-answers.ts';
import { recoveryRequest } from '../../../contract/webhook/webhook-endpoints.ts';
import { requestRecovery } from '../../../platform/temporal/start-recovery.ts';
import { recoveryWorkflowId } from '../../../workflows/webhook/recovery-messages.ts';
import { administering } from '../../http/auth/administer.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { ApiError } from '../../http/errors.ts';
import { actorOf, exchangeOf } from '../../http/exchange.ts';
import { parseFields } from '../../http/request/parse-fields.ts';
import type { Route } from '../../http/route.ts';
import { ENDPOINT, endpointOfRequest, refOf } from './endpoint-of-request.ts';

const START_DEADLINE_MS = 5_000;

export function recoverWebhookEndpointRoute(context: ApiContext, gate: MerchantGate): Route {
  const { pool, temporal, logger } = context;
  const leftToSweep = (error: unknown) =>
    logger.warn({ err: error }, 'recovery not started; the sweep will do it');

  const recover: RequestHandler = async (request, response) => {
    const endpoint = await endpointOfRequest(context, request, response);
    const { since } = parseFields(recoveryRequest, request.body, 'webhook_endpoint');
    if (endpoint.status !== 'enabled') throw new ApiError('webhook_endpoint_not_enabled');
    const deps = { pool, temporal, deadlineMs: START_DEADLINE_MS, leftToSweep };
    const until = await requestRecovery(deps, refOf(endpoint), since, actorOf(response));
    if (until === null) {
      const { status } = await endpointOfRequest(context, request, response);
      throw new ApiError(
        status === 'enabled' ? 'webhook_recovery_in_progress' : 'webhook_endpoint_not_enabled',
      );
    }
    response
      .status(202)
      .set('x-service-flow-id', recoveryWorkflowId(endpoint.id))
      .json({ endpoint_id: endpoint.id, since, until, request_id: exchangeOf(response).requestId });
  };

  return {
    method: 'post',
    path: `${ENDPOINT}/recover`,
    handlers: [...administering(gate, 'manage_endpoints'), recover],
    describe,
  };
}

const describe: OperationDescription = {
  operationId: 'recoverWebhookEndpoint',
  tag: 'Webhook endpoints',
  summary: 'Resend missed events',
  description:
    'Resends every event since an instant that this endpoint subscribes to and has not acknowledged, in batches. One recovery at a ' +
    'time per endpoint.',
  security: 'person',
  path: endpointPath,
  body: { schema: recoveryRequest, example: { since: '2026-01-30T00:00:00Z' }, required: true },
  answers: {
    202: {
      description: 'The recovery has started, or will within two minutes.',
      schema: recoveryAnswer,
      example: {
        endpoint_id: exampleEndpoint.id,
        since: '2026-01-30T00:00:00.000Z',
        until: '2026-01-31T09:30:00.000Z',
        request_id: EXAMPLE_REQUEST_ID,
      },
      headers: withFlowId,
    },
  },
  errors: [
    'invalid_request',
    'webhook_endpoint_not_found',
    'webhook_endpoint_not_enabled',
    'webhook_recovery_in_progress',
  ],
};
