"""The objects of the API as they are sent and received."""

# Generated from docs/openapi.json by `npm run openapi`: do not edit.

from __future__ import annotations

import sys
from typing import Any, Literal, TypeAlias, TypedDict

from ._objects import Object

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired

class AccessAnswer(Object):
    merchant_id: str
    merchant_name: str
    merchant_status: Literal["active", "inactive"]
    time_zone: str
    """The IANA time zone of the merchant, which determines when its days begin."""
    actor: str
    """The caller’s name in the audit log."""
    permissions: list[Literal["read", "refund", "refund_within_limit", "set_refund_limit", "manage_subscriptions", "serve_subscribers", "move_clock", "manage_catalogue", "manage_coupons", "manage_branding", "manage_endpoints", "resend_events", "manage_keys", "manage_identity", "read_audit", "operate"]]
    refund_limit: int | None
    """Cents that the caller may refund per payment; null for no limit."""
    subscriptions: bool
    """The merchant may sell recurring products."""
    request_id: RequestId

class ApiKey(Object):
    id: str
    merchant_id: str
    environment: Literal["sandbox", "production"]
    prefix: Literal["ap_test_", "ap_live_"]
    last4: str
    """The last four characters of the key."""
    name: str
    scope: Literal["all", "read", "catalogue"]
    """`all`: everything that a shop’s server needs; it reads the catalogue, but cannot change it. `read`: GET requests only. `catalogue`: reads and changes products, prices and offerings, and nothing else. Otherwise the response is 403 `api_key_scope_insufficient`."""
    created_by: str | None
    """Who created it, as in the audit log; null if unknown."""
    created_at: str
    expires_at: str | None
    """The chosen expiry, or the end of a rotation’s overlap if that is earlier."""
    last_used_at: str | None
    """Accurate to the minute."""

class ApiKeyList(Object):
    data: list[ApiKey]
    request_id: RequestId

class ApiKeyWithSecret(Object):
    id: str
    merchant_id: str
    environment: Literal["sandbox", "production"]
    prefix: Literal["ap_test_", "ap_live_"]
    last4: str
    """The last four characters of the key."""
    name: str
    scope: Literal["all", "read", "catalogue"]
    """`all`: everything that a shop’s server needs; it reads the catalogue, but cannot change it. `read`: GET requests only. `catalogue`: reads and changes products, prices and offerings, and nothing else. Otherwise the response is 403 `api_key_scope_insufficient`."""
    created_by: str | None
    """Who created it, as in the audit log; null if unknown."""
    created_at: str
    expires_at: str | None
    """The chosen expiry, or the end of a rotation’s overlap if that is earlier."""
    last_used_at: str | None
    """Accurate to the minute."""
    key: str
    """The key itself. It is stored as a hash and never shown again."""

class AttentionCounts(Object):
    disputes_open: int
    declines_above_limit: int
    """Within ten minutes: somebody may be testing cards."""
    unconfirmed_payments: int
    endpoints_disabled: int
    endpoints_failing: int
    deliveries_exhausted: int
    rail_account: Literal["active", "activating", "disabled", "missing"]

class AuditEntry(Object):
    id: str
    at: str
    environment: Literal["sandbox", "production"] | None
    """Null if it is not specific to an environment."""
    actor: str
    """`person:` and their id at the identity provider, `api_key:` and the key’s id, `operator:` and the user of a machine, or `temporal-ui:` and the text typed there."""
    action: str
    subject_id: str
    request_id: str | None
    """The request that made the change."""
    before: Any
    """The subject at that time, without secrets; null if it did not exist."""
    after: Any
    """The subject at that time, without secrets; null if it did not exist."""

class AuditEntryPage(Object):
    data: list[AuditEntry]
    request_id: RequestId
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""

class BillingDashboard(Object):
    merchant_id: str
    orders: int
    payments: int
    invoices: int
    subscriptions: int | None
    """Present only with the subscriptions capability."""
    request_id: str

class BillingDetails(TypedDict):
    line1: NotRequired[str | None]
    line2: NotRequired[str | None]
    city: NotRequired[str | None]
    region: NotRequired[str | None]
    postal_code: NotRequired[str | None]
    country: NotRequired[str | None]

class BillingOperationalAlertEvent(Object):
    id: str
    type: Literal["billing.operational_alert"]
    occurred_at: str
    merchant_id: str
    customer: EventCustomer | None
    product: EventProduct | None
    subscription: EventSubscription | None
    payment: EventPayment | None
    charge: EventCharge | None
    invoice: EventInvoice | None
    dispute: EventDispute | None
    alert: EventAlert
    checkout: EventCheckout | None

class BrandingPreviewAnswer(Object):
    url: str
    """For the `src` of an `<iframe>`."""
    expires_at: str
    request_id: RequestId

class ChangePreviewAnswer(Object):
    lines: list[ChargeLine]
    total: int
    """Charged now: the sum of the lines."""
    currency: str
    calculated_at: str
    """UTC, with milliseconds."""
    effective_at: str
    """UTC, with milliseconds."""
    next_renewal: NextRenewal | None
    """`null` if no renewal follows, as after a cancellation."""
    request_id: str

class ChargeLine(Object):
    key: Literal["period", "rest", "unused", "discount"]
    period: ChargePeriod
    quantity: int
    unit_amount: int
    """Integer cents; negative in a credit."""
    amount: int
    """Integer cents; negative in a credit."""
    tax_rate: float
    tax_amount: int
    """Integer cents; negative in a credit."""

class ChargePeriod(Object):
    start: str
    """UTC, with milliseconds."""
    end: str
    """UTC, with milliseconds."""

class CheckoutCounts(Object):
    """Sessions created in the last 30 days that have ended, and the number of them that were paid."""
    created: int
    paid: int

class CheckoutCoupon(Object):
    id: str
    code: str
    discount: int
    """The discount now, which `amount` already excludes."""

class CheckoutCustomer(Object):
    id: str
    email: str | None
    name: str | None

class CheckoutDetailsAnswer(Object):
    id: str
    state: Literal["created", "processing", "requires_action", "succeeded", "failed", "reconciliation_required"]
    failure_reason: Literal["expired", "attempts_exhausted", "cancelled", "resolved_by_operator"] | None
    attempts: int
    """Attempts to pay so far."""
    amount: int
    """Integer cents."""
    quantity: int
    currency: str
    coupon: CheckoutCoupon | None
    product_id: str
    customer_id: str
    order_id: str | None
    """Created with the first attempt."""
    payment_id: str | None
    """The latest attempt."""
    subscription_id: str | None
    merchant_reference: str | None
    """reconciliation.merchantReference"""
    created_at: str
    """UTC, with milliseconds."""
    expires_at: str
    """UTC, with milliseconds."""
    finished_at: str | None
    request_id: RequestId

class CheckoutHistoryAnswer(Object):
    id: str
    state: Literal["created", "processing", "requires_action", "succeeded", "failed", "reconciliation_required"]
    failure_reason: Literal["expired", "attempts_exhausted", "cancelled", "resolved_by_operator"] | None
    attempts: int
    """Attempts to pay so far."""
    amount: int
    """Integer cents."""
    quantity: int
    currency: str
    coupon: CheckoutCoupon | None
    product_id: str
    customer_id: str
    order_id: str | None
    """Created with the first attempt."""
    payment_id: str | None
    """The latest attempt."""
    subscription_id: str | None
    merchant_reference: str | None
    """reconciliation.merchantReference"""
    created_at: str
    """UTC, with milliseconds."""
    expires_at: str
    """UTC, with milliseconds."""
    finished_at: str | None
    payment_dispute_status: Literal["open", "lost"] | None
    """open: at least one dispute is open; lost: one was lost; null: there is none, or each was won."""
    product_name: str | None
    customer: CheckoutCustomer
    environment: Literal["sandbox", "production"]
    timeline: list[PaymentHappening]
    """Events of all attempts, oldest first."""
    request_id: RequestId

class CheckoutPrefill(TypedDict):
    email: NotRequired[str | None]
    """If absent, the hosted page asks for it."""
    name: NotRequired[str | None]
    billingDetails: NotRequired[BillingDetails | None]
    tax: NotRequired[CustomerTax | None]

class CheckoutReconciliation(TypedDict):
    merchantReference: NotRequired[str | None]
    """Your cart or order."""

class CheckoutSession(Object):
    id: str
    sessionId: str
    """Secret of the hosted page's URL: anyone who has it can pay."""
    hostedUrl: str
    """Send the buyer's browser here."""
    expiresAt: str
    """30 minutes after creation."""
    request_id: str

class Coupon(Object):
    id: str
    merchant_id: str
    environment: Literal["sandbox", "production"]
    code: str
    """As given. Compared case-insensitively."""
    percent: int | None
    """Percentage of the price times the quantity, rounded half up to the cent. Exactly one of `percent` and `amount` is set."""
    amount: int | None
    """Cents off each charge; at most its price."""
    duration: Literal["once", "repeating", "forever"]
    """Which charges of a subscription the coupon reduces, counted after a trial: the first, the first `periods`, or all."""
    periods: int | None
    product_ids: list[str] | None
    """Products that it applies to; null for all."""
    first_purchase_only: bool
    valid_from: str | None
    valid_until: str | None
    """From this time on, it cannot be redeemed. Subscriptions that have it keep it."""
    max_redemptions: int | None
    max_per_customer: int | None
    redemptions: int
    """Number of checkouts with it that are paid or being paid."""
    status: Literal["active", "stopped"]
    created_at: str
    """UTC, with milliseconds."""
    updated_at: str
    """UTC, with milliseconds."""

class CouponAnswer(Object):
    id: str
    merchant_id: str
    environment: Literal["sandbox", "production"]
    code: str
    """As given. Compared case-insensitively."""
    percent: int | None
    """Percentage of the price times the quantity, rounded half up to the cent. Exactly one of `percent` and `amount` is set."""
    amount: int | None
    """Cents off each charge; at most its price."""
    duration: Literal["once", "repeating", "forever"]
    """Which charges of a subscription the coupon reduces, counted after a trial: the first, the first `periods`, or all."""
    periods: int | None
    product_ids: list[str] | None
    """Products that it applies to; null for all."""
    first_purchase_only: bool
    valid_from: str | None
    valid_until: str | None
    """From this time on, it cannot be redeemed. Subscriptions that have it keep it."""
    max_redemptions: int | None
    max_per_customer: int | None
    redemptions: int
    """Number of checkouts with it that are paid or being paid."""
    status: Literal["active", "stopped"]
    created_at: str
    """UTC, with milliseconds."""
    updated_at: str
    """UTC, with milliseconds."""
    request_id: RequestId

