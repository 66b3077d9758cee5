/** What the dashboard needs beside the routes that it shares with other clients. */
import { dashboardSearches } from './dashboard-searches.ts';
import type { ApiContext } from './http/context.ts';
import type { MerchantGate } from './http/merchant-gate.ts';
import type { Route } from './http/route.ts';
import { showAccessRoute } from './merchant/show-access.ts';
import { showOverviewRoute } from './merchant/show-overview.ts';
import { exportPaymentsRoute } from './payment/export-payments.ts';
import { searchPaymentsRoute } from './payment/search-payments.ts';
import { showPaymentRoute } from './payment/show-payment.ts';
import { merchantRefundRoute } from './refund/merchant-refund.ts';

export function dashboardRoutes(context: ApiContext, gate: MerchantGate): readonly Route[] {
  const routes = [
    showAccessRoute,
    showOverviewRoute,
    searchPaymentsRoute,
    showPaymentRoute,
    exportPaymentsRoute,
    merchantRefundRoute,
  ].map((route) => route(context, gate));
  return [...routes, ...dashboardSearches(context, gate)];
}
