/** Generated from docs/openapi.json by `npm run openapi`: do not edit. */

import { Caller, Group, type KeyedOptions, type RequestOptions } from './caller.ts';
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
  ChangePreviewAnswer,
  CheckoutDetailsAnswer,
  CheckoutHistoryAnswer,
  CheckoutRequest,
  CheckoutSession,
  CommandAsk,
  CommandCredit,
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
  CouponAnswer,
  CouponChanges,
  CouponList,
  CouponRequest,
  CreatedApiKeyAnswer,
  CreatedMerchantAnswer,
  CreditNoteList,
  CreditNotePage,
  CustomerAnswer,
  CustomerChanges,
  CustomerDataRequest,
  CustomerErasure,
  CustomerExport,
  DeletedWebhookEndpoint,
  DisputeList,
  EmptyRequest,
  FoundCheckoutPage,
  FoundCustomerPage,
  FoundDisputePage,
  FoundInvoicePage,
  FoundPaymentPage,
  FoundProductPage,
  FoundRefundPage,
  FoundSubscriptionPage,
  Health,
  IncidentList,
  InvoiceLink,
  InvoiceLinkRequest,
  InvoiceList,
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
  PaidInvoiceAnswer,
  PaymentDetailsAnswer,
  PaymentLink,
  PaymentList,
  PaymentMethodChange,
  PaymentMethodChangeRequest,
  PlanChangeRequest,
  PriceAnswer,
  PriceChanges,
  PriceList,
  PriceMoveAnswer,
  PriceMoveChanges,
  PriceMoveDetailsAnswer,
  PriceMoveList,
  PriceMoveReportAnswer,
  PriceMoveRequest,
  PriceRequest,
  ProbedRailAccountAnswer,
  ProductAnswer,
  ProductChanges,
  ProductList,
  ProductRequest,
  QuantityRequest,
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
  SubscriptionPauseRequest,
  SubscriptionResumeRequest,
  SubscriptionTrialRequest,
  TaxSummaryAnswer,
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

class CheckoutsGroup extends Group {
  /**
   * Create a checkout session.
   *
   * A hosted session in the environment of the key. Send the buyer's browser to `hostedUrl` within 30
   * minutes; declined attempts may be repeated there. `payment.succeeded` or `payment.failed` reports
   * each attempt; a recurring product creates a subscription, reported by `subscription.created`.
   *
   * The merchant comes from the key and the price from the product: `merchantId` and `priceId` are
   * refused, and so is an `Idempotency-Key` header. An unpaid session costs nothing: after a 5xx create
   * another.
   *
   * Checked in this order: key, merchant, `Idempotency-Key`, body, its fields as listed, `merchantId`,
   * `priceId`, `couponCode` with `amount`, product, capability, price, `quantity`, `amount`, rail
   * account, coupon.
   */
  create(body: CheckoutRequest, options?: RequestOptions): Promise<CheckoutSession> {
    return this.call('POST', `/v1/checkouts`, { body, options });
  }

  /**
   * One checkout session.
   *
   * State, failure reason, attempts, and resulting objects. A session that ends without an attempt sends
   * no event: read its state here. Deliver on `payment.succeeded`, not on this response.
   */
  show(id: string, options?: RequestOptions): Promise<CheckoutDetailsAnswer> {
    return this.call('GET', `/v1/checkouts/${part(id)}`, { options });
  }
}

class ProductsGroup extends Group {
  /**
   * All products.
   *
   * The catalogue, which serves both environments: each product with its active price, including
   * inactive products.
   */
  list(options?: RequestOptions): Promise<ProductList> {
    return this.call('GET', `/v1/products`, { options });
  }
}

class OrdersGroup extends Group {
  /**
   * All orders.
   *
   * One order for each session with a payment attempt, for each period of a subscription and for each
   * manual charge.
   */
  list(options?: RequestOptions): Promise<OrderList> {
    return this.call('GET', `/v1/orders`, { options });
  }
}

class PaymentsGroup extends Group {
  /**
   * All payments.
   *
   * One payment for each attempt. The field credential_secret_ref is never returned.
   */
  list(options?: RequestOptions): Promise<PaymentList> {
    return this.call('GET', `/v1/payments`, { options });
  }
}

class SubscriptionsGroup extends Group {
  /**
   * All subscriptions.
   *
   * Every subscription with a first payment attempt, in every status.
   */
  list(options?: RequestOptions): Promise<SubscriptionList> {
    return this.call('GET', `/v1/subscriptions`, { options });
  }

  /**
   * Alias of the full list of subscriptions.
   *
   * Every subscription with a first payment attempt, in every status.
   */
  listCurrent(options?: RequestOptions): Promise<SubscriptionList> {
    return this.call('GET', `/v1/subscriptions/current`, { options });
  }

  /**
   * Cancel a subscription.
   *
   * Ends it immediately, or with `at_period_end` at the end of the current period; it continues until
   * then. `subscription.cancelled` reports the end. A charge in progress is settled first: the response
   * may then show the subscription in its current state. Cancel a scheduled change first. With the
   * setting `collect_after_cancellation`, a subscription that ends with its period ends later if an
   * invoice is still being retried.
   */
  cancel(id: string, body: SubscriptionCancelRequest = {}, options?: KeyedOptions): Promise<SubscriptionAnswer> {
    return this.call('POST', `/v1/subscriptions/${part(id)}/cancel`, { body, keyed: true, options });
  }

  /**
   * Undo a cancellation.
   *
   * Undoes a cancellation at the end of the period, before that end: the subscription continues and
   * renews, or pauses if that was set, as before. `subscription.updated` reports it. An immediate
   * cancellation cannot be undone.
   */
  undoCancel(id: string, body: EmptyRequest = {}, options?: KeyedOptions): Promise<SubscriptionAnswer> {
    return this.call('POST', `/v1/subscriptions/${part(id)}/cancel/undo`, { body, keyed: true, options });
  }

  /**
   * Pause a subscription.
   *
   * From the end of the paid period the subscription is `paused`, and nothing is charged until
   * `resumes_at` or `resume`, which begins a period. Retries of an unpaid invoice continue; the pause
   * begins once it is paid. Repeating the request changes the date. `subscription.updated` reports it;
   * `subscription.paused` is sent when the pause begins, to endpoints that list it.
   */
  pause(id: string, body: SubscriptionPauseRequest = {}, options?: KeyedOptions): Promise<SubscriptionAnswer> {
    return this.call('POST', `/v1/subscriptions/${part(id)}/pause`, { body, keyed: true, options });
  }

  /**
   * Resume a paused subscription.
   *
   * Begins a period now and charges it with the stored method; later periods are counted from now. A
   * pause that has not begun is cancelled, and nothing is charged. The response waits up to five seconds
   * for the period to begin. `subscription.updated` reports it; `subscription.resumed` is sent when the
   * period begins, to endpoints that list it.
   */
  resume(id: string, body: SubscriptionResumeRequest = {}, options?: KeyedOptions): Promise<SubscriptionAnswer> {
    return this.call('POST', `/v1/subscriptions/${part(id)}/resume`, { body, keyed: true, options });
  }

  /**
   * Extend or end a trial.
   *
   * Moves the end of the trial and with it the first charge, a scheduled change, later billing dates and
   * `subscription.trial_ending`, which is sent again for the new end. `now` ends it at once: the first
   * period begins and is charged, and the response waits up to five seconds for the period to begin.
   * `subscription.updated` reports it.
   */
  moveTrial(id: string, body: SubscriptionTrialRequest, options?: KeyedOptions): Promise<SubscriptionAnswer> {
    return this.call('POST', `/v1/subscriptions/${part(id)}/trial`, { body, keyed: true, options });
  }

  /**
   * Change the plan.
   *
   * Another plan of the same offering, from the end of the current period or trial; or the current plan,
   * to move the subscription to its current price. `target_product_id` is an alias of `target_plan_id`:
   * a plan *is* a recurring product. Nothing is charged before the change applies;
   * `subscription.updated` reports the schedule and the change. With `effective` `now` the difference is
   * charged to the stored method, and the plan changes when that is paid: `change.status` is then
   * `applied`. A decline is 202 with `failed`, and nothing has changed; if the bank requires the
   * customer's confirmation, it is `requires_action` with a `hostedUrl`, where they confirm and pay it.
   * Until the outcome is known, it is `pending`, and other operations are refused. A change that costs
   * nothing now is 409 `change_needs_period_end`.
   */
  changePlan(id: string, body: PlanChangeRequest, options?: KeyedOptions): Promise<SubscriptionAnswer> {
    return this.call('POST', `/v1/subscriptions/${part(id)}/plan-change`, { body, keyed: true, options });
  }