class CouponList(Object):
    data: list[Coupon]
    request_id: RequestId

class CreatedApiKeyAnswer(Object):
    id: str
    merchant_id: str
    environment: Literal["sandbox", "production"]
    prefix: Literal["ap_test_", "ap_live_"]
    last4: str
    """The last four characters of the key."""
    name: str
    scope: Literal["all", "read", "catalogue"]
    """`all`: everything that a shop’s server needs; it reads the catalogue, but cannot change it. `read`: GET requests only. `catalogue`: reads and changes products, prices and offerings, and nothing else. Otherwise the response is 403 `api_key_scope_insufficient`."""
    created_by: str | None
    """Who created it, as in the audit log; null if unknown."""
    created_at: str
    expires_at: str | None
    """The chosen expiry, or the end of a rotation’s overlap if that is earlier."""
    last_used_at: str | None
    """Accurate to the minute."""
    key: str
    """The key itself. It is stored as a hash and never shown again."""
    request_id: RequestId

class CreatedMerchantAnswer(Object):
    id: str
    name: str
    """Shown to buyers at the top of the hosted page."""
    status: Literal["active", "inactive"]
    """inactive: API keys are refused with 403, and the merchant’s own people may only read."""
    capabilities: MerchantCapabilities
    branding: MerchantBranding
    legal_identity: LegalIdentity
    renew_after_lost_dispute: bool
    """If false (the default), a subscription with a lost dispute ends with its period; if true, it renews."""
    created_at: str
    updated_at: str
    api_key: ApiKeyWithSecret
    request_id: RequestId

class CreditNote(Object):
    id: str
    number: str
    """Numbered in a separate series: the merchant’s invoice prefix followed by CN-."""
    issued_at: str
    """UTC, with milliseconds."""
    issued_on: str
    """The day of issue in the merchant’s time zone, as printed."""
    invoice_id: str
    invoice_number: str
    order_id: str | None
    payment_id: str | None
    refund_id: str | None
    subscription_id: str | None
    customer_id: str
    customer: InvoiceCustomer
    reason: Literal["refund", "withdrawal", "dispute", "uncollectible", "correction"]
    amount: int
    """Cents, tax included."""
    currency: str
    line_items: list[LineItem]
    pdf_url: str

class CreditNoteCreatedEvent(Object):
    id: str
    type: Literal["credit_note.created"]
    occurred_at: str
    merchant_id: str
    customer: EventCustomer | None
    product: EventProduct | None
    subscription: EventSubscription | None
    payment: EventPayment | None
    charge: EventCharge | None
    credit_note: EventCreditNote
    checkout: EventCheckout | None

class CreditNoteList(Object):
    data: list[CreditNote]
    request_id: RequestId

class CreditNotePage(Object):
    data: list[CreditNote]
    request_id: RequestId
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""

class CustomerAnswer(Object):
    id: str
    external_customer_id: str | None
    email: str | None
    name: str | None
    billing_details: dict[str, str | None] | None
    tax_value: str | None
    tax_type: str | None
    paid_amount: int
    """Cents of all payments in `currency` that succeeded, less refunds."""
    currency: str
    last_paid_at: str | None
    created_at: str
    """UTC, with milliseconds."""
    request_id: RequestId

class CustomerErasure(Object):
    events: int
    """Stored events from which the customer was removed."""
    clicks: int
    invoices_kept: int
    """Issued documents, which are kept unchanged."""
    request_id: RequestId

class CustomerExport(TypedDict):
    customer: dict[str, Any]
    sessions: list[dict[str, Any]]
    """Checkout sessions, including those that changed a payment method, oldest first."""
    clicks: list[dict[str, Any]]
    """The buyer’s input when paying, oldest first."""
    orders: list[dict[str, Any]]
    """Orders, oldest first."""
    payments: list[dict[str, Any]]
    """Payments with brand and last digits of their cards, including payments of 0 cents for a changed method, oldest first."""
    refunds: list[dict[str, Any]]
    """Refunds, oldest first."""
    disputes: list[dict[str, Any]]
    """Disputes, oldest first."""
    subscriptions: list[dict[str, Any]]
    """Subscriptions, oldest first."""
    invoices: list[dict[str, Any]]
    """Invoices, oldest first."""
    credit_notes: list[dict[str, Any]]
    """Credit notes, oldest first."""
    changes: list[dict[str, Any]]
    """People’s changes to the customer, oldest first."""
    events: list[dict[str, Any]]
    """Webhook events, oldest first."""
    request_id: RequestId

class CustomerSummary(Object):
    id: str
    external_customer_id: str | None
    email: str | None
    name: str | None

class CustomerTax(TypedDict):
    value: NotRequired[str | None]
    """The tax identifier."""
    type: NotRequired[str | None]
    """Its type."""

class DeclineCount(Object):
    failure_code: str | None
    count: int

class DeletedWebhookEndpoint(Object):
    id: str
    deleted: Literal[True]
    request_id: RequestId

class Dispute(Object):
    id: str
    payment_id: str
    subscription_id: str | None
    """The subscription that the payment was made for."""
    status: Literal["open", "won", "lost"]
    """open until the buyer’s bank has decided; lost: the money was returned to the buyer."""
    amount: int
    """Cents."""
    currency: str
    reason: str
    """The card processor’s reason code for the buyer’s objection."""
    evidence_due_by: str | None
    """Deadline for submitting evidence at the card processor; null if it cannot be submitted."""
    opened_at: str
    created_at: str
    updated_at: str

class DisputeList(Object):
    data: list[Dispute]
    request_id: RequestId

class EventAlert(Object):
    code: str
    reference: str

class EventCancellation(Object):
    """Present once the subscription is set to end, or has ended."""
    at_period_end: bool
    """If true, it ends, or ended, with the paid period."""
    cancelled_at: str | None
    """Null until it has ended."""

class EventCharge(Object):
    """The event's payment: its amount, and why it failed."""
    amount: int
    currency: str
    failure_code: str | None
    """Why it failed; null if it did not."""

class EventCheckout(Object):
    id: str
    merchant_reference: str | None

class EventCreditNote(Object):
    id: str
    number: str
    invoice_id: str
    invoice_number: str
    refund_id: str | None
    reason: Literal["refund", "withdrawal", "dispute", "uncollectible", "correction"]
    amount: int

class EventCustomer(Object):
    id: str
    external_customer_id: str | None
    email: str | None

class EventDispute(Object):
    id: str
    payment_id: str
    status: Literal["open", "won", "lost"]
    amount: int
    currency: str
    evidence_due_by: str | None

class EventInvoice(Object):
    id: str
    number: str | None
    status: Literal["draft", "open", "created", "void", "uncollectible", "payment_failed"]
    amount_due: int

class EventPayment(Object):
    id: str
    rail: str | None
    status: Literal["requires_action", "processing", "succeeded", "failed", "cancelled", "refunded", "partially_refunded"]

class EventPaymentMethod(Object):
    type: str
    brand: str | None
    last4: str | None

class EventProduct(Object):
    id: str
    external_reference: str | None

class EventRefund(Object):
    id: str
    payment_id: str
    amount: int
    status: Literal["pending", "succeeded", "failed"]

class EventRenewal(Object):
    """The charge that is announced, if nothing changes before."""
    at: str
    total: int
    currency: str

class EventSubscription(Object):
    id: str
    status: Literal["incomplete", "trialing", "active", "past_due", "cancelled", "expired", "paused"]
    current_period_end: str | None

class FittingCommand(Object):
    command: Literal["resolve", "returned", "dispute_close", "credit", "ask", "pause_rail", "resume_rail", "stop_merchant", "start_merchant", "endpoint_pause", "endpoint_resume", "endpoint_redeliver", "endpoint_recover", "incident_close"]
    incident_kind: Literal["reconciliation_required", "orphaned_charge", "payment_not_at_rail", "outcome_not_recorded", "invoice_not_issued", "charge_unanswered", "refund_failed", "refund_reversed_by_rail", "refund_carried_out", "second_person_needed", "dispute_open", "dispute_not_found", "rail_unavailable", "merchant_sells_nothing", "merchant_stopped", "rail_account_disabled", "rail_account_misconfigured", "card_testing", "endpoint_failing", "endpoint_disabled", "webhook_deliveries_exhausted", "overdue", "sweep_late", "workers_missing", "temporal_unavailable", "database_fenced", "not_in_database"] | None
    """The kind of incident that `incident_close` closes; null for other commands."""

class FoundCheckout(Object):
    id: str
    state: Literal["created", "processing", "requires_action", "succeeded", "failed", "reconciliation_required"]
    failure_reason: Literal["expired", "attempts_exhausted", "cancelled", "resolved_by_operator"] | None
    amount: int
    """Integer cents."""
    quantity: int
    currency: str
    product_id: str
    customer_id: str
    payment_id: str | None
    """The latest attempt."""
    merchant_reference: str | None
    """reconciliation.merchantReference"""
    created_at: str
    """UTC, with milliseconds."""
    expires_at: str
    """UTC, with milliseconds."""
    finished_at: str | None
    payment_dispute_status: Literal["open", "lost"] | None
    """open: at least one dispute is open; lost: one was lost; null: there is none, or each was won."""
    product_name: str | None
    customer: CheckoutCustomer

class FoundCheckoutPage(Object):
    data: list[FoundCheckout]
    request_id: RequestId
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""

class FoundCustomer(Object):
    id: str
    external_customer_id: str | None
    email: str | None
    name: str | None
    billing_details: dict[str, str | None] | None
    tax_value: str | None
    tax_type: str | None
    paid_amount: int
    """Cents of all payments in `currency` that succeeded, less refunds."""
    currency: str
    last_paid_at: str | None
    created_at: str
    """UTC, with milliseconds."""

class FoundCustomerPage(Object):
    data: list[FoundCustomer]
    request_id: RequestId
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""

class FoundDispute(Object):
    id: str
    payment_id: str
    subscription_id: str | None
    """The subscription that the payment was made for."""
    status: Literal["open", "won", "lost"]
    """open until the buyer’s bank has decided; lost: the money was returned to the buyer."""
    amount: int
    """Cents."""
    currency: str
    reason: str
    """The card processor’s reason code for the buyer’s objection."""
    evidence_due_by: str | None
    """Deadline for submitting evidence at the card processor; null if it cannot be submitted."""
    opened_at: str
    created_at: str
    updated_at: str
    rail: str | None
    rail_account_id: str
    rail_dispute_id: str
    """The dispute’s id at the card processor."""
    rail_order_id: str | None
    """The payment’s id at the card processor."""

