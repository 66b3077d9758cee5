/** GET /v1/payments: every attempt, never with credential_secret_ref. */
import { listPayments } from '../../db/lists.ts';
import type { ApiContext } from '../context.ts';
import { listRoute } from '../list-route.ts';
import type { Route } from '../route.ts';

export function listPaymentsRoute(context: ApiContext): Route {
  return listRoute(context, '/v1/payments', listPayments);
}