  /**
   * Preview a plan change.
   *
   * With the body of the change: its lines and total, and what the next renewal will charge. Nothing
   * changes. Send its `calculated_at` with the change to charge exactly these lines (at the end of the
   * period: this renewal), within 15 minutes, while nothing else has changed (409 `preview_outdated`
   * otherwise).
   */
  previewPlanChange(id: string, body: PlanChangeRequest, options?: RequestOptions): Promise<ChangePreviewAnswer> {
    return this.call('POST', `/v1/subscriptions/${part(id)}/plan-change/preview`, { body, options });
  }

  /**
   * Change to a plan of another offering.
   *
   * Switches to a plan of another offering at the end of the current period or trial. A subscription
   * whose plan is in no offering can change plans only this way. `effective` as in `plan-change`.
   */
  changeOffering(id: string, body: OfferingChangeRequest, options?: KeyedOptions): Promise<SubscriptionAnswer> {
    return this.call('POST', `/v1/subscriptions/${part(id)}/offering-change`, { body, keyed: true, options });
  }

  /**
   * Change the quantity.
   *
   * Another quantity of the same plan at the same price, from the end of the current period or trial.
   * With `effective` `now` the difference for the rest of the period is charged, as in `plan-change`; a
   * smaller quantity costs nothing now, and is 409 `change_needs_period_end`.
   */
  changeQuantity(id: string, body: QuantityRequest, options?: KeyedOptions): Promise<SubscriptionAnswer> {
    return this.call('POST', `/v1/subscriptions/${part(id)}/quantity`, { body, keyed: true, options });
  }

  /**
   * Preview a change of quantity.
   *
   * With the body of the change: its lines and total, and what the next renewal will charge. Nothing
   * changes. Send its `calculated_at` with the change to charge exactly these lines (at the end of the
   * period: this renewal), within 15 minutes, while nothing else has changed (409 `preview_outdated`
   * otherwise).
   */
  previewQuantity(id: string, body: QuantityRequest, options?: RequestOptions): Promise<ChangePreviewAnswer> {
    return this.call('POST', `/v1/subscriptions/${part(id)}/quantity/preview`, { body, options });
  }

  /**
   * Preview a cancellation.
   *
   * With the body of the cancellation: when it ends the subscription. Nothing changes. A cancellation
   * charges nothing, and refunds nothing of the paid period: refund its payment separately.
   */
  previewCancel(id: string, body: SubscriptionCancelRequest = {}, options?: RequestOptions): Promise<ChangePreviewAnswer> {
    return this.call('POST', `/v1/subscriptions/${part(id)}/cancel/preview`, { body, options });
  }

  /**
   * Cancel a change.
   *
   * Cancels a change of any kind, named by its `action_id`, that is `scheduled` or `requires_action`.
   * The subscription stays unchanged. While the customer is paying it on its page, the response is 409
   * `subscription_change_scheduled`.
   */
  cancelChange(id: string, body: ChangeCancelRequest, options?: KeyedOptions): Promise<SubscriptionChangeAnswer> {
    return this.call('POST', `/v1/subscriptions/${part(id)}/plan-change/cancel`, { body, keyed: true, options });
  }

  /**
   * Move the clock of a sandbox subscription.
   *
   * Sandbox only. Moves the clock of this one subscription forward, through every renewal, trial end and
   * retry on the way, each with its payments, invoices and events, so that a year takes seconds. The
   * response comes on arrival or, if that takes long, while the clock is still moving. At most 20 years
   * ahead of today, 500 billing boundaries per request, and two clocks of a merchant at once (429).
   */
  advanceClock(id: string, body: AdvanceRequest, options?: KeyedOptions): Promise<SubscriptionAnswer> {
    return this.call('POST', `/v1/subscriptions/${part(id)}/advance`, { body, keyed: true, options });
  }
}

class InvoicesGroup extends Group {
  /**
   * All invoices.
   *
   * Invoices as issued. An invoice that is `created` with `amount_due` 0 is settled. `pdf_url` opens
   * without a key: treat it as a secret of the customer.
   */
  list(options?: RequestOptions): Promise<InvoiceList> {
    return this.call('GET', `/v1/invoices`, { options });
  }

  /**
   * Charge an unpaid invoice now.
   *
   * One attempt with the stored method for the same invoice, in addition to the retry schedule. If an
   * attempt is already in progress, the request joins it, so that there is one charge. The response
   * waits up to five seconds for it: `payment.status` reports the result, and a decline is 200 with
   * `failed`. At most three attempts a day (429), the oldest unpaid invoice first; after a decline that
   * forbids another attempt, only with another method.
   */
  pay(id: string, body: EmptyRequest = {}, options?: KeyedOptions): Promise<PaidInvoiceAnswer> {
    return this.call('POST', `/v1/invoices/${part(id)}/pay`, { body, keyed: true, options });
  }

  /**
   * Let a customer pay an unpaid invoice.
   *
   * A hosted page for this invoice and amount, open for 24 hours, with any card and a confirmation by
   * the bank if needed. Repeating the request returns the open link. Retries continue in parallel; the
   * invoice is charged once, whichever pays first. If the customer agrees on the page, the method
   * becomes the subscription’s (`payment_method.updated`). `payment.succeeded` or `payment.failed`
   * reports each attempt. The oldest unpaid invoice is paid first.
   */
  createPaymentLink(id: string, body: EmptyRequest = {}, options?: KeyedOptions): Promise<PaymentLink> {
    return this.call('POST', `/v1/invoices/${part(id)}/payment-link`, { body, keyed: true, options });
  }
}

class CreditNotesGroup extends Group {
  /**
   * All credit notes.
   *
   * Credit notes as issued. A refund of a payment with an invoice has one as soon as it is `succeeded`.
   * `pdf_url` opens without a key: treat it as a secret of the customer.
   */
  list(options?: RequestOptions): Promise<CreditNoteList> {
    return this.call('GET', `/v1/credit-notes`, { options });
  }
}

class RefundsGroup extends Group {
  /**
   * All refunds.
   *
   * Each in its current state, newest first.
   */
  list(options?: RequestOptions): Promise<RefundList> {
    return this.call('GET', `/v1/refunds`, { options });
  }

  /**
   * Refund a payment.
   *
   * Refunds a settled payment, in full or in part; several partial refunds may add up to the amount
   * paid. The amount is reserved before the card processor is asked, and the response may come while the
   * refund is still `pending`: its outcome is determined whatever fails, and `refund.created` reports
   * it. If the rail account does not support refunds, the response is 501 and nothing is sent to it.
   *
   * Disputed money (open or lost) is refunded only with `confirmDispute: true`: the buyer’s bank
   * returns, or has returned, that money itself. Otherwise the response is 409 `payment_disputed`;
   * confirm with a new `Idempotency-Key`.
   *
   * Checked in this order: key, body, existence, state, amount, currency, capability, dispute.
   */
  create(body: RefundRequest, options?: KeyedOptions): Promise<RefundAnswer> {
    return this.call('POST', `/v1/refunds`, { body, keyed: true, options });
  }

  /**
   * One refund.
   *
   * The refund in its current state.
   */
  show(id: string, options?: RequestOptions): Promise<RefundAnswer> {
    return this.call('GET', `/v1/refunds/${part(id)}`, { options });
  }
}

class BillingGroup extends Group {
  /**
   * Counters.
   *
   * Counts of billing objects in the environment of the key. `subscriptions` is present only with the
   * subscriptions capability.
   */
  showDashboard(options?: RequestOptions): Promise<BillingDashboard> {
    return this.call('GET', `/v1/billing/dashboard`, { options });
  }
}

class PaymentMethodsGroup extends Group {
  /**
   * Let a customer replace the payment method.
   *
   * A hosted action, open for 15 minutes, in which the customer of a subscription replaces the card.
   * Send the customer's browser to `hostedUrl`. `payment_method.updated` or
   * `payment_method.update_failed` reports the result; an overdue invoice is charged with the new method
   * immediately. A newer action replaces an older one.
   */
  change(body: PaymentMethodChangeRequest, options?: KeyedOptions): Promise<PaymentMethodChange> {
    return this.call('POST', `/v1/payment-methods/change`, { body, keyed: true, options });
  }
}