class FoundDisputePage(Object):
    data: list[FoundDispute]
    request_id: RequestId
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""

class FoundInvoice(Object):
    id: str
    number: str | None
    issued_at: str | None
    issued_on: str | None
    customer_id: str
    order_id: str | None
    subscription_id: str | None
    status: Literal["draft", "open", "created", "void", "uncollectible", "payment_failed"]
    amount_due: int
    """Integer cents."""
    credited_amount: int
    """Cents credited by credit notes, including reversed ones."""
    reverses_credit_note_id: str | None
    """The credit note that this invoice reverses: the processor reversed its refund, or its dispute was won."""
    currency: str
    customer: InvoiceCustomer
    line_items: list[LineItem]
    pdf_url: str | None
    payment_id: str | None
    """The payment that settled it; null until then."""
    refunded_amount: int
    """The amount of that payment that is refunded or being refunded, including refunds without a credit note."""
    credit_notes: list[str]
    """Numbers of its credit notes, oldest first."""

class FoundInvoicePage(Object):
    data: list[FoundInvoice]
    request_id: RequestId
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""

class FoundPayment(Object):
    id: str
    order_id: str | None
    rail_account_id: str | None
    rail_order_id: str | None
    rail: str | None
    payment_method: PaymentMethod | None
    status: Literal["requires_action", "processing", "succeeded", "failed", "cancelled", "refunded", "partially_refunded"]
    amount: int
    """Integer cents."""
    currency: str
    failure_code: str | None
    failure_message: str | None
    created_at: str
    """UTC, with milliseconds."""
    updated_at: str
    """UTC, with milliseconds."""
    refunded_amount: int
    """Refunded, or reserved by a refund in progress."""
    dispute_status: Literal["open", "lost"] | None
    """open: at least one dispute is open; lost: one was lost; null: there is none, or each was won."""
    disputed_amount: int
    """The amount of open and lost disputes. Refunding it requires a confirmation."""
    customer: CustomerSummary | None
    merchant_reference: str | None
    description: str | None
    """The products sold."""

class FoundPaymentPage(Object):
    data: list[FoundPayment]
    request_id: RequestId
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""

class FoundProductPage(Object):
    data: list[Product]
    request_id: RequestId
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""

class FoundRefund(Object):
    id: str
    payment_id: str
    order_id: str | None
    amount: int
    currency: str
    reason: str | None
    status: Literal["pending", "succeeded", "failed"]
    """pending until the card processor has answered; a failed refund returned nothing."""
    created_at: str
    failure_code: str | None
    rail: str | None
    rail_account_id: str
    rail_refund_id: str | None
    """The refund’s id at the card processor."""
    rail_order_id: str | None
    """The payment’s id at the card processor."""
    payment_dispute_status: Literal["open", "lost"] | None
    """open: at least one dispute is open; lost: one was lost; null: there is none, or each was won."""
    credit_note: RefundCreditNote | None
    """Null until one is issued, once it is reversed, and if the invoice was credited in full before."""
    updated_at: str
    """UTC, with milliseconds."""

class FoundRefundPage(Object):
    data: list[FoundRefund]
    request_id: RequestId
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""

class FoundSubscription(Object):
    id: str
    customer_id: str
    product_id: str
    plan: SubscriptionPlan
    price_id: str
    """The price of its plan at which it renews."""
    offering: SubscriptionOffering | None
    status: Literal["incomplete", "trialing", "active", "past_due", "cancelled", "expired", "paused"]
    current_period_start: str | None
    current_period_end: str | None
    trial_start: str | None
    trial_end: str | None
    amount: int
    """The price of a period: unit price times `quantity`."""
    quantity: int
    currency: str
    payment_method: PaymentMethod | None
    cancel_at_period_end: bool
    pause_at_period_end: bool
    """True until its pause begins: at the end of the period, once nothing is unpaid, unless it then ends."""
    resumes_at: str | None
    """When its pause ends; null without a pause, if the pause lasts until `resume`, or while it is set to end."""
    billing_cycles_left: int | None
    """Periods still to be charged after the current one, or after the trial; null without a limit and after the end."""
    ends_at: str | None
    """When it ends, if it ends with its current period: set to cancel, or in its last billing cycle. An unpaid invoice of that cycle is retried first."""
    cancelled_at: str | None
    coupon: SubscriptionCoupon | None
    """The discount on `amount` in the current period, or after the trial."""
    price_move: SubscriptionPriceMove | None
    """The announced move to its plan’s new price, until it applies."""
    change: SubscriptionChange | None
    customer: SubscriptionCustomer
    next_charge_at: str | None
    """By the subscription’s clock; null if nothing will be charged."""
    clock: str
    """The current time by the subscription’s clock, which may be ahead in the sandbox."""
    created_at: str
    """`from` and `to` are compared with it."""

class FoundSubscriptionPage(Object):
    data: list[FoundSubscription]
    request_id: RequestId
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""

class Health(Object):
    status: Literal["ok", "degraded", "unavailable"]
    postgres: Literal["ok", "unreachable"]
    temporal: Literal["ok", "unreachable"]
    request_id: RequestId

class Incident(Object):
    kind: Literal["reconciliation_required", "orphaned_charge", "payment_not_at_rail", "outcome_not_recorded", "invoice_not_issued", "charge_unanswered", "refund_failed", "refund_reversed_by_rail", "refund_carried_out", "second_person_needed", "dispute_open", "dispute_not_found", "rail_unavailable", "merchant_sells_nothing", "merchant_stopped", "rail_account_disabled", "rail_account_misconfigured", "card_testing", "endpoint_failing", "endpoint_disabled", "webhook_deliveries_exhausted", "overdue", "sweep_late", "workers_missing", "temporal_unavailable", "database_fenced", "not_in_database"]
    id: str
    """The id of its subject, for `why` and the next command."""
    merchant_id: str | None
    """Null if it concerns the whole installation."""
    merchant_name: str | None
    environment: Literal["sandbox", "production"] | None
    amount: int | None
    """Cents at stake."""
    currency: str | None
    since: str
    age_seconds: int
    reason: str
    """The reason, as far as the service knows it."""
    payment_id: str | None
    workflow_id: str | None
    """In Temporal."""
    next: str
    """The next command."""
    means: str
    by_itself: str
    """What the service does without an operator."""
    links: IncidentLinks
    request: OperatorRequest | None
    """For `second_person_needed`, to people who may read the audit log: the requested command. Null in webhooks."""

class IncidentLinks(Object):
    temporal_ui: str | None
    """Null without `TEMPORAL_UI_URL`."""
    runbook: str

class IncidentList(Object):
    data: list[Incident]
    request_id: RequestId

class Invoice(Object):
    id: str
    number: str | None
    issued_at: str | None
    issued_on: str | None
    customer_id: str
    order_id: str | None
    subscription_id: str | None
    status: Literal["draft", "open", "created", "void", "uncollectible", "payment_failed"]
    amount_due: int
    """Integer cents."""
    credited_amount: int
    """Cents credited by credit notes, including reversed ones."""
    reverses_credit_note_id: str | None
    """The credit note that this invoice reverses: the processor reversed its refund, or its dispute was won."""
    currency: str
    customer: InvoiceCustomer
    line_items: list[LineItem]
    pdf_url: str | None

class InvoiceCreatedEvent(Object):
    id: str
    type: Literal["invoice.created"]
    occurred_at: str
    merchant_id: str
    customer: EventCustomer
    product: EventProduct
    subscription: EventSubscription | None
    payment: EventPayment | None
    charge: EventCharge | None
    invoice: EventInvoice
    checkout: EventCheckout | None

class InvoiceCustomer(Object):
    id: str
    external_customer_id: str | None
    email: str | None
    name: str | None
    billing_details: dict[str, str | None] | None
    tax_value: str | None
    tax_type: str | None

class InvoiceLink(Object):
    url: str
    """The page on which the buyer pays the invoice."""
    expires_at: str
    """UTC, with milliseconds."""
    request_id: RequestId

class InvoiceList(Object):
    data: list[Invoice]
    request_id: RequestId

class InvoicePayment(Object):
    id: str
    status: Literal["requires_action", "processing", "succeeded", "failed", "cancelled", "refunded", "partially_refunded"]
    failure_code: str | None

class InvoicePaymentFailedEvent(Object):
    id: str
    type: Literal["invoice.payment_failed"]
    occurred_at: str
    merchant_id: str
    customer: EventCustomer
    product: EventProduct
    subscription: EventSubscription
    payment: EventPayment | None
    charge: EventCharge | None
    invoice: EventInvoice
    checkout: EventCheckout | None

class InvoiceSettingsAnswer(Object):
    request_id: RequestId

class LegalIdentity(Object):
    """Printed on invoices."""
    name: str | None
    address_lines: list[str]
    vat_id: str | None
    vat_note: str | None
    """The VAT note that the law requires on invoices: an exemption, a special scheme."""

class LegalIdentityChanges(TypedDict):
    """Printed on invoices. Absent members stay unchanged."""
    name: NotRequired[str | None]
    address_lines: NotRequired[list[str]]
    vat_id: NotRequired[str | None]
    vat_note: NotRequired[str | None]

class LineItem(Object):
    product_id: str
    price_id: str
    description: str
    quantity: int
    unit_amount: int
    """Integer cents; negative in a credit."""
    amount: int
    """Integer cents; negative in a credit."""
    tax_rate: float
    tax_amount: int
    """Integer cents; negative in a credit."""

class ManualChargeAnswer(Object):
    id: str
    order_id: str | None
    rail_account_id: str | None
    rail_order_id: str | None
    rail: str | None
    payment_method: PaymentMethod | None
    status: Literal["requires_action", "processing", "succeeded", "failed", "cancelled", "refunded", "partially_refunded"]
    amount: int
    """Integer cents."""
    currency: str
    failure_code: str | None
    failure_message: str | None
    created_at: str
    """UTC, with milliseconds."""
    updated_at: str
    """UTC, with milliseconds."""
    request_id: RequestId

class Merchant(Object):
    id: str
    name: str
    """Shown to buyers at the top of the hosted page."""
    status: Literal["active", "inactive"]
    """inactive: API keys are refused with 403, and the merchant’s own people may only read."""
    capabilities: MerchantCapabilities
    branding: MerchantBranding
    legal_identity: LegalIdentity
    renew_after_lost_dispute: bool
    """If false (the default), a subscription with a lost dispute ends with its period; if true, it renews."""
    created_at: str
    updated_at: str

