/**
 * GET /v1/merchants/:merchantId/webhook-events: events with their deliveries, newest first, filtered by type, time,
 * status and endpoint.
 */
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import {
  eventPage,
  exampleLoggedEvent,
  examplePage,
  merchantPath,
} from '../../../contract/webhook/webhook-answers.ts';
import { eventLogQuery } from '../../../contract/webhook/webhook-endpoints.ts';
import { listLoggedEvents } from '../../../db/webhook/delivery-log.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import type { Route } from '../../http/route.ts';
import { positionId, positionInstant, readLogQuery, sendPage } from './log-query.ts';

const position = z.tuple([positionInstant, positionId]);

export function listWebhookEventsRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const list: RequestHandler = async (request, response) => {
    const { filter, after } = readLogQuery(eventLogQuery, position, request, response);
    sendPage(response, await listLoggedEvents(pool, filter, after));
  };
  return {
    method: 'get',
    path: '/v1/merchants/:merchantId/webhook-events',
    handlers: [...gate.read, list],
    describe,
  };
}

const describe: OperationDescription = {
  operationId: 'listWebhookEvents',
  tag: 'Webhook log',
  summary: 'List events with their deliveries',
  description: 'Newest first, filtered by type, time, delivery status and endpoint, paginated.',
  security: 'apiKeyOrPerson',
  path: merchantPath,
  query: eventLogQuery,
  answers: {
    200: { description: 'A page.', schema: eventPage, example: examplePage(exampleLoggedEvent) },
  },
  errors: ['invalid_request'],
};