class ManualChargesGroup extends Group {
  /**
   * Record a local charge.
   *
   * **This collects no money.** It creates a local payment in `processing`: nothing is sent to a card
   * processor, the order stays unchanged, no event is sent, and the payment never progresses. Do not
   * deliver goods on it.
   */
  create(body: ManualChargeRequest, options?: KeyedOptions): Promise<ManualChargeAnswer> {
    return this.call('POST', `/v1/manual-charges`, { body, keyed: true, options });
  }
}

class InvoiceSettingsGroup extends Group {
  /**
   * Echo invoice settings.
   *
   * **Nothing is stored.** The response echoes the body; invoices stay unchanged, and the next response
   * does not include this one’s values.
   */
  echo(body: InvoiceSettings = {}, options?: RequestOptions): Promise<InvoiceSettingsAnswer> {
    return this.call('PATCH', `/v1/invoice-settings`, { body, options });
  }

  /**
   * Echo one of the invoice settings.
   *
   * **Nothing is stored.** The response echoes the body; invoices stay unchanged, and the next response
   * does not include this one’s values.
   */
  echoById(id: string, body: InvoiceSettings = {}, options?: RequestOptions): Promise<InvoiceSettingsAnswer> {
    return this.call('PATCH', `/v1/invoice-settings/${part(id)}`, { body, options });
  }
}

class MerchantsProductsGroup extends Group {
  /**
   * The products of a merchant.
   *
   * All products, including inactive ones, newest first, each with its active price.
   */
  list(merchantId: string, options?: RequestOptions): Promise<ProductList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/products`, { options });
  }

  /**
   * Create a product.
   *
   * A product serves both environments. It is active immediately and can be sold once it has an active
   * price.
   */
  create(merchantId: string, body: ProductRequest, options?: KeyedOptions): Promise<ProductAnswer> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/products`, { body, keyed: true, options });
  }

  /**
   * One product.
   *
   * The product with its active price, even if inactive.
   */
  show(merchantId: string, productId: string, options?: RequestOptions): Promise<ProductAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/products/${part(productId)}`, { options });
  }

  /**
   * Change a product, activate or deactivate it.
   *
   * Absent fields stay unchanged; null removes `description`, `external_reference` and `image_url`. With
   * `status` `inactive` new sessions cannot sell the product. Existing agreements continue: sessions
   * keep the texts and price that they were created with, subscriptions renew at their price.
   */
  update(merchantId: string, productId: string, body: ProductChanges = {}, options?: RequestOptions): Promise<ProductAnswer> {
    return this.call('PATCH', `/v1/merchants/${part(merchantId)}/products/${part(productId)}`, { body, options });
  }

  /**
   * The prices of a product.
   *
   * Every price of the product, past and present, newest first; at most one is active.
   */
  listPrices(merchantId: string, productId: string, options?: RequestOptions): Promise<PriceList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/products/${part(productId)}/prices`, { options });
  }

  /**
   * Create a price of a product.
   *
   * The terms of a price never change. A product has at most one active price: the new one replaces it
   * atomically, unless created with `status` `inactive`. Sessions and subscriptions agreed at another
   * price keep that price.
   */
  createPrice(merchantId: string, productId: string, body: PriceRequest, options?: KeyedOptions): Promise<PriceAnswer> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/products/${part(productId)}/prices`, { body, keyed: true, options });
  }

  /**
   * Activate or deactivate a price.
   *
   * Activating a price replaces the active one atomically. Without an active price the product cannot be
   * sold. A body that names terms (`amount`, `currency`, `tax_rate`, `billing_mode`, `recurring`) is
   * refused.
   */
  updatePrice(merchantId: string, productId: string, priceId: string, body: PriceChanges, options?: RequestOptions): Promise<PriceAnswer> {
    return this.call('PATCH', `/v1/merchants/${part(merchantId)}/products/${part(productId)}/prices/${part(priceId)}`, { body, options });
  }
}

class MerchantsOrdersGroup extends Group {
  /**
   * All orders of a merchant.
   *
   * The same list as `GET /v1/orders`. A person sees both environments unless they filter by one; a key
   * sees its own.
   */
  list(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined } = {}, options?: RequestOptions): Promise<OrderList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/orders`, { query, options });
  }
}

class MerchantsPaymentsGroup extends Group {
  /**
   * All payments of a merchant.
   *
   * The same list as `GET /v1/payments`. A person sees both environments unless they filter by one; a
   * key sees its own.
   */
  list(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined } = {}, options?: RequestOptions): Promise<PaymentList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/payments`, { query, options });
  }

  /**
   * One payment with its history.
   *
   * The payment, its customer, refunds and invoice, and its history in chronological order.
   */
  show(merchantId: string, paymentId: string, options?: RequestOptions): Promise<PaymentDetailsAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/payments/${part(paymentId)}`, { options });
  }
}

class MerchantsSubscriptionsGroup extends Group {
  /**
   * All subscriptions of a merchant.
   *
   * The same list as `GET /v1/subscriptions`. A person sees both environments unless they filter by one;
   * a key sees its own.
   */
  list(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined } = {}, options?: RequestOptions): Promise<SubscriptionList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/subscriptions`, { query, options });
  }

  /**
   * One subscription with its history.
   *
   * The subscription with its clock, next charge, dunning and scheduled change, and the events about it
   * in order.
   */
  show(merchantId: string, subscriptionId: string, options?: RequestOptions): Promise<SubscriptionDetailsAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/subscriptions/${part(subscriptionId)}`, { options });
  }

  /**
   * Cancel or change a subscription, as a person.
   *
   * Same as `POST /v1/subscriptions/{id}/cancel`, `plan-change`, `offering-change`, `quantity`,
   * `plan-change/cancel`, `trial` and, in the sandbox, `advance`, and as `cancel/undo`, `pause`,
   * `resume` and `POST /v1/invoices/{id}/pay`. Owners and managers may give every command; support may
   * cancel at the period’s end, undo that, pause, resume and charge an invoice; developers may move the
   * clock. The audit log names the requester. The response does not wait for an open charge or a moving
   * clock: read the subscription again.
   */
  command(merchantId: string, subscriptionId: string, body: SubscriptionCommand, options?: KeyedOptions): Promise<SubscriptionDetailsAnswer> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/subscriptions/${part(subscriptionId)}/commands`, { body, keyed: true, options });
  }

  /**
   * Preview a change of a subscription.
   *
   * Plan changes (also to another offering), quantity changes and cancellations are previewed as by
   * `POST /v1/subscriptions/{id}/plan-change/preview`, `quantity/preview` and `cancel/preview`. For
   * `undo_cancel`, `pause`, `resume` and `move_trial`, the response shows their charge and the renewal
   * that follows. Nothing changes.
   */
  previewChange(merchantId: string, subscriptionId: string, query: { command?: 'cancel' | 'undo_cancel' | 'pause' | 'resume' | 'move_trial' | undefined; ends_at?: string | undefined; resumes_at?: string | undefined; plan_id?: string | undefined; quantity?: number | undefined; offering_id?: string | undefined; effective: 'now' | 'period_end' }, options?: RequestOptions): Promise<ChangePreviewAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/subscriptions/${part(subscriptionId)}/change-preview`, { query, options });
  }

  /**
   * Create a link to replace a payment method.
   *
   * Same as `POST /v1/payment-methods/change`, for owners, managers and support. Send the link to the
   * buyer, who can use it for 15 minutes to replace the card of this subscription. A newer link
   * invalidates older ones.
   */
  linkMethodChange(merchantId: string, subscriptionId: string, body: MethodChangeLinkRequest, options?: KeyedOptions): Promise<MethodChangeLink> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/subscriptions/${part(subscriptionId)}/method-change`, { body, keyed: true, options });
  }

  /**
   * Create a link to pay an invoice.
   *
   * Same as `POST /v1/invoices/{id}/payment-link`, for owners, managers and support. Send the link to
   * the buyer, who can use it for 24 hours.
   */
  linkInvoice(merchantId: string, subscriptionId: string, body: InvoiceLinkRequest, options?: KeyedOptions): Promise<InvoiceLink> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/subscriptions/${part(subscriptionId)}/payment-link`, { body, keyed: true, options });
  }
}

class MerchantsInvoicesGroup extends Group {
  /**
   * All invoices of a merchant.
   *
   * The same list as `GET /v1/invoices`. A person sees both environments unless they filter by one; a
   * key sees its own.
   */
  list(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined } = {}, options?: RequestOptions): Promise<InvoiceList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/invoices`, { query, options });
  }
}

class MerchantsCreditNotesGroup extends Group {
  /**
   * All credit notes of a merchant.
   *
   * The same list as `GET /v1/credit-notes`. A person sees both environments unless they filter by one;
   * a key sees its own.
   */
  list(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined } = {}, options?: RequestOptions): Promise<CreditNoteList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/credit-notes`, { query, options });
  }
}

