/** Generated from docs/openapi.json by `npm run openapi`: do not edit. */

import { Caller, type KeyedOptions, type RequestOptions } from './caller.ts';
import type {
  AccessAnswer,
  AdvanceRequest,
  ApiKeyList,
  ApiKeyRequest,
  ApiKeyRotation,
  AuditEntryPage,
  BillingDashboard,
  BrandingPreviewAnswer,
  ChangeCancelRequest,
  CheckoutDetailsAnswer,
  CheckoutHistoryAnswer,
  CheckoutRequest,
  CheckoutSession,
  CommandAsk,
  CommandDisputeClose,
  CommandEndpointPause,
  CommandEndpointRecover,
  CommandEndpointRedeliver,
  CommandEndpointResume,
  CommandIncidentClose,
  CommandPauseRail,
  CommandResolve,
  CommandResumeRail,
  CommandReturned,
  CommandStartMerchant,
  CommandStopMerchant,
  CreatedApiKeyAnswer,
  CreatedMerchantAnswer,
  CustomerDataRequest,
  CustomerErasure,
  CustomerExport,
  DeletedWebhookEndpoint,
  DisputeList,
  EmptyRequest,
  FoundCheckoutPage,
  FoundCustomerPage,
  FoundDisputePage,
  FoundPaymentPage,
  FoundProductPage,
  FoundRefundPage,
  FoundSubscriptionPage,
  Health,
  IncidentList,
  InvoiceList,
  InvoicePage,
  InvoiceSettings,
  InvoiceSettingsAnswer,
  ManualChargeAnswer,
  ManualChargeRequest,
  MerchantAnswer,
  MerchantChanges,
  MerchantHealthPage,
  MerchantPage,
  MerchantRefundRequest,
  MerchantRequest,
  MerchantSettingsAnswer,
  MerchantSettingsChanges,
  MethodChangeLink,
  MethodChangeLinkRequest,
  OfferingAnswer,
  OfferingChangeRequest,
  OfferingChanges,
  OfferingList,
  OfferingRequest,
  OperatorAccess,
  OperatorAuditEntryPage,
  OperatorCommandAnswer,
  OperatorExplanation,
  OperatorSubjectList,
  OrderList,
  OverviewAnswer,
  PaymentDetailsAnswer,
  PaymentList,
  PaymentMethodChange,
  PaymentMethodChangeRequest,
  PlanChangeRequest,
  PriceAnswer,
  PriceChanges,
  PriceList,
  PriceRequest,
  ProbedRailAccountAnswer,
  ProductAnswer,
  ProductChanges,
  ProductList,
  ProductRequest,
  RailAccountCheck,
  RailAccountList,
  RailAccountToSet,
  Refund,
  RefundAnswer,
  RefundList,
  RefundRequest,
  RevokedApiKeyAnswer,
  RotatedApiKeyAnswer,
  SentTestEvent,
  SettableRailList,
  StorefrontClientAnswer,
  StorefrontClientChanges,
  StorefrontClientList,
  StorefrontClientRequest,
  SubscriptionAnswer,
  SubscriptionCancelRequest,
  SubscriptionChangeAnswer,
  SubscriptionCommand,
  SubscriptionDetailsAnswer,
  SubscriptionList,
  WebhookEndpointAnswer,
  WebhookEndpointChanges,
  WebhookEndpointList,
  WebhookEndpointRequest,
  WebhookEndpointWithSecret,
  WebhookLogAttemptPage,
  WebhookLogEventAnswer,
  WebhookLogEventPage,
  WebhookRecovery,
  WebhookRecoveryRequest,
  WebhookResend,
  WebhookResendRequest,
  WebhookSecretRotation,
  WithdrawOperation,
} from './schemas.ts';

const part = encodeURIComponent;

/** A method for each operation of the API, with its name. */
export class Operations extends Caller {
  /** Whether requests can be served. */
  showHealth(options?: RequestOptions): Promise<Health> {
    return this.call('GET', `/healthz`, { options });
  }