class MerchantAnswer(Object):
    id: str
    name: str
    """Shown to buyers at the top of the hosted page."""
    status: Literal["active", "inactive"]
    """inactive: API keys are refused with 403, and the merchant’s own people may only read."""
    capabilities: MerchantCapabilities
    branding: MerchantBranding
    legal_identity: LegalIdentity
    renew_after_lost_dispute: bool
    """If false (the default), a subscription with a lost dispute ends with its period; if true, it renews."""
    created_at: str
    updated_at: str
    request_id: RequestId

class MerchantBranding(Object):
    """How the hosted page looks; null means the default."""
    logo_url: str | None
    color: str | None
    language: str | None

class MerchantBrandingChanges(TypedDict):
    """Absent members stay unchanged; null removes one."""
    logo_url: NotRequired[str | None]
    """https; shown 36 pixels high. The page loads images from its origin."""
    color: NotRequired[str | None]
    """Colour of buttons and accents; darkened where text on it would be unreadable."""
    language: NotRequired[str | None]
    """ISO 639-1. The language of invoices, and of the hosted page if neither the checkout’s `locale` nor the browser names a language that it supports."""

class MerchantCapabilities(Object):
    subscriptions: bool
    """Recurring products can be sold."""

class MerchantCapabilityChanges(TypedDict):
    subscriptions: NotRequired[bool]
    """Recurring products can be sold."""

class MerchantHealth(Object):
    id: str
    name: str
    status: Literal["active", "inactive"]
    live_rail: Literal["activating", "active", "disabled"] | None
    """Status of the live account in use; null if there is none."""
    sandbox_rail: Literal["activating", "active", "disabled"] | None
    endpoints_failing: int
    """Live webhook endpoints that fail or are disabled."""
    last_sale_at: str | None
    """The latest live payment that succeeded."""
    incidents: int
    """Open incidents, of both environments."""
    oldest_incident_at: str | None

class MerchantHealthPage(Object):
    data: list[MerchantHealth]
    request_id: RequestId
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""

class MerchantPage(Object):
    data: list[Merchant]
    request_id: RequestId
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""

class MerchantSettingsAnswer(Object):
    time_zone: str
    """The IANA time zone in which invoices are dated and numbered by year, and in which the days of the dashboard’s first page and lists begin. Issued invoices keep theirs."""
    invoice_prefix: str
    """The prefix of new invoice numbers. The series continues: no number is used twice."""
    invoice_first_number: int
    """Each year’s series begins with this number, in each environment. A series that is already beyond it continues: numbers never decrease."""
    credit_note_on_lost_dispute: bool
    """Whether a lost dispute issues a credit note for the disputed amount. If the dispute is won after all, a new invoice reverses it."""
    credit_note_on_uncollectible: bool
    """Whether an invoice that becomes `uncollectible` is credited in full."""
    collect_after_cancellation: bool
    """Whether unpaid invoices are still retried after a cancellation at the end of the period: the subscription then ends with its period, but not before they are paid or their retries are over. Applies to later cancellations; an immediate one always ends it at once."""
    trial_ending_days: int
    """Days before the end of a trial at which `subscription.trial_ending` is sent to endpoints that list it, never before the period starts. 0 disables it. Applies to periods that begin later, and to current ones whose announcement is not yet due when an endpoint starts to list the event."""
    renewal_upcoming_days: int
    """Days before a renewal at which `subscription.renewal_upcoming` is sent to endpoints that list it, never before the period starts. 0 disables it. Applies to periods that begin later, and to current ones whose announcement is not yet due when an endpoint starts to list the event."""
    price_move_notice_days: int
    """How many days before its charge each subscriber’s [move to a new price](subscriptions.md#a-new-price-for-all) is announced. Applies to moves created later."""
    support_refund_limit: int
    """Cents that support may refund per payment, counting all its refunds; only an owner may change it. 0 allows none."""
    support_email: str | None
    """Shown on the hosted page as an email link: after a decline, while the outcome is unknown, and at the end."""
    support_url: str | None
    """Shown on the hosted page as a link: after a decline, while the outcome is unknown, and at the end."""
    support_phone: str | None
    """Shown on the hosted page as a phone link: after a decline, while the outcome is unknown, and at the end."""
    request_id: RequestId

class MethodChangeLink(Object):
    url: str
    """The page on which the buyer replaces the payment method."""
    expires_at: str
    """UTC, with milliseconds."""
    request_id: RequestId

class NextRenewal(Object):
    at: str
    """UTC, with milliseconds."""
    total: int
    """Integer cents."""

class Offering(Object):
    id: str
    merchant_id: str
    name: str
    plan_ids: list[str]
    """Oldest plan first."""
    status: Literal["active", "inactive"]
    created_at: str
    updated_at: str

class OfferingAnswer(Object):
    id: str
    merchant_id: str
    name: str
    plan_ids: list[str]
    """Oldest plan first."""
    status: Literal["active", "inactive"]
    created_at: str
    updated_at: str
    request_id: RequestId

class OfferingList(Object):
    data: list[Offering]
    request_id: RequestId

class OperatorAccess(Object):
    actor: str
    """The person’s name in the audit log."""
    may: list[Literal["see", "act"]]
    """Empty if the person is not an operator."""
    request_id: RequestId

class OperatorAuditEntry(Object):
    id: str
    at: str
    environment: Literal["sandbox", "production"] | None
    """Null if it is not specific to an environment."""
    actor: str
    """`person:` and their id at the identity provider, `api_key:` and the key’s id, `operator:` and the user of a machine, or `temporal-ui:` and the text typed there."""
    action: str
    subject_id: str
    request_id: str | None
    """The request that made the change."""
    before: Any
    """The subject at that time, without secrets; null if it did not exist."""
    after: Any
    """The subject at that time, without secrets; null if it did not exist."""
    merchant_id: str | None
    """Null if it concerns the whole installation."""

class OperatorAuditEntryPage(Object):
    data: list[OperatorAuditEntry]
    request_id: RequestId
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""

class OperatorCommandAnswer(Object):
    done: bool
    """False if it waits for a second person, or for its workflow."""
    message: str
    """What was done, or what to do next."""
    waiting_request: str | None
    """The request that a second person must confirm."""
    request_id: RequestId

class OperatorExplanation(Object):
    subject: OperatorSubject
    means: str
    """Description of its state."""
    by_itself: str
    """What happens next without an operator."""
    next_at: str | None
    """When the service acts next."""
    rail_said: RailSaid | None
    """The last answer of the card processor."""
    request: OperatorRequest | None
    """For a `request`, to people who may read the audit log: the requested command."""
    incidents: list[Incident]
    history: list[OperatorHistoryEntry]
    """Oldest first, the latest hundred."""
    related: list[RelatedSubject]
    commands: list[FittingCommand]
    """Commands that a platform person can run now; others are refused."""
    workflow_url: str | None
    """Null without `TEMPORAL_UI_URL`."""
    request_id: RequestId

class OperatorHistoryEntry(Object):
    at: str
    what: str
    id: str
    """The id of the affected object."""

class OperatorRequest(Object):
    id: str
    subject_id: str
    """The subject of the command."""
    command: str
    outcome: str | None
    """`succeeded` or `failed`, `won` or `lost`."""
    reason: str | None
    evidence: str | None
    environment: Literal["sandbox", "production"] | None
    amount: int
    """Cents."""
    currency: str | None
    payment_id: str | None
    """The charge that was open when the command was requested."""
    asked_by: str
    asked_at: str
    confirmed_by: str | None

class OperatorSubject(Object):
    kind: Literal["session", "payment", "subscription", "refund", "dispute", "invoice", "event", "endpoint", "rail_account", "merchant", "rail", "request", "incident"]
    id: str
    state: str
    merchant_id: str
    """Empty if it concerns the whole installation."""
    environment: Literal["sandbox", "production"] | None
    amount: int | None
    """Cents."""
    currency: str | None
    created_at: str
    rail_reference: str | None
    """The card processor’s own id of a payment, refund or dispute. Null if it has none yet, or is of another kind."""
    found_by: str
    """The kind of id or reference that matched."""

class OperatorSubjectList(Object):
    data: list[OperatorSubject]
    request_id: RequestId

class Order(Object):
    id: str
    customer_id: str
    product_id: str | None
    price_id: str | None
    source: Literal["checkout", "checkout_client", "subscription", "manual"]
    external_reference: str | None
    """reconciliation.merchantReference"""
    line_items: list[LineItem]
    amount: int
    """Integer cents."""
    currency: str
    payment_id: str | None
    status: Literal["pending", "completed", "failed", "cancelled", "partially_refunded", "refunded"]

class OrderList(Object):
    data: list[Order]
    request_id: RequestId

class OverviewAnswer(Object):
    currency: str
    time_zone: str
    """The merchant’s time zone, which determines when its days begin."""
    today: SalesOfAPeriod
    last_30_days: SalesOfAPeriod
    previous_30_days: SalesOfAPeriod
    days: list[SalesOfADay]
    """The last 60, oldest first."""
    checkouts: CheckoutCounts
    declines: list[DeclineCount]
    """Declines of the last 30 days, most frequent first."""
    subscriptions: SubscriptionCounts
    attention: AttentionCounts
    request_id: RequestId

class PaidInvoiceAnswer(Object):
    id: str
    number: str | None
    issued_at: str | None
    issued_on: str | None
    customer_id: str
    order_id: str | None
    subscription_id: str | None
    status: Literal["draft", "open", "created", "void", "uncollectible", "payment_failed"]
    amount_due: int
    """Integer cents."""
    credited_amount: int
    """Cents credited by credit notes, including reversed ones."""
    reverses_credit_note_id: str | None
    """The credit note that this invoice reverses: the processor reversed its refund, or its dispute was won."""
    currency: str
    customer: InvoiceCustomer
    line_items: list[LineItem]
    pdf_url: str | None
    payment: InvoicePayment
    request_id: str

class Payment(Object):
    id: str
    order_id: str | None
    rail_account_id: str | None
    rail_order_id: str | None
    rail: str | None
    payment_method: PaymentMethod | None
    status: Literal["requires_action", "processing", "succeeded", "failed", "cancelled", "refunded", "partially_refunded"]
    amount: int
    """Integer cents."""
    currency: str
    failure_code: str | None
    failure_message: str | None
    created_at: str
    """UTC, with milliseconds."""
    updated_at: str
    """UTC, with milliseconds."""