class MerchantsRefundsGroup extends Group {
  /**
   * All refunds of a merchant.
   *
   * The same list as `GET /v1/refunds`. A person sees both environments unless they filter by one; a key
   * sees its own.
   */
  list(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined } = {}, options?: RequestOptions): Promise<RefundList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/refunds`, { query, options });
  }

  /**
   * Refund a payment, as a person.
   *
   * Same as `POST /v1/refunds`, for owners and managers, and for support up to the merchant’s
   * `support_refund_limit`; it is recorded in the audit log. A repeated key makes no second refund, nor
   * does another key with the same `if_refundable_amount`.
   */
  createAsPerson(merchantId: string, body: MerchantRefundRequest, options?: KeyedOptions): Promise<RefundAnswer> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/refunds`, { body, keyed: true, options });
  }
}

class MerchantsDisputesGroup extends Group {
  /**
   * All disputes of a merchant.
   *
   * Payments that the buyer’s bank has disputed (chargebacks), newest first. Evidence is submitted at
   * the card processor. The payment’s status does not change; a subscription with a lost dispute ends
   * with its period, unless the merchant’s `renew_after_lost_dispute` is true. A person sees both
   * environments unless they filter by one; a key sees its own.
   */
  list(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined } = {}, options?: RequestOptions): Promise<DisputeList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/disputes`, { query, options });
  }
}

class MerchantsBillingGroup extends Group {
  /**
   * Counters of a merchant.
   *
   * The counters of `GET /v1/billing/dashboard`. A person sees the sum of both environments unless they
   * filter by one; a key sees its own.
   */
  showDashboard(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined } = {}, options?: RequestOptions): Promise<BillingDashboard> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/billing/dashboard`, { query, options });
  }
}

class MerchantsOfferingsGroup extends Group {
  /**
   * The offerings of a merchant.
   *
   * All offerings, including inactive ones, newest first.
   */
  list(merchantId: string, options?: RequestOptions): Promise<OfferingList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/offerings`, { options });
  }

  /**
   * Create an offering.
   *
   * A plan change stays inside the offering of the subscription; a plan is in at most one offering.
   * Subscriptions created before a plan joined the offering are in none.
   */
  create(merchantId: string, body: OfferingRequest, options?: KeyedOptions): Promise<OfferingAnswer> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/offerings`, { body, keyed: true, options });
  }

  /**
   * One offering.
   *
   * The offering with its plans, even if inactive.
   */
  show(merchantId: string, offeringId: string, options?: RequestOptions): Promise<OfferingAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/offerings/${part(offeringId)}`, { options });
  }

  /**
   * Change an offering, activate or deactivate it.
   *
   * Absent fields stay unchanged. `plan_ids` replaces the whole set: plans missing from it leave the
   * offering. Subscriptions stay in their agreed offering, and scheduled changes still apply. With
   * `status` `inactive`, subscriptions can no longer change to it.
   */
  update(merchantId: string, offeringId: string, body: OfferingChanges = {}, options?: RequestOptions): Promise<OfferingAnswer> {
    return this.call('PATCH', `/v1/merchants/${part(merchantId)}/offerings/${part(offeringId)}`, { body, options });
  }
}

class MerchantsCouponsGroup extends Group {
  /**
   * The coupons of a merchant.
   *
   * All coupons, including stopped ones, newest first. A key sees those of its environment.
   */
  list(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined } = {}, options?: RequestOptions): Promise<CouponList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/coupons`, { query, options });
  }

  /**
   * Create a coupon.
   *
   * A coupon belongs to one environment. Its terms never change, because subscriptions keep them: to
   * change them, stop it and create another. Stopping a coupon frees its code.
   */
  create(merchantId: string, body: CouponRequest, options?: KeyedOptions): Promise<CouponAnswer> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/coupons`, { body, keyed: true, options });
  }

  /**
   * Stop a coupon.
   *
   * A stopped coupon can no longer be redeemed, and cannot be restarted. Subscriptions that have it keep
   * it. Repeating the request changes nothing.
   */
  update(merchantId: string, couponId: string, body: CouponChanges, options?: RequestOptions): Promise<CouponAnswer> {
    return this.call('PATCH', `/v1/merchants/${part(merchantId)}/coupons/${part(couponId)}`, { body, options });
  }
}

class MerchantsStorefrontClientsGroup extends Group {
  /**
   * The storefront clients of a merchant.
   *
   * All storefront clients, including disabled ones, newest first.
   */
  list(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined } = {}, options?: RequestOptions): Promise<StorefrontClientList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/storefront-clients`, { query, options });
  }

  /**
   * Create a storefront client.
   *
   * Its `id` is the public id with which a page calls `/v1/checkout-clients/{publicId}`. It belongs to
   * one environment and works only from the given origins. Origins are stored as browsers send them:
   * `https://Shop.example:443` becomes `https://shop.example`.
   */
  create(merchantId: string, body: StorefrontClientRequest, options?: KeyedOptions): Promise<StorefrontClientAnswer> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/storefront-clients`, { body, keyed: true, options });
  }

  /**
   * One storefront client.
   *
   * The client, even if disabled; a key sees those of its environment.
   */
  show(merchantId: string, clientId: string, options?: RequestOptions): Promise<StorefrontClientAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/storefront-clients/${part(clientId)}`, { options });
  }

  /**
   * Change a storefront client, disable or enable it.
   *
   * Absent fields stay unchanged; `origins` and `product_ids` replace the whole set. Takes effect with
   * the next request in every process. Existing sessions of the client continue, even if it is disabled.
   */
  update(merchantId: string, clientId: string, body: StorefrontClientChanges = {}, options?: RequestOptions): Promise<StorefrontClientAnswer> {
    return this.call('PATCH', `/v1/merchants/${part(merchantId)}/storefront-clients/${part(clientId)}`, { body, options });
  }
}

class MerchantsAuditGroup extends Group {
  /**
   * The audit log.
   *
   * Every change by people and operators, with the state before and after, without secrets. For owners
   * and `platform` people. Entries are written in the transaction of the change and never altered.
   */
  list(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; subject_id?: string | undefined; from?: string | undefined; to?: string | undefined; cursor?: string | undefined; limit?: number | undefined } = {}, options?: RequestOptions): Promise<AuditEntryPage> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/audit`, { query, options });
  }
}

class MerchantsApiKeysGroup extends Group {
  /**
   * List active API keys.
   *
   * Newest first, without the keys themselves. A rotated key is listed until its `expires_at`. An API
   * key can list only the keys of its environment.
   */
  list(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined } = {}, options?: RequestOptions): Promise<ApiKeyList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/api-keys`, { query, options });
  }

  /**
   * Create an API key.
   *
   * For owners and developers. Only this response contains `key`: only its hash is stored. An
   * environment has at most twenty active keys.
   */
  create(merchantId: string, body: ApiKeyRequest, options?: RequestOptions): Promise<CreatedApiKeyAnswer> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/api-keys`, { body, options });
  }

  /**
   * Rotate an API key.
   *
   * A new key with the same environment, name, scope and expiry, contained only in this response. The
   * previous key stays valid for `overlap_hours` more (default 24), so that every server can switch; if
   * it was due to expire sooner, it still does. For a leaked key: `overlap_hours: 0`.
   */
  rotate(merchantId: string, keyId: string, body: ApiKeyRotation = {}, options?: RequestOptions): Promise<RotatedApiKeyAnswer> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/api-keys/${part(keyId)}/rotate`, { body, options });
  }

  /**
   * Revoke an API key.
   *
   * Takes effect immediately and for good: the next request with the key gets 401 `api_key_invalid`. To
   * give servers time, rotate it instead. Operations that the key started continue.
   */
  revoke(merchantId: string, keyId: string, options?: RequestOptions): Promise<RevokedApiKeyAnswer> {
    return this.call('DELETE', `/v1/merchants/${part(merchantId)}/api-keys/${part(keyId)}`, { options });
  }
}

