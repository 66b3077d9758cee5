/** The dashboard's routes below a merchant; most also accept the merchant's key. */
import { searchProductsRoute } from './catalogue/products/search.ts';
import { disputeSearchRoutes } from './dispute/search-and-export-disputes.ts';
import type { MerchantGate } from './http/authentication/merchant-gate.ts';
import type { ApiContext } from './http/context.ts';
import type { Route } from './http/route.ts';
import { creditNoteSearchRoutes } from './invoice/search-and-export-credit-notes.ts';
import { invoiceSearchRoutes } from './invoice/search-and-export-invoices.ts';
import { exportTaxSummaryRoute, showTaxSummaryRoute } from './invoice/tax-summary.ts';
import { previewBrandingRoute } from './merchant/preview-branding.ts';
import { listRailsRoute } from './merchant/rail-accounts/list-rails.ts';
import { customerSearchRoutes } from './merchant/search-customers.ts';
import { showAccessRoute } from './merchant/show-access.ts';
import { showOverviewRoute } from './merchant/show-overview.ts';
import { paymentSearchRoutes } from './payment/search-and-export-payments.ts';
import { showPaymentRoute } from './payment/show-payment.ts';
import { merchantRefundRoute } from './refund/refund-as-person.ts';
import { refundSearchRoutes } from './refund/search-and-export-refunds.ts';
import { linkInvoiceRoute } from './session/link-invoice.ts';
import { linkMethodChangeRoute } from './session/method-change.ts';
import { checkoutSearchRoutes } from './session/search-and-export-checkouts.ts';
import { showCheckoutHistoryRoute } from './session/show-checkout-history.ts';
import { updateCustomerRoute } from './session/update-customer.ts';
import { commandSubscriptionRoute } from './subscription/command-subscription.ts';
import { previewSubscriptionChangeRoute } from './subscription/preview-subscription-change.ts';
import { createPriceMoveRoute } from './subscription/price-moves/create.ts';
import { listPriceMovesRoute } from './subscription/price-moves/list.ts';
import { previewPriceMoveRoute } from './subscription/price-moves/preview.ts';
import { showPriceMoveRoute } from './subscription/price-moves/show.ts';
import { updatePriceMoveRoute } from './subscription/price-moves/update.ts';
import { subscriptionSearchRoutes } from './subscription/search-and-export-subscriptions.ts';
import { showSubscriptionRoute } from './subscription/show-subscription.ts';

export function peopleRoutes(context: ApiContext, gate: MerchantGate): readonly Route[] {
  const routes = [
    showAccessRoute,
    showOverviewRoute,
    listRailsRoute,
    previewBrandingRoute,
    showPaymentRoute,
    merchantRefundRoute,
    searchProductsRoute,
    showCheckoutHistoryRoute,
    showSubscriptionRoute,
    commandSubscriptionRoute,
    listPriceMovesRoute,
    createPriceMoveRoute,
    previewPriceMoveRoute,
    showPriceMoveRoute,
    updatePriceMoveRoute,
    previewSubscriptionChangeRoute,
    linkMethodChangeRoute,
    linkInvoiceRoute,
    updateCustomerRoute,
  ].map((route) => route(context, gate));
  return [
    ...routes,
    ...paymentSearchRoutes(context, gate),
    ...checkoutSearchRoutes(context, gate),
    ...customerSearchRoutes(context, gate),
    ...subscriptionSearchRoutes(context, gate),
    ...invoiceSearchRoutes(context, gate),
    ...creditNoteSearchRoutes(context, gate),
    showTaxSummaryRoute(context, gate),
    exportTaxSummaryRoute(context, gate),
    ...refundSearchRoutes(context, gate),
    ...disputeSearchRoutes(context, gate),
  ];
}