class PaymentDetailsAnswer(Object):
    id: str
    order_id: str | None
    rail_account_id: str | None
    rail_order_id: str | None
    rail: str | None
    payment_method: PaymentMethod | None
    status: Literal["requires_action", "processing", "succeeded", "failed", "cancelled", "refunded", "partially_refunded"]
    amount: int
    """Integer cents."""
    currency: str
    failure_code: str | None
    failure_message: str | None
    created_at: str
    """UTC, with milliseconds."""
    updated_at: str
    """UTC, with milliseconds."""
    refunded_amount: int
    """Refunded, or reserved by a refund in progress."""
    dispute_status: Literal["open", "lost"] | None
    """open: at least one dispute is open; lost: one was lost; null: there is none, or each was won."""
    disputed_amount: int
    """The amount of open and lost disputes. Refunding it requires a confirmation."""
    customer: CustomerSummary | None
    merchant_reference: str | None
    description: str | None
    """The products sold."""
    environment: Literal["sandbox", "production"]
    checkout_id: str | None
    invoice_id: str | None
    invoice_number: str | None
    subscription_id: str | None
    refundable_amount: int
    """The amount paid, less refunds and credit for subscription changes; 0 before the payment has succeeded."""
    refunds_supported: bool
    """Whether the rail account supports refunds."""
    line_items: list[LineItem]
    refunds: list[PaymentRefund]
    timeline: list[PaymentHappening]
    """Oldest first. The opening of the page is reported with the first click on “Pay”; of the look-ups, only the newest fifty are shown. Clicks and the processor’s answers are kept for the installation’s retention time."""
    request_id: RequestId

class PaymentFailedEvent(Object):
    id: str
    type: Literal["payment.failed"]
    occurred_at: str
    merchant_id: str
    customer: EventCustomer
    product: EventProduct
    subscription: EventSubscription | None
    payment: EventPayment | None
    charge: EventCharge | None
    invoice: EventInvoice | None
    checkout: EventCheckout | None

class PaymentHappening(Object):
    at: str
    """UTC, with milliseconds."""
    what: Literal["checkout_created", "checkout_failed", "page_opened", "pay_clicked", "attempt_made", "sent_to_rail", "challenge_open", "looked_up", "succeeded", "failed", "cancelled", "refund_requested", "refund_succeeded", "refund_failed", "dispute_opened", "dispute_won", "dispute_lost", "invoice_issued", "event_recorded", "event_delivered", "delivery_failed", "delivery_held", "delivery_given_up"]
    reference: str | None
    """The id of the affected object."""
    amount: int | None
    detail: str | None
    """A method, a failure code, a reason, an event type, an endpoint’s URL or the processor’s answer to a look-up."""

class PaymentLink(Object):
    id: str
    hostedUrl: str
    """Send the customer's browser here."""
    expiresAt: str
    """24 hours after creation."""
    request_id: str

class PaymentList(Object):
    data: list[Payment]
    request_id: RequestId

class PaymentMethod(Object):
    type: str
    brand: str | None
    last4: str | None

class PaymentMethodChange(Object):
    id: str
    customerId: str
    hostedUrl: str
    """Send the customer's browser here."""
    expiresAt: str
    """15 minutes after creation."""
    request_id: str

class PaymentMethodChangeCustomer(TypedDict):
    email: str
    name: NotRequired[str | None]
    billingDetails: NotRequired[BillingDetails | None]
    tax: NotRequired[CustomerTax | None]

class PaymentMethodUpdateFailedEvent(Object):
    id: str
    type: Literal["payment_method.update_failed"]
    occurred_at: str
    merchant_id: str
    customer: EventCustomer
    product: EventProduct
    subscription: EventSubscription
    payment: EventPayment | None
    """Null in this event."""
    checkout: EventCheckout | None

class PaymentMethodUpdatedEvent(Object):
    id: str
    type: Literal["payment_method.updated"]
    occurred_at: str
    merchant_id: str
    customer: EventCustomer
    product: EventProduct
    subscription: EventSubscription
    payment: EventPayment | None
    """Null in this event."""
    payment_method: EventPaymentMethod
    checkout: EventCheckout | None

class PaymentMethodUpdatedRequiredEvent(Object):
    id: str
    type: Literal["payment_method.updated_required"]
    occurred_at: str
    merchant_id: str
    customer: EventCustomer
    product: EventProduct
    subscription: EventSubscription
    payment: EventPayment | None
    charge: EventCharge | None
    invoice: EventInvoice
    payment_method: EventPaymentMethod | None
    checkout: EventCheckout | None

class PaymentRefund(Object):
    id: str
    amount: int
    status: Literal["pending", "succeeded", "failed"]
    reason: str | None
    created_at: str
    """UTC, with milliseconds."""
    credit_note: RefundCreditNote | None
    """Null until one is issued, once it is reversed, and if the invoice was credited in full before."""

class PaymentSucceededEvent(Object):
    id: str
    type: Literal["payment.succeeded"]
    occurred_at: str
    merchant_id: str
    customer: EventCustomer
    product: EventProduct
    subscription: EventSubscription | None
    payment: EventPayment
    charge: EventCharge
    invoice: EventInvoice | None
    checkout: EventCheckout | None

class Price(Object):
    id: str
    product_id: str
    amount: int
    """Integer cents."""
    currency: str
    tax_rate: float
    """Percentage included in the amount."""
    billing_mode: Literal["one_time", "recurring"]
    recurring: RecurringTerms | None
    status: Literal["active", "inactive"]

class PriceAnswer(Object):
    id: str
    product_id: str
    amount: int
    """Integer cents."""
    currency: str
    tax_rate: float
    """Percentage included in the amount."""
    billing_mode: Literal["one_time", "recurring"]
    recurring: RecurringTerms | None
    status: Literal["active", "inactive"]
    request_id: RequestId

class PriceList(Object):
    data: list[Price]
    request_id: RequestId

class PriceMove(Object):
    id: str
    merchant_id: str
    environment: Literal["sandbox", "production"]
    product_id: str
    old_price_id: str
    new_price_id: str
    from_: str
    """Each subscriber’s first renewal at or after this time is charged at the new price, once the notice period (setting `price_move_notice_days`) has passed since its announcement."""
    notice_days: int
    """The setting when it was created."""
    status: Literal["active", "cancelled"]
    created_at: str
    """UTC, with milliseconds."""
    cancelled_at: str | None

class PriceMoveAnswer(Object):
    id: str
    merchant_id: str
    environment: Literal["sandbox", "production"]
    product_id: str
    old_price_id: str
    new_price_id: str
    from_: str
    """Each subscriber’s first renewal at or after this time is charged at the new price, once the notice period (setting `price_move_notice_days`) has passed since its announcement."""
    notice_days: int
    """The setting when it was created."""
    status: Literal["active", "cancelled"]
    created_at: str
    """UTC, with milliseconds."""
    cancelled_at: str | None
    request_id: RequestId

class PriceMoveCounts(Object):
    """Counted over at most 100,000 subscribers of each of the two prices."""
    announced: int
    """Were sent the announcement and have not renewed since."""
    waiting: int
    """Not announced yet; at most 500 a minute are announced, for all moves together."""
    moved: int
    """Renew at the new price; no later move has been announced."""
    refused: int
    """Not moved for now: see `refusals`."""

class PriceMoveCustomer(Object):
    id: str
    external_customer_id: str | None
    email: str | None

class PriceMoveDetailsAnswer(Object):
    id: str
    merchant_id: str
    environment: Literal["sandbox", "production"]
    product_id: str
    old_price_id: str
    new_price_id: str
    from_: str
    """Each subscriber’s first renewal at or after this time is charged at the new price, once the notice period (setting `price_move_notice_days`) has passed since its announcement."""
    notice_days: int
    """The setting when it was created."""
    status: Literal["active", "cancelled"]
    created_at: str
    """UTC, with milliseconds."""
    cancelled_at: str | None
    currency: str
    counts: PriceMoveCounts
    sample: list[PriceMovePreview]
    """At most ten of those `announced` and `waiting`."""
    refusals: list[PriceMoveRefusal]
    """At most 100."""
    request_id: RequestId

class PriceMoveList(Object):
    data: list[PriceMove]
    request_id: RequestId

class PriceMovePreview(Object):
    subscription_id: str
    customer: PriceMoveCustomer
    at: str | None
    """The renewal; null if none is scheduled: a pause without a date, or too few periods left."""
    old_total: int
    """Amount of that renewal without the move, after its coupon."""
    new_total: int
    """Amount of that renewal, after its coupon."""

class PriceMoveRefusal(Object):
    subscription_id: str
    customer_id: str
    code: Literal["subscription_cancel_scheduled", "subscription_charging_stopped", "subscription_change_scheduled", "subscription_quantity_invalid"]
    """The subscription ends first; a dispute was lost; another change leaves the price; or the new price times its quantity is too high. Once the reason no longer applies, it is moved: from the announced date, or with a new announcement and the full notice period if there was none."""

class PriceMoveReportAnswer(Object):
    currency: str
    counts: PriceMoveCounts
    sample: list[PriceMovePreview]
    """At most ten of those `announced` and `waiting`."""
    refusals: list[PriceMoveRefusal]
    """At most 100."""
    request_id: RequestId

class ProbedRailAccountAnswer(Object):
    id: str
    merchant_id: str
    environment: Literal["sandbox", "production"]
    rail: str
    status: Literal["activating", "active", "disabled"]
    """activating: cannot take payments yet. disabled: replaced, or rejected by its processor."""
    capabilities: RailCapabilities
    created_at: str
    updated_at: str
    usable: bool
    """Whether it can take cards now, in at least one currency."""
    findings: list[RailFinding]
    """Its capabilities, and the reason for each missing one, as sentences."""
    request_id: RequestId

class Product(Object):
    id: str
    merchant_id: str
    name: str
    description: str | None
    metadata: dict[str, Any]
    external_reference: str | None
    quantity: QuantityRange | None
    """How many units can be bought at once; null for one."""
    billing_cycles: int | None
    """Number of charged periods after which a subscription ends; null for no limit."""
    one_subscription_per_customer: bool
    one_trial_per_customer: bool
    image_url: str | None
    active_price: Price | None
    status: Literal["active", "inactive"]
    created_at: str
    """UTC, with milliseconds."""
    updated_at: str
    """UTC, with milliseconds."""

