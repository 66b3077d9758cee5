/** Every route that is mounted by its path; the hosted page has a router of its own. */
import type { ApiContext } from './context.ts';
import type { MerchantGate } from './merchant-gate.ts';
import type { Route } from './route.ts';
import { apiDescriptionRoutes } from './routes/api-description.ts';
import { billingDashboardRoute } from './routes/billing-dashboard.ts';
import { catalogueRoutes } from './routes/catalogue-routes.ts';
import { changePaymentMethodRoute } from './routes/change-payment-method.ts';
import { chargeRoutes } from './routes/charge-routes.ts';
import { createCheckoutRoute } from './routes/create-checkout.ts';
import { healthRoute } from './routes/health.ts';
import { listInvoicesRoute } from './routes/list-invoices.ts';
import { listOrdersRoute } from './routes/list-orders.ts';
import { listPaymentsRoute } from './routes/list-payments.ts';
import { listProductsRoute } from './routes/list-products.ts';
import { listSubscriptionsRoutes } from './routes/list-subscriptions.ts';
import { merchantDashboardRoute } from './routes/merchant-dashboard.ts';
import { merchantListRoutes } from './routes/merchant-lists.ts';
import { merchantRoutes } from './routes/merchant-routes.ts';
import { railFieldsRoute } from './routes/rail-fields.ts';
import { railWebhooksRoute } from './routes/rail-webhooks.ts';
import { showInvoiceRoute } from './routes/show-invoice.ts';
import { storefrontRoutes } from './routes/storefront.ts';
import { storefrontClientRoutes } from './routes/storefront-client-routes.ts';
import { subscriptionRoutes } from './routes/subscription-routes.ts';
import { webhookRoutes } from './routes/webhook-routes.ts';

export function allRoutes(context: ApiContext, gate: MerchantGate): readonly Route[] {
  const routes: readonly Route[] = [
    healthRoute(context),
    createCheckoutRoute(context),
    listProductsRoute(context),
    listOrdersRoute(context),
    listPaymentsRoute(context),
    ...listSubscriptionsRoutes(context),
    listInvoicesRoute(context),
    billingDashboardRoute(context),
    ...subscriptionRoutes(context),
    changePaymentMethodRoute(context),
    showInvoiceRoute(context),
    ...chargeRoutes(context),
    ...storefrontRoutes(context),
    railFieldsRoute(context),
    railWebhooksRoute(context),
    ...merchantListRoutes(context, gate),
    merchantDashboardRoute(context, gate),
    ...catalogueRoutes(context, gate),
    ...storefrontClientRoutes(context, gate),
    ...merchantRoutes(context, gate),
    ...webhookRoutes(context, gate),
  ];
  return [...routes, ...apiDescriptionRoutes(routes)];
}