  /** Create a checkout session. */
  createCheckout(body: CheckoutRequest, options?: RequestOptions): Promise<CheckoutSession> {
    return this.call('POST', `/v1/checkouts`, { body, options });
  }

  /** One checkout session. */
  showCheckout(id: string, options?: RequestOptions): Promise<CheckoutDetailsAnswer> {
    return this.call('GET', `/v1/checkouts/${part(id)}`, { options });
  }

  /** All products. */
  listProducts(options?: RequestOptions): Promise<ProductList> {
    return this.call('GET', `/v1/products`, { options });
  }

  /** All orders. */
  listOrders(options?: RequestOptions): Promise<OrderList> {
    return this.call('GET', `/v1/orders`, { options });
  }

  /** All payments. */
  listPayments(options?: RequestOptions): Promise<PaymentList> {
    return this.call('GET', `/v1/payments`, { options });
  }

  /** All subscriptions. */
  listSubscriptions(options?: RequestOptions): Promise<SubscriptionList> {
    return this.call('GET', `/v1/subscriptions`, { options });
  }

  /** Alias of the full list of subscriptions. */
  listCurrentSubscriptions(options?: RequestOptions): Promise<SubscriptionList> {
    return this.call('GET', `/v1/subscriptions/current`, { options });
  }

  /** All invoices. */
  listInvoices(options?: RequestOptions): Promise<InvoiceList> {
    return this.call('GET', `/v1/invoices`, { options });
  }

  /** Counters. */
  showBillingDashboard(options?: RequestOptions): Promise<BillingDashboard> {
    return this.call('GET', `/v1/billing/dashboard`, { options });
  }

  /** Cancel a subscription. */
  cancelSubscription(id: string, body: SubscriptionCancelRequest = {}, options?: KeyedOptions): Promise<SubscriptionAnswer> {
    return this.call('POST', `/v1/subscriptions/${part(id)}/cancel`, { body, keyed: true, options });
  }

  /** Take back a cancellation. */
  undoSubscriptionCancel(id: string, body: EmptyRequest = {}, options?: KeyedOptions): Promise<SubscriptionAnswer> {
    return this.call('POST', `/v1/subscriptions/${part(id)}/cancel/undo`, { body, keyed: true, options });
  }

  /** Schedule a plan change. */
  changePlan(id: string, body: PlanChangeRequest, options?: KeyedOptions): Promise<SubscriptionAnswer> {
    return this.call('POST', `/v1/subscriptions/${part(id)}/plan-change`, { body, keyed: true, options });
  }

  /** Schedule a plan of another offering. */
  changeOffering(id: string, body: OfferingChangeRequest, options?: KeyedOptions): Promise<SubscriptionAnswer> {
    return this.call('POST', `/v1/subscriptions/${part(id)}/offering-change`, { body, keyed: true, options });
  }

  /** Cancel a scheduled change. */
  cancelSubscriptionChange(id: string, body: ChangeCancelRequest, options?: KeyedOptions): Promise<SubscriptionChangeAnswer> {
    return this.call('POST', `/v1/subscriptions/${part(id)}/plan-change/cancel`, { body, keyed: true, options });
  }

  /** Move the clock of a sandbox subscription. */
  advanceSubscriptionClock(id: string, body: AdvanceRequest, options?: KeyedOptions): Promise<SubscriptionAnswer> {
    return this.call('POST', `/v1/subscriptions/${part(id)}/advance`, { body, keyed: true, options });
  }

  /** Let a customer replace the payment method. */
  changePaymentMethod(body: PaymentMethodChangeRequest, options?: KeyedOptions): Promise<PaymentMethodChange> {
    return this.call('POST', `/v1/payment-methods/change`, { body, keyed: true, options });
  }

  /** Record a local charge. */
  createManualCharge(body: ManualChargeRequest, options?: KeyedOptions): Promise<ManualChargeAnswer> {
    return this.call('POST', `/v1/manual-charges`, { body, keyed: true, options });
  }

