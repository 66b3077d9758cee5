/** GET /v1/refunds. */
import { exampleRefund, refund } from '../../contract/refund/refund.ts';
import { listRefunds } from '../../db/refund/list-refunds.ts';
import { listRoute } from '../http/routes/list-route.ts';

export const listRefundsRoute = listRoute('/v1/refunds', () => listRefunds, {
  operationId: 'listRefunds',
  summary: 'All refunds',
  description: 'Each in its current state, newest first.',
  resource: refund,
  example: exampleRefund,
  tag: 'Refunds',
});