class ProductAnswer(Object):
    id: str
    merchant_id: str
    name: str
    description: str | None
    metadata: dict[str, Any]
    external_reference: str | None
    quantity: QuantityRange | None
    """How many units can be bought at once; null for one."""
    billing_cycles: int | None
    """Number of charged periods after which a subscription ends; null for no limit."""
    one_subscription_per_customer: bool
    one_trial_per_customer: bool
    image_url: str | None
    active_price: Price | None
    status: Literal["active", "inactive"]
    created_at: str
    """UTC, with milliseconds."""
    updated_at: str
    """UTC, with milliseconds."""
    request_id: RequestId

class ProductList(Object):
    data: list[Product]
    request_id: RequestId

class QuantityRange(TypedDict):
    min: int
    max: int

class RailAccount(Object):
    id: str
    merchant_id: str
    environment: Literal["sandbox", "production"]
    rail: str
    status: Literal["activating", "active", "disabled"]
    """activating: cannot take payments yet. disabled: replaced, or rejected by its processor."""
    capabilities: RailCapabilities
    created_at: str
    updated_at: str

class RailAccountList(Object):
    data: list[RailAccount]
    request_id: RequestId

class RailCapabilities(Object):
    """The account’s capabilities when the processor was last asked."""
    cardFields: bool
    recurring: bool
    wallets: list[Literal["apple_pay", "google_pay"]]
    refunds: bool
    currencies: list[str]

class RailCredentialField(Object):
    """A member of `credential`."""
    name: str
    description: str

class RailFinding(Object):
    ok: bool
    code: Literal["credential_incomplete", "credential_wrong_mode", "credential_of_other_account", "publishable_key_mismatch", "account_not_asked", "account_found", "account_active", "account_not_active", "charges_off", "currency_taken", "currency_not_taken", "cards_stored", "cards_not_stored", "refunds_read", "refunds_not_possible", "wallet_taken", "wallet_not_registered", "wallets_unknown", "webhooks_complete", "webhook_secret_missing", "webhook_endpoint_missing", "webhook_events_missing", "webhooks_not_read", "no_answer_in_time"]
    values: dict[str, str]
    """Values used in the sentence; `why` is a reason code, or the processor’s own message."""
    text: str
    """In English."""

class RailSaid(Object):
    at: str
    words: str

class RecurringTerms(Object):
    interval: Literal["day", "week", "month", "year"]
    interval_count: int
    trial_period_days: int | None

class RecurringTermsRequest(TypedDict):
    interval: NotRequired[Literal["day", "week", "month", "year"] | None]
    interval_count: NotRequired[int | None]
    """Defaults to 1."""
    trial_period_days: NotRequired[int | None]

class Refund(Object):
    id: str
    payment_id: str
    order_id: str | None
    amount: int
    currency: str
    reason: str | None
    status: Literal["pending", "succeeded", "failed"]
    """pending until the card processor has answered; a failed refund returned nothing."""
    created_at: str

class RefundAnswer(Object):
    id: str
    payment_id: str
    order_id: str | None
    amount: int
    currency: str
    reason: str | None
    status: Literal["pending", "succeeded", "failed"]
    """pending until the card processor has answered; a failed refund returned nothing."""
    created_at: str
    request_id: RequestId

class RefundCreatedEvent(Object):
    id: str
    type: Literal["refund.created"]
    occurred_at: str
    merchant_id: str
    customer: EventCustomer | None
    product: EventProduct | None
    subscription: EventSubscription | None
    payment: EventPayment
    charge: EventCharge
    refund: EventRefund
    checkout: EventCheckout | None

class RefundCreditNote(Object):
    id: str
    number: str
    pdf_url: str

class RefundList(Object):
    data: list[Refund]
    request_id: RequestId

class RelatedSubject(Object):
    kind: str
    id: str
    state: str
    environment: Literal["sandbox", "production"]

class ReplacedApiKey(Object):
    """The previous key."""
    id: str
    expires_at: str

RequestId: TypeAlias = "str"
"""Identifies the request; also in the header x-request-id. Quote it in support requests."""

class RevokedApiKeyAnswer(Object):
    id: str
    revoked: Literal[True]
    request_id: str

class RotatedApiKeyAnswer(Object):
    id: str
    merchant_id: str
    environment: Literal["sandbox", "production"]
    prefix: Literal["ap_test_", "ap_live_"]
    last4: str
    """The last four characters of the key."""
    name: str
    scope: Literal["all", "read", "catalogue"]
    """`all`: everything that a shop’s server needs; it reads the catalogue, but cannot change it. `read`: GET requests only. `catalogue`: reads and changes products, prices and offerings, and nothing else. Otherwise the response is 403 `api_key_scope_insufficient`."""
    created_by: str | None
    """Who created it, as in the audit log; null if unknown."""
    created_at: str
    expires_at: str | None
    """The chosen expiry, or the end of a rotation’s overlap if that is earlier."""
    last_used_at: str | None
    """Accurate to the minute."""
    key: str
    """The key itself. It is stored as a hash and never shown again."""
    replaces: ReplacedApiKey
    request_id: RequestId

class SalesOfADay(Object):
    day: str
    count: int
    amount: int
    """Integer cents."""

class SalesOfAPeriod(Object):
    count: int
    """Payments that succeeded, including refunded ones but not card checks of 0 cents."""
    amount: int
    """Integer cents."""
    refunded: int
    """Integer cents."""

class SentTestEvent(Object):
    event_id: str
    request_id: RequestId

class SettableRail(Object):
    name: str
    credential_fields: list[RailCredentialField]

class SettableRailList(Object):
    data: list[SettableRail]
    request_id: RequestId

class StorefrontClient(Object):
    id: str
    """The public id: it appears in the shop’s page and is not secret."""
    merchant_id: str
    environment: Literal["sandbox", "production"]
    name: str
    origins: list[str]
    """In the form that browsers send."""
    product_ids: list[str]
    """The products that it may sell, oldest first."""
    successUrl: str | None
    failUrl: str | None
    status: Literal["active", "disabled"]
    created_at: str
    updated_at: str

class StorefrontClientAnswer(Object):
    id: str
    """The public id: it appears in the shop’s page and is not secret."""
    merchant_id: str
    environment: Literal["sandbox", "production"]
    name: str
    origins: list[str]
    """In the form that browsers send."""
    product_ids: list[str]
    """The products that it may sell, oldest first."""
    successUrl: str | None
    failUrl: str | None
    status: Literal["active", "disabled"]
    created_at: str
    updated_at: str
    request_id: RequestId

class StorefrontClientList(Object):
    data: list[StorefrontClient]
    request_id: RequestId

class Subscription(Object):
    id: str
    customer_id: str
    product_id: str
    plan: SubscriptionPlan
    price_id: str
    """The price of its plan at which it renews."""
    offering: SubscriptionOffering | None
    status: Literal["incomplete", "trialing", "active", "past_due", "cancelled", "expired", "paused"]
    current_period_start: str | None
    current_period_end: str | None
    trial_start: str | None
    trial_end: str | None
    amount: int
    """The price of a period: unit price times `quantity`."""
    quantity: int
    currency: str
    payment_method: PaymentMethod | None
    cancel_at_period_end: bool
    pause_at_period_end: bool
    """True until its pause begins: at the end of the period, once nothing is unpaid, unless it then ends."""
    resumes_at: str | None
    """When its pause ends; null without a pause, if the pause lasts until `resume`, or while it is set to end."""
    billing_cycles_left: int | None
    """Periods still to be charged after the current one, or after the trial; null without a limit and after the end."""
    ends_at: str | None
    """When it ends, if it ends with its current period: set to cancel, or in its last billing cycle. An unpaid invoice of that cycle is retried first."""
    cancelled_at: str | None
    coupon: SubscriptionCoupon | None
    """The discount on `amount` in the current period, or after the trial."""
    price_move: SubscriptionPriceMove | None
    """The announced move to its plan’s new price, until it applies."""
    change: SubscriptionChange | None

class SubscriptionAnswer(Object):
    id: str
    customer_id: str
    product_id: str
    plan: SubscriptionPlan
    price_id: str
    """The price of its plan at which it renews."""
    offering: SubscriptionOffering | None
    status: Literal["incomplete", "trialing", "active", "past_due", "cancelled", "expired", "paused"]
    current_period_start: str | None
    current_period_end: str | None
    trial_start: str | None
    trial_end: str | None
    amount: int
    """The price of a period: unit price times `quantity`."""
    quantity: int
    currency: str
    payment_method: PaymentMethod | None
    cancel_at_period_end: bool
    pause_at_period_end: bool
    """True until its pause begins: at the end of the period, once nothing is unpaid, unless it then ends."""
    resumes_at: str | None
    """When its pause ends; null without a pause, if the pause lasts until `resume`, or while it is set to end."""
    billing_cycles_left: int | None
    """Periods still to be charged after the current one, or after the trial; null without a limit and after the end."""
    ends_at: str | None
    """When it ends, if it ends with its current period: set to cancel, or in its last billing cycle. An unpaid invoice of that cycle is retried first."""
    cancelled_at: str | None
    coupon: SubscriptionCoupon | None
    """The discount on `amount` in the current period, or after the trial."""
    price_move: SubscriptionPriceMove | None
    """The announced move to its plan’s new price, until it applies."""
    change: SubscriptionChange | None
    request_id: str

class SubscriptionCancelledEvent(Object):
    id: str
    type: Literal["subscription.cancelled"]
    occurred_at: str
    merchant_id: str
    customer: EventCustomer
    product: EventProduct
    subscription: EventSubscription
    payment: EventPayment | None
    """Null in this event."""
    cancellation: EventCancellation
    checkout: EventCheckout | None

class SubscriptionChange(Object):
    action_id: str
    type: Literal["plan_change", "offering_change", "quantity_change"]
    status: Literal["scheduled", "pending", "requires_action", "applied", "cancelled", "failed"]
    """`pending`: its charge is under way or in doubt; `requires_action`: the customer must confirm and pay at `hostedUrl`, as the bank requires; `failed`: it was not paid. Nothing changes before `applied`."""
    hostedUrl: str | None
    """With `requires_action`, the page on which the customer confirms and pays the change, for 24 hours and at most until the period ends; otherwise null, as in lists and for callers who may not act for subscribers. Send it only to the customer."""
    target_plan_id: str
    target_offering_id: str | None
    quantity: int
    """The quantity afterwards."""
    effective_at: str
    """UTC, with milliseconds."""