class MerchantsRailAccountsGroup extends Group {
  /**
   * The merchant’s rail accounts.
   *
   * Current and former accounts, newest first, with their capabilities. Each environment has one active
   * account. Credentials are never returned.
   */
  list(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined } = {}, options?: RequestOptions): Promise<RailAccountList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/rail-accounts`, { query, options });
  }

  /**
   * Set a rail account.
   *
   * For `platform` people. Asks the processor for the account’s capabilities, which can take some
   * seconds; `findings` describe them. An account that cannot take cards yet stays `activating` and
   * cannot be used for sales until a check finds that it can. If the processor does not identify the
   * account (mistyped keys, keys of the other mode, no answer in time), they are refused and nothing
   * changes.
   *
   * At a rail where the merchant already has an account, these are new keys for it: keys of another
   * account are refused, since open payments could not be looked up with them, unless `replace` is set.
   * With `replace`, an account that the merchant has used before is in use again under its id, and the
   * cards that are stored there can be charged again.
   *
   * Above `SECOND_PERSON_ABOVE`, production’s account is replaced, and its stored keys are changed, by
   * two people: the first response is `rail_account_refused` with a request that a colleague confirms,
   * and the same keys are then set again. The merchant receives `billing.operational_alert`
   * (`rail_account_replaced`, `rail_account_keys_changed`).
   *
   * The credential is stored encrypted and appears in no response, log or audit entry.
   */
  set(merchantId: string, body: RailAccountToSet, options?: RequestOptions): Promise<ProbedRailAccountAnswer> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/rail-accounts`, { body, options });
  }

  /**
   * Check a rail account.
   *
   * For `platform` people. Asks the processor and reports the account’s capabilities, and reasons for
   * missing ones. An `activating` account that can take cards becomes `active`; the capabilities of an
   * active one change only with `apply`, which also reactivates a `disabled` one.
   * `rail_account_refused`: another account is active, or this one changed while its processor was being
   * asked. A processor that does not answer in time is a finding, and nothing is stored.
   */
  check(merchantId: string, railAccountId: string, body: RailAccountCheck = {}, options?: RequestOptions): Promise<ProbedRailAccountAnswer> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/rail-accounts/${part(railAccountId)}/check`, { body, options });
  }
}

class MerchantsWebhookEndpointsGroup extends Group {
  /**
   * List webhook endpoints.
   *
   * Newest first. A key sees those of its environment; a person may filter by `environment`.
   */
  list(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined } = {}, options?: RequestOptions): Promise<WebhookEndpointList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/webhook-endpoints`, { query, options });
  }

  /**
   * Create a webhook endpoint.
   *
   * At most ten in each environment. Without `event_types`, it receives every type. Only this response,
   * and its repetition under the same `Idempotency-Key`, contains the secret.
   */
  create(merchantId: string, body: WebhookEndpointRequest, options?: KeyedOptions): Promise<WebhookEndpointWithSecret> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/webhook-endpoints`, { body, keyed: true, options });
  }

  /**
   * Get a webhook endpoint.
   *
   * The endpoint, without its secret.
   */
  show(merchantId: string, endpointId: string, options?: RequestOptions): Promise<WebhookEndpointAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/webhook-endpoints/${part(endpointId)}`, { options });
  }

  /**
   * Change, pause or enable a webhook endpoint.
   *
   * Absent fields stay unchanged. `paused` holds events back, `enabled` sends them, even after the
   * endpoint was disabled for failing.
   */
  update(merchantId: string, endpointId: string, body: WebhookEndpointChanges = {}, options?: RequestOptions): Promise<WebhookEndpointAnswer> {
    return this.call('PATCH', `/v1/merchants/${part(merchantId)}/webhook-endpoints/${part(endpointId)}`, { body, options });
  }

  /**
   * Delete a webhook endpoint.
   *
   * Stops delivery to it. Its log is kept for 90 days.
   */
  delete(merchantId: string, endpointId: string, options?: RequestOptions): Promise<DeletedWebhookEndpoint> {
    return this.call('DELETE', `/v1/merchants/${part(merchantId)}/webhook-endpoints/${part(endpointId)}`, { options });
  }

  /**
   * Rotate the secret of an endpoint.
   *
   * The new secret signs immediately. With `overlap` the previous one also signs for 24 hours, both in
   * one header, so that a receiver can switch without losing an event. During an overlap, a rotation
   * with `overlap` is rejected: it would invalidate the first secret, possibly the only one that your
   * receiver has. Without `overlap` the new secret replaces all others. A repetition under the same
   * `Idempotency-Key` gets the same secret.
   */
  rotateSecret(merchantId: string, endpointId: string, body: WebhookSecretRotation = {}, options?: KeyedOptions): Promise<WebhookEndpointWithSecret> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/webhook-endpoints/${part(endpointId)}/rotate-secret`, { body, keyed: true, options });
  }

  /**
   * Send a test event.
   *
   * A `webhook.test` event, to this endpoint alone and regardless of its filter.
   */
  sendTestEvent(merchantId: string, endpointId: string, options?: RequestOptions): Promise<SentTestEvent> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/webhook-endpoints/${part(endpointId)}/test`, { options });
  }

  /**
   * Resend missed events.
   *
   * Resends, in batches, every event since a given time that this endpoint subscribes to and has not
   * acknowledged. One recovery at a time per endpoint.
   */
  recover(merchantId: string, endpointId: string, body: WebhookRecoveryRequest, options?: RequestOptions): Promise<WebhookRecovery> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/webhook-endpoints/${part(endpointId)}/recover`, { body, options });
  }
}

class MerchantsWebhookEventsGroup extends Group {
  /**
   * List events with their deliveries.
   *
   * Newest first, filtered by type, time, delivery status and endpoint, paginated.
   */
  list(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; type?: 'payment.succeeded' | 'payment.failed' | 'subscription.created' | 'subscription.updated' | 'subscription.trial_ending' | 'subscription.renewal_upcoming' | 'subscription.paused' | 'subscription.resumed' | 'subscription.cancelled' | 'invoice.created' | 'invoice.payment_failed' | 'refund.created' | 'credit_note.created' | 'payment_method.updated' | 'payment_method.updated_required' | 'payment_method.update_failed' | 'billing.operational_alert' | 'webhook.test' | undefined; from?: string | undefined; to?: string | undefined; endpoint_id?: string | undefined; cursor?: string | undefined; limit?: number | undefined; status?: 'pending' | 'succeeded' | 'exhausted' | 'held' | undefined } = {}, options?: RequestOptions): Promise<WebhookLogEventPage> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/webhook-events`, { query, options });
  }

  /**
   * One event.
   *
   * The state of its deliveries, and the body that they send.
   */
  show(merchantId: string, eventId: string, options?: RequestOptions): Promise<WebhookLogEventAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/webhook-events/${part(eventId)}`, { options });
  }

  /**
   * Resend an event.
   *
   * To one endpoint, or to all its original ones. Same id and body: a receiver that has seen it ignores
   * it.
   */
  resend(merchantId: string, eventId: string, body: WebhookResendRequest = {}, options?: RequestOptions): Promise<WebhookResend> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/webhook-events/${part(eventId)}/resend`, { body, options });
  }
}

class MerchantsWebhookAttemptsGroup extends Group {
  /**
   * List delivery attempts.
   *
   * Newest first, filtered by event, type, time, outcome and endpoint, paginated. Kept for 90 days.
   */
  list(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; type?: 'payment.succeeded' | 'payment.failed' | 'subscription.created' | 'subscription.updated' | 'subscription.trial_ending' | 'subscription.renewal_upcoming' | 'subscription.paused' | 'subscription.resumed' | 'subscription.cancelled' | 'invoice.created' | 'invoice.payment_failed' | 'refund.created' | 'credit_note.created' | 'payment_method.updated' | 'payment_method.updated_required' | 'payment_method.update_failed' | 'billing.operational_alert' | 'webhook.test' | undefined; from?: string | undefined; to?: string | undefined; endpoint_id?: string | undefined; cursor?: string | undefined; limit?: number | undefined; event_id?: string | undefined; status?: 'succeeded' | 'failed' | undefined } = {}, options?: RequestOptions): Promise<WebhookLogAttemptPage> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/webhook-attempts`, { query, options });
  }
}

class MerchantsRailsGroup extends Group {
  /**
   * Card processors.
   *
   * The rails of this installation at which accounts can be set up, with the fields of their
   * credentials.
   */
  list(merchantId: string, options?: RequestOptions): Promise<SettableRailList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/rails`, { options });
  }
}

