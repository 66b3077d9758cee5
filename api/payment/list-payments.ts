/** GET /v1/payments: every attempt, without `credential_secret_ref`. */
import { listOperation } from '../../contract/core/list-operation.ts';
import { examplePayment, payment } from '../../contract/payment/resources.ts';
import { listPayments } from '../../db/payment/list-payments.ts';
import type { ApiContext } from '../http/context.ts';
import { listRoute } from '../http/lists/list-route.ts';
import type { Route } from '../http/route.ts';

export function listPaymentsRoute(context: ApiContext): Route {
  return { ...listRoute(context, '/v1/payments', listPayments), describe };
}

const describe = listOperation({
  operationId: 'listPayments',
  summary: 'All payments',
  description: 'One payment for each attempt. The field credential_secret_ref is never returned.',
  resource: payment,
  example: examplePayment,
});
