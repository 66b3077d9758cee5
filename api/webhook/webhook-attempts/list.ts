/**
 * GET /v1/merchants/:merchantId/webhook-attempts: delivery attempts, newest first, filtered by event, type, time,
 * outcome and endpoint.
 */
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import {
  attemptPage,
  exampleAttempt,
  examplePage,
  merchantPath,
} from '../../../contract/webhook/webhook-answers.ts';
import { attemptLogQuery } from '../../../contract/webhook/webhook-endpoints.ts';
import { listLoggedAttempts } from '../../../db/webhook/delivery-log.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import type { Route } from '../../http/route.ts';
import { positionId, positionInstant, readLogQuery, sendPage } from '../webhook-events/log-query.ts';

const position = z.tuple([positionInstant, positionId, positionId, z.string().regex(/^\d{1,9}$/)]);

export function listWebhookAttemptsRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const list: RequestHandler = async (request, response) => {
    const { filter, after } = readLogQuery(attemptLogQuery, position, request, response);
    sendPage(response, await listLoggedAttempts(pool, filter, after));
  };
  return {
    method: 'get',
    path: '/v1/merchants/:merchantId/webhook-attempts',
    handlers: [...gate.read, list],
    describe,
  };
}

const describe: OperationDescription = {
  operationId: 'listWebhookAttempts',
  tag: 'Webhook log',
  summary: 'List delivery attempts',
  description:
    'Newest first, filtered by event, type, time, outcome and endpoint, paginated. Kept for 90 days.',
  security: 'apiKeyOrPerson',
  path: merchantPath,
  query: attemptLogQuery,
  answers: { 200: { description: 'A page.', schema: attemptPage, example: examplePage(exampleAttempt) } },
  errors: ['invalid_request'],
};