class MerchantsSearchGroup extends Group {
  /**
   * Search products.
   *
   * Newest first, paginated, each with its active price.
   */
  products(merchantId: string, query: { q?: string | undefined; cursor?: string | undefined; limit?: number | undefined; status?: 'active' | 'inactive' | undefined; billing_mode?: 'one_time' | 'recurring' | undefined; storefront_client_id?: string | undefined; offering_id?: string | undefined } = {}, options?: RequestOptions): Promise<FoundProductPage> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/search/products`, { query, options });
  }

  /**
   * Search payments.
   *
   * Newest first, paginated. `q` is a complete id (of a payment, order, checkout, customer,
   * subscription, invoice, refund or dispute, or the card processor’s), an email address, a merchant
   * reference, a customer reference or an amount such as `19.00`.
   */
  payments(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; q?: string | undefined; cursor?: string | undefined; limit?: number | undefined; status?: 'requires_action' | 'processing' | 'succeeded' | 'failed' | 'cancelled' | 'refunded' | 'partially_refunded' | undefined; from?: string | undefined; to?: string | undefined } = {}, options?: RequestOptions): Promise<FoundPaymentPage> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/search/payments`, { query, options });
  }

  /**
   * Search checkouts.
   *
   * Newest first, paginated. `q`: an id of a checkout, payment or customer, an email, a merchant or
   * customer reference, an amount.
   */
  checkouts(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; q?: string | undefined; cursor?: string | undefined; limit?: number | undefined; from?: string | undefined; to?: string | undefined; status?: 'created' | 'processing' | 'requires_action' | 'succeeded' | 'failed' | 'reconciliation_required' | undefined } = {}, options?: RequestOptions): Promise<FoundCheckoutPage> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/search/checkouts`, { query, options });
  }

  /**
   * Search customers.
   *
   * Newest first, paginated. `q`: an id, an email or your customer reference.
   */
  customers(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; q?: string | undefined; cursor?: string | undefined; limit?: number | undefined; from?: string | undefined; to?: string | undefined } = {}, options?: RequestOptions): Promise<FoundCustomerPage> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/search/customers`, { query, options });
  }

  /**
   * Search subscriptions.
   *
   * Newest first, paginated. `q`: an id of a subscription, checkout or customer, an email, a merchant or
   * customer reference.
   */
  subscriptions(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; q?: string | undefined; cursor?: string | undefined; limit?: number | undefined; from?: string | undefined; to?: string | undefined; status?: 'incomplete' | 'trialing' | 'active' | 'past_due' | 'cancelled' | 'expired' | 'paused' | undefined } = {}, options?: RequestOptions): Promise<FoundSubscriptionPage> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/search/subscriptions`, { query, options });
  }

  /**
   * Search invoices.
   *
   * Newest first, paginated. `q`: a part of the number, an id of an invoice, order, subscription or
   * customer, an email, a merchant or customer reference, an amount.
   */
  invoices(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; q?: string | undefined; cursor?: string | undefined; limit?: number | undefined; from?: string | undefined; to?: string | undefined; status?: 'draft' | 'open' | 'created' | 'void' | 'uncollectible' | 'payment_failed' | undefined; prints_codes?: 'true' | undefined } = {}, options?: RequestOptions): Promise<FoundInvoicePage> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/search/invoices`, { query, options });
  }

  /**
   * Search credit notes.
   *
   * Newest first, paginated. `q`: a part of the number, its invoice’s number, an id of a credit note,
   * invoice, refund, payment or customer, an email, a customer reference.
   */
  creditNotes(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; q?: string | undefined; cursor?: string | undefined; limit?: number | undefined; from?: string | undefined; to?: string | undefined; prints_codes?: 'true' | undefined } = {}, options?: RequestOptions): Promise<CreditNotePage> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/search/credit-notes`, { query, options });
  }

  /**
   * List refunds by date.
   *
   * Refunds of one environment, newest first; `from` and `to` are compared with `created_at`. Paginated.
   */
  refunds(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; cursor?: string | undefined; limit?: number | undefined; from?: string | undefined; to?: string | undefined; status?: 'pending' | 'succeeded' | 'failed' | undefined } = {}, options?: RequestOptions): Promise<FoundRefundPage> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/search/refunds`, { query, options });
  }

  /**
   * List disputes by date.
   *
   * Disputes of one environment, most recently opened first; `from` and `to` are compared with
   * `opened_at`. Paginated.
   */
  disputes(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; cursor?: string | undefined; limit?: number | undefined; from?: string | undefined; to?: string | undefined; status?: 'open' | 'won' | 'lost' | undefined } = {}, options?: RequestOptions): Promise<FoundDisputePage> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/search/disputes`, { query, options });
  }
}

class MerchantsCheckoutsGroup extends Group {
  /**
   * One checkout with its history.
   *
   * The session, its customer, and its history and attempts in chronological order.
   */
  showHistory(merchantId: string, checkoutId: string, options?: RequestOptions): Promise<CheckoutHistoryAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/checkouts/${part(checkoutId)}`, { options });
  }
}

