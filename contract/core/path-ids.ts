/** The ids in paths, by the collection before them: their prefix, and the error for an unknown id. */
import type { ErrorCode } from './errors.ts';

export const PATH_IDS: Readonly<Record<string, readonly [prefix: string, unknown: ErrorCode]>> = {
  'api-keys': ['ap_key_', 'api_key_not_found'],
  'checkout-clients': ['ap_pcl_', 'checkout_client_not_found'],
  checkouts: ['ap_chk_', 'checkout_not_found'],
  coupons: ['ap_cpn_', 'coupon_not_found'],
  customers: ['ap_cus_', 'customer_not_found'],
  invoices: ['ap_inv_', 'invoice_not_found'],
  merchants: ['ap_mer_', 'merchant_not_found'],
  offerings: ['ap_off_', 'offering_not_found'],
  payments: ['ap_pay_', 'payment_not_found'],
  'price-moves': ['ap_pm_', 'price_move_not_found'],
  prices: ['ap_price_', 'price_not_found'],
  products: ['ap_prod_', 'product_not_found'],
  'rail-accounts': ['ap_rac_', 'rail_account_not_found'],
  refunds: ['ap_ref_', 'refund_not_found'],
  requests: ['ap_opr_', 'operation_refused'],
  'storefront-clients': ['ap_pcl_', 'checkout_client_not_found'],
  subjects: ['ap_pay_', 'operation_subject_not_found'],
  subscriptions: ['ap_sub_', 'subscription_not_found'],
  'webhook-endpoints': ['ap_whe_', 'webhook_endpoint_not_found'],
  'webhook-events': ['evt_', 'webhook_event_not_found'],
};