class SubscriptionChangeAnswer(Object):
    action_id: str
    type: Literal["plan_change", "offering_change", "quantity_change"]
    status: Literal["scheduled", "pending", "requires_action", "applied", "cancelled", "failed"]
    """`pending`: its charge is under way or in doubt; `requires_action`: the customer must confirm and pay at `hostedUrl`, as the bank requires; `failed`: it was not paid. Nothing changes before `applied`."""
    hostedUrl: str | None
    """With `requires_action`, the page on which the customer confirms and pays the change, for 24 hours and at most until the period ends; otherwise null, as in lists and for callers who may not act for subscribers. Send it only to the customer."""
    target_plan_id: str
    target_offering_id: str | None
    quantity: int
    """The quantity afterwards."""
    effective_at: str
    """UTC, with milliseconds."""
    request_id: str

class SubscriptionCounts(Object):
    active: int
    trialing: int
    past_due: int
    monthly_amount: int
    """Monthly recurring revenue: the prices of the next periods, less coupons, by interval and including tax. Excludes subscriptions that end or pause with their period."""

class SubscriptionCoupon(Object):
    id: str
    code: str
    percent: int | None
    amount: int | None
    """Cents off each charge; null if it takes `percent`."""
    periods_left: int | None
    """The number of charges after the current period, or after the trial, that it will reduce; null for all."""

class SubscriptionCreatedEvent(Object):
    id: str
    type: Literal["subscription.created"]
    occurred_at: str
    merchant_id: str
    customer: EventCustomer
    product: EventProduct
    subscription: EventSubscription
    payment: EventPayment
    charge: EventCharge
    checkout: EventCheckout | None

class SubscriptionCustomer(Object):
    id: str
    email: str | None
    name: str | None

class SubscriptionDetailsAnswer(Object):
    id: str
    customer_id: str
    product_id: str
    plan: SubscriptionPlan
    price_id: str
    """The price of its plan at which it renews."""
    offering: SubscriptionOffering | None
    status: Literal["incomplete", "trialing", "active", "past_due", "cancelled", "expired", "paused"]
    current_period_start: str | None
    current_period_end: str | None
    trial_start: str | None
    trial_end: str | None
    amount: int
    """The price of a period: unit price times `quantity`."""
    quantity: int
    currency: str
    payment_method: PaymentMethod | None
    cancel_at_period_end: bool
    pause_at_period_end: bool
    """True until its pause begins: at the end of the period, once nothing is unpaid, unless it then ends."""
    resumes_at: str | None
    """When its pause ends; null without a pause, if the pause lasts until `resume`, or while it is set to end."""
    billing_cycles_left: int | None
    """Periods still to be charged after the current one, or after the trial; null without a limit and after the end."""
    ends_at: str | None
    """When it ends, if it ends with its current period: set to cancel, or in its last billing cycle. An unpaid invoice of that cycle is retried first."""
    cancelled_at: str | None
    coupon: SubscriptionCoupon | None
    """The discount on `amount` in the current period, or after the trial."""
    price_move: SubscriptionPriceMove | None
    """The announced move to its plan’s new price, until it applies."""
    change: SubscriptionChange | None
    customer: SubscriptionCustomer
    next_charge_at: str | None
    """By the subscription’s clock; null if nothing will be charged."""
    clock: str
    """The current time by the subscription’s clock, which may be ahead in the sandbox."""
    created_at: str
    """`from` and `to` are compared with it."""
    environment: Literal["sandbox", "production"]
    checkout_id: str | None
    clock_target: str | None
    """The target of a moving sandbox clock."""
    cancel_requested_at: str | None
    """It ends as soon as its open charge is settled."""
    charging_stopped_at: str | None
    """Nothing is charged: a dispute was lost, or an operator has not yet decided about a request that was lost in a restore."""
    next_renewal: SubscriptionNextRenewal | None
    """The next period, with the scheduled change and the coupon; null if none follows, or while it is past due."""
    dunning: SubscriptionDunning | None
    timeline: list[SubscriptionHappening]
    """Oldest first, the latest hundred."""
    request_id: RequestId

class SubscriptionDunning(Object):
    unpaid_since: str
    """The start of the oldest unpaid period."""
    declines: int
    """Declined charges for that period."""
    waits_for: Literal["charge", "retry", "payment_method", "nothing"]
    """`charge`: one is under way; `retry`: the next one is at `retry_at`; `payment_method`: nothing is charged before the customer replaces it; `nothing`: charging has stopped, or the subscription ends first."""
    retry_at: str | None
    ends_at: str | None
    """When the subscription ends if it stays unpaid; null until an operator has decided about a request that was lost in a restore."""
    failure_code: str | None
    """Why the latest charge failed."""

class SubscriptionHappening(Object):
    at: str
    """By the subscription’s clock."""
    what: Literal["payment.succeeded", "payment.failed", "subscription.created", "subscription.updated", "subscription.trial_ending", "subscription.renewal_upcoming", "subscription.paused", "subscription.resumed", "subscription.cancelled", "invoice.created", "invoice.payment_failed", "refund.created", "credit_note.created", "payment_method.updated", "payment_method.updated_required", "payment_method.update_failed", "billing.operational_alert"]
    change: Literal["renewed", "cancellation_set", "cancellation_undone", "pause_set", "pause_withdrawn", "trial_moved", "plan_change_scheduled", "quantity_change_scheduled", "plan_changed", "quantity_changed", "change_waits", "change_failed", "change_withdrawn", "price_move_announced", "price_move_withdrawn", "charging_stopped", "charging_continued", "imported"] | None
    """What `subscription.updated` reports; null if only the status changed, and for other events."""
    event_id: str
    status: str | None
    """The subscription’s status afterwards."""
    payment_id: str | None
    payment_dispute_status: Literal["open", "lost"] | None
    """open: at least one dispute is open; lost: one was lost; null: there is none, or each was won."""
    amount: int | None
    """Amount of the refund, the invoice or the payment."""

class SubscriptionList(Object):
    data: list[Subscription]
    request_id: RequestId

class SubscriptionNextRenewal(Object):
    at: str | None
    """When it begins; null during a pause without a date."""
    total: int
    """The amount charged for a period that begins then; during a pause without a date, for one that begins now."""

class SubscriptionOffering(Object):
    id: str
    name: str

class SubscriptionPausedEvent(Object):
    id: str
    type: Literal["subscription.paused"]
    occurred_at: str
    merchant_id: str
    customer: EventCustomer
    product: EventProduct
    subscription: EventSubscription
    payment: EventPayment | None
    """Null in this event."""
    checkout: EventCheckout | None

class SubscriptionPlan(Object):
    id: str
    name: str

class SubscriptionPriceMove(Object):
    id: str
    amount: int
    """The new price of a period: unit price times `quantity`."""
    from_: str
    """The first period that begins at or after this time is charged at the new price."""

class SubscriptionRenewalUpcomingEvent(Object):
    id: str
    type: Literal["subscription.renewal_upcoming"]
    occurred_at: str
    merchant_id: str
    customer: EventCustomer
    product: EventProduct
    subscription: EventSubscription
    payment: EventPayment | None
    """Null in this event."""
    next_renewal: EventRenewal
    checkout: EventCheckout | None

class SubscriptionResumedEvent(Object):
    id: str
    type: Literal["subscription.resumed"]
    occurred_at: str
    merchant_id: str
    customer: EventCustomer
    product: EventProduct
    subscription: EventSubscription
    payment: EventPayment | None
    """Null in this event."""
    checkout: EventCheckout | None

class SubscriptionTrialEndingEvent(Object):
    id: str
    type: Literal["subscription.trial_ending"]
    occurred_at: str
    merchant_id: str
    customer: EventCustomer
    product: EventProduct
    subscription: EventSubscription
    payment: EventPayment | None
    """Null in this event."""
    next_renewal: EventRenewal
    checkout: EventCheckout | None

class SubscriptionUpdatedEvent(Object):
    id: str
    type: Literal["subscription.updated"]
    occurred_at: str
    merchant_id: str
    customer: EventCustomer
    product: EventProduct
    subscription: EventSubscription
    payment: EventPayment | None
    """Null in this event."""
    cancellation: EventCancellation | None
    checkout: EventCheckout | None

class TaxSummaryAnswer(Object):
    data: list[TaxSummaryRow]
    request_id: str

class TaxSummaryRow(Object):
    """`invoiced` sums the invoices issued in the month, except void ones, and `credited` its credit notes; `total` is `invoiced` less `credited`."""
    currency: str
    tax_rate: float
    """Percent."""
    invoiced: TaxSums
    credited: TaxSums
    total: TaxSums

class TaxSums(Object):
    net: int
    """Integer cents; negative in a credit."""
    tax: int
    """Integer cents; negative in a credit."""
    gross: int
    """Integer cents; negative in a credit."""

class WebhookDelivery(Object):
    endpoint_id: str
    status: Literal["pending", "succeeded", "exhausted", "held"]
    attempts: int
    next_attempt_at: str | None
    last_attempt_at: str | None
    last_status: int | None
    """HTTP status of the last attempt."""
    last_error: str | None
    succeeded_at: str | None

class WebhookEndpoint(Object):
    id: str
    merchant_id: str
    environment: Literal["sandbox", "production"]
    url: str
    event_types: list[str] | None
    """Null means every type."""
    standard_headers: bool
    """Adds webhook-id, webhook-timestamp and webhook-signature of Standard Webhooks."""
    status: Literal["enabled", "paused", "disabled"]
    disabled_reason: Literal["gone", "failing"] | None
    """gone: it answered 410. failing: only failures for five days."""
    failing_since: str | None
    """Start of the current run of failures."""
    failing_status: int | None
    """HTTP status of the latest failure in the run; null without a response."""
    failing_waiting: int | None
    """Deliveries that wait while it fails or is slow, counted up to 10,000; otherwise null."""
    slow_answer_ms: int | None
    """Average response time of its latest deliveries if events have waited 15 minutes for its responses; otherwise null."""
    previous_secret_until: str | None
    """How long the previous secret also signs."""
    created_at: str
    updated_at: str

class WebhookEndpointAnswer(Object):
    id: str
    merchant_id: str
    environment: Literal["sandbox", "production"]
    url: str
    event_types: list[str] | None
    """Null means every type."""
    standard_headers: bool
    """Adds webhook-id, webhook-timestamp and webhook-signature of Standard Webhooks."""
    status: Literal["enabled", "paused", "disabled"]
    disabled_reason: Literal["gone", "failing"] | None
    """gone: it answered 410. failing: only failures for five days."""
    failing_since: str | None
    """Start of the current run of failures."""
    failing_status: int | None
    """HTTP status of the latest failure in the run; null without a response."""
    failing_waiting: int | None
    """Deliveries that wait while it fails or is slow, counted up to 10,000; otherwise null."""
    slow_answer_ms: int | None
    """Average response time of its latest deliveries if events have waited 15 minutes for its responses; otherwise null."""
    previous_secret_until: str | None
    """How long the previous secret also signs."""
    created_at: str
    updated_at: str
    request_id: RequestId