class MerchantsPriceMovesGroup extends Group {
  /**
   * The price moves of a merchant.
   *
   * All price moves, including cancelled ones, newest first. A key sees those of its environment.
   */
  list(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; product_id?: string | undefined } = {}, options?: RequestOptions): Promise<PriceMoveList> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/price-moves`, { query, options });
  }

  /**
   * Move subscribers to a new price.
   *
   * Moves all subscribers of an inactive price, in one environment, to the active price of its product.
   * `subscription.updated`, with the subscription’s `price_move`, announces it for each: at most 500 a
   * minute. The new price is not charged before the notice period has passed, and no other operation is
   * blocked: subscribers who cancel by then do not pay the new price. A price has at most one active
   * move in each environment: a second one is 409.
   */
  create(merchantId: string, body: PriceMoveRequest, options?: KeyedOptions): Promise<PriceMoveAnswer> {
    return this.call('POST', `/v1/merchants/${part(merchantId)}/price-moves`, { body, keyed: true, options });
  }

  /**
   * Preview a price move.
   *
   * The subscribers that it would reach, and the new totals of ten of them. Nothing changes.
   */
  preview(merchantId: string, query: { environment: 'sandbox' | 'production'; old_price_id: string; new_price_id: string; from: string }, options?: RequestOptions): Promise<PriceMoveReportAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/price-moves/preview`, { query, options });
  }

  /**
   * Show a price move.
   *
   * With counts of its subscribers, the new totals of ten of them, and the reasons why some are not
   * moved. For a cancelled move, only the subscribers already moved.
   */
  show(merchantId: string, priceMoveId: string, options?: RequestOptions): Promise<PriceMoveDetailsAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/price-moves/${part(priceMoveId)}`, { options });
  }

  /**
   * Cancel a price move.
   *
   * No more subscribers are moved, and `subscription.updated` reports it for each subscriber whose move
   * was announced. Those already charged the new price keep it. Repeating the request changes nothing.
   */
  update(merchantId: string, priceMoveId: string, body: PriceMoveChanges, options?: RequestOptions): Promise<PriceMoveAnswer> {
    return this.call('PATCH', `/v1/merchants/${part(merchantId)}/price-moves/${part(priceMoveId)}`, { body, options });
  }
}

class MerchantsCustomersGroup extends Group {
  /**
   * Change a customer, as a person.
   *
   * Name, address and tax id are one set, as in `POST /v1/checkouts`: giving one of them replaces all
   * three; if only nulls are given, they clear just those fields. They appear on invoices drafted from
   * now on: issued invoices, and sessions that have their own details, do not change. For owners,
   * managers and support. The audit log records the old and new values.
   */
  update(merchantId: string, customerId: string, body: CustomerChanges = {}, options?: RequestOptions): Promise<CustomerAnswer> {
    return this.call('PATCH', `/v1/merchants/${part(merchantId)}/customers/${part(customerId)}`, { body, options });
  }
}

class MerchantsExportsGroup extends Group {
  /**
   * Export payments as CSV.
   *
   * All rows of `GET …/search/payments`, streamed. UTF-8 with a header line; amounts with a decimal
   * point. A text that a spreadsheet would run as a formula is prefixed with an apostrophe, even after a
   * semicolon, a `|`, a tab or a line break inside a value. The audit log records who exported the list
   * and how many rows.
   */
  payments(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; q?: string | undefined; status?: 'requires_action' | 'processing' | 'succeeded' | 'failed' | 'cancelled' | 'refunded' | 'partially_refunded' | undefined; from?: string | undefined; to?: string | undefined } = {}, options?: RequestOptions): Promise<string> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/exports/payments`, { query, text: true, options });
  }

  /**
   * Export checkouts as CSV.
   *
   * All rows of `GET …/search/checkouts`, streamed, as for `GET …/exports/payments`.
   */
  checkouts(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; q?: string | undefined; from?: string | undefined; to?: string | undefined; status?: 'created' | 'processing' | 'requires_action' | 'succeeded' | 'failed' | 'reconciliation_required' | undefined } = {}, options?: RequestOptions): Promise<string> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/exports/checkouts`, { query, text: true, options });
  }

  /**
   * Export subscriptions as CSV.
   *
   * All rows of `GET …/search/subscriptions`, streamed, as for `GET …/exports/payments`.
   */
  subscriptions(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; q?: string | undefined; from?: string | undefined; to?: string | undefined; status?: 'incomplete' | 'trialing' | 'active' | 'past_due' | 'cancelled' | 'expired' | 'paused' | undefined } = {}, options?: RequestOptions): Promise<string> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/exports/subscriptions`, { query, text: true, options });
  }

  /**
   * Export invoices as CSV.
   *
   * All rows of `GET …/search/invoices`, streamed, as for `GET …/exports/payments`.
   */
  invoices(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; q?: string | undefined; from?: string | undefined; to?: string | undefined; status?: 'draft' | 'open' | 'created' | 'void' | 'uncollectible' | 'payment_failed' | undefined; prints_codes?: 'true' | undefined } = {}, options?: RequestOptions): Promise<string> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/exports/invoices`, { query, text: true, options });
  }

  /**
   * Export credit-notes as CSV.
   *
   * All rows of `GET …/search/credit-notes`, streamed, as for `GET …/exports/payments`.
   */
  creditNotes(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; q?: string | undefined; from?: string | undefined; to?: string | undefined; prints_codes?: 'true' | undefined } = {}, options?: RequestOptions): Promise<string> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/exports/credit-notes`, { query, text: true, options });
  }

  /**
   * Export a month’s tax summary as CSV.
   *
   * The rows of `GET …/tax-summary`.
   */
  taxSummary(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; month: string }, options?: RequestOptions): Promise<string> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/exports/tax-summary`, { query, text: true, options });
  }

  /**
   * Export refunds as CSV.
   *
   * All rows of `GET …/search/refunds`, streamed, as for `GET …/exports/payments`.
   */
  refunds(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; from?: string | undefined; to?: string | undefined; status?: 'pending' | 'succeeded' | 'failed' | undefined } = {}, options?: RequestOptions): Promise<string> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/exports/refunds`, { query, text: true, options });
  }

  /**
   * Export disputes as CSV.
   *
   * All rows of `GET …/search/disputes`, streamed, as for `GET …/exports/payments`.
   */
  disputes(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; from?: string | undefined; to?: string | undefined; status?: 'open' | 'won' | 'lost' | undefined } = {}, options?: RequestOptions): Promise<string> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/exports/disputes`, { query, text: true, options });
  }
}

class MerchantsGroup extends Group {
  readonly products = new MerchantsProductsGroup(this.call);
  readonly orders = new MerchantsOrdersGroup(this.call);
  readonly payments = new MerchantsPaymentsGroup(this.call);
  readonly subscriptions = new MerchantsSubscriptionsGroup(this.call);
  readonly invoices = new MerchantsInvoicesGroup(this.call);
  readonly creditNotes = new MerchantsCreditNotesGroup(this.call);
  readonly refunds = new MerchantsRefundsGroup(this.call);
  readonly disputes = new MerchantsDisputesGroup(this.call);
  readonly billing = new MerchantsBillingGroup(this.call);
  readonly offerings = new MerchantsOfferingsGroup(this.call);
  readonly coupons = new MerchantsCouponsGroup(this.call);
  readonly storefrontClients = new MerchantsStorefrontClientsGroup(this.call);
  readonly audit = new MerchantsAuditGroup(this.call);
  readonly apiKeys = new MerchantsApiKeysGroup(this.call);
  readonly railAccounts = new MerchantsRailAccountsGroup(this.call);
  readonly webhookEndpoints = new MerchantsWebhookEndpointsGroup(this.call);
  readonly webhookEvents = new MerchantsWebhookEventsGroup(this.call);
  readonly webhookAttempts = new MerchantsWebhookAttemptsGroup(this.call);
  readonly rails = new MerchantsRailsGroup(this.call);
  readonly search = new MerchantsSearchGroup(this.call);
  readonly checkouts = new MerchantsCheckoutsGroup(this.call);
  readonly priceMoves = new MerchantsPriceMovesGroup(this.call);
  readonly customers = new MerchantsCustomersGroup(this.call);
  readonly exports = new MerchantsExportsGroup(this.call);

  /**
   * Your merchants.
   *
   * `platform` people see every merchant, others those named in their token. Newest first.
   */
  list(query: { cursor?: string | undefined; limit?: number | undefined } = {}, options?: RequestOptions): Promise<MerchantPage> {
    return this.call('GET', `/v1/merchants`, { query, options });
  }

  /**
   * Create a merchant.
   *
   * For `platform` people. The merchant is active immediately, has no rail account yet, and gets a first
   * API key for the sandbox: only this response contains `api_key.key`. Its own people see it once the
   * identity provider names its id in their tokens.
   */
  create(body: MerchantRequest, options?: RequestOptions): Promise<CreatedMerchantAnswer> {
    return this.call('POST', `/v1/merchants`, { body, options });
  }

  /**
   * One merchant.
   *
   * Name, status, capabilities, branding and legal identity.
   */
  show(merchantId: string, options?: RequestOptions): Promise<MerchantAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}`, { options });
  }

  /**
   * Change a merchant.
   *
   * Absent fields stay unchanged. `branding` requires an owner, a manager or a developer;
   * `renew_after_lost_dispute` an owner or a manager; `name` and `legal_identity` an owner or a
   * `platform` person; `status` and `capabilities` a `platform` person. If one field is not allowed,
   * nothing is changed.
   *
   * Existing sessions keep the name, branding and legal identity that they were created with. An
   * inactive merchant’s API keys are refused immediately; sessions and subscriptions in progress
   * continue.
   */
  update(merchantId: string, body: MerchantChanges = {}, options?: RequestOptions): Promise<MerchantAnswer> {
    return this.call('PATCH', `/v1/merchants/${part(merchantId)}`, { body, options });
  }

  /**
   * A merchant’s settings.
   *
   * One flat object for both environments. The defaults change nothing.
   */
  showSettings(merchantId: string, options?: RequestOptions): Promise<MerchantSettingsAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/settings`, { options });
  }

  /**
   * Change a merchant’s settings.
   *
   * For an owner or a `platform` person, `support_refund_limit` for an owner only. Absent fields stay
   * unchanged; a change is in the audit log with the old and the new value. `PATCH /v1/invoice-settings`
   * changes none of them.
   */
  updateSettings(merchantId: string, body: MerchantSettingsChanges = {}, options?: RequestOptions): Promise<MerchantSettingsAnswer> {
    return this.call('PATCH', `/v1/merchants/${part(merchantId)}/settings`, { body, options });
  }

  /**
   * Your permissions here.
   *
   * The caller’s permissions at this merchant. The table of roles is in docs/people.md.
   */
  showAccess(merchantId: string, options?: RequestOptions): Promise<AccessAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/access`, { options });
  }

  /**
   * Key figures of a merchant.
   *
   * Sales, conversion, declines, subscriptions and open issues in one environment. Up to five seconds
   * old.
   */
  showOverview(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined } = {}, options?: RequestOptions): Promise<OverviewAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/overview`, { query, options });
  }

  /**
   * Preview the hosted page.
   *
   * The hosted page with this branding and an example purchase. Nothing is saved, and nothing can be
   * paid there. Only pages of the API’s own origin and of `origin` can frame it.
   */
  previewBranding(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; name?: string | undefined; logo_url?: string | undefined; color?: string | undefined; language?: string | undefined; origin?: string | undefined } = {}, options?: RequestOptions): Promise<BrandingPreviewAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/branding-preview`, { query, options });
  }

  /**
   * Sum a month’s invoices by tax rate.
   *
   * Net, tax and gross of the invoices issued in a month, of its credit notes, and their difference.
   */
  showTaxSummary(merchantId: string, query: { environment?: 'sandbox' | 'production' | undefined; month: string }, options?: RequestOptions): Promise<TaxSummaryAnswer> {
    return this.call('GET', `/v1/merchants/${part(merchantId)}/tax-summary`, { query, options });
  }
}

