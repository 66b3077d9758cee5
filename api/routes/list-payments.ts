/** GET /v1/payments: every attempt, never with credential_secret_ref. */
import { examplePayment } from '../../contract/examples.ts';
import { listOperation } from '../../contract/list-operation.ts';
import { payment } from '../../contract/resources.ts';
import { listPayments } from '../../db/lists.ts';
import type { ApiContext } from '../context.ts';
import { listRoute } from '../list-route.ts';
import type { Route } from '../route.ts';

export function listPaymentsRoute(context: ApiContext): Route {
  return { ...listRoute(context, '/v1/payments', listPayments), describe };
}

const describe = listOperation({
  operationId: 'listPayments',
  summary: 'All payments',
  description: 'One payment for each attempt. The field credential_secret_ref is never shown.',
  resource: payment,
  example: examplePayment,
});