  /** Echo invoice settings. */
  echoInvoiceSettings(body: InvoiceSettings = {}, options?: RequestOptions): Promise<InvoiceSettingsAnswer> {
    return this.call('PATCH', `/v1/invoice-settings`, { body, options });
  }

  /** Echo one of the invoice settings. */
  echoInvoiceSetting(id: string, body: InvoiceSettings = {}, options?: RequestOptions): Promise<InvoiceSettingsAnswer> {
    return this.call('PATCH', `/v1/invoice-settings/${part(id)}`, { body, options });
  }

  /** All refunds. */
  listRefunds(options?: RequestOptions): Promise<RefundList> {
    return this.call('GET', `/v1/refunds`, { options });
  }

  /** Refund a payment. */
  createRefund(body: RefundRequest, options?: KeyedOptions): Promise<RefundAnswer> {
    return this.call('POST', `/v1/refunds`, { body, keyed: true, options });
  }

  /** One refund. */
  showRefund(id: string, options?: RequestOptions): Promise<RefundAnswer> {
    return this.call('GET', `/v1/refunds/${part(id)}`, { options });
  }

  /** The products of a merchant. */
  listMerchantProducts(merchantId: string, options?: RequestOptions): Promise<ProductList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/products`, { options });
  }

  /** Create a product. */
  createProduct(merchantId: string, body: ProductRequest, options?: RequestOptions): Promise<ProductAnswer> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/products`, { body, options });
  }

  /** All orders of a merchant. */
  listMerchantOrders(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined } = {}, options?: RequestOptions): Promise<OrderList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/orders`, { query, options });
  }

  /** All payments of a merchant. */
  listMerchantPayments(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined } = {}, options?: RequestOptions): Promise<PaymentList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/payments`, { query, options });
  }

  /** All subscriptions of a merchant. */
  listMerchantSubscriptions(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined } = {}, options?: RequestOptions): Promise<SubscriptionList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/subscriptions`, { query, options });
  }

  /** All refunds of a merchant. */
  listMerchantRefunds(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined } = {}, options?: RequestOptions): Promise<RefundList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/refunds`, { query, options });
  }

  /** Refund a payment, as a person. */
  refundAsPerson(merchantId: string, body: MerchantRefundRequest, options?: KeyedOptions): Promise<RefundAnswer> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/refunds`, { body, keyed: true, options });
  }

  /** All disputes of a merchant. */
  listMerchantDisputes(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined } = {}, options?: RequestOptions): Promise<DisputeList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/disputes`, { query, options });
  }

  /** All invoices of a merchant. */
  listMerchantInvoices(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined } = {}, options?: RequestOptions): Promise<InvoiceList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/invoices`, { query, options });
  }

  /** Counters of a merchant. */
  showMerchantDashboard(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined } = {}, options?: RequestOptions): Promise<BillingDashboard> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/billing/dashboard`, { query, options });
  }

  /** One product. */
  showProduct(merchantId: string, productId: string, options?: RequestOptions): Promise<ProductAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/products/${part(productId)}`, { options });
  }

  /** Change a product, activate or deactivate it. */
  updateProduct(merchantId: string, productId: string, body: ProductChanges = {}, options?: RequestOptions): Promise<ProductAnswer> {
    return this.call('PATCH', `/v1/merchants/${part(merchantId)}/products/${part(productId)}`, { body, options });
  }

  /** The prices of a product. */
  listPrices(merchantId: string, productId: string, options?: RequestOptions): Promise<PriceList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/products/${part(productId)}/prices`, { options });
  }

  /** Create a price of a product. */
  createPrice(merchantId: string, productId: string, body: PriceRequest, options?: RequestOptions): Promise<PriceAnswer> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/products/${part(productId)}/prices`, { body, options });
  }

  /** Activate or deactivate a price. */
  updatePrice(merchantId: string, productId: string, priceId: string, body: PriceChanges, options?: RequestOptions): Promise<PriceAnswer> {
    return this.call('PATCH', `/v1/merchants/${part(merchantId)}/products/${part(productId)}/prices/${part(priceId)}`, { body, options });
  }

  /** The offerings of a merchant. */
  listOfferings(merchantId: string, options?: RequestOptions): Promise<OfferingList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/offerings`, { options });
  }

  /** Create an offering. */
  createOffering(merchantId: string, body: OfferingRequest, options?: RequestOptions): Promise<OfferingAnswer> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/offerings`, { body, options });
  }

  /** One offering. */
  showOffering(merchantId: string, offeringId: string, options?: RequestOptions): Promise<OfferingAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/offerings/${part(offeringId)}`, { options });
  }

  /** Change an offering, activate or deactivate it. */
  updateOffering(merchantId: string, offeringId: string, body: OfferingChanges = {}, options?: RequestOptions): Promise<OfferingAnswer> {
    return this.call('PATCH', `/v1/merchants/${part(merchantId)}/offerings/${part(offeringId)}`, { body, options });
  }

  /** The storefront clients of a merchant. */
  listStorefrontClients(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined } = {}, options?: RequestOptions): Promise<StorefrontClientList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/storefront-clients`, { query, options });
  }

  /** Create a storefront client. */
  createStorefrontClient(merchantId: string, body: StorefrontClientRequest, options?: RequestOptions): Promise<StorefrontClientAnswer> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/storefront-clients`, { body, options });
  }

  /** One storefront client. */
  showStorefrontClient(merchantId: string, clientId: string, options?: RequestOptions): Promise<StorefrontClientAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/storefront-clients/${part(clientId)}`, { options });
  }

  /** Change a storefront client, disable or enable it. */
  updateStorefrontClient(merchantId: string, clientId: string, body: StorefrontClientChanges = {}, options?: RequestOptions): Promise<StorefrontClientAnswer> {
    return this.call('PATCH', `/v1/merchants/${part(merchantId)}/storefront-clients/${part(clientId)}`, { body, options });
  }

  /** Your merchants. */
  listMerchants(query: { cursor?: string | undefined; limit?: number | undefined } = {}, options?: RequestOptions): Promise<MerchantPage> {
    return this.call('GET', `/v1/merchants`, { query, options });
  }

  /** Create a merchant. */
  createMerchant(body: MerchantRequest, options?: RequestOptions): Promise<CreatedMerchantAnswer> {
    return this.call('POST', `/v1/merchants`, { body, options });
  }

  /** One merchant. */
  showMerchant(merchantId: string, options?: RequestOptions): Promise<MerchantAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}`, { options });
  }

  /** Change a merchant. */
  updateMerchant(merchantId: string, body: MerchantChanges = {}, options?: RequestOptions): Promise<MerchantAnswer> {
    return this.call('PATCH', `/v1/merchants/${part(merchantId)}`, { body, options });
  }

  /** A merchant’s settings. */
  showMerchantSettings(merchantId: string, options?: RequestOptions): Promise<MerchantSettingsAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/settings`, { options });
  }

  /** Change a merchant’s settings. */
  updateMerchantSettings(merchantId: string, body: MerchantSettingsChanges = {}, options?: RequestOptions): Promise<MerchantSettingsAnswer> {
    return this.call('PATCH', `/v1/merchants/${part(merchantId)}/settings`, { body, options });
  }

  /** The audit log. */
  listAudit(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; subject_id?: string | undefined; cursor?: string | undefined; limit?: number | undefined } = {}, options?: RequestOptions): Promise<AuditEntryPage> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/audit`, { query, options });
  }

  /** List active API keys. */
  listApiKeys(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined } = {}, options?: RequestOptions): Promise<ApiKeyList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/api-keys`, { query, options });
  }

  /** Create an API key. */
  createApiKey(merchantId: string, body: ApiKeyRequest, options?: RequestOptions): Promise<CreatedApiKeyAnswer> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/api-keys`, { body, options });
  }

  /** Rotate an API key. */
  rotateApiKey(merchantId: string, keyId: string, body: ApiKeyRotation = {}, options?: RequestOptions): Promise<RotatedApiKeyAnswer> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/api-keys/${part(keyId)}/rotate`, { body, options });
  }

  /** Revoke an API key. */
  revokeApiKey(merchantId: string, keyId: string, options?: RequestOptions): Promise<RevokedApiKeyAnswer> {
    return this.call('DELETE', `/v1/merchants/${part(merchantId)}/api-keys/${part(keyId)}`, { options });
  }

  /** The merchant’s rail accounts. */
  listRailAccounts(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined } = {}, options?: RequestOptions): Promise<RailAccountList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/rail-accounts`, { query, options });
  }

  /** Set a rail account. */
  setRailAccount(merchantId: string, body: RailAccountToSet, options?: RequestOptions): Promise<ProbedRailAccountAnswer> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/rail-accounts`, { body, options });
  }

  /** Check a rail account. */
  checkRailAccount(merchantId: string, railAccountId: string, body: RailAccountCheck = {}, options?: RequestOptions): Promise<ProbedRailAccountAnswer> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/rail-accounts/${part(railAccountId)}/check`, { body, options });
  }

  /** List webhook endpoints. */
  listWebhookEndpoints(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined } = {}, options?: RequestOptions): Promise<WebhookEndpointList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/webhook-endpoints`, { query, options });
  }

  /** Create a webhook endpoint. */
  createWebhookEndpoint(merchantId: string, body: WebhookEndpointRequest, options?: RequestOptions): Promise<WebhookEndpointWithSecret> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/webhook-endpoints`, { body, options });
  }

  /** Get a webhook endpoint. */
  showWebhookEndpoint(merchantId: string, endpointId: string, options?: RequestOptions): Promise<WebhookEndpointAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/webhook-endpoints/${part(endpointId)}`, { options });
  }

  /** Change, pause or enable a webhook endpoint. */
  updateWebhookEndpoint(merchantId: string, endpointId: string, body: WebhookEndpointChanges = {}, options?: RequestOptions): Promise<WebhookEndpointAnswer> {
    return this.call('PATCH', `/v1/merchants/${part(merchantId)}/webhook-endpoints/${part(endpointId)}`, { body, options });
  }

  /** Delete a webhook endpoint. */
  deleteWebhookEndpoint(merchantId: string, endpointId: string, options?: RequestOptions): Promise<DeletedWebhookEndpoint> {
    return this.call('DELETE', `/v1/merchants/${part(merchantId)}/webhook-endpoints/${part(endpointId)}`, { options });
  }

  /** Rotate the secret of an endpoint. */
  rotateWebhookSecret(merchantId: string, endpointId: string, body: WebhookSecretRotation = {}, options?: RequestOptions): Promise<WebhookEndpointWithSecret> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/webhook-endpoints/${part(endpointId)}/rotate-secret`, { body, options });
  }

  /** Send a test event. */
  sendTestEvent(merchantId: string, endpointId: string, options?: RequestOptions): Promise<SentTestEvent> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/webhook-endpoints/${part(endpointId)}/test`, { options });
  }

  /** Resend missed events. */
  recoverWebhookEndpoint(merchantId: string, endpointId: string, body: WebhookRecoveryRequest, options?: RequestOptions): Promise<WebhookRecovery> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/webhook-endpoints/${part(endpointId)}/recover`, { body, options });
  }

  /** List events with their deliveries. */
  listWebhookEvents(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; type?: 'payment.succeeded' | 'payment.failed' | 'subscription.created' | 'subscription.updated' | 'subscription.cancelled' | 'invoice.created' | 'invoice.payment_failed' | 'refund.created' | 'payment_method.updated' | 'payment_method.updated_required' | 'payment_method.update_failed' | 'billing.operational_alert' | 'webhook.test' | undefined; from?: string | undefined; to?: string | undefined; endpoint_id?: string | undefined; cursor?: string | undefined; limit?: number | undefined; status?: 'pending' | 'succeeded' | 'exhausted' | 'held' | undefined } = {}, options?: RequestOptions): Promise<WebhookLogEventPage> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/webhook-events`, { query, options });
  }

  /** One event. */
  showWebhookEvent(merchantId: string, eventId: string, options?: RequestOptions): Promise<WebhookLogEventAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/webhook-events/${part(eventId)}`, { options });
  }

  /** Resend an event. */
  resendWebhookEvent(merchantId: string, eventId: string, body: WebhookResendRequest = {}, options?: RequestOptions): Promise<WebhookResend> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/webhook-events/${part(eventId)}/resend`, { body, options });
  }

  /** List delivery attempts. */
  listWebhookAttempts(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; type?: 'payment.succeeded' | 'payment.failed' | 'subscription.created' | 'subscription.updated' | 'subscription.cancelled' | 'invoice.created' | 'invoice.payment_failed' | 'refund.created' | 'payment_method.updated' | 'payment_method.updated_required' | 'payment_method.update_failed' | 'billing.operational_alert' | 'webhook.test' | undefined; from?: string | undefined; to?: string | undefined; endpoint_id?: string | undefined; cursor?: string | undefined; limit?: number | undefined; event_id?: string | undefined; status?: 'succeeded' | 'failed' | undefined } = {}, options?: RequestOptions): Promise<WebhookLogAttemptPage> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/webhook-attempts`, { query, options });
  }

  /** Your permissions as an operator. */
  showOperatorAccess(options?: RequestOptions): Promise<OperatorAccess> {
    return this.call('GET', `/v1/operations/access`, { options });
  }

  /** The health of each merchant. */
  listMerchantHealth(query: { q?: string | undefined; cursor?: string | undefined; limit?: number | undefined } = {}, options?: RequestOptions): Promise<MerchantHealthPage> {
    return this.call('GET', `/v1/operations/merchants`, { query, options });
  }

  /** Incidents that need an operator. */
  listIncidents(query: { kind?: 'reconciliation_required' | 'orphaned_charge' | 'payment_not_at_rail' | 'outcome_not_recorded' | 'invoice_not_issued' | 'charge_unanswered' | 'refund_failed' | 'refund_reversed_by_rail' | 'refund_carried_out' | 'second_person_needed' | 'dispute_open' | 'dispute_not_found' | 'rail_unavailable' | 'merchant_sells_nothing' | 'rail_account_disabled' | 'rail_account_misconfigured' | 'card_testing' | 'endpoint_failing' | 'endpoint_disabled' | 'webhook_deliveries_exhausted' | 'overdue' | 'sweep_late' | 'workers_missing' | 'temporal_unavailable' | 'database_fenced' | 'not_in_database' | undefined; merchant_id?: string | undefined; environment?: 'sandbox' | 'production' | undefined; min_amount?: number | undefined; older_than_seconds?: number | undefined; limit?: number | undefined } = {}, options?: RequestOptions): Promise<IncidentList> {
    return this.call('GET', `/v1/operations/incidents`, { query, options });
  }

  /** The audit log of all merchants. */
  listOperatorAudit(query: { environment?: 'sandbox' | 'production' | undefined; subject_id?: string | undefined; cursor?: string | undefined; limit?: number | undefined; actor?: string | undefined; merchant_id?: string | undefined } = {}, options?: RequestOptions): Promise<OperatorAuditEntryPage> {
    return this.call('GET', `/v1/operations/audit`, { query, options });
  }

  /** Search by any id. */
  searchSubjects(query: { id?: string | undefined } = {}, options?: RequestOptions): Promise<OperatorSubjectList> {
    return this.call('GET', `/v1/operations/subjects`, { query, options });
  }

  /** Explain a subject’s state. */
  explainSubject(id: string, options?: RequestOptions): Promise<OperatorExplanation> {
    return this.call('GET', `/v1/operations/subjects/${part(id)}`, { options });
  }

  /** Execute an operator’s command. */
  commandSubject(id: string, body: CommandResolve | CommandReturned | CommandDisputeClose | CommandAsk | CommandPauseRail | CommandResumeRail | CommandStopMerchant | CommandStartMerchant | CommandEndpointPause | CommandEndpointResume | CommandEndpointRedeliver | CommandEndpointRecover | CommandIncidentClose, options?: RequestOptions): Promise<OperatorCommandAnswer> {
    return this.call('POST', `/v1/operations/subjects/${part(id)}/commands`, { body, options });
  }

  /** Confirm a colleague’s command. */
  confirmOperation(requestId: string, options?: RequestOptions): Promise<OperatorCommandAnswer> {
    return this.call('POST', `/v1/operations/requests/${part(requestId)}/confirm`, { options });
  }

  /** Withdraw a waiting command. */
  withdrawOperation(requestId: string, body: WithdrawOperation, options?: RequestOptions): Promise<OperatorCommandAnswer> {
    return this.call('POST', `/v1/operations/requests/${part(requestId)}/withdraw`, { body, options });
  }

  /** Export a customer’s data. */
  exportCustomer(id: string, body: CustomerDataRequest, options?: RequestOptions): Promise<CustomerExport> {
    return this.call('POST', `/v1/operations/customers/${part(id)}/export`, { body, options });
  }

  /** Erase a customer’s personal data. */
  eraseCustomer(id: string, body: CustomerDataRequest, options?: RequestOptions): Promise<CustomerErasure> {
    return this.call('POST', `/v1/operations/customers/${part(id)}/erase`, { body, options });
  }

  /** Your permissions here. */
  showAccess(merchantId: string, options?: RequestOptions): Promise<AccessAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/access`, { options });
  }

  /** Numbers of a merchant. */
  showOverview(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; time_zone?: string | undefined } = {}, options?: RequestOptions): Promise<OverviewAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/overview`, { query, options });
  }

  /** Card processors. */
  listRails(merchantId: string, options?: RequestOptions): Promise<SettableRailList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/rails`, { options });
  }

  /** Preview the hosted page. */
  previewBranding(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; name?: string | undefined; logo_url?: string | undefined; color?: string | undefined; language?: string | undefined; origin?: string | undefined } = {}, options?: RequestOptions): Promise<BrandingPreviewAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/branding-preview`, { query, options });
  }

  /** Search payments. */
  searchPayments(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; q?: string | undefined; cursor?: string | undefined; limit?: number | undefined; status?: 'requires_action' | 'processing' | 'succeeded' | 'failed' | 'cancelled' | 'refunded' | 'partially_refunded' | undefined; from?: string | undefined; to?: string | undefined } = {}, options?: RequestOptions): Promise<FoundPaymentPage> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/search/payments`, { query, options });
  }

  /** One payment with its history. */
  showPayment(merchantId: string, paymentId: string, options?: RequestOptions): Promise<PaymentDetailsAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/payments/${part(paymentId)}`, { options });
  }

  /** Export payments as CSV. */
  exportPayments(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; q?: string | undefined; status?: 'requires_action' | 'processing' | 'succeeded' | 'failed' | 'cancelled' | 'refunded' | 'partially_refunded' | undefined; from?: string | undefined; to?: string | undefined } = {}, options?: RequestOptions): Promise<string> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/exports/payments`, { query, text: true, options });
  }

  /** Search products. */
  searchProducts(merchantId: string, query: { q?: string | undefined; cursor?: string | undefined; limit?: number | undefined; status?: 'active' | 'inactive' | undefined; billing_mode?: 'one_time' | 'recurring' | undefined; storefront_client_id?: string | undefined; offering_id?: string | undefined } = {}, options?: RequestOptions): Promise<FoundProductPage> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/search/products`, { query, options });
  }

  /** One checkout with its history. */
  showCheckoutHistory(merchantId: string, checkoutId: string, options?: RequestOptions): Promise<CheckoutHistoryAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/checkouts/${part(checkoutId)}`, { options });
  }

  /** One subscription with its history. */
  showSubscription(merchantId: string, subscriptionId: string, options?: RequestOptions): Promise<SubscriptionDetailsAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/subscriptions/${part(subscriptionId)}`, { options });
  }

  /** Cancel or change a subscription, as a person. */
  commandSubscription(merchantId: string, subscriptionId: string, body: SubscriptionCommand, options?: KeyedOptions): Promise<SubscriptionDetailsAnswer> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/subscriptions/${part(subscriptionId)}/commands`, { body, keyed: true, options });
  }

  /** A link to replace a payment method. */
  linkMethodChange(merchantId: string, subscriptionId: string, body: MethodChangeLinkRequest, options?: KeyedOptions): Promise<MethodChangeLink> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/subscriptions/${part(subscriptionId)}/method-change`, { body, keyed: true, options });
  }

  /** Export checkouts as CSV. */
  exportCheckouts(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; q?: string | undefined; status?: 'created' | 'processing' | 'requires_action' | 'succeeded' | 'failed' | 'reconciliation_required' | undefined } = {}, options?: RequestOptions): Promise<string> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/exports/checkouts`, { query, text: true, options });
  }

  /** Export subscriptions as CSV. */
  exportSubscriptions(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; q?: string | undefined; status?: 'incomplete' | 'trialing' | 'active' | 'past_due' | 'cancelled' | 'expired' | 'paused' | undefined } = {}, options?: RequestOptions): Promise<string> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/exports/subscriptions`, { query, text: true, options });
  }

  /** Export invoices as CSV. */
  exportInvoices(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; q?: string | undefined; status?: 'draft' | 'open' | 'created' | 'void' | 'uncollectible' | 'payment_failed' | undefined } = {}, options?: RequestOptions): Promise<string> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/exports/invoices`, { query, text: true, options });
  }

  /** Search checkouts. */
  searchCheckouts(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; q?: string | undefined; cursor?: string | undefined; limit?: number | undefined; status?: 'created' | 'processing' | 'requires_action' | 'succeeded' | 'failed' | 'reconciliation_required' | undefined } = {}, options?: RequestOptions): Promise<FoundCheckoutPage> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/search/checkouts`, { query, options });
  }

  /** Search customers. */
  searchCustomers(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; q?: string | undefined; cursor?: string | undefined; limit?: number | undefined } = {}, options?: RequestOptions): Promise<FoundCustomerPage> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/search/customers`, { query, options });
  }

  /** Search subscriptions. */
  searchSubscriptions(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; q?: string | undefined; cursor?: string | undefined; limit?: number | undefined; status?: 'incomplete' | 'trialing' | 'active' | 'past_due' | 'cancelled' | 'expired' | 'paused' | undefined } = {}, options?: RequestOptions): Promise<FoundSubscriptionPage> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/search/subscriptions`, { query, options });
  }

  /** Search invoices. */
  searchInvoices(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; q?: string | undefined; cursor?: string | undefined; limit?: number | undefined; status?: 'draft' | 'open' | 'created' | 'void' | 'uncollectible' | 'payment_failed' | undefined } = {}, options?: RequestOptions): Promise<InvoicePage> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/search/invoices`, { query, options });
  }

  /** List refunds by date. */
  searchRefunds(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; cursor?: string | undefined; limit?: number | undefined; from?: string | undefined; to?: string | undefined; status?: 'pending' | 'succeeded' | 'failed' | undefined } = {}, options?: RequestOptions): Promise<FoundRefundPage> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/search/refunds`, { query, options });
  }

  /** Export refunds as CSV. */
  exportRefunds(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; from?: string | undefined; to?: string | undefined; status?: 'pending' | 'succeeded' | 'failed' | undefined } = {}, options?: RequestOptions): Promise<string> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/exports/refunds`, { query, text: true, options });
  }

  /** List disputes by date. */
  searchDisputes(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; cursor?: string | undefined; limit?: number | undefined; from?: string | undefined; to?: string | undefined; status?: 'open' | 'won' | 'lost' | undefined } = {}, options?: RequestOptions): Promise<FoundDisputePage> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/search/disputes`, { query, options });
  }

  /** Export disputes as CSV. */
  exportDisputes(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; from?: string | undefined; to?: string | undefined; status?: 'open' | 'won' | 'lost' | undefined } = {}, options?: RequestOptions): Promise<string> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/exports/disputes`, { query, text: true, options });
  }
}