class OperationsMerchantsGroup extends Group {
  /**
   * The health of each merchant.
   *
   * Newest first, paginated: whether it can sell, whether its endpoints answer, its latest sale, and its
   * open incidents. `support` people see their merchants only.
   */
  listHealth(query: { q?: string | undefined; cursor?: string | undefined; limit?: number | undefined } = {}, options?: RequestOptions): Promise<MerchantHealthPage> {
    return this.call('GET', `/v1/operations/merchants`, { query, options });
  }
}

class OperationsIncidentsGroup extends Group {
  /**
   * Incidents that need an operator.
   *
   * Every kind of incident with amount, age, reason, the next command and links: first Temporal and the
   * workers, if they do not answer, then the others, oldest first. For `platform` people; `support`
   * people see their merchants’ only.
   */
  list(query: { kind?: 'reconciliation_required' | 'orphaned_charge' | 'payment_not_at_rail' | 'outcome_not_recorded' | 'invoice_not_issued' | 'charge_unanswered' | 'refund_failed' | 'refund_reversed_by_rail' | 'refund_carried_out' | 'second_person_needed' | 'dispute_open' | 'dispute_not_found' | 'rail_unavailable' | 'merchant_sells_nothing' | 'merchant_stopped' | 'rail_account_disabled' | 'rail_account_misconfigured' | 'card_testing' | 'endpoint_failing' | 'endpoint_disabled' | 'webhook_deliveries_exhausted' | 'overdue' | 'sweep_late' | 'workers_missing' | 'temporal_unavailable' | 'database_fenced' | 'not_in_database' | undefined; merchant_id?: string | undefined; environment?: 'sandbox' | 'production' | undefined; min_amount?: number | undefined; older_than_seconds?: number | undefined; limit?: number | undefined } = {}, options?: RequestOptions): Promise<IncidentList> {
    return this.call('GET', `/v1/operations/incidents`, { query, options });
  }
}

class OperationsAuditGroup extends Group {
  /**
   * The audit log of all merchants.
   *
   * Every change by people and operators, newest first, with the state before and after, without
   * secrets: for all subjects, one id, one merchant or one person. For `platform` people.
   */
  list(query: { environment?: 'sandbox' | 'production' | undefined; subject_id?: string | undefined; from?: string | undefined; to?: string | undefined; cursor?: string | undefined; limit?: number | undefined; actor?: string | undefined; merchant_id?: string | undefined } = {}, options?: RequestOptions): Promise<OperatorAuditEntryPage> {
    return this.call('GET', `/v1/operations/audit`, { query, options });
  }
}

class OperationsSubjectsGroup extends Group {
  /**
   * Search by any id.
   *
   * At most 50, newest first. Empty if nothing has the id or reference.
   */
  search(query: { id?: string | undefined } = {}, options?: RequestOptions): Promise<OperatorSubjectList> {
    return this.call('GET', `/v1/operations/subjects`, { query, options });
  }

  /**
   * Explain a subject’s state.
   *
   * Describes the state, incidents, history with every answer of the rail, next step and related ids.
   * Accepts every id of `searchSubjects` and of `listIncidents`, including a whole rail in an
   * environment (`<rail>:<environment>`) and a request that waits for a second person (`ap_opr_…`).
   */
  explain(id: string, options?: RequestOptions): Promise<OperatorExplanation> {
    return this.call('GET', `/v1/operations/subjects/${part(id)}`, { options });
  }

  /**
   * Execute an operator’s command.
   *
   * For `platform` people. The same as `npm run ops -- <command>`: `resolve` settles a session,
   * subscription or refund in doubt (the rail is asked once more, and never contradicted); `returned`
   * and `dispute_close` record facts that the rail does not show; `credit` issues a credit note for an
   * uncollectible invoice; `ask` asks the rail now; `pause_rail` and `resume_rail` stop and allow new
   * attempts at a rail account, or at a whole rail, whose id is `<rail>:<environment>`; `stop_merchant`
   * refuses a merchant’s keys until `start_merchant`; the `endpoint_` commands act on a webhook
   * endpoint; `incident_close` closes an incident whose end the service cannot detect. The audit log
   * names the token’s person. For an amount above the configured one, the response is 202 with
   * `waiting_request`, which another person must confirm.
   */
  command(id: string, body: CommandResolve | CommandReturned | CommandDisputeClose | CommandCredit | CommandAsk | CommandPauseRail | CommandResumeRail | CommandStopMerchant | CommandStartMerchant | CommandEndpointPause | CommandEndpointResume | CommandEndpointRedeliver | CommandEndpointRecover | CommandIncidentClose, options?: RequestOptions): Promise<OperatorCommandAnswer> {
    return this.call('POST', `/v1/operations/subjects/${part(id)}/commands`, { body, options });
  }
}

class OperationsRequestsGroup extends Group {
  /**
   * Confirm a colleague’s command.
   *
   * Executes a command that waits for a second person. For `platform` people other than the requester,
   * within a day. The audit log names both.
   */
  confirm(requestId: string, options?: RequestOptions): Promise<OperatorCommandAnswer> {
    return this.call('POST', `/v1/operations/requests/${part(requestId)}/confirm`, { options });
  }

  /**
   * Withdraw a waiting command.
   *
   * Withdraws a command that waits for a second person, so that another can be made: by its requester,
   * or by a colleague who rejects it. For `platform` people. A confirmed command cannot be withdrawn.
   */
  withdraw(requestId: string, body: WithdrawOperation, options?: RequestOptions): Promise<OperatorCommandAnswer> {
    return this.call('POST', `/v1/operations/requests/${part(requestId)}/withdraw`, { body, options });
  }
}

class OperationsCustomersGroup extends Group {
  /**
   * Export a customer’s data.
   *
   * Returns everything stored about a customer, in the form of `npm run ops -- export-customer`, and
   * writes an audit row. For `platform` people.
   */
  export(id: string, body: CustomerDataRequest, options?: RequestOptions): Promise<CustomerExport> {
    return this.call('POST', `/v1/operations/customers/${part(id)}/export`, { body, options });
  }

  /**
   * Erase a customer’s personal data.
   *
   * Erases email, name, address, tax number and the merchant’s id, including in stored events and
   * clicks. Amounts, states, card brands and last digits, references of orders and issued invoices are
   * kept, as the law requires. The erasure cannot be undone; repeating it changes nothing. It is refused
   * while a session, a subscription, a refund, a dispute or an unwritten document of the customer is
   * open. Writes an audit row. For `platform` people.
   */
  erase(id: string, body: CustomerDataRequest, options?: RequestOptions): Promise<CustomerErasure> {
    return this.call('POST', `/v1/operations/customers/${part(id)}/erase`, { body, options });
  }
}

class OperationsGroup extends Group {
  readonly merchants = new OperationsMerchantsGroup(this.call);
  readonly incidents = new OperationsIncidentsGroup(this.call);
  readonly audit = new OperationsAuditGroup(this.call);
  readonly subjects = new OperationsSubjectsGroup(this.call);
  readonly requests = new OperationsRequestsGroup(this.call);
  readonly customers = new OperationsCustomersGroup(this.call);

  /**
   * Your permissions as an operator.
   *
   * `support` people see their merchants’ incidents, `platform` people see everything and can run
   * commands.
   */
  showAccess(options?: RequestOptions): Promise<OperatorAccess> {
    return this.call('GET', `/v1/operations/access`, { options });
  }
}

/** The API of an installation: a group for each kind of object, with a method for each operation. */
export class HostedCheckout extends Caller {
  readonly checkouts = new CheckoutsGroup(this.call);
  readonly products = new ProductsGroup(this.call);
  readonly orders = new OrdersGroup(this.call);
  readonly payments = new PaymentsGroup(this.call);
  readonly subscriptions = new SubscriptionsGroup(this.call);
  readonly invoices = new InvoicesGroup(this.call);
  readonly creditNotes = new CreditNotesGroup(this.call);
  readonly refunds = new RefundsGroup(this.call);
  readonly billing = new BillingGroup(this.call);
  readonly paymentMethods = new PaymentMethodsGroup(this.call);
  readonly manualCharges = new ManualChargesGroup(this.call);
  readonly invoiceSettings = new InvoiceSettingsGroup(this.call);
  readonly merchants = new MerchantsGroup(this.call);
  readonly operations = new OperationsGroup(this.call);

  /**
   * Readiness of the API.
   *
   * Without Temporal the API is `degraded` but ready: sessions are created, and start when Temporal is
   * back.
   */
  showHealth(options?: RequestOptions): Promise<Health> {
    return this.call('GET', `/healthz`, { options });
  }
}
