/**
 * GET /v1/merchants/:merchantId/webhook-attempts: delivery attempts, newest first, filtered by event, type, time,
 * outcome and endpoint.
 */
import { z } from 'zod';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { attemptPage } from '../../../contract/webhook/webhook-answers.ts';
import { attemptLogQuery } from '../../../contract/webhook/webhook-endpoints.ts';
import { listLoggedAttempts } from '../../../db/webhook/search-deliveries.ts';
import { pageAfter, positionId } from '../../http/lists/cursor.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';
import { positionInstant, readLogQuery } from '../webhook-events/log-query.ts';

const position = z.tuple([positionInstant, positionId, positionId, z.string().regex(/^\d{1,9}$/)]);

export const listWebhookAttemptsRoute = merchantRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/webhook-attempts',
  allow: ['read'],
  describe,
  answer: async (request, _caller, response) => {
    const { filter, after } = readLogQuery(attemptLogQuery, position, request, response);
    const rows = await listLoggedAttempts(pool, filter, after);
    const { data, next_cursor } = pageAfter(rows, filter.limit, (row) => [
      row.position,
      row.event_id,
      row.endpoint_id,
      String(row.attempt),
    ]);
    return { data: data.map(({ position, ...attempt }) => attempt), next_cursor };
  },
}));

const describe: OperationDescription = {
  operationId: 'listWebhookAttempts',
  tag: 'Webhook log',
  summary: 'List delivery attempts',
  description:
    'Newest first, filtered by event, type, time, outcome and endpoint, paginated. Kept for 90 days.',
  query: attemptLogQuery,
  answers: { 200: { description: 'A page.', ...attemptPage } },
};