class WebhookEndpointList(Object):
    data: list[WebhookEndpoint]
    request_id: RequestId

class WebhookEndpointWithSecret(Object):
    id: str
    merchant_id: str
    environment: Literal["sandbox", "production"]
    url: str
    event_types: list[str] | None
    """Null means every type."""
    standard_headers: bool
    """Adds webhook-id, webhook-timestamp and webhook-signature of Standard Webhooks."""
    status: Literal["enabled", "paused", "disabled"]
    disabled_reason: Literal["gone", "failing"] | None
    """gone: it answered 410. failing: only failures for five days."""
    failing_since: str | None
    """Start of the current run of failures."""
    failing_status: int | None
    """HTTP status of the latest failure in the run; null without a response."""
    failing_waiting: int | None
    """Deliveries that wait while it fails or is slow, counted up to 10,000; otherwise null."""
    slow_answer_ms: int | None
    """Average response time of its latest deliveries if events have waited 15 minutes for its responses; otherwise null."""
    previous_secret_until: str | None
    """How long the previous secret also signs."""
    created_at: str
    updated_at: str
    secret: str
    """Shown only once."""
    request_id: RequestId

class WebhookLogAttempt(Object):
    event_id: str
    event_type: str
    endpoint_id: str
    environment: Literal["sandbox", "production"]
    attempt: int
    at: str
    """When it ended."""
    duration_ms: int
    status: int | None
    """HTTP status; null without a response."""
    error: str | None
    """Human-readable; null if it was delivered."""
    response: str | None
    """The first 2 KiB of the response."""
    request_headers: dict[str, str]
    """The headers as sent, with the signature."""
    next_attempt_at: str | None

class WebhookLogAttemptPage(Object):
    data: list[WebhookLogAttempt]
    request_id: RequestId
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""

class WebhookLogEvent(Object):
    id: str
    environment: Literal["sandbox", "production"]
    type: Literal["payment.succeeded", "payment.failed", "subscription.created", "subscription.updated", "subscription.trial_ending", "subscription.renewal_upcoming", "subscription.paused", "subscription.resumed", "subscription.cancelled", "invoice.created", "invoice.payment_failed", "refund.created", "credit_note.created", "payment_method.updated", "payment_method.updated_required", "payment_method.update_failed", "billing.operational_alert"] | Literal["webhook.test"]
    occurred_at: str
    recorded_at: str
    deliveries: list[WebhookDelivery]
    """Empty if no endpoint was subscribed to the type."""

class WebhookLogEventAnswer(Object):
    id: str
    environment: Literal["sandbox", "production"]
    type: Literal["payment.succeeded", "payment.failed", "subscription.created", "subscription.updated", "subscription.trial_ending", "subscription.renewal_upcoming", "subscription.paused", "subscription.resumed", "subscription.cancelled", "invoice.created", "invoice.payment_failed", "refund.created", "credit_note.created", "payment_method.updated", "payment_method.updated_required", "payment_method.update_failed", "billing.operational_alert"] | Literal["webhook.test"]
    occurred_at: str
    recorded_at: str
    deliveries: list[WebhookDelivery]
    """Empty if no endpoint was subscribed to the type."""
    body: str
    """The JSON text of every delivery."""
    request_id: RequestId

class WebhookLogEventPage(Object):
    data: list[WebhookLogEvent]
    request_id: RequestId
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""

class WebhookRecovery(Object):
    endpoint_id: str
    since: str
    until: str
    """Events after this instant are delivered normally."""
    request_id: RequestId

class WebhookResend(Object):
    event_id: str
    endpoint_ids: list[str]
    request_id: RequestId

class WebhookTestEvent(Object):
    id: str
    type: Literal["webhook.test"]
    occurred_at: str
    merchant_id: str
    customer: EventCustomer | None
    """Null in this event."""
    product: EventProduct | None
    """Null in this event."""
    subscription: EventSubscription | None
    """Null in this event."""
    payment: EventPayment | None
    """Null in this event."""

WebhookEvent: TypeAlias = "PaymentSucceededEvent | PaymentFailedEvent | SubscriptionCreatedEvent | SubscriptionUpdatedEvent | SubscriptionTrialEndingEvent | SubscriptionRenewalUpcomingEvent | SubscriptionPausedEvent | SubscriptionResumedEvent | SubscriptionCancelledEvent | InvoiceCreatedEvent | InvoicePaymentFailedEvent | RefundCreatedEvent | CreditNoteCreatedEvent | PaymentMethodUpdatedEvent | PaymentMethodUpdatedRequiredEvent | PaymentMethodUpdateFailedEvent | BillingOperationalAlertEvent | WebhookTestEvent"
"""Every event, distinguished by `type`. Ignore types that you do not know: new ones may be added."""

ErrorCode: TypeAlias = Literal[
    "access_token_expired",
    "access_token_invalid",
    "access_token_role_missing",
    "administration_forbidden",
    "api_key_invalid",
    "api_key_limit_reached",
    "api_key_not_allowed",
    "api_key_not_found",
    "api_key_scope_insufficient",
    "change_needs_period_end",
    "checkout_amount_exceeds_price",
    "checkout_amount_invalid",
    "checkout_amount_not_allowed_with_trial",
    "checkout_billingDetails_invalid",
    "checkout_city_invalid",
    "checkout_client_not_found",
    "checkout_country_invalid",
    "checkout_couponCode_invalid",
    "checkout_couponCode_not_allowed_with_amount",
    "checkout_customer_invalid",
    "checkout_email_invalid",
    "checkout_externalCustomerId_invalid",
    "checkout_externalCustomerId_required",
    "checkout_failUrl_invalid",
    "checkout_failed",
    "checkout_idempotency_key_not_allowed",
    "checkout_line1_invalid",
    "checkout_line2_invalid",
    "checkout_locale_invalid",
    "checkout_merchantReference_invalid",
    "checkout_name_invalid",
    "checkout_not_found",
    "checkout_paymentMethod_invalid",
    "checkout_postal_code_invalid",
    "checkout_productId_invalid",
    "checkout_productId_required",
    "checkout_productReference_invalid",
    "checkout_productReference_required",
    "checkout_quantity_invalid",
    "checkout_reconciliation_invalid",
    "checkout_region_invalid",
    "checkout_successUrl_invalid",
    "checkout_tax_invalid",
    "checkout_type_invalid",
    "checkout_value_invalid",
    "coupon_amount_zero",
    "coupon_code_taken",
    "coupon_invalid",
    "coupon_not_found",
    "coupon_not_redeemable",
    "customer_not_found",
    "dependency_unavailable",
    "external_reference_taken",
    "idempotency_key_conflict",
    "idempotency_key_in_progress",
    "idempotency_key_invalid",
    "idempotency_key_required",
    "internal_error",
    "invalid_json",
    "invalid_request",
    "invoice_not_found",
    "invoice_not_payable",
    "invoice_older_unpaid",
    "merchant_feature_not_enabled",
    "merchant_id_not_allowed",
    "merchant_inactive",
    "merchant_not_found",
    "merchant_scope_mismatch",
    "offering_not_found",
    "offering_unchanged",
    "operation_refused",
    "operation_subject_not_found",
    "order_not_found",
    "origin_not_allowed",
    "payload_too_large",
    "payment_disputed",
    "payment_method_change_billingDetails_invalid",
    "payment_method_change_city_invalid",
    "payment_method_change_country_invalid",
    "payment_method_change_customer_invalid",
    "payment_method_change_customer_required",
    "payment_method_change_email_invalid",
    "payment_method_change_email_required",
    "payment_method_change_externalCustomerId_invalid",
    "payment_method_change_externalCustomerId_required",
    "payment_method_change_failUrl_invalid",
    "payment_method_change_failUrl_required",
    "payment_method_change_line1_invalid",
    "payment_method_change_line2_invalid",
    "payment_method_change_name_invalid",
    "payment_method_change_postal_code_invalid",
    "payment_method_change_region_invalid",
    "payment_method_change_subscriptionId_invalid",
    "payment_method_change_subscriptionId_required",
    "payment_method_change_successUrl_invalid",
    "payment_method_change_successUrl_required",
    "payment_method_change_tax_invalid",
    "payment_method_change_type_invalid",
    "payment_method_change_value_invalid",
    "payment_method_declined",
    "payment_not_found",
    "payment_not_refundable",
    "payment_rail_activation_in_progress",
    "payment_rail_unavailable",
    "plan_in_other_offering",
    "plan_incompatible",
    "plan_not_found",
    "plan_unchanged",
    "preview_outdated",
    "price_changed",
    "price_id_not_allowed",
    "price_move_date_invalid",
    "price_move_exists",
    "price_move_incompatible",
    "price_move_not_found",
    "price_not_found",
    "price_terms_immutable",
    "price_terms_inconsistent",
    "product_image_refused",
    "product_in_offering",
    "product_not_found",
    "product_not_recurring",
    "quantity_unchanged",
    "rail_account_not_found",
    "rail_account_refused",
    "rate_limited",
    "recurring_price_interval_missing",
    "refund_amount_exceeds_payment",
    "refund_currency_mismatch",
    "refund_limit_exceeded",
    "refund_not_found",
    "refundable_amount_changed",
    "refunds_not_supported",
    "request_timeout",
    "route_not_found",
    "sandbox_only",
    "service_api_key_required",
    "service_merchant_forbidden",
    "subscription_cancel_not_scheduled",
    "subscription_cancel_scheduled",
    "subscription_change_not_found",
    "subscription_change_not_scheduled",
    "subscription_change_scheduled",
    "subscription_charge_pending",
    "subscription_charging_stopped",
    "subscription_exists",
    "subscription_finished",
    "subscription_incomplete",
    "subscription_not_found",
    "subscription_not_paused",
    "subscription_not_trialing",
    "subscription_past_due",
    "subscription_paused",
    "subscription_quantity_invalid",
    "subscription_trialing",
    "unknown_field",
    "unsupported_media_type",
    "webhook_endpoint_limit_reached",
    "webhook_endpoint_not_enabled",
    "webhook_endpoint_not_found",
    "webhook_event_not_found",
    "webhook_recovery_in_progress",
    "webhook_secret_overlap_running",
]
"""The error codes of this version; new ones may be added."""
