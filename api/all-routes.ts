/** Every route with a fixed path; the hosted page has its own router. */
import { catalogueRoutes } from './catalogue/catalogue-routes.ts';
import { apiDescriptionRoutes } from './http/api-description.ts';
import type { MerchantGate } from './http/authentication/merchant-gate.ts';
import type { ApiContext } from './http/context.ts';
import { healthRoute } from './http/health.ts';
import type { Route } from './http/route.ts';
import { downloadCreditNoteRoute, downloadInvoiceRoute } from './invoice/download-invoice.ts';
import { invoiceSettingsRoute, oneInvoiceSettingRoute } from './invoice/invoice-settings.ts';
import { listRoutes, merchantListRoutes } from './lists.ts';
import { billingDashboardRoute, merchantBillingDashboardRoute } from './merchant/billing-dashboard.ts';
import { merchantRoutes } from './merchant/merchant-routes.ts';
import { operationRoutes } from './operations/operation-routes.ts';
import { createManualChargeRoute } from './payment/create-manual-charge.ts';
import { railFieldsRoute } from './payment/rail-fields.ts';
import { receiveRailWebhookRoute } from './payment/receive-rail-webhook.ts';
import { peopleRoutes } from './people-routes.ts';
import { createRefundRoute, showRefundRoute } from './refund/create-refund.ts';
import { storefrontRoutes } from './session/checkout-clients.ts';
import { createCheckoutRoute } from './session/create-checkout.ts';
import { paymentLinkRoute } from './session/payment-link.ts';
import { changePaymentMethodRoute } from './session/payment-method-change.ts';
import { showCheckoutRoute } from './session/show-checkout.ts';
import { subscriptionRoutes } from './subscription/subscription-routes.ts';
import { webhookRoutes } from './webhook/webhook-routes.ts';

export function allRoutes(context: ApiContext, gate: MerchantGate): readonly Route[] {
  const routes: readonly Route[] = [
    healthRoute(context),
    createCheckoutRoute(context),
    showCheckoutRoute(context),
    ...listRoutes(context),
    billingDashboardRoute(context),
    ...subscriptionRoutes(context),
    paymentLinkRoute(context),
    changePaymentMethodRoute(context),
    downloadInvoiceRoute(context),
    downloadCreditNoteRoute(context),
    createManualChargeRoute(context),
    invoiceSettingsRoute(context),
    oneInvoiceSettingRoute(context),
    createRefundRoute(context),
    showRefundRoute(context),
    ...storefrontRoutes(context),
    railFieldsRoute(context),
    receiveRailWebhookRoute(context),
    ...merchantListRoutes(context, gate),
    merchantBillingDashboardRoute(context, gate),
    ...catalogueRoutes(context, gate),
    ...merchantRoutes(context, gate),
    ...webhookRoutes(context, gate),
    ...operationRoutes(context, gate),
    ...peopleRoutes(context, gate),
  ];
  return [...routes, ...apiDescriptionRoutes(routes, context)];
}
