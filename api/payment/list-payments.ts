/** GET /v1/payments: every attempt, without `credential_secret_ref`. */
import { examplePayment, payment } from '../../contract/payment/resources.ts';
import { listPayments } from '../../db/payment/list-payments.ts';
import { listRoute } from '../http/routes/list-route.ts';

export const listPaymentsRoute = listRoute('/v1/payments', () => listPayments, {
  operationId: 'listPayments',
  summary: 'All payments',
  description: 'One payment for each attempt. The field credential_secret_ref is never returned.',
  resource: payment,
  example: examplePayment,
});
