/**
 * GET /v1/merchants/:merchantId/webhook-events: events with their deliveries, newest first, filtered by type, time,
 * status and endpoint.
 */
import { z } from 'zod';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { eventPage } from '../../../contract/webhook/webhook-answers.ts';
import { eventLogQuery } from '../../../contract/webhook/webhook-endpoints.ts';
import { listLoggedEvents } from '../../../db/webhook/search-deliveries.ts';
import { pageAfter, positionId } from '../../http/lists/cursor.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';
import { positionInstant, readLogQuery } from './log-query.ts';

const position = z.tuple([positionInstant, positionId]);

export const listWebhookEventsRoute = merchantRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/webhook-events',
  allow: ['read'],
  describe,
  answer: async (request, _caller, response) => {
    const { filter, after } = readLogQuery(eventLogQuery, position, request, response);
    const rows = await listLoggedEvents(pool, filter, after);
    const { data, next_cursor } = pageAfter(rows, filter.limit, (row) => [row.position, row.id]);
    return { data: data.map(({ position, ...event }) => event), next_cursor };
  },
}));

const describe: OperationDescription = {
  operationId: 'listWebhookEvents',
  tag: 'Webhook log',
  summary: 'List events with their deliveries',
  description: 'Newest first, filtered by type, time, delivery status and endpoint, paginated.',
  query: eventLogQuery,
  answers: { 200: { description: 'A page.', ...eventPage } },
};
