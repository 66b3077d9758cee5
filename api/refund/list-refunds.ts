/** GET /v1/refunds. */
import { listOperation } from '../../contract/core/list-operation.ts';
import { exampleRefund, refund } from '../../contract/refund/refund.ts';
import { listRefunds } from '../../db/refund/list-refunds.ts';
import type { ApiContext } from '../http/context.ts';
import { listRoute } from '../http/lists/list-route.ts';
import type { Route } from '../http/route.ts';

export function listRefundsRoute(context: ApiContext): Route {
  return { ...listRoute(context, '/v1/refunds', listRefunds), describe };
}

const describe = {
  ...listOperation({
    operationId: 'listRefunds',
    summary: 'All refunds',
    description: 'Each in its current state, newest first.',
    resource: refund,
    example: exampleRefund,
  }),
  tag: 'Refunds',
} as const;
