/** Generated from docs/openapi.json by `npm run openapi`: do not edit. */

export type AccessAnswer = {
  readonly merchant_id: string;
  readonly merchant_name: string;
  readonly merchant_status: 'active' | 'inactive';
  /** The IANA time zone of the merchant, which determines when its days begin. */
  readonly time_zone: string;
  /** The caller’s name in the audit log. */
  readonly actor: string;
  readonly permissions: readonly ('read' | 'refund' | 'refund_within_limit' | 'set_refund_limit' | 'manage_subscriptions' | 'serve_subscribers' | 'move_clock' | 'manage_catalogue' | 'manage_coupons' | 'manage_branding' | 'manage_endpoints' | 'resend_events' | 'manage_keys' | 'manage_identity' | 'read_audit' | 'operate')[];
  /** Cents that the caller may refund per payment; null for no limit. */
  readonly refund_limit: number | null;
  /** The merchant may sell recurring products. */
  readonly subscriptions: boolean;
  readonly request_id: RequestId;
};

export type AdvanceRequest = {
  /** RFC 3339, any offset; not before the subscription's clock. */
  readonly to: string;
};

export type ApiKey = {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: 'sandbox' | 'production';
  readonly prefix: 'ap_test_' | 'ap_live_';
  /** The last four characters of the key. */
  readonly last4: string;
  readonly name: string;
  /** `all`: everything that a shop’s server needs; it reads the catalogue, but cannot change it. `read`: GET requests only. `catalogue`: reads and changes products, prices and offerings, and nothing else. Otherwise the response is 403 `api_key_scope_insufficient`. */
  readonly scope: 'all' | 'read' | 'catalogue';
  /** Who created it, as in the audit log; null if unknown. */
  readonly created_by: string | null;
  readonly created_at: string;
  /** The chosen expiry, or the end of a rotation’s overlap if that is earlier. */
  readonly expires_at: string | null;
  /** Accurate to the minute. */
  readonly last_used_at: string | null;
};

export type ApiKeyList = {
  readonly data: readonly ApiKey[];
  readonly request_id: RequestId;
};

export type ApiKeyRequest = {
  readonly environment: 'sandbox' | 'production';
  /** What the key is for: a server, a script, a person. */
  readonly name: string;
  /** `all`: everything that a shop’s server needs; it reads the catalogue, but cannot change it. `read`: GET requests only. `catalogue`: reads and changes products, prices and offerings, and nothing else. Otherwise the response is 403 `api_key_scope_insufficient`. */
  readonly scope?: 'all' | 'read' | 'catalogue' | undefined;
  /** From this time on, the response is 401 `api_key_invalid`. If absent, never. */
  readonly expires_at?: string | undefined;
};

export type ApiKeyRotation = {
  /** How long the previous key stays valid. 0 revokes it at once. */
  readonly overlap_hours?: number | undefined;
};

export type ApiKeyWithSecret = {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: 'sandbox' | 'production';
  readonly prefix: 'ap_test_' | 'ap_live_';
  /** The last four characters of the key. */
  readonly last4: string;
  readonly name: string;
  /** `all`: everything that a shop’s server needs; it reads the catalogue, but cannot change it. `read`: GET requests only. `catalogue`: reads and changes products, prices and offerings, and nothing else. Otherwise the response is 403 `api_key_scope_insufficient`. */
  readonly scope: 'all' | 'read' | 'catalogue';
  /** Who created it, as in the audit log; null if unknown. */
  readonly created_by: string | null;
  readonly created_at: string;
  /** The chosen expiry, or the end of a rotation’s overlap if that is earlier. */
  readonly expires_at: string | null;
  /** Accurate to the minute. */
  readonly last_used_at: string | null;
  /** The key itself. It is stored as a hash and never shown again. */
  readonly key: string;
};

export type AttentionCounts = {
  readonly disputes_open: number;
  /** Within ten minutes: somebody may be testing cards. */
  readonly declines_above_limit: number;
  readonly unconfirmed_payments: number;
  readonly endpoints_disabled: number;
  readonly endpoints_failing: number;
  readonly deliveries_exhausted: number;
  readonly rail_account: 'active' | 'activating' | 'disabled' | 'missing';
};

export type AuditEntry = {
  readonly id: string;
  readonly at: string;
  /** Null if it is not specific to an environment. */
  readonly environment: 'sandbox' | 'production' | null;
  /** `person:` and their id at the identity provider, `api_key:` and the key’s id, `operator:` and the user of a machine, or `temporal-ui:` and the text typed there. */
  readonly actor: string;
  readonly action: string;
  readonly subject_id: string;
  /** The request that made the change. */
  readonly request_id: string | null;
  /** The subject at that time, without secrets; null if it did not exist. */
  readonly before: unknown;
  /** The subject at that time, without secrets; null if it did not exist. */
  readonly after: unknown;
};

export type AuditEntryPage = {
  readonly data: readonly AuditEntry[];
  readonly request_id: RequestId;
  /** The `cursor` of the next page; null on the last page. */
  readonly next_cursor: string | null;
};

export type BillingDashboard = {
  readonly merchant_id: string;
  readonly orders: number;
  readonly payments: number;
  readonly invoices: number;
  /** Present only with the subscriptions capability. */
  readonly subscriptions?: number | undefined;
  readonly request_id: string;
};

export type BillingDetails = {
  readonly line1?: string | null | undefined;
  readonly line2?: string | null | undefined;
  readonly city?: string | null | undefined;
  readonly region?: string | null | undefined;
  readonly postal_code?: string | null | undefined;
  readonly country?: string | null | undefined;
};

export type BillingOperationalAlertEvent = {
  readonly id: string;
  readonly type: 'billing.operational_alert';
  readonly occurred_at: string;
  readonly merchant_id: string;
  readonly customer: EventCustomer | null;
  readonly product: EventProduct | null;
  readonly subscription: EventSubscription | null;
  readonly payment: EventPayment | null;
  readonly charge?: EventCharge | undefined;
  readonly invoice?: EventInvoice | undefined;
  readonly dispute?: EventDispute | undefined;
  readonly alert: EventAlert;
  readonly checkout?: EventCheckout | undefined;
};

export type BrandingPreviewAnswer = {
  /** For the `src` of an `<iframe>`. */
  readonly url: string;
  readonly expires_at: string;
  readonly request_id: RequestId;
};

export type ChangeCancelRequest = {
  /** The action_id of the change. */
  readonly action_id: string;
};

export type ChangePreviewAnswer = {
  readonly lines: readonly ChargeLine[];
  /** Charged now: the sum of the lines. */
  readonly total: number;
  readonly currency: string;
  /** UTC, with milliseconds. */
  readonly calculated_at: string;
  /** UTC, with milliseconds. */
  readonly effective_at: string;
  /** `null` if no renewal follows, as after a cancellation. */
  readonly next_renewal: NextRenewal | null;
  readonly request_id: string;
};

export type ChargeLine = {
  readonly key: 'period' | 'rest' | 'unused' | 'discount';
  readonly period: ChargePeriod;
  readonly quantity: number;
  /** Integer cents; negative in a credit. */
  readonly unit_amount: number;
  /** Integer cents; negative in a credit. */
  readonly amount: number;
  readonly tax_rate: number;
  /** Integer cents; negative in a credit. */
  readonly tax_amount: number;
};

export type ChargePeriod = {
  /** UTC, with milliseconds. */
  readonly start: string;
  /** UTC, with milliseconds. */
  readonly end: string;
};

/** Sessions created in the last 30 days that have ended, and the number of them that were paid. */
export type CheckoutCounts = {
  readonly created: number;
  readonly paid: number;
};

export type CheckoutCoupon = {
  readonly id: string;
  readonly code: string;
  /** The discount now, which `amount` already excludes. */
  readonly discount: number;
};

export type CheckoutCustomer = {
  readonly id: string;
  readonly email: string | null;
  readonly name: string | null;
};

export type CheckoutDetailsAnswer = {
  readonly id: string;
  readonly state: 'created' | 'processing' | 'requires_action' | 'succeeded' | 'failed' | 'reconciliation_required';
  readonly failure_reason: 'expired' | 'attempts_exhausted' | 'cancelled' | 'resolved_by_operator' | null;
  /** Attempts to pay so far. */
  readonly attempts: number;
  /** Integer cents. */
  readonly amount: number;
  readonly quantity: number;
  readonly currency: string;
  readonly coupon: CheckoutCoupon | null;
  readonly product_id: string;
  readonly customer_id: string;
  /** Created with the first attempt. */
  readonly order_id: string | null;
  /** The latest attempt. */
  readonly payment_id: string | null;
  readonly subscription_id: string | null;
  /** reconciliation.merchantReference */
  readonly merchant_reference: string | null;
  /** UTC, with milliseconds. */
  readonly created_at: string;
  /** UTC, with milliseconds. */
  readonly expires_at: string;
  readonly finished_at: string | null;
  readonly request_id: RequestId;
};

export type CheckoutHistoryAnswer = {
  readonly id: string;
  readonly state: 'created' | 'processing' | 'requires_action' | 'succeeded' | 'failed' | 'reconciliation_required';
  readonly failure_reason: 'expired' | 'attempts_exhausted' | 'cancelled' | 'resolved_by_operator' | null;
  /** Attempts to pay so far. */
  readonly attempts: number;
  /** Integer cents. */
  readonly amount: number;
  readonly quantity: number;
  readonly currency: string;
  readonly coupon: CheckoutCoupon | null;
  readonly product_id: string;
  readonly customer_id: string;
  /** Created with the first attempt. */
  readonly order_id: string | null;
  /** The latest attempt. */
  readonly payment_id: string | null;
  readonly subscription_id: string | null;
  /** reconciliation.merchantReference */
  readonly merchant_reference: string | null;
  /** UTC, with milliseconds. */
  readonly created_at: string;
  /** UTC, with milliseconds. */
  readonly expires_at: string;
  readonly finished_at: string | null;
  /** open: at least one dispute is open; lost: one was lost; null: there is none, or each was won. */
  readonly payment_dispute_status: 'open' | 'lost' | null;
  readonly product_name: string | null;
  readonly customer: CheckoutCustomer;
  readonly environment: 'sandbox' | 'production';
  /** Events of all attempts, oldest first. */
  readonly timeline: readonly PaymentHappening[];
  readonly request_id: RequestId;
};

export type CheckoutPrefill = {
  /** If absent, the hosted page asks for it. */
  readonly email?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly billingDetails?: BillingDetails | null | undefined;
  readonly tax?: CustomerTax | null | undefined;
};

export type CheckoutReconciliation = {
  /** Your cart or order. */
  readonly merchantReference?: string | null | undefined;
};

export type CheckoutRequest = {
  /** An active product of the merchant. */
  readonly productId: string;
  /** Your stable reference for the customer. */
  readonly externalCustomerId: string;
  /** Stored with the session, printed on its invoice, and copied to the customer when the session succeeds. Name, address and tax id are one set: giving one of them replaces all three; if only nulls are given, they clear just those fields. */
  readonly customer?: CheckoutPrefill | null | undefined;
  /** Cents; at most the active price times `quantity`, which is the default. Not accepted if the price has a trial. */
  readonly amount?: number | null | undefined;
  /** Preselected on the hosted page. */
  readonly paymentMethod?: 'card' | 'apple_pay' | 'google_pay' | null | undefined;
  /** The buyer's language tag. The hosted page supports de, en, es, fr, it, nl, pl, pt; if absent or unsupported: the browser's language, then the merchant's. The buyer can switch. */
  readonly locale?: string | null | undefined;
  readonly successUrl?: string | null | undefined;
  readonly failUrl?: string | null | undefined;
  readonly reconciliation?: CheckoutReconciliation | null | undefined;
  /** Within the bounds of the product's `quantity`. If absent: the minimum, and the hosted page lets the buyer choose unless `amount` is given. */
  readonly quantity?: number | null | undefined;
  /** The code of a coupon of the merchant, case-insensitive. It is redeemed when the buyer pays. If it has been used up by then, the hosted page shows the price without it. Not accepted with `amount`. */
  readonly couponCode?: string | null | undefined;
};

export type CheckoutSession = {
  readonly id: string;
  /** Secret of the hosted page's URL: anyone who has it can pay. */
  readonly sessionId: string;
  /** Send the buyer's browser here. */
  readonly hostedUrl: string;
  /** 30 minutes after creation. */
  readonly expiresAt: string;
  readonly request_id: string;
};

export type CommandAsk = {
  readonly command: 'ask';
};

export type CommandCredit = {
  readonly command: 'credit';
  /** The reason, for the audit log. Do not include personal data. */
  readonly reason: string;
  /** The evidence, for example from the rail’s dashboard. */
  readonly evidence: string;
};

export type CommandDisputeClose = {
  readonly command: 'dispute_close';
  readonly status: 'won' | 'lost';
  /** The reason, for the audit log. Do not include personal data. */
  readonly reason: string;
  /** The evidence, for example from the rail’s dashboard. */
  readonly evidence: string;
};

export type CommandEndpointPause = {
  readonly command: 'endpoint_pause';
  /** The reason, for the audit log. Do not include personal data. */
  readonly reason: string;
};

export type CommandEndpointRecover = {
  readonly command: 'endpoint_recover';
  readonly since: string;
  /** The reason, for the audit log. Do not include personal data. */
  readonly reason: string;
};

export type CommandEndpointRedeliver = {
  readonly command: 'endpoint_redeliver';
  readonly event_id: string;
  /** The reason, for the audit log. Do not include personal data. */
  readonly reason: string;
};

export type CommandEndpointResume = {
  readonly command: 'endpoint_resume';
  /** The reason, for the audit log. Do not include personal data. */
  readonly reason: string;
};

export type CommandIncidentClose = {
  readonly command: 'incident_close';
  readonly kind: 'reconciliation_required' | 'orphaned_charge' | 'payment_not_at_rail' | 'outcome_not_recorded' | 'invoice_not_issued' | 'charge_unanswered' | 'refund_failed' | 'refund_reversed_by_rail' | 'refund_carried_out' | 'second_person_needed' | 'dispute_open' | 'dispute_not_found' | 'rail_unavailable' | 'merchant_sells_nothing' | 'merchant_stopped' | 'rail_account_disabled' | 'rail_account_misconfigured' | 'card_testing' | 'endpoint_failing' | 'endpoint_disabled' | 'webhook_deliveries_exhausted' | 'overdue' | 'sweep_late' | 'workers_missing' | 'temporal_unavailable' | 'database_fenced' | 'not_in_database';
  /** The reason, for the audit log. Do not include personal data. */
  readonly reason: string;
};

export type CommandPauseRail = {
  readonly command: 'pause_rail';
  /** The reason, for the audit log. Do not include personal data. */
  readonly reason: string;
};

export type CommandResolve = {
  readonly command: 'resolve';
  readonly outcome: 'succeeded' | 'failed';
  /** The reason, for the audit log. Do not include personal data. */
  readonly reason: string;
  /** The evidence, for example from the rail’s dashboard. */
  readonly evidence: string;
};

export type CommandResumeRail = {
  readonly command: 'resume_rail';
  /** The reason, for the audit log. Do not include personal data. */
  readonly reason: string;
};

export type CommandReturned = {
  readonly command: 'returned';
  /** The reason, for the audit log. Do not include personal data. */
  readonly reason: string;
  /** The evidence, for example from the rail’s dashboard. */
  readonly evidence: string;
};

export type CommandStartMerchant = {
  readonly command: 'start_merchant';
  /** The reason, for the audit log. Do not include personal data. */
  readonly reason: string;
};

export type CommandStopMerchant = {
  readonly command: 'stop_merchant';
  /** The reason, for the audit log. Do not include personal data. */
  readonly reason: string;
};

export type Coupon = {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: 'sandbox' | 'production';
  /** As given. Compared case-insensitively. */
  readonly code: string;
  /** Percentage of the price times the quantity, rounded half up to the cent. Exactly one of `percent` and `amount` is set. */
  readonly percent: number | null;
  /** Cents off each charge; at most its price. */
  readonly amount: number | null;
  /** Which charges of a subscription the coupon reduces, counted after a trial: the first, the first `periods`, or all. */
  readonly duration: 'once' | 'repeating' | 'forever';
  readonly periods: number | null;
  /** Products that it applies to; null for all. */
  readonly product_ids: readonly string[] | null;
  readonly first_purchase_only: boolean;
  readonly valid_from: string | null;
  /** From this time on, it cannot be redeemed. Subscriptions that have it keep it. */
  readonly valid_until: string | null;
  readonly max_redemptions: number | null;
  readonly max_per_customer: number | null;
  /** Number of checkouts with it that are paid or being paid. */
  readonly redemptions: number;
  readonly status: 'active' | 'stopped';
  /** UTC, with milliseconds. */
  readonly created_at: string;
  /** UTC, with milliseconds. */
  readonly updated_at: string;
};

export type CouponAnswer = {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: 'sandbox' | 'production';
  /** As given. Compared case-insensitively. */
  readonly code: string;
  /** Percentage of the price times the quantity, rounded half up to the cent. Exactly one of `percent` and `amount` is set. */
  readonly percent: number | null;
  /** Cents off each charge; at most its price. */
  readonly amount: number | null;
  /** Which charges of a subscription the coupon reduces, counted after a trial: the first, the first `periods`, or all. */
  readonly duration: 'once' | 'repeating' | 'forever';
  readonly periods: number | null;
  /** Products that it applies to; null for all. */
  readonly product_ids: readonly string[] | null;
  readonly first_purchase_only: boolean;
  readonly valid_from: string | null;
  /** From this time on, it cannot be redeemed. Subscriptions that have it keep it. */
  readonly valid_until: string | null;
  readonly max_redemptions: number | null;
  readonly max_per_customer: number | null;
  /** Number of checkouts with it that are paid or being paid. */
  readonly redemptions: number;
  readonly status: 'active' | 'stopped';
  /** UTC, with milliseconds. */
  readonly created_at: string;
  /** UTC, with milliseconds. */
  readonly updated_at: string;
  readonly request_id: RequestId;
};

export type CouponChanges = {
  /** It can no longer be redeemed. Subscriptions that have it keep it. */
  readonly status: 'stopped';
};

export type CouponList = {
  readonly data: readonly Coupon[];
  readonly request_id: RequestId;
};

export type CouponRequest = {
  readonly environment: 'sandbox' | 'production';
  /** The code that buyers type and invoices print. Surrounding white space is ignored. */
  readonly code: string;
  /** Percentage of the price times the quantity, rounded half up to the cent. Exactly one of `percent` and `amount` is set. */
  readonly percent?: number | null | undefined;
  /** Cents off each charge; at most its price. */
  readonly amount?: number | null | undefined;
  /** Which charges of a subscription the coupon reduces, counted after a trial: the first, the first `periods`, or all. */
  readonly duration: 'once' | 'repeating' | 'forever';
  /** Required with `repeating`, not accepted otherwise. */
  readonly periods?: number | null | undefined;
  /** Products that it applies to. If absent, all. */
  readonly product_ids?: readonly string[] | undefined;
  /** Only for customers who have bought nothing from the merchant before; a trial or a free period counts as a purchase. */
  readonly first_purchase_only?: boolean | undefined;
  readonly valid_from?: string | undefined;
  /** From this time on, it cannot be redeemed. Subscriptions that have it keep it. */
  readonly valid_until?: string | undefined;
  /** The maximum for all customers together. If absent, no limit. */
  readonly max_redemptions?: number | undefined;
  readonly max_per_customer?: number | undefined;
};

export type CreatedApiKeyAnswer = {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: 'sandbox' | 'production';
  readonly prefix: 'ap_test_' | 'ap_live_';
  /** The last four characters of the key. */
  readonly last4: string;
  readonly name: string;
  /** `all`: everything that a shop’s server needs; it reads the catalogue, but cannot change it. `read`: GET requests only. `catalogue`: reads and changes products, prices and offerings, and nothing else. Otherwise the response is 403 `api_key_scope_insufficient`. */
  readonly scope: 'all' | 'read' | 'catalogue';
  /** Who created it, as in the audit log; null if unknown. */
  readonly created_by: string | null;
  readonly created_at: string;
  /** The chosen expiry, or the end of a rotation’s overlap if that is earlier. */
  readonly expires_at: string | null;
  /** Accurate to the minute. */
  readonly last_used_at: string | null;
  /** The key itself. It is stored as a hash and never shown again. */
  readonly key: string;
  readonly request_id: RequestId;
};

export type CreatedMerchantAnswer = {
  readonly id: string;
  /** Shown to buyers at the top of the hosted page. */
  readonly name: string;
  /** inactive: API keys are refused with 403, and the merchant’s own people may only read. */
  readonly status: 'active' | 'inactive';
  readonly capabilities: MerchantCapabilities;
  readonly branding: MerchantBranding;
  readonly legal_identity: LegalIdentity;
  /** If false (the default), a subscription with a lost dispute ends with its period; if true, it renews. */
  readonly renew_after_lost_dispute: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  readonly api_key: ApiKeyWithSecret;
  readonly request_id: RequestId;
};

export type CreditNote = {
  readonly id: string;
  /** Numbered in a separate series: the merchant’s invoice prefix followed by CN-. */
  readonly number: string;
  /** UTC, with milliseconds. */
  readonly issued_at: string;
  /** The day of issue in the merchant’s time zone, as printed. */
  readonly issued_on: string;
  readonly invoice_id: string;
  readonly invoice_number: string;
  readonly order_id: string | null;
  readonly payment_id: string | null;
  readonly refund_id: string | null;
  readonly subscription_id: string | null;
  readonly customer_id: string;
  readonly customer: InvoiceCustomer;
  readonly reason: 'refund' | 'withdrawal' | 'dispute' | 'uncollectible' | 'correction';
  /** Cents, tax included. */
  readonly amount: number;
  readonly currency: string;
  readonly line_items: readonly LineItem[];
  readonly pdf_url: string;
};

export type CreditNoteCreatedEvent = {
  readonly id: string;
  readonly type: 'credit_note.created';
  readonly occurred_at: string;
  readonly merchant_id: string;
  readonly customer: EventCustomer | null;
  readonly product: EventProduct | null;
  readonly subscription: EventSubscription | null;
  readonly payment: EventPayment | null;
  readonly charge?: EventCharge | undefined;
  readonly credit_note: EventCreditNote;
  readonly checkout?: EventCheckout | undefined;
};

export type CreditNoteList = {
  readonly data: readonly CreditNote[];
  readonly request_id: RequestId;
};

export type CreditNotePage = {
  readonly data: readonly CreditNote[];
  readonly request_id: RequestId;
  /** The `cursor` of the next page; null on the last page. */
  readonly next_cursor: string | null;
};

export type CustomerAnswer = {
  readonly id: string;
  readonly external_customer_id: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly billing_details: Record<string, string | null> | null;
  readonly tax_value: string | null;
  readonly tax_type: string | null;
  /** Cents of all payments in `currency` that succeeded, less refunds. */
  readonly paid_amount: number;
  readonly currency: string;
  readonly last_paid_at: string | null;
  /** UTC, with milliseconds. */
  readonly created_at: string;
  readonly request_id: RequestId;
};

export type CustomerChanges = {
  readonly name?: string | null | undefined;
  readonly billing_details?: BillingDetails | null | undefined;
  readonly tax?: CustomerTax | null | undefined;
};

export type CustomerDataRequest = {
  /** For the audit log, for example the number of the customer’s request or ticket. Do not include personal data. */
  readonly reason: string;
};

export type CustomerErasure = {
  /** Stored events from which the customer was removed. */
  readonly events: number;
  readonly clicks: number;
  /** Issued documents, which are kept unchanged. */
  readonly invoices_kept: number;
  readonly request_id: RequestId;
};

export type CustomerExport = {
  readonly customer: Record<string, unknown>;
  /** Checkout sessions, including those that changed a payment method, oldest first. */
  readonly sessions: readonly (Record<string, unknown>)[];
  /** The buyer’s input when paying, oldest first. */
  readonly clicks: readonly (Record<string, unknown>)[];
  /** Orders, oldest first. */
  readonly orders: readonly (Record<string, unknown>)[];
  /** Payments with brand and last digits of their cards, including payments of 0 cents for a changed method, oldest first. */
  readonly payments: readonly (Record<string, unknown>)[];
  /** Refunds, oldest first. */
  readonly refunds: readonly (Record<string, unknown>)[];
  /** Disputes, oldest first. */
  readonly disputes: readonly (Record<string, unknown>)[];
  /** Subscriptions, oldest first. */
  readonly subscriptions: readonly (Record<string, unknown>)[];
  /** Invoices, oldest first. */
  readonly invoices: readonly (Record<string, unknown>)[];
  /** Credit notes, oldest first. */
  readonly credit_notes: readonly (Record<string, unknown>)[];
  /** People’s changes to the customer, oldest first. */
  readonly changes: readonly (Record<string, unknown>)[];
  /** Webhook events, oldest first. */
  readonly events: readonly (Record<string, unknown>)[];
  readonly request_id: RequestId;
};

export type CustomerSummary = {
  readonly id: string;
  readonly external_customer_id: string | null;
  readonly email: string | null;
  readonly name: string | null;
};

export type CustomerTax = {
  /** The tax identifier. */
  readonly value?: string | null | undefined;
  /** Its type. */
  readonly type?: string | null | undefined;
};

export type DeclineCount = {
  readonly failure_code: string | null;
  readonly count: number;
};

export type DeletedWebhookEndpoint = {
  readonly id: string;
  readonly deleted: true;
  readonly request_id: RequestId;
};

export type Dispute = {
  readonly id: string;
  readonly payment_id: string;
  /** The subscription that the payment was made for. */
  readonly subscription_id: string | null;
  /** open until the buyer’s bank has decided; lost: the money was returned to the buyer. */
  readonly status: 'open' | 'won' | 'lost';
  /** Cents. */
  readonly amount: number;
  readonly currency: string;
  /** The card processor’s reason code for the buyer’s objection. */
  readonly reason: string;
  /** Deadline for submitting evidence at the card processor; null if it cannot be submitted. */
  readonly evidence_due_by: string | null;
  readonly opened_at: string;
  readonly created_at: string;
  readonly updated_at: string;
};

export type DisputeList = {
  readonly data: readonly Dispute[];
  readonly request_id: RequestId;
};

export type EmptyRequest = {

};

export type EventAlert = {
  readonly code: string;
  readonly reference: string;
};

/** Present once the subscription is set to end, or has ended. */
export type EventCancellation = {
  /** If true, it ends, or ended, with the paid period. */
  readonly at_period_end: boolean;
  /** Null until it has ended. */
  readonly cancelled_at: string | null;
};

/** The event's payment: its amount, and why it failed. */
export type EventCharge = {
  readonly amount: number;
  readonly currency: string;
  /** Why it failed; null if it did not. */
  readonly failure_code: string | null;
};

export type EventCheckout = {
  readonly id: string;
  readonly merchant_reference: string | null;
};

export type EventCreditNote = {
  readonly id: string;
  readonly number: string;
  readonly invoice_id: string;
  readonly invoice_number: string;
  readonly refund_id: string | null;
  readonly reason: 'refund' | 'withdrawal' | 'dispute' | 'uncollectible' | 'correction';
  readonly amount: number;
};

export type EventCustomer = {
  readonly id: string;
  readonly external_customer_id: string | null;
  readonly email: string | null;
};

export type EventDispute = {
  readonly id: string;
  readonly payment_id: string;
  readonly status: 'open' | 'won' | 'lost';
  readonly amount: number;
  readonly currency: string;
  readonly evidence_due_by: string | null;
};

export type EventInvoice = {
  readonly id: string;
  readonly number: string | null;
  readonly status: 'draft' | 'open' | 'created' | 'void' | 'uncollectible' | 'payment_failed';
  readonly amount_due: number;
};

export type EventPayment = {
  readonly id: string;
  readonly rail: string | null;
  readonly status: 'requires_action' | 'processing' | 'succeeded' | 'failed' | 'cancelled' | 'refunded' | 'partially_refunded';
};

export type EventPaymentMethod = {
  readonly type: string;
  readonly brand: string | null;
  readonly last4: string | null;
};

export type EventProduct = {
  readonly id: string;
  readonly external_reference: string | null;
};

export type EventRefund = {
  readonly id: string;
  readonly payment_id: string;
  readonly amount: number;
  readonly status: 'pending' | 'succeeded' | 'failed';
};

/** The charge that is announced, if nothing changes before. */
export type EventRenewal = {
  readonly at: string;
  readonly total: number;
  readonly currency: string;
};

export type EventSubscription = {
  readonly id: string;
  readonly status: 'incomplete' | 'trialing' | 'active' | 'past_due' | 'cancelled' | 'expired' | 'paused';
  readonly current_period_end: string | null;
};

export type FittingCommand = {
  readonly command: 'resolve' | 'returned' | 'dispute_close' | 'credit' | 'ask' | 'pause_rail' | 'resume_rail' | 'stop_merchant' | 'start_merchant' | 'endpoint_pause' | 'endpoint_resume' | 'endpoint_redeliver' | 'endpoint_recover' | 'incident_close';
  /** The kind of incident that `incident_close` closes; null for other commands. */
  readonly incident_kind: 'reconciliation_required' | 'orphaned_charge' | 'payment_not_at_rail' | 'outcome_not_recorded' | 'invoice_not_issued' | 'charge_unanswered' | 'refund_failed' | 'refund_reversed_by_rail' | 'refund_carried_out' | 'second_person_needed' | 'dispute_open' | 'dispute_not_found' | 'rail_unavailable' | 'merchant_sells_nothing' | 'merchant_stopped' | 'rail_account_disabled' | 'rail_account_misconfigured' | 'card_testing' | 'endpoint_failing' | 'endpoint_disabled' | 'webhook_deliveries_exhausted' | 'overdue' | 'sweep_late' | 'workers_missing' | 'temporal_unavailable' | 'database_fenced' | 'not_in_database' | null;
};

export type FoundCheckout = {
  readonly id: string;
  readonly state: 'created' | 'processing' | 'requires_action' | 'succeeded' | 'failed' | 'reconciliation_required';
  readonly failure_reason: 'expired' | 'attempts_exhausted' | 'cancelled' | 'resolved_by_operator' | null;
  /** Integer cents. */
  readonly amount: number;
  readonly quantity: number;
  readonly currency: string;
  readonly product_id: string;
  readonly customer_id: string;
  /** The latest attempt. */
  readonly payment_id: string | null;
  /** reconciliation.merchantReference */
  readonly merchant_reference: string | null;
  /** UTC, with milliseconds. */
  readonly created_at: string;
  /** UTC, with milliseconds. */
  readonly expires_at: string;
  readonly finished_at: string | null;
  /** open: at least one dispute is open; lost: one was lost; null: there is none, or each was won. */
  readonly payment_dispute_status: 'open' | 'lost' | null;
  readonly product_name: string | null;
  readonly customer: CheckoutCustomer;
};

export type FoundCheckoutPage = {
  readonly data: readonly FoundCheckout[];
  readonly request_id: RequestId;
  /** The `cursor` of the next page; null on the last page. */
  readonly next_cursor: string | null;
};

export type FoundCustomer = {
  readonly id: string;
  readonly external_customer_id: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly billing_details: Record<string, string | null> | null;
  readonly tax_value: string | null;
  readonly tax_type: string | null;
  /** Cents of all payments in `currency` that succeeded, less refunds. */
  readonly paid_amount: number;
  readonly currency: string;
  readonly last_paid_at: string | null;
  /** UTC, with milliseconds. */
  readonly created_at: string;
};

export type FoundCustomerPage = {
  readonly data: readonly FoundCustomer[];
  readonly request_id: RequestId;
  /** The `cursor` of the next page; null on the last page. */
  readonly next_cursor: string | null;
};

export type FoundDispute = {
  readonly id: string;
  readonly payment_id: string;
  /** The subscription that the payment was made for. */
  readonly subscription_id: string | null;
  /** open until the buyer’s bank has decided; lost: the money was returned to the buyer. */
  readonly status: 'open' | 'won' | 'lost';
  /** Cents. */
  readonly amount: number;
  readonly currency: string;
  /** The card processor’s reason code for the buyer’s objection. */
  readonly reason: string;
  /** Deadline for submitting evidence at the card processor; null if it cannot be submitted. */
  readonly evidence_due_by: string | null;
  readonly opened_at: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly rail: string | null;
  readonly rail_account_id: string;
  /** The dispute’s id at the card processor. */
  readonly rail_dispute_id: string;
  /** The payment’s id at the card processor. */
  readonly rail_order_id: string | null;
};

export type FoundDisputePage = {
  readonly data: readonly FoundDispute[];
  readonly request_id: RequestId;
  /** The `cursor` of the next page; null on the last page. */
  readonly next_cursor: string | null;
};

export type FoundInvoice = {
  readonly id: string;
  readonly number: string | null;
  readonly issued_at: string | null;
  readonly issued_on: string | null;
  readonly customer_id: string;
  readonly order_id: string | null;
  readonly subscription_id: string | null;
  readonly status: 'draft' | 'open' | 'created' | 'void' | 'uncollectible' | 'payment_failed';
  /** Integer cents. */
  readonly amount_due: number;
  /** Cents credited by credit notes, including reversed ones. */
  readonly credited_amount: number;
  /** The credit note that this invoice reverses: the processor reversed its refund, or its dispute was won. */
  readonly reverses_credit_note_id: string | null;
  readonly currency: string;
  readonly customer: InvoiceCustomer;
  readonly line_items: readonly LineItem[];
  readonly pdf_url: string | null;
  /** The payment that settled it; null until then. */
  readonly payment_id: string | null;
  /** The amount of that payment that is refunded or being refunded, including refunds without a credit note. */
  readonly refunded_amount: number;
  /** Numbers of its credit notes, oldest first. */
  readonly credit_notes: readonly string[];
};

export type FoundInvoicePage = {
  readonly data: readonly FoundInvoice[];
  readonly request_id: RequestId;
  /** The `cursor` of the next page; null on the last page. */
  readonly next_cursor: string | null;
};

export type FoundPayment = {
  readonly id: string;
  readonly order_id: string | null;
  readonly rail_account_id: string | null;
  readonly rail_order_id: string | null;
  readonly rail: string | null;
  readonly payment_method: PaymentMethod | null;
  readonly status: 'requires_action' | 'processing' | 'succeeded' | 'failed' | 'cancelled' | 'refunded' | 'partially_refunded';
  /** Integer cents. */
  readonly amount: number;
  readonly currency: string;
  readonly failure_code: string | null;
  readonly failure_message: string | null;
  /** UTC, with milliseconds. */
  readonly created_at: string;
  /** UTC, with milliseconds. */
  readonly updated_at: string;
  /** Refunded, or reserved by a refund in progress. */
  readonly refunded_amount: number;
  /** open: at least one dispute is open; lost: one was lost; null: there is none, or each was won. */
  readonly dispute_status: 'open' | 'lost' | null;
  /** The amount of open and lost disputes. Refunding it requires a confirmation. */
  readonly disputed_amount: number;
  readonly customer: CustomerSummary | null;
  readonly merchant_reference: string | null;
  /** The products sold. */
  readonly description: string | null;
};

export type FoundPaymentPage = {
  readonly data: readonly FoundPayment[];
  readonly request_id: RequestId;
  /** The `cursor` of the next page; null on the last page. */
  readonly next_cursor: string | null;
};

export type FoundProductPage = {
  readonly data: readonly Product[];
  readonly request_id: RequestId;
  /** The `cursor` of the next page; null on the last page. */
  readonly next_cursor: string | null;
};

export type FoundRefund = {
  readonly id: string;
  readonly payment_id: string;
  readonly order_id: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly reason: string | null;
  /** pending until the card processor has answered; a failed refund returned nothing. */
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly created_at: string;
  readonly failure_code: string | null;
  readonly rail: string | null;
  readonly rail_account_id: string;
  /** The refund’s id at the card processor. */
  readonly rail_refund_id: string | null;
  /** The payment’s id at the card processor. */
  readonly rail_order_id: string | null;
  /** open: at least one dispute is open; lost: one was lost; null: there is none, or each was won. */
  readonly payment_dispute_status: 'open' | 'lost' | null;
  /** Null until one is issued, once it is reversed, and if the invoice was credited in full before. */
  readonly credit_note: RefundCreditNote | null;
  /** UTC, with milliseconds. */
  readonly updated_at: string;
};

export type FoundRefundPage = {
  readonly data: readonly FoundRefund[];
  readonly request_id: RequestId;
  /** The `cursor` of the next page; null on the last page. */
  readonly next_cursor: string | null;
};

export type FoundSubscription = {
  readonly id: string;
  readonly customer_id: string;
  readonly product_id: string;
  readonly plan: SubscriptionPlan;
  /** The price of its plan at which it renews. */
  readonly price_id: string;
  readonly offering: SubscriptionOffering | null;
  readonly status: 'incomplete' | 'trialing' | 'active' | 'past_due' | 'cancelled' | 'expired' | 'paused';
  readonly current_period_start: string | null;
  readonly current_period_end: string | null;
  readonly trial_start: string | null;
  readonly trial_end: string | null;
  /** The price of a period: unit price times `quantity`. */
  readonly amount: number;
  readonly quantity: number;
  readonly currency: string;
  readonly payment_method: PaymentMethod | null;
  readonly cancel_at_period_end: boolean;
  /** True until its pause begins: at the end of the period, once nothing is unpaid, unless it then ends. */
  readonly pause_at_period_end: boolean;
  /** When its pause ends; null without a pause, if the pause lasts until `resume`, or while it is set to end. */
  readonly resumes_at: string | null;
  /** Periods still to be charged after the current one, or after the trial; null without a limit and after the end. */
  readonly billing_cycles_left: number | null;
  /** When it ends, if it ends with its current period: set to cancel, or in its last billing cycle. An unpaid invoice of that cycle is retried first. */
  readonly ends_at: string | null;
  readonly cancelled_at: string | null;
  /** The discount on `amount` in the current period, or after the trial. */
  readonly coupon: SubscriptionCoupon | null;
  /** The announced move to its plan’s new price, until it applies. */
  readonly price_move: SubscriptionPriceMove | null;
  readonly change: SubscriptionChange | null;
  readonly customer: SubscriptionCustomer;
  /** By the subscription’s clock; null if nothing will be charged. */
  readonly next_charge_at: string | null;
  /** The current time by the subscription’s clock, which may be ahead in the sandbox. */
  readonly clock: string;
  /** `from` and `to` are compared with it. */
  readonly created_at: string;
};

export type FoundSubscriptionPage = {
  readonly data: readonly FoundSubscription[];
  readonly request_id: RequestId;
  /** The `cursor` of the next page; null on the last page. */
  readonly next_cursor: string | null;
};

export type Health = {
  readonly status: 'ok' | 'degraded' | 'unavailable';
  readonly postgres: 'ok' | 'unreachable';
  readonly temporal: 'ok' | 'unreachable';
  readonly request_id: RequestId;
};

export type Incident = {
  readonly kind: 'reconciliation_required' | 'orphaned_charge' | 'payment_not_at_rail' | 'outcome_not_recorded' | 'invoice_not_issued' | 'charge_unanswered' | 'refund_failed' | 'refund_reversed_by_rail' | 'refund_carried_out' | 'second_person_needed' | 'dispute_open' | 'dispute_not_found' | 'rail_unavailable' | 'merchant_sells_nothing' | 'merchant_stopped' | 'rail_account_disabled' | 'rail_account_misconfigured' | 'card_testing' | 'endpoint_failing' | 'endpoint_disabled' | 'webhook_deliveries_exhausted' | 'overdue' | 'sweep_late' | 'workers_missing' | 'temporal_unavailable' | 'database_fenced' | 'not_in_database';
  /** The id of its subject, for `why` and the next command. */
  readonly id: string;
  /** Null if it concerns the whole installation. */
  readonly merchant_id: string | null;
  readonly merchant_name: string | null;
  readonly environment: 'sandbox' | 'production' | null;
  /** Cents at stake. */
  readonly amount: number | null;
  readonly currency: string | null;
  readonly since: string;
  readonly age_seconds: number;
  /** The reason, as far as the service knows it. */
  readonly reason: string;
  readonly payment_id: string | null;
  /** In Temporal. */
  readonly workflow_id: string | null;
  /** The next command. */
  readonly next: string;
  readonly means: string;
  /** What the service does without an operator. */
  readonly by_itself: string;
  readonly links: IncidentLinks;
  /** For `second_person_needed`, to people who may read the audit log: the requested command. Null in webhooks. */
  readonly request: OperatorRequest | null;
};

export type IncidentLinks = {
  /** Null without `TEMPORAL_UI_URL`. */
  readonly temporal_ui: string | null;
  readonly runbook: string;
};

export type IncidentList = {
  readonly data: readonly Incident[];
  readonly request_id: RequestId;
};

export type Invoice = {
  readonly id: string;
  readonly number: string | null;
  readonly issued_at: string | null;
  readonly issued_on: string | null;
  readonly customer_id: string;
  readonly order_id: string | null;
  readonly subscription_id: string | null;
  readonly status: 'draft' | 'open' | 'created' | 'void' | 'uncollectible' | 'payment_failed';
  /** Integer cents. */
  readonly amount_due: number;
  /** Cents credited by credit notes, including reversed ones. */
  readonly credited_amount: number;
  /** The credit note that this invoice reverses: the processor reversed its refund, or its dispute was won. */
  readonly reverses_credit_note_id: string | null;
  readonly currency: string;
  readonly customer: InvoiceCustomer;
  readonly line_items: readonly LineItem[];
  readonly pdf_url: string | null;
};

export type InvoiceCreatedEvent = {
  readonly id: string;
  readonly type: 'invoice.created';
  readonly occurred_at: string;
  readonly merchant_id: string;
  readonly customer: EventCustomer;
  readonly product: EventProduct;
  readonly subscription: EventSubscription | null;
  readonly payment: EventPayment | null;
  readonly charge?: EventCharge | undefined;
  readonly invoice: EventInvoice;
  readonly checkout?: EventCheckout | undefined;
};

export type InvoiceCustomer = {
  readonly id: string;
  readonly external_customer_id: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly billing_details: Record<string, string | null> | null;
  readonly tax_value: string | null;
  readonly tax_type: string | null;
};

export type InvoiceLink = {
  /** The page on which the buyer pays the invoice. */
  readonly url: string;
  /** UTC, with milliseconds. */
  readonly expires_at: string;
  readonly request_id: RequestId;
};

export type InvoiceLinkRequest = {
  readonly invoice_id: string;
};

export type InvoiceList = {
  readonly data: readonly Invoice[];
  readonly request_id: RequestId;
};

export type InvoicePayment = {
  readonly id: string;
  readonly status: 'requires_action' | 'processing' | 'succeeded' | 'failed' | 'cancelled' | 'refunded' | 'partially_refunded';
  readonly failure_code: string | null;
};

export type InvoicePaymentFailedEvent = {
  readonly id: string;
  readonly type: 'invoice.payment_failed';
  readonly occurred_at: string;
  readonly merchant_id: string;
  readonly customer: EventCustomer;
  readonly product: EventProduct;
  readonly subscription: EventSubscription;
  readonly payment: EventPayment | null;
  readonly charge?: EventCharge | undefined;
  readonly invoice: EventInvoice;
  readonly checkout?: EventCheckout | undefined;
};

export type InvoiceSettings = Record<string, unknown>;

export type InvoiceSettingsAnswer = {
  readonly request_id: RequestId;
  readonly [name: string]: unknown;
};

/** Printed on invoices. */
export type LegalIdentity = {
  readonly name: string | null;
  readonly address_lines: readonly string[];
  readonly vat_id: string | null;
  /** The VAT note that the law requires on invoices: an exemption, a special scheme. */
  readonly vat_note: string | null;
};

/** Printed on invoices. Absent members stay unchanged. */
export type LegalIdentityChanges = {
  readonly name?: string | null | undefined;
  readonly address_lines?: readonly string[] | undefined;
  readonly vat_id?: string | null | undefined;
  readonly vat_note?: string | null | undefined;
};

export type LineItem = {
  readonly product_id: string;
  readonly price_id: string;
  readonly description: string;
  readonly quantity: number;
  /** Integer cents; negative in a credit. */
  readonly unit_amount: number;
  /** Integer cents; negative in a credit. */
  readonly amount: number;
  readonly tax_rate: number;
  /** Integer cents; negative in a credit. */
  readonly tax_amount: number;
};

export type ManualChargeAnswer = {
  readonly id: string;
  readonly order_id: string | null;
  readonly rail_account_id: string | null;
  readonly rail_order_id: string | null;
  readonly rail: string | null;
  readonly payment_method: PaymentMethod | null;
  readonly status: 'requires_action' | 'processing' | 'succeeded' | 'failed' | 'cancelled' | 'refunded' | 'partially_refunded';
  /** Integer cents. */
  readonly amount: number;
  readonly currency: string;
  readonly failure_code: string | null;
  readonly failure_message: string | null;
  /** UTC, with milliseconds. */
  readonly created_at: string;
  /** UTC, with milliseconds. */
  readonly updated_at: string;
  readonly request_id: RequestId;
};

export type ManualChargeOfAmount = {
  /** Cents. */
  readonly amount: number;
  /** Defaults to EUR. */
  readonly currency?: 'EUR' | null | undefined;
};

export type ManualChargeOfOrder = {
  /** An existing order, in any state. */
  readonly orderId: string;
  /** Defaults to EUR. */
  readonly currency?: 'EUR' | null | undefined;
};

/** Creates a local payment in processing: nothing is sent to a card processor, the order stays unchanged, and no event is sent. Do not deliver goods on it. */
export type ManualChargeRequest = ManualChargeOfOrder | ManualChargeOfAmount;

export type Merchant = {
  readonly id: string;
  /** Shown to buyers at the top of the hosted page. */
  readonly name: string;
  /** inactive: API keys are refused with 403, and the merchant’s own people may only read. */
  readonly status: 'active' | 'inactive';
  readonly capabilities: MerchantCapabilities;
  readonly branding: MerchantBranding;
  readonly legal_identity: LegalIdentity;
  /** If false (the default), a subscription with a lost dispute ends with its period; if true, it renews. */
  readonly renew_after_lost_dispute: boolean;
  readonly created_at: string;
  readonly updated_at: string;
};

export type MerchantAnswer = {
  readonly id: string;
  /** Shown to buyers at the top of the hosted page. */
  readonly name: string;
  /** inactive: API keys are refused with 403, and the merchant’s own people may only read. */
  readonly status: 'active' | 'inactive';
  readonly capabilities: MerchantCapabilities;
  readonly branding: MerchantBranding;
  readonly legal_identity: LegalIdentity;
  /** If false (the default), a subscription with a lost dispute ends with its period; if true, it renews. */
  readonly renew_after_lost_dispute: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  readonly request_id: RequestId;
};

/** How the hosted page looks; null means the default. */
export type MerchantBranding = {
  readonly logo_url: string | null;
  readonly color: string | null;
  readonly language: string | null;
};

/** Absent members stay unchanged; null removes one. */
export type MerchantBrandingChanges = {
  /** https; shown 36 pixels high. The page loads images from its origin. */
  readonly logo_url?: string | null | undefined;
  /** Colour of buttons and accents; darkened where text on it would be unreadable. */
  readonly color?: string | null | undefined;
  /** ISO 639-1. The language of invoices, and of the hosted page if neither the checkout’s `locale` nor the browser names a language that it supports. */
  readonly language?: string | null | undefined;
};

export type MerchantCapabilities = {
  /** Recurring products can be sold. */
  readonly subscriptions: boolean;
};

export type MerchantCapabilityChanges = {
  /** Recurring products can be sold. */
  readonly subscriptions?: boolean | undefined;
};

export type MerchantChanges = {
  /** Shown to buyers at the top of the hosted page. */
  readonly name?: string | undefined;
  readonly branding?: MerchantBrandingChanges | undefined;
  readonly capabilities?: MerchantCapabilityChanges | undefined;
  readonly legal_identity?: LegalIdentityChanges | undefined;
  readonly status?: 'active' | 'inactive' | undefined;
  /** If false (the default), a subscription with a lost dispute ends with its period; if true, it renews. */
  readonly renew_after_lost_dispute?: boolean | undefined;
};

export type MerchantHealth = {
  readonly id: string;
  readonly name: string;
  readonly status: 'active' | 'inactive';
  /** Status of the live account in use; null if there is none. */
  readonly live_rail: 'activating' | 'active' | 'disabled' | null;
  readonly sandbox_rail: 'activating' | 'active' | 'disabled' | null;
  /** Live webhook endpoints that fail or are disabled. */
  readonly endpoints_failing: number;
  /** The latest live payment that succeeded. */
  readonly last_sale_at: string | null;
  /** Open incidents, of both environments. */
  readonly incidents: number;
  readonly oldest_incident_at: string | null;
};

export type MerchantHealthPage = {
  readonly data: readonly MerchantHealth[];
  readonly request_id: RequestId;
  /** The `cursor` of the next page; null on the last page. */
  readonly next_cursor: string | null;
};

export type MerchantPage = {
  readonly data: readonly Merchant[];
  readonly request_id: RequestId;
  /** The `cursor` of the next page; null on the last page. */
  readonly next_cursor: string | null;
};

export type MerchantRefundRequest = {
  readonly environment: 'sandbox' | 'production';
  readonly payment_id: string;
  /** Cents; defaults to everything not refunded yet. */
  readonly amount?: number | undefined;
  /** The refundable cents when the person decided, as the payment shows them. If they have changed: 409 `refundable_amount_changed`, and nothing is refunded. */
  readonly if_refundable_amount?: number | undefined;
  /** Also refund the amount of open or lost disputes. Without this, the response is 409 `payment_disputed`. */
  readonly confirm_dispute?: boolean | undefined;
  /** For your own records. */
  readonly reason?: string | undefined;
};

export type MerchantRequest = {
  /** Shown to buyers at the top of the hosted page. */
  readonly name: string;
  readonly branding?: MerchantBrandingChanges | undefined;
  readonly capabilities?: MerchantCapabilityChanges | undefined;
  readonly legal_identity?: LegalIdentityChanges | undefined;
};

export type MerchantSettingsAnswer = {
  /** The IANA time zone in which invoices are dated and numbered by year, and in which the days of the dashboard’s first page and lists begin. Issued invoices keep theirs. */
  readonly time_zone: string;
  /** The prefix of new invoice numbers. The series continues: no number is used twice. */
  readonly invoice_prefix: string;
  /** Each year’s series begins with this number, in each environment. A series that is already beyond it continues: numbers never decrease. */
  readonly invoice_first_number: number;
  /** Whether a lost dispute issues a credit note for the disputed amount. If the dispute is won after all, a new invoice reverses it. */
  readonly credit_note_on_lost_dispute: boolean;
  /** Whether an invoice that becomes `uncollectible` is credited in full. */
  readonly credit_note_on_uncollectible: boolean;
  /** Whether unpaid invoices are still retried after a cancellation at the end of the period: the subscription then ends with its period, but not before they are paid or their retries are over. Applies to later cancellations; an immediate one always ends it at once. */
  readonly collect_after_cancellation: boolean;
  /** Days before the end of a trial at which `subscription.trial_ending` is sent to endpoints that list it, never before the period starts. 0 disables it. Applies to periods that begin later, and to current ones whose announcement is not yet due when an endpoint starts to list the event. */
  readonly trial_ending_days: number;
  /** Days before a renewal at which `subscription.renewal_upcoming` is sent to endpoints that list it, never before the period starts. 0 disables it. Applies to periods that begin later, and to current ones whose announcement is not yet due when an endpoint starts to list the event. */
  readonly renewal_upcoming_days: number;
  /** How many days before its charge each subscriber’s [move to a new price](subscriptions.md#a-new-price-for-all) is announced. Applies to moves created later. */
  readonly price_move_notice_days: number;
  /** Cents that support may refund per payment, counting all its refunds; only an owner may change it. 0 allows none. */
  readonly support_refund_limit: number;
  /** Shown on the hosted page as an email link: after a decline, while the outcome is unknown, and at the end. */
  readonly support_email: string | null;
  /** Shown on the hosted page as a link: after a decline, while the outcome is unknown, and at the end. */
  readonly support_url: string | null;
  /** Shown on the hosted page as a phone link: after a decline, while the outcome is unknown, and at the end. */
  readonly support_phone: string | null;
  readonly request_id: RequestId;
};

export type MerchantSettingsChanges = {
  /** The IANA time zone in which invoices are dated and numbered by year, and in which the days of the dashboard’s first page and lists begin. Issued invoices keep theirs. */
  readonly time_zone?: string | undefined;
  /** The prefix of new invoice numbers. The series continues: no number is used twice. */
  readonly invoice_prefix?: string | undefined;
  /** Each year’s series begins with this number, in each environment. A series that is already beyond it continues: numbers never decrease. */
  readonly invoice_first_number?: number | undefined;
  /** Whether a lost dispute issues a credit note for the disputed amount. If the dispute is won after all, a new invoice reverses it. */
  readonly credit_note_on_lost_dispute?: boolean | undefined;
  /** Whether an invoice that becomes `uncollectible` is credited in full. */
  readonly credit_note_on_uncollectible?: boolean | undefined;
  /** Whether unpaid invoices are still retried after a cancellation at the end of the period: the subscription then ends with its period, but not before they are paid or their retries are over. Applies to later cancellations; an immediate one always ends it at once. */
  readonly collect_after_cancellation?: boolean | undefined;
  /** Days before the end of a trial at which `subscription.trial_ending` is sent to endpoints that list it, never before the period starts. 0 disables it. Applies to periods that begin later, and to current ones whose announcement is not yet due when an endpoint starts to list the event. */
  readonly trial_ending_days?: number | undefined;
  /** Days before a renewal at which `subscription.renewal_upcoming` is sent to endpoints that list it, never before the period starts. 0 disables it. Applies to periods that begin later, and to current ones whose announcement is not yet due when an endpoint starts to list the event. */
  readonly renewal_upcoming_days?: number | undefined;
  /** How many days before its charge each subscriber’s [move to a new price](subscriptions.md#a-new-price-for-all) is announced. Applies to moves created later. */
  readonly price_move_notice_days?: number | undefined;
  /** Cents that support may refund per payment, counting all its refunds; only an owner may change it. 0 allows none. */
  readonly support_refund_limit?: number | undefined;
  /** Shown on the hosted page as an email link: after a decline, while the outcome is unknown, and at the end. */
  readonly support_email?: string | null | undefined;
  /** Shown on the hosted page as a link: after a decline, while the outcome is unknown, and at the end. */
  readonly support_url?: string | null | undefined;
  /** Shown on the hosted page as a phone link: after a decline, while the outcome is unknown, and at the end. */
  readonly support_phone?: string | null | undefined;
};

export type MethodChangeLink = {
  /** The page on which the buyer replaces the payment method. */
  readonly url: string;
  /** UTC, with milliseconds. */
  readonly expires_at: string;
  readonly request_id: RequestId;
};

export type MethodChangeLinkRequest = {
  /** Where the buyer’s browser goes afterwards. */
  readonly return_url: string;
};

export type NextRenewal = {
  /** UTC, with milliseconds. */
  readonly at: string;
  /** Integer cents. */
  readonly total: number;
};

export type Offering = {
  readonly id: string;
  readonly merchant_id: string;
  readonly name: string;
  /** Oldest plan first. */
  readonly plan_ids: readonly string[];
  readonly status: 'active' | 'inactive';
  readonly created_at: string;
  readonly updated_at: string;
};

export type OfferingAnswer = {
  readonly id: string;
  readonly merchant_id: string;
  readonly name: string;
  /** Oldest plan first. */
  readonly plan_ids: readonly string[];
  readonly status: 'active' | 'inactive';
  readonly created_at: string;
  readonly updated_at: string;
  readonly request_id: RequestId;
};

export type OfferingChangeRequest = {
  readonly target_offering_id: string;
  /** A recurring product in that offering. */
  readonly target_plan_id: string;
  /** `now`: the unused share of the paid period is credited, and its remaining time charged at the new price (a whole new period if the interval differs). Default: `period_end`. */
  readonly effective?: 'now' | 'period_end' | undefined;
  /** The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`), at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated` if it no longer applies. */
  readonly calculated_at?: string | undefined;
};

export type OfferingChanges = {
  readonly name?: string | undefined;
  /** Replaces the whole set. Subscriptions stay in their agreed offering. */
  readonly plan_ids?: readonly string[] | undefined;
  /** inactive: subscriptions can no longer change to it. */
  readonly status?: 'active' | 'inactive' | undefined;
};

export type OfferingList = {
  readonly data: readonly Offering[];
  readonly request_id: RequestId;
};

export type OfferingRequest = {
  readonly name: string;
  /** Products with a recurring price; a plan is in at most one offering. */
  readonly plan_ids?: readonly string[] | undefined;
};

export type OperatorAccess = {
  /** The person’s name in the audit log. */
  readonly actor: string;
  /** Empty if the person is not an operator. */
  readonly may: readonly ('see' | 'act')[];
  readonly request_id: RequestId;
};

export type OperatorAuditEntry = {
  readonly id: string;
  readonly at: string;
  /** Null if it is not specific to an environment. */
  readonly environment: 'sandbox' | 'production' | null;
  /** `person:` and their id at the identity provider, `api_key:` and the key’s id, `operator:` and the user of a machine, or `temporal-ui:` and the text typed there. */
  readonly actor: string;
  readonly action: string;
  readonly subject_id: string;
  /** The request that made the change. */
  readonly request_id: string | null;
  /** The subject at that time, without secrets; null if it did not exist. */
  readonly before: unknown;
  /** The subject at that time, without secrets; null if it did not exist. */
  readonly after: unknown;
  /** Null if it concerns the whole installation. */
  readonly merchant_id: string | null;
};

export type OperatorAuditEntryPage = {
  readonly data: readonly OperatorAuditEntry[];
  readonly request_id: RequestId;
  /** The `cursor` of the next page; null on the last page. */
  readonly next_cursor: string | null;
};

export type OperatorCommandAnswer = {
  /** False if it waits for a second person, or for its workflow. */
  readonly done: boolean;
  /** What was done, or what to do next. */
  readonly message: string;
  /** The request that a second person must confirm. */
  readonly waiting_request: string | null;
  readonly request_id: RequestId;
};

export type OperatorExplanation = {
  readonly subject: OperatorSubject;
  /** Description of its state. */
  readonly means: string;
  /** What happens next without an operator. */
  readonly by_itself: string;
  /** When the service acts next. */
  readonly next_at: string | null;
  /** The last answer of the card processor. */
  readonly rail_said: RailSaid | null;
  /** For a `request`, to people who may read the audit log: the requested command. */
  readonly request: OperatorRequest | null;
  readonly incidents: readonly Incident[];
  /** Oldest first, the latest hundred. */
  readonly history: readonly OperatorHistoryEntry[];
  readonly related: readonly RelatedSubject[];
  /** Commands that a platform person can run now; others are refused. */
  readonly commands: readonly FittingCommand[];
  /** Null without `TEMPORAL_UI_URL`. */
  readonly workflow_url: string | null;
  readonly request_id: RequestId;
};

export type OperatorHistoryEntry = {
  readonly at: string;
  readonly what: string;
  /** The id of the affected object. */
  readonly id: string;
};

export type OperatorRequest = {
  readonly id: string;
  /** The subject of the command. */
  readonly subject_id: string;
  readonly command: string;
  /** `succeeded` or `failed`, `won` or `lost`. */
  readonly outcome: string | null;
  readonly reason: string | null;
  readonly evidence: string | null;
  readonly environment: 'sandbox' | 'production' | null;
  /** Cents. */
  readonly amount: number;
  readonly currency: string | null;
  /** The charge that was open when the command was requested. */
  readonly payment_id: string | null;
  readonly asked_by: string;
  readonly asked_at: string;
  readonly confirmed_by: string | null;
};

export type OperatorSubject = {
  readonly kind: 'session' | 'payment' | 'subscription' | 'refund' | 'dispute' | 'invoice' | 'event' | 'endpoint' | 'rail_account' | 'merchant' | 'rail' | 'request' | 'incident';
  readonly id: string;
  readonly state: string;
  /** Empty if it concerns the whole installation. */
  readonly merchant_id: string;
  readonly environment: 'sandbox' | 'production' | null;
  /** Cents. */
  readonly amount: number | null;
  readonly currency: string | null;
  readonly created_at: string;
  /** The card processor’s own id of a payment, refund or dispute. Null if it has none yet, or is of another kind. */
  readonly rail_reference: string | null;
  /** The kind of id or reference that matched. */
  readonly found_by: string;
};

export type OperatorSubjectList = {
  readonly data: readonly OperatorSubject[];
  readonly request_id: RequestId;
};

export type Order = {
  readonly id: string;
  readonly customer_id: string;
  readonly product_id: string | null;
  readonly price_id: string | null;
  readonly source: 'checkout' | 'checkout_client' | 'subscription' | 'manual';
  /** reconciliation.merchantReference */
  readonly external_reference: string | null;
  readonly line_items: readonly LineItem[];
  /** Integer cents. */
  readonly amount: number;
  readonly currency: string;
  readonly payment_id: string | null;
  readonly status: 'pending' | 'completed' | 'failed' | 'cancelled' | 'partially_refunded' | 'refunded';
};

export type OrderList = {
  readonly data: readonly Order[];
  readonly request_id: RequestId;
};

export type OverviewAnswer = {
  readonly currency: string;
  /** The merchant’s time zone, which determines when its days begin. */
  readonly time_zone: string;
  readonly today: SalesOfAPeriod;
  readonly last_30_days: SalesOfAPeriod;
  readonly previous_30_days: SalesOfAPeriod;
  /** The last 60, oldest first. */
  readonly days: readonly SalesOfADay[];
  readonly checkouts: CheckoutCounts;
  /** Declines of the last 30 days, most frequent first. */
  readonly declines: readonly DeclineCount[];
  readonly subscriptions: SubscriptionCounts;
  readonly attention: AttentionCounts;
  readonly request_id: RequestId;
};

export type PaidInvoiceAnswer = {
  readonly id: string;
  readonly number: string | null;
  readonly issued_at: string | null;
  readonly issued_on: string | null;
  readonly customer_id: string;
  readonly order_id: string | null;
  readonly subscription_id: string | null;
  readonly status: 'draft' | 'open' | 'created' | 'void' | 'uncollectible' | 'payment_failed';
  /** Integer cents. */
  readonly amount_due: number;
  /** Cents credited by credit notes, including reversed ones. */
  readonly credited_amount: number;
  /** The credit note that this invoice reverses: the processor reversed its refund, or its dispute was won. */
  readonly reverses_credit_note_id: string | null;
  readonly currency: string;
  readonly customer: InvoiceCustomer;
  readonly line_items: readonly LineItem[];
  readonly pdf_url: string | null;
  readonly payment: InvoicePayment;
  readonly request_id: string;
};

export type Payment = {
  readonly id: string;
  readonly order_id: string | null;
  readonly rail_account_id: string | null;
  readonly rail_order_id: string | null;
  readonly rail: string | null;
  readonly payment_method: PaymentMethod | null;
  readonly status: 'requires_action' | 'processing' | 'succeeded' | 'failed' | 'cancelled' | 'refunded' | 'partially_refunded';
  /** Integer cents. */
  readonly amount: number;
  readonly currency: string;
  readonly failure_code: string | null;
  readonly failure_message: string | null;
  /** UTC, with milliseconds. */
  readonly created_at: string;
  /** UTC, with milliseconds. */
  readonly updated_at: string;
};

export type PaymentDetailsAnswer = {
  readonly id: string;
  readonly order_id: string | null;
  readonly rail_account_id: string | null;
  readonly rail_order_id: string | null;
  readonly rail: string | null;
  readonly payment_method: PaymentMethod | null;
  readonly status: 'requires_action' | 'processing' | 'succeeded' | 'failed' | 'cancelled' | 'refunded' | 'partially_refunded';
  /** Integer cents. */
  readonly amount: number;
  readonly currency: string;
  readonly failure_code: string | null;
  readonly failure_message: string | null;
  /** UTC, with milliseconds. */
  readonly created_at: string;
  /** UTC, with milliseconds. */
  readonly updated_at: string;
  /** Refunded, or reserved by a refund in progress. */
  readonly refunded_amount: number;
  /** open: at least one dispute is open; lost: one was lost; null: there is none, or each was won. */
  readonly dispute_status: 'open' | 'lost' | null;
  /** The amount of open and lost disputes. Refunding it requires a confirmation. */
  readonly disputed_amount: number;
  readonly customer: CustomerSummary | null;
  readonly merchant_reference: string | null;
  /** The products sold. */
  readonly description: string | null;
  readonly environment: 'sandbox' | 'production';
  readonly checkout_id: string | null;
  readonly invoice_id: string | null;
  readonly invoice_number: string | null;
  readonly subscription_id: string | null;
  /** The amount paid, less refunds and credit for subscription changes; 0 before the payment has succeeded. */
  readonly refundable_amount: number;
  /** Whether the rail account supports refunds. */
  readonly refunds_supported: boolean;
  readonly line_items: readonly LineItem[];
  readonly refunds: readonly PaymentRefund[];
  /** Oldest first. The opening of the page is reported with the first click on “Pay”; of the look-ups, only the newest fifty are shown. Clicks and the processor’s answers are kept for the installation’s retention time. */
  readonly timeline: readonly PaymentHappening[];
  readonly request_id: RequestId;
};

export type PaymentFailedEvent = {
  readonly id: string;
  readonly type: 'payment.failed';
  readonly occurred_at: string;
  readonly merchant_id: string;
  readonly customer: EventCustomer;
  readonly product: EventProduct;
  readonly subscription: EventSubscription | null;
  readonly payment: EventPayment | null;
  readonly charge?: EventCharge | undefined;
  readonly invoice?: EventInvoice | undefined;
  readonly checkout?: EventCheckout | undefined;
};

export type PaymentHappening = {
  /** UTC, with milliseconds. */
  readonly at: string;
  readonly what: 'checkout_created' | 'checkout_failed' | 'page_opened' | 'pay_clicked' | 'attempt_made' | 'sent_to_rail' | 'challenge_open' | 'looked_up' | 'succeeded' | 'failed' | 'cancelled' | 'refund_requested' | 'refund_succeeded' | 'refund_failed' | 'dispute_opened' | 'dispute_won' | 'dispute_lost' | 'invoice_issued' | 'event_recorded' | 'event_delivered' | 'delivery_failed' | 'delivery_held' | 'delivery_given_up';
  /** The id of the affected object. */
  readonly reference: string | null;
  readonly amount: number | null;
  /** A method, a failure code, a reason, an event type, an endpoint’s URL or the processor’s answer to a look-up. */
  readonly detail: string | null;
};

export type PaymentLink = {
  readonly id: string;
  /** Send the customer's browser here. */
  readonly hostedUrl: string;
  /** 24 hours after creation. */
  readonly expiresAt: string;
  readonly request_id: string;
};

export type PaymentList = {
  readonly data: readonly Payment[];
  readonly request_id: RequestId;
};

export type PaymentMethod = {
  readonly type: string;
  readonly brand: string | null;
  readonly last4: string | null;
};

export type PaymentMethodChange = {
  readonly id: string;
  readonly customerId: string;
  /** Send the customer's browser here. */
  readonly hostedUrl: string;
  /** 15 minutes after creation. */
  readonly expiresAt: string;
  readonly request_id: string;
};

export type PaymentMethodChangeCustomer = {
  readonly email: string;
  readonly name?: string | null | undefined;
  readonly billingDetails?: BillingDetails | null | undefined;
  readonly tax?: CustomerTax | null | undefined;
};

export type PaymentMethodChangeRequest = {
  readonly subscriptionId: string;
  /** The subscription's customer, by your reference. */
  readonly externalCustomerId: string;
  readonly customer: PaymentMethodChangeCustomer;
  readonly successUrl: string;
  readonly failUrl: string;
};

export type PaymentMethodUpdateFailedEvent = {
  readonly id: string;
  readonly type: 'payment_method.update_failed';
  readonly occurred_at: string;
  readonly merchant_id: string;
  readonly customer: EventCustomer;
  readonly product: EventProduct;
  readonly subscription: EventSubscription;
  /** Null in this event. */
  readonly payment: EventPayment | null;
  readonly checkout?: EventCheckout | undefined;
};

export type PaymentMethodUpdatedEvent = {
  readonly id: string;
  readonly type: 'payment_method.updated';
  readonly occurred_at: string;
  readonly merchant_id: string;
  readonly customer: EventCustomer;
  readonly product: EventProduct;
  readonly subscription: EventSubscription;
  /** Null in this event. */
  readonly payment: EventPayment | null;
  readonly payment_method: EventPaymentMethod;
  readonly checkout?: EventCheckout | undefined;
};

export type PaymentMethodUpdatedRequiredEvent = {
  readonly id: string;
  readonly type: 'payment_method.updated_required';
  readonly occurred_at: string;
  readonly merchant_id: string;
  readonly customer: EventCustomer;
  readonly product: EventProduct;
  readonly subscription: EventSubscription;
  readonly payment: EventPayment | null;
  readonly charge?: EventCharge | undefined;
  readonly invoice: EventInvoice;
  readonly payment_method?: EventPaymentMethod | undefined;
  readonly checkout?: EventCheckout | undefined;
};

export type PaymentRefund = {
  readonly id: string;
  readonly amount: number;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly reason: string | null;
  /** UTC, with milliseconds. */
  readonly created_at: string;
  /** Null until one is issued, once it is reversed, and if the invoice was credited in full before. */
  readonly credit_note: RefundCreditNote | null;
};

export type PaymentSucceededEvent = {
  readonly id: string;
  readonly type: 'payment.succeeded';
  readonly occurred_at: string;
  readonly merchant_id: string;
  readonly customer: EventCustomer;
  readonly product: EventProduct;
  readonly subscription: EventSubscription | null;
  readonly payment: EventPayment;
  readonly charge: EventCharge;
  readonly invoice?: EventInvoice | undefined;
  readonly checkout?: EventCheckout | undefined;
};

export type PlanChangeRequest = PlanChangeToPlan | PlanChangeToProduct;

export type PlanChangeToPlan = {
  /** A recurring product in the same offering; the current one, to move to its current price. */
  readonly target_plan_id: string;
  /** `now`: the unused share of the paid period is credited, and its remaining time charged at the new price (a whole new period if the interval differs). Default: `period_end`. */
  readonly effective?: 'now' | 'period_end' | undefined;
  /** The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`), at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated` if it no longer applies. */
  readonly calculated_at?: string | undefined;
};

export type PlanChangeToProduct = {
  /** Alias of target_plan_id. */
  readonly target_product_id: string;
  /** `now`: the unused share of the paid period is credited, and its remaining time charged at the new price (a whole new period if the interval differs). Default: `period_end`. */
  readonly effective?: 'now' | 'period_end' | undefined;
  /** The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`), at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated` if it no longer applies. */
  readonly calculated_at?: string | undefined;
};

export type Price = {
  readonly id: string;
  readonly product_id: string;
  /** Integer cents. */
  readonly amount: number;
  readonly currency: string;
  /** Percentage included in the amount. */
  readonly tax_rate: number;
  readonly billing_mode: 'one_time' | 'recurring';
  readonly recurring: RecurringTerms | null;
  readonly status: 'active' | 'inactive';
};

export type PriceAnswer = {
  readonly id: string;
  readonly product_id: string;
  /** Integer cents. */
  readonly amount: number;
  readonly currency: string;
  /** Percentage included in the amount. */
  readonly tax_rate: number;
  readonly billing_mode: 'one_time' | 'recurring';
  readonly recurring: RecurringTerms | null;
  readonly status: 'active' | 'inactive';
  readonly request_id: RequestId;
};

export type PriceChanges = {
  /** A product has at most one active price: activating a price deactivates the other. */
  readonly status: 'active' | 'inactive';
};

export type PriceList = {
  readonly data: readonly Price[];
  readonly request_id: RequestId;
};

export type PriceMove = {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: 'sandbox' | 'production';
  readonly product_id: string;
  readonly old_price_id: string;
  readonly new_price_id: string;
  /** Each subscriber’s first renewal at or after this time is charged at the new price, once the notice period (setting `price_move_notice_days`) has passed since its announcement. */
  readonly from: string;
  /** The setting when it was created. */
  readonly notice_days: number;
  readonly status: 'active' | 'cancelled';
  /** UTC, with milliseconds. */
  readonly created_at: string;
  readonly cancelled_at: string | null;
};

export type PriceMoveAnswer = {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: 'sandbox' | 'production';
  readonly product_id: string;
  readonly old_price_id: string;
  readonly new_price_id: string;
  /** Each subscriber’s first renewal at or after this time is charged at the new price, once the notice period (setting `price_move_notice_days`) has passed since its announcement. */
  readonly from: string;
  /** The setting when it was created. */
  readonly notice_days: number;
  readonly status: 'active' | 'cancelled';
  /** UTC, with milliseconds. */
  readonly created_at: string;
  readonly cancelled_at: string | null;
  readonly request_id: RequestId;
};

export type PriceMoveChanges = {
  /** No more subscribers are moved. Those already charged the new price keep it. */
  readonly status: 'cancelled';
};

/** Counted over at most 100,000 subscribers of each of the two prices. */
export type PriceMoveCounts = {
  /** Were sent the announcement and have not renewed since. */
  readonly announced: number;
  /** Not announced yet; at most 500 a minute are announced, for all moves together. */
  readonly waiting: number;
  /** Renew at the new price; no later move has been announced. */
  readonly moved: number;
  /** Not moved for now: see `refusals`. */
  readonly refused: number;
};

export type PriceMoveCustomer = {
  readonly id: string;
  readonly external_customer_id: string | null;
  readonly email: string | null;
};

export type PriceMoveDetailsAnswer = {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: 'sandbox' | 'production';
  readonly product_id: string;
  readonly old_price_id: string;
  readonly new_price_id: string;
  /** Each subscriber’s first renewal at or after this time is charged at the new price, once the notice period (setting `price_move_notice_days`) has passed since its announcement. */
  readonly from: string;
  /** The setting when it was created. */
  readonly notice_days: number;
  readonly status: 'active' | 'cancelled';
  /** UTC, with milliseconds. */
  readonly created_at: string;
  readonly cancelled_at: string | null;
  readonly currency: string;
  readonly counts: PriceMoveCounts;
  /** At most ten of those `announced` and `waiting`. */
  readonly sample: readonly PriceMovePreview[];
  /** At most 100. */
  readonly refusals: readonly PriceMoveRefusal[];
  readonly request_id: RequestId;
};

export type PriceMoveList = {
  readonly data: readonly PriceMove[];
  readonly request_id: RequestId;
};

export type PriceMovePreview = {
  readonly subscription_id: string;
  readonly customer: PriceMoveCustomer;
  /** The renewal; null if none is scheduled: a pause without a date, or too few periods left. */
  readonly at: string | null;
  /** Amount of that renewal without the move, after its coupon. */
  readonly old_total: number;
  /** Amount of that renewal, after its coupon. */
  readonly new_total: number;
};

export type PriceMoveRefusal = {
  readonly subscription_id: string;
  readonly customer_id: string;
  /** The subscription ends first; a dispute was lost; another change leaves the price; or the new price times its quantity is too high. Once the reason no longer applies, it is moved: from the announced date, or with a new announcement and the full notice period if there was none. */
  readonly code: 'subscription_cancel_scheduled' | 'subscription_charging_stopped' | 'subscription_change_scheduled' | 'subscription_quantity_invalid';
};

export type PriceMoveReportAnswer = {
  readonly currency: string;
  readonly counts: PriceMoveCounts;
  /** At most ten of those `announced` and `waiting`. */
  readonly sample: readonly PriceMovePreview[];
  /** At most 100. */
  readonly refusals: readonly PriceMoveRefusal[];
  readonly request_id: RequestId;
};

export type PriceMoveRequest = {
  readonly environment: 'sandbox' | 'production';
  /** The inactive price whose subscribers move. */
  readonly old_price_id: string;
  /** The active price of the same product, with the same interval and currency. */
  readonly new_price_id: string;
  /** Each subscriber’s first renewal at or after this time is charged at the new price, once the notice period (setting `price_move_notice_days`) has passed since its announcement. At least the notice period away, at most five years. */
  readonly from: string;
};

export type PriceRequest = {
  /** Integer cents, tax included. */
  readonly amount: number;
  /** Defaults to EUR. */
  readonly currency?: 'EUR' | undefined;
  /** Percentage included in the amount. Required, because invoices show it. */
  readonly tax_rate: number;
  readonly billing_mode: 'one_time' | 'recurring';
  /** With billing_mode recurring: how often it is charged. */
  readonly recurring?: RecurringTermsRequest | null | undefined;
  /** A product has at most one active price: activating a price deactivates the other. */
  readonly status?: 'active' | 'inactive' | undefined;
  /** The id of the price that you expect to be active; null for none. If another price is active: 409 `price_changed`, and nothing changes. If absent, the active price is replaced, whichever it is. */
  readonly replaces?: string | null | undefined;
};

export type ProbedRailAccountAnswer = {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: 'sandbox' | 'production';
  readonly rail: string;
  /** activating: cannot take payments yet. disabled: replaced, or rejected by its processor. */
  readonly status: 'activating' | 'active' | 'disabled';
  readonly capabilities: RailCapabilities;
  readonly created_at: string;
  readonly updated_at: string;
  /** Whether it can take cards now, in at least one currency. */
  readonly usable: boolean;
  /** Its capabilities, and the reason for each missing one, as sentences. */
  readonly findings: readonly RailFinding[];
  readonly request_id: RequestId;
};

export type Product = {
  readonly id: string;
  readonly merchant_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly metadata: Record<string, unknown>;
  readonly external_reference: string | null;
  /** How many units can be bought at once; null for one. */
  readonly quantity: QuantityRange | null;
  /** Number of charged periods after which a subscription ends; null for no limit. */
  readonly billing_cycles: number | null;
  readonly one_subscription_per_customer: boolean;
  readonly one_trial_per_customer: boolean;
  readonly image_url: string | null;
  readonly active_price: Price | null;
  readonly status: 'active' | 'inactive';
  /** UTC, with milliseconds. */
  readonly created_at: string;
  /** UTC, with milliseconds. */
  readonly updated_at: string;
};

export type ProductAnswer = {
  readonly id: string;
  readonly merchant_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly metadata: Record<string, unknown>;
  readonly external_reference: string | null;
  /** How many units can be bought at once; null for one. */
  readonly quantity: QuantityRange | null;
  /** Number of charged periods after which a subscription ends; null for no limit. */
  readonly billing_cycles: number | null;
  readonly one_subscription_per_customer: boolean;
  readonly one_trial_per_customer: boolean;
  readonly image_url: string | null;
  readonly active_price: Price | null;
  readonly status: 'active' | 'inactive';
  /** UTC, with milliseconds. */
  readonly created_at: string;
  /** UTC, with milliseconds. */
  readonly updated_at: string;
  readonly request_id: RequestId;
};

export type ProductChanges = {
  /** The name that buyers see on the hosted page. */
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  /** For your own use: at most 50 keys. Replaced as a whole. */
  readonly metadata?: Record<string, string> | undefined;
  /** Your own reference, unique among your products. Storefronts may use it to name the product. */
  readonly external_reference?: string | null | undefined;
  /** How many units can be bought at once, for example seats; null or absent: one. The price is per unit. */
  readonly quantity?: QuantityRange | null | undefined;
  /** Number of charged periods after which a subscription ends; null or absent: no limit. Trials, pauses and free periods do not count. Applies to sessions created later. */
  readonly billing_cycles?: number | null | undefined;
  /** A customer with a running subscription of the same offering (without an offering: of this product) cannot buy another: 409 `subscription_exists` when the session is created, checked again when the buyer pays. Customers are identified by `externalCustomerId`. Defaults to false. */
  readonly one_subscription_per_customer?: boolean | undefined;
  /** A buyer who has had a trial of the same offering (without an offering: of this product) pays the price from the first day, as the page announces before the payment. Buyers are recognised by `externalCustomerId`, by an email confirmed on the page, and by the card where the rail identifies it. Defaults to false. */
  readonly one_trial_per_customer?: boolean | undefined;
  /** An https URL (http only for localhost) of a still JPEG, PNG or WebP image of at most 300 kB and 2,000 pixels a side. It is fetched once, when it is saved, within five seconds and without redirects, re-encoded in its format, with less quality if it would exceed 300 kB, and shown on the hosted page from this service. To change the image, use another URL. */
  readonly image_url?: string | null | undefined;
  /** inactive: new sessions cannot sell it. Existing sessions and subscriptions continue. */
  readonly status?: 'active' | 'inactive' | undefined;
};

export type ProductList = {
  readonly data: readonly Product[];
  readonly request_id: RequestId;
};

export type ProductRequest = {
  /** The name that buyers see on the hosted page. */
  readonly name: string;
  readonly description?: string | null | undefined;
  /** For your own use: at most 50 keys. Replaced as a whole. */
  readonly metadata?: Record<string, string> | undefined;
  /** Your own reference, unique among your products. Storefronts may use it to name the product. */
  readonly external_reference?: string | null | undefined;
  /** How many units can be bought at once, for example seats; null or absent: one. The price is per unit. */
  readonly quantity?: QuantityRange | null | undefined;
  /** Number of charged periods after which a subscription ends; null or absent: no limit. Trials, pauses and free periods do not count. Applies to sessions created later. */
  readonly billing_cycles?: number | null | undefined;
  /** A customer with a running subscription of the same offering (without an offering: of this product) cannot buy another: 409 `subscription_exists` when the session is created, checked again when the buyer pays. Customers are identified by `externalCustomerId`. Defaults to false. */
  readonly one_subscription_per_customer?: boolean | undefined;
  /** A buyer who has had a trial of the same offering (without an offering: of this product) pays the price from the first day, as the page announces before the payment. Buyers are recognised by `externalCustomerId`, by an email confirmed on the page, and by the card where the rail identifies it. Defaults to false. */
  readonly one_trial_per_customer?: boolean | undefined;
  /** An https URL (http only for localhost) of a still JPEG, PNG or WebP image of at most 300 kB and 2,000 pixels a side. It is fetched once, when it is saved, within five seconds and without redirects, re-encoded in its format, with less quality if it would exceed 300 kB, and shown on the hosted page from this service. To change the image, use another URL. */
  readonly image_url?: string | null | undefined;
};

export type QuantityRange = {
  readonly min: number;
  readonly max: number;
};

export type QuantityRequest = {
  /** Within the bounds of the plan. */
  readonly quantity: number;
  /** `now`: the unused share of the paid period is credited, and its remaining time charged at the new price (a whole new period if the interval differs). Default: `period_end`. */
  readonly effective?: 'now' | 'period_end' | undefined;
  /** The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`), at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated` if it no longer applies. */
  readonly calculated_at?: string | undefined;
};

export type RailAccount = {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: 'sandbox' | 'production';
  readonly rail: string;
  /** activating: cannot take payments yet. disabled: replaced, or rejected by its processor. */
  readonly status: 'activating' | 'active' | 'disabled';
  readonly capabilities: RailCapabilities;
  readonly created_at: string;
  readonly updated_at: string;
};

export type RailAccountCheck = {
  /** Also store the capabilities found. An activating account is activated either way. */
  readonly apply?: boolean | undefined;
};

export type RailAccountList = {
  readonly data: readonly RailAccount[];
  readonly request_id: RequestId;
};

export type RailAccountToSet = {
  readonly environment: 'sandbox' | 'production';
  readonly rail: string;
  /** Depend on the rail; stripe: secretKey, publishableKey, webhookSecret. Absent ones stay unchanged. */
  readonly credential: Record<string, string>;
  /** Replace the active account, which is then disabled. */
  readonly replace?: boolean | undefined;
};

/** The account’s capabilities when the processor was last asked. */
export type RailCapabilities = {
  readonly cardFields: boolean;
  readonly recurring: boolean;
  readonly wallets: readonly ('apple_pay' | 'google_pay')[];
  readonly refunds: boolean;
  readonly currencies: readonly string[];
};

/** A member of `credential`. */
export type RailCredentialField = {
  readonly name: string;
  readonly description: string;
};

export type RailFinding = {
  readonly ok: boolean;
  readonly code: 'credential_incomplete' | 'credential_wrong_mode' | 'credential_of_other_account' | 'publishable_key_mismatch' | 'account_not_asked' | 'account_found' | 'account_active' | 'account_not_active' | 'charges_off' | 'currency_taken' | 'currency_not_taken' | 'cards_stored' | 'cards_not_stored' | 'refunds_read' | 'refunds_not_possible' | 'wallet_taken' | 'wallet_not_registered' | 'wallets_unknown' | 'webhooks_complete' | 'webhook_secret_missing' | 'webhook_endpoint_missing' | 'webhook_events_missing' | 'webhooks_not_read' | 'no_answer_in_time';
  /** Values used in the sentence; `why` is a reason code, or the processor’s own message. */
  readonly values: Record<string, string>;
  /** In English. */
  readonly text: string;
};

export type RailSaid = {
  readonly at: string;
  readonly words: string;
};

export type RecurringTerms = {
  readonly interval: 'day' | 'week' | 'month' | 'year';
  readonly interval_count: number;
  readonly trial_period_days: number | null;
};

export type RecurringTermsRequest = {
  readonly interval?: 'day' | 'week' | 'month' | 'year' | null | undefined;
  /** Defaults to 1. */
  readonly interval_count?: number | null | undefined;
  readonly trial_period_days?: number | null | undefined;
};

export type Refund = {
  readonly id: string;
  readonly payment_id: string;
  readonly order_id: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly reason: string | null;
  /** pending until the card processor has answered; a failed refund returned nothing. */
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly created_at: string;
};

export type RefundAnswer = {
  readonly id: string;
  readonly payment_id: string;
  readonly order_id: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly reason: string | null;
  /** pending until the card processor has answered; a failed refund returned nothing. */
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly created_at: string;
  readonly request_id: RequestId;
};

export type RefundCreatedEvent = {
  readonly id: string;
  readonly type: 'refund.created';
  readonly occurred_at: string;
  readonly merchant_id: string;
  readonly customer: EventCustomer | null;
  readonly product: EventProduct | null;
  readonly subscription: EventSubscription | null;
  readonly payment: EventPayment;
  readonly charge: EventCharge;
  readonly refund: EventRefund;
  readonly checkout?: EventCheckout | undefined;
};

export type RefundCreditNote = {
  readonly id: string;
  readonly number: string;
  readonly pdf_url: string;
};

export type RefundList = {
  readonly data: readonly Refund[];
  readonly request_id: RequestId;
};

export type RefundOfOrder = {
  /** The order of the payment. */
  readonly orderId: string;
  /** Cents; defaults to everything that is refundable. */
  readonly amount?: number | undefined;
  /** If sent, must equal the payment’s currency. */
  readonly currency?: string | null | undefined;
  /** For your own records. */
  readonly reason?: string | null | undefined;
  /** If true, also refunds amounts in open or lost disputes; the buyer may then receive that money twice. Otherwise the response is 409 `payment_disputed`. */
  readonly confirmDispute?: boolean | null | undefined;
};

export type RefundOfPayment = {
  /** A settled payment. */
  readonly paymentId: string;
  /** Cents; defaults to everything that is refundable. */
  readonly amount?: number | undefined;
  /** If sent, must equal the payment’s currency. */
  readonly currency?: string | null | undefined;
  /** For your own records. */
  readonly reason?: string | null | undefined;
  /** If true, also refunds amounts in open or lost disputes; the buyer may then receive that money twice. Otherwise the response is 409 `payment_disputed`. */
  readonly confirmDispute?: boolean | null | undefined;
};

export type RefundRequest = RefundOfPayment | RefundOfOrder;

export type RelatedSubject = {
  readonly kind: string;
  readonly id: string;
  readonly state: string;
  readonly environment: 'sandbox' | 'production';
};

/** The previous key. */
export type ReplacedApiKey = {
  readonly id: string;
  readonly expires_at: string;
};

/** Identifies the request; also in the header x-request-id. Quote it in support requests. */
export type RequestId = string;

export type RevokedApiKeyAnswer = {
  readonly id: string;
  readonly revoked: true;
  readonly request_id: string;
};

export type RotatedApiKeyAnswer = {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: 'sandbox' | 'production';
  readonly prefix: 'ap_test_' | 'ap_live_';
  /** The last four characters of the key. */
  readonly last4: string;
  readonly name: string;
  /** `all`: everything that a shop’s server needs; it reads the catalogue, but cannot change it. `read`: GET requests only. `catalogue`: reads and changes products, prices and offerings, and nothing else. Otherwise the response is 403 `api_key_scope_insufficient`. */
  readonly scope: 'all' | 'read' | 'catalogue';
  /** Who created it, as in the audit log; null if unknown. */
  readonly created_by: string | null;
  readonly created_at: string;
  /** The chosen expiry, or the end of a rotation’s overlap if that is earlier. */
  readonly expires_at: string | null;
  /** Accurate to the minute. */
  readonly last_used_at: string | null;
  /** The key itself. It is stored as a hash and never shown again. */
  readonly key: string;
  readonly replaces: ReplacedApiKey;
  readonly request_id: RequestId;
};

export type SalesOfADay = {
  readonly day: string;
  readonly count: number;
  /** Integer cents. */
  readonly amount: number;
};

export type SalesOfAPeriod = {
  /** Payments that succeeded, including refunded ones but not card checks of 0 cents. */
  readonly count: number;
  /** Integer cents. */
  readonly amount: number;
  /** Integer cents. */
  readonly refunded: number;
};

export type SentTestEvent = {
  readonly event_id: string;
  readonly request_id: RequestId;
};

export type SettableRail = {
  readonly name: string;
  readonly credential_fields: readonly RailCredentialField[];
};

export type SettableRailList = {
  readonly data: readonly SettableRail[];
  readonly request_id: RequestId;
};

export type StorefrontClient = {
  /** The public id: it appears in the shop’s page and is not secret. */
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: 'sandbox' | 'production';
  readonly name: string;
  /** In the form that browsers send. */
  readonly origins: readonly string[];
  /** The products that it may sell, oldest first. */
  readonly product_ids: readonly string[];
  readonly successUrl: string | null;
  readonly failUrl: string | null;
  readonly status: 'active' | 'disabled';
  readonly created_at: string;
  readonly updated_at: string;
};

export type StorefrontClientAnswer = {
  /** The public id: it appears in the shop’s page and is not secret. */
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: 'sandbox' | 'production';
  readonly name: string;
  /** In the form that browsers send. */
  readonly origins: readonly string[];
  /** The products that it may sell, oldest first. */
  readonly product_ids: readonly string[];
  readonly successUrl: string | null;
  readonly failUrl: string | null;
  readonly status: 'active' | 'disabled';
  readonly created_at: string;
  readonly updated_at: string;
  readonly request_id: RequestId;
};

export type StorefrontClientChanges = {
  /** A label for your own use. */
  readonly name?: string | undefined;
  /** Scheme, host and port, matched exactly: `https://shop.example`, without a path or wildcard. https only, except for localhost in development. */
  readonly origins?: readonly string[] | undefined;
  /** Replaces the whole set. */
  readonly product_ids?: readonly string[] | undefined;
  readonly successUrl?: string | null | undefined;
  readonly failUrl?: string | null | undefined;
  /** disabled: its public id is treated as unknown. */
  readonly status?: 'active' | 'disabled' | undefined;
};

export type StorefrontClientList = {
  readonly data: readonly StorefrontClient[];
  readonly request_id: RequestId;
};

export type StorefrontClientRequest = {
  readonly environment: 'sandbox' | 'production';
  /** A label for your own use. */
  readonly name: string;
  /** Scheme, host and port, matched exactly: `https://shop.example`, without a path or wildcard. https only, except for localhost in development. */
  readonly origins: readonly string[];
  readonly product_ids?: readonly string[] | undefined;
  readonly successUrl?: string | null | undefined;
  readonly failUrl?: string | null | undefined;
};

export type Subscription = {
  readonly id: string;
  readonly customer_id: string;
  readonly product_id: string;
  readonly plan: SubscriptionPlan;
  /** The price of its plan at which it renews. */
  readonly price_id: string;
  readonly offering: SubscriptionOffering | null;
  readonly status: 'incomplete' | 'trialing' | 'active' | 'past_due' | 'cancelled' | 'expired' | 'paused';
  readonly current_period_start: string | null;
  readonly current_period_end: string | null;
  readonly trial_start: string | null;
  readonly trial_end: string | null;
  /** The price of a period: unit price times `quantity`. */
  readonly amount: number;
  readonly quantity: number;
  readonly currency: string;
  readonly payment_method: PaymentMethod | null;
  readonly cancel_at_period_end: boolean;
  /** True until its pause begins: at the end of the period, once nothing is unpaid, unless it then ends. */
  readonly pause_at_period_end: boolean;
  /** When its pause ends; null without a pause, if the pause lasts until `resume`, or while it is set to end. */
  readonly resumes_at: string | null;
  /** Periods still to be charged after the current one, or after the trial; null without a limit and after the end. */
  readonly billing_cycles_left: number | null;
  /** When it ends, if it ends with its current period: set to cancel, or in its last billing cycle. An unpaid invoice of that cycle is retried first. */
  readonly ends_at: string | null;
  readonly cancelled_at: string | null;
  /** The discount on `amount` in the current period, or after the trial. */
  readonly coupon: SubscriptionCoupon | null;
  /** The announced move to its plan’s new price, until it applies. */
  readonly price_move: SubscriptionPriceMove | null;
  readonly change: SubscriptionChange | null;
};

export type SubscriptionAnswer = {
  readonly id: string;
  readonly customer_id: string;
  readonly product_id: string;
  readonly plan: SubscriptionPlan;
  /** The price of its plan at which it renews. */
  readonly price_id: string;
  readonly offering: SubscriptionOffering | null;
  readonly status: 'incomplete' | 'trialing' | 'active' | 'past_due' | 'cancelled' | 'expired' | 'paused';
  readonly current_period_start: string | null;
  readonly current_period_end: string | null;
  readonly trial_start: string | null;
  readonly trial_end: string | null;
  /** The price of a period: unit price times `quantity`. */
  readonly amount: number;
  readonly quantity: number;
  readonly currency: string;
  readonly payment_method: PaymentMethod | null;
  readonly cancel_at_period_end: boolean;
  /** True until its pause begins: at the end of the period, once nothing is unpaid, unless it then ends. */
  readonly pause_at_period_end: boolean;
  /** When its pause ends; null without a pause, if the pause lasts until `resume`, or while it is set to end. */
  readonly resumes_at: string | null;
  /** Periods still to be charged after the current one, or after the trial; null without a limit and after the end. */
  readonly billing_cycles_left: number | null;
  /** When it ends, if it ends with its current period: set to cancel, or in its last billing cycle. An unpaid invoice of that cycle is retried first. */
  readonly ends_at: string | null;
  readonly cancelled_at: string | null;
  /** The discount on `amount` in the current period, or after the trial. */
  readonly coupon: SubscriptionCoupon | null;
  /** The announced move to its plan’s new price, until it applies. */
  readonly price_move: SubscriptionPriceMove | null;
  readonly change: SubscriptionChange | null;
  readonly request_id: string;
};

export type SubscriptionCancelRequest = {
  /** If true, at the end of the current period; by default immediately. */
  readonly at_period_end?: boolean | undefined;
  /** The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`), at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated` if it no longer applies. */
  readonly calculated_at?: string | undefined;
};

export type SubscriptionCancelledEvent = {
  readonly id: string;
  readonly type: 'subscription.cancelled';
  readonly occurred_at: string;
  readonly merchant_id: string;
  readonly customer: EventCustomer;
  readonly product: EventProduct;
  readonly subscription: EventSubscription;
  /** Null in this event. */
  readonly payment: EventPayment | null;
  readonly cancellation: EventCancellation;
  readonly checkout?: EventCheckout | undefined;
};

export type SubscriptionChange = {
  readonly action_id: string;
  readonly type: 'plan_change' | 'offering_change' | 'quantity_change';
  /** `pending`: its charge is under way or in doubt; `requires_action`: the customer must confirm and pay at `hostedUrl`, as the bank requires; `failed`: it was not paid. Nothing changes before `applied`. */
  readonly status: 'scheduled' | 'pending' | 'requires_action' | 'applied' | 'cancelled' | 'failed';
  /** With `requires_action`, the page on which the customer confirms and pays the change, for 24 hours and at most until the period ends; otherwise null, as in lists and for callers who may not act for subscribers. Send it only to the customer. */
  readonly hostedUrl: string | null;
  readonly target_plan_id: string;
  readonly target_offering_id: string | null;
  /** The quantity afterwards. */
  readonly quantity: number;
  /** UTC, with milliseconds. */
  readonly effective_at: string;
};

export type SubscriptionChangeAnswer = {
  readonly action_id: string;
  readonly type: 'plan_change' | 'offering_change' | 'quantity_change';
  /** `pending`: its charge is under way or in doubt; `requires_action`: the customer must confirm and pay at `hostedUrl`, as the bank requires; `failed`: it was not paid. Nothing changes before `applied`. */
  readonly status: 'scheduled' | 'pending' | 'requires_action' | 'applied' | 'cancelled' | 'failed';
  /** With `requires_action`, the page on which the customer confirms and pays the change, for 24 hours and at most until the period ends; otherwise null, as in lists and for callers who may not act for subscribers. Send it only to the customer. */
  readonly hostedUrl: string | null;
  readonly target_plan_id: string;
  readonly target_offering_id: string | null;
  /** The quantity afterwards. */
  readonly quantity: number;
  /** UTC, with milliseconds. */
  readonly effective_at: string;
  readonly request_id: string;
};

export type SubscriptionCommand = SubscriptionCommandCancel | SubscriptionCommandUndoCancel | SubscriptionCommandPause | SubscriptionCommandResume | SubscriptionCommandMoveTrial | SubscriptionCommandPay | SubscriptionCommandChangePlan | SubscriptionCommandChangeQuantity | SubscriptionCommandCancelChange | SubscriptionCommandAdvance;

export type SubscriptionCommandAdvance = {
  readonly command: 'advance';
  readonly to: string;
};

export type SubscriptionCommandCancel = {
  readonly command: 'cancel';
  readonly at_period_end: boolean;
  /** The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`), at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated` if it no longer applies. */
  readonly calculated_at?: string | undefined;
};

export type SubscriptionCommandCancelChange = {
  readonly command: 'cancel_change';
  readonly change_id: string;
};

export type SubscriptionCommandChangePlan = {
  readonly command: 'change_plan';
  readonly plan_id: string;
  /** Another offering; null for a plan of the current one. */
  readonly offering_id: string | null;
  /** Default: `period_end`. */
  readonly effective?: 'now' | 'period_end' | undefined;
  /** The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`), at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated` if it no longer applies. */
  readonly calculated_at?: string | undefined;
};

export type SubscriptionCommandChangeQuantity = {
  readonly command: 'change_quantity';
  /** Within the bounds of the plan. */
  readonly quantity: number;
  /** `now`: the unused share of the paid period is credited, and its remaining time charged at the new price (a whole new period if the interval differs). Default: `period_end`. */
  readonly effective?: 'now' | 'period_end' | undefined;
  /** The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`), at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated` if it no longer applies. */
  readonly calculated_at?: string | undefined;
};

export type SubscriptionCommandMoveTrial = {
  readonly command: 'move_trial';
  /** `now`, or RFC 3339, later than the subscription's clock by at most 730 days. */
  readonly ends_at: string;
  /** The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`), at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated` if it no longer applies. */
  readonly calculated_at?: string | undefined;
};

export type SubscriptionCommandPause = {
  readonly command: 'pause';
  readonly resumes_at: string | null;
};

export type SubscriptionCommandPay = {
  readonly command: 'pay';
  readonly invoice_id: string;
};

export type SubscriptionCommandResume = {
  readonly command: 'resume';
  /** The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`), at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated` if it no longer applies. */
  readonly calculated_at?: string | undefined;
};

export type SubscriptionCommandUndoCancel = {
  readonly command: 'undo_cancel';
};

export type SubscriptionCounts = {
  readonly active: number;
  readonly trialing: number;
  readonly past_due: number;
  /** Monthly recurring revenue: the prices of the next periods, less coupons, by interval and including tax. Excludes subscriptions that end or pause with their period. */
  readonly monthly_amount: number;
};

export type SubscriptionCoupon = {
  readonly id: string;
  readonly code: string;
  readonly percent: number | null;
  /** Cents off each charge; null if it takes `percent`. */
  readonly amount: number | null;
  /** The number of charges after the current period, or after the trial, that it will reduce; null for all. */
  readonly periods_left: number | null;
};

export type SubscriptionCreatedEvent = {
  readonly id: string;
  readonly type: 'subscription.created';
  readonly occurred_at: string;
  readonly merchant_id: string;
  readonly customer: EventCustomer;
  readonly product: EventProduct;
  readonly subscription: EventSubscription;
  readonly payment: EventPayment;
  readonly charge: EventCharge;
  readonly checkout?: EventCheckout | undefined;
};

export type SubscriptionCustomer = {
  readonly id: string;
  readonly email: string | null;
  readonly name: string | null;
};

export type SubscriptionDetailsAnswer = {
  readonly id: string;
  readonly customer_id: string;
  readonly product_id: string;
  readonly plan: SubscriptionPlan;
  /** The price of its plan at which it renews. */
  readonly price_id: string;
  readonly offering: SubscriptionOffering | null;
  readonly status: 'incomplete' | 'trialing' | 'active' | 'past_due' | 'cancelled' | 'expired' | 'paused';
  readonly current_period_start: string | null;
  readonly current_period_end: string | null;
  readonly trial_start: string | null;
  readonly trial_end: string | null;
  /** The price of a period: unit price times `quantity`. */
  readonly amount: number;
  readonly quantity: number;
  readonly currency: string;
  readonly payment_method: PaymentMethod | null;
  readonly cancel_at_period_end: boolean;
  /** True until its pause begins: at the end of the period, once nothing is unpaid, unless it then ends. */
  readonly pause_at_period_end: boolean;
  /** When its pause ends; null without a pause, if the pause lasts until `resume`, or while it is set to end. */
  readonly resumes_at: string | null;
  /** Periods still to be charged after the current one, or after the trial; null without a limit and after the end. */
  readonly billing_cycles_left: number | null;
  /** When it ends, if it ends with its current period: set to cancel, or in its last billing cycle. An unpaid invoice of that cycle is retried first. */
  readonly ends_at: string | null;
  readonly cancelled_at: string | null;
  /** The discount on `amount` in the current period, or after the trial. */
  readonly coupon: SubscriptionCoupon | null;
  /** The announced move to its plan’s new price, until it applies. */
  readonly price_move: SubscriptionPriceMove | null;
  readonly change: SubscriptionChange | null;
  readonly customer: SubscriptionCustomer;
  /** By the subscription’s clock; null if nothing will be charged. */
  readonly next_charge_at: string | null;
  /** The current time by the subscription’s clock, which may be ahead in the sandbox. */
  readonly clock: string;
  /** `from` and `to` are compared with it. */
  readonly created_at: string;
  readonly environment: 'sandbox' | 'production';
  readonly checkout_id: string | null;
  /** The target of a moving sandbox clock. */
  readonly clock_target: string | null;
  /** It ends as soon as its open charge is settled. */
  readonly cancel_requested_at: string | null;
  /** Nothing is charged: a dispute was lost, or an operator has not yet decided about a request that was lost in a restore. */
  readonly charging_stopped_at: string | null;
  /** The next period, with the scheduled change and the coupon; null if none follows, or while it is past due. */
  readonly next_renewal: SubscriptionNextRenewal | null;
  readonly dunning: SubscriptionDunning | null;
  /** Oldest first, the latest hundred. */
  readonly timeline: readonly SubscriptionHappening[];
  readonly request_id: RequestId;
};

export type SubscriptionDunning = {
  /** The start of the oldest unpaid period. */
  readonly unpaid_since: string;
  /** Declined charges for that period. */
  readonly declines: number;
  /** `charge`: one is under way; `retry`: the next one is at `retry_at`; `payment_method`: nothing is charged before the customer replaces it; `nothing`: charging has stopped, or the subscription ends first. */
  readonly waits_for: 'charge' | 'retry' | 'payment_method' | 'nothing';
  readonly retry_at: string | null;
  /** When the subscription ends if it stays unpaid; null until an operator has decided about a request that was lost in a restore. */
  readonly ends_at: string | null;
  /** Why the latest charge failed. */
  readonly failure_code: string | null;
};

export type SubscriptionHappening = {
  /** By the subscription’s clock. */
  readonly at: string;
  readonly what: 'payment.succeeded' | 'payment.failed' | 'subscription.created' | 'subscription.updated' | 'subscription.trial_ending' | 'subscription.renewal_upcoming' | 'subscription.paused' | 'subscription.resumed' | 'subscription.cancelled' | 'invoice.created' | 'invoice.payment_failed' | 'refund.created' | 'credit_note.created' | 'payment_method.updated' | 'payment_method.updated_required' | 'payment_method.update_failed' | 'billing.operational_alert';
  /** What `subscription.updated` reports; null if only the status changed, and for other events. */
  readonly change: 'renewed' | 'cancellation_set' | 'cancellation_undone' | 'pause_set' | 'pause_withdrawn' | 'trial_moved' | 'plan_change_scheduled' | 'quantity_change_scheduled' | 'plan_changed' | 'quantity_changed' | 'change_waits' | 'change_failed' | 'change_withdrawn' | 'price_move_announced' | 'price_move_withdrawn' | 'charging_stopped' | 'charging_continued' | 'imported' | null;
  readonly event_id: string;
  /** The subscription’s status afterwards. */
  readonly status: string | null;
  readonly payment_id: string | null;
  /** open: at least one dispute is open; lost: one was lost; null: there is none, or each was won. */
  readonly payment_dispute_status: 'open' | 'lost' | null;
  /** Amount of the refund, the invoice or the payment. */
  readonly amount: number | null;
};

export type SubscriptionList = {
  readonly data: readonly Subscription[];
  readonly request_id: RequestId;
};

export type SubscriptionNextRenewal = {
  /** When it begins; null during a pause without a date. */
  readonly at: string | null;
  /** The amount charged for a period that begins then; during a pause without a date, for one that begins now. */
  readonly total: number;
};

export type SubscriptionOffering = {
  readonly id: string;
  readonly name: string;
};

export type SubscriptionPauseRequest = {
  /** RFC 3339, after the end of the period, at most five years later. By default it lasts until `resume`. */
  readonly resumes_at?: string | null | undefined;
};

export type SubscriptionPausedEvent = {
  readonly id: string;
  readonly type: 'subscription.paused';
  readonly occurred_at: string;
  readonly merchant_id: string;
  readonly customer: EventCustomer;
  readonly product: EventProduct;
  readonly subscription: EventSubscription;
  /** Null in this event. */
  readonly payment: EventPayment | null;
  readonly checkout?: EventCheckout | undefined;
};

export type SubscriptionPlan = {
  readonly id: string;
  readonly name: string;
};

export type SubscriptionPriceMove = {
  readonly id: string;
  /** The new price of a period: unit price times `quantity`. */
  readonly amount: number;
  /** The first period that begins at or after this time is charged at the new price. */
  readonly from: string;
};

export type SubscriptionRenewalUpcomingEvent = {
  readonly id: string;
  readonly type: 'subscription.renewal_upcoming';
  readonly occurred_at: string;
  readonly merchant_id: string;
  readonly customer: EventCustomer;
  readonly product: EventProduct;
  readonly subscription: EventSubscription;
  /** Null in this event. */
  readonly payment: EventPayment | null;
  readonly next_renewal: EventRenewal;
  readonly checkout?: EventCheckout | undefined;
};

export type SubscriptionResumeRequest = {
  /** The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`), at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated` if it no longer applies. */
  readonly calculated_at?: string | undefined;
};

export type SubscriptionResumedEvent = {
  readonly id: string;
  readonly type: 'subscription.resumed';
  readonly occurred_at: string;
  readonly merchant_id: string;
  readonly customer: EventCustomer;
  readonly product: EventProduct;
  readonly subscription: EventSubscription;
  /** Null in this event. */
  readonly payment: EventPayment | null;
  readonly checkout?: EventCheckout | undefined;
};

export type SubscriptionTrialEndingEvent = {
  readonly id: string;
  readonly type: 'subscription.trial_ending';
  readonly occurred_at: string;
  readonly merchant_id: string;
  readonly customer: EventCustomer;
  readonly product: EventProduct;
  readonly subscription: EventSubscription;
  /** Null in this event. */
  readonly payment: EventPayment | null;
  readonly next_renewal: EventRenewal;
  readonly checkout?: EventCheckout | undefined;
};

export type SubscriptionTrialRequest = {
  /** `now`, or RFC 3339, later than the subscription's clock by at most 730 days. */
  readonly ends_at: string;
  /** The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`), at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated` if it no longer applies. */
  readonly calculated_at?: string | undefined;
};

export type SubscriptionUpdatedEvent = {
  readonly id: string;
  readonly type: 'subscription.updated';
  readonly occurred_at: string;
  readonly merchant_id: string;
  readonly customer: EventCustomer;
  readonly product: EventProduct;
  readonly subscription: EventSubscription;
  /** Null in this event. */
  readonly payment: EventPayment | null;
  readonly cancellation?: EventCancellation | undefined;
  readonly checkout?: EventCheckout | undefined;
};

export type TaxSummaryAnswer = {
  readonly data: readonly TaxSummaryRow[];
  readonly request_id: string;
};

/** `invoiced` sums the invoices issued in the month, except void ones, and `credited` its credit notes; `total` is `invoiced` less `credited`. */
export type TaxSummaryRow = {
  readonly currency: string;
  /** Percent. */
  readonly tax_rate: number;
  readonly invoiced: TaxSums;
  readonly credited: TaxSums;
  readonly total: TaxSums;
};

export type TaxSums = {
  /** Integer cents; negative in a credit. */
  readonly net: number;
  /** Integer cents; negative in a credit. */
  readonly tax: number;
  /** Integer cents; negative in a credit. */
  readonly gross: number;
};

export type WebhookDelivery = {
  readonly endpoint_id: string;
  readonly status: 'pending' | 'succeeded' | 'exhausted' | 'held';
  readonly attempts: number;
  readonly next_attempt_at: string | null;
  readonly last_attempt_at: string | null;
  /** HTTP status of the last attempt. */
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly succeeded_at: string | null;
};

export type WebhookEndpoint = {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: 'sandbox' | 'production';
  readonly url: string;
  /** Null means every type. */
  readonly event_types: readonly string[] | null;
  /** Adds webhook-id, webhook-timestamp and webhook-signature of Standard Webhooks. */
  readonly standard_headers: boolean;
  readonly status: 'enabled' | 'paused' | 'disabled';
  /** gone: it answered 410. failing: only failures for five days. */
  readonly disabled_reason: 'gone' | 'failing' | null;
  /** Start of the current run of failures. */
  readonly failing_since: string | null;
  /** HTTP status of the latest failure in the run; null without a response. */
  readonly failing_status: number | null;
  /** Deliveries that wait while it fails or is slow, counted up to 10,000; otherwise null. */
  readonly failing_waiting: number | null;
  /** Average response time of its latest deliveries if events have waited 15 minutes for its responses; otherwise null. */
  readonly slow_answer_ms: number | null;
  /** How long the previous secret also signs. */
  readonly previous_secret_until: string | null;
  readonly created_at: string;
  readonly updated_at: string;
};

export type WebhookEndpointAnswer = {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: 'sandbox' | 'production';
  readonly url: string;
  /** Null means every type. */
  readonly event_types: readonly string[] | null;
  /** Adds webhook-id, webhook-timestamp and webhook-signature of Standard Webhooks. */
  readonly standard_headers: boolean;
  readonly status: 'enabled' | 'paused' | 'disabled';
  /** gone: it answered 410. failing: only failures for five days. */
  readonly disabled_reason: 'gone' | 'failing' | null;
  /** Start of the current run of failures. */
  readonly failing_since: string | null;
  /** HTTP status of the latest failure in the run; null without a response. */
  readonly failing_status: number | null;
  /** Deliveries that wait while it fails or is slow, counted up to 10,000; otherwise null. */
  readonly failing_waiting: number | null;
  /** Average response time of its latest deliveries if events have waited 15 minutes for its responses; otherwise null. */
  readonly slow_answer_ms: number | null;
  /** How long the previous secret also signs. */
  readonly previous_secret_until: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly request_id: RequestId;
};

export type WebhookEndpointChanges = {
  readonly url?: string | undefined;
  /** Null selects every type. */
  readonly event_types?: readonly ('payment.succeeded' | 'payment.failed' | 'subscription.created' | 'subscription.updated' | 'subscription.trial_ending' | 'subscription.renewal_upcoming' | 'subscription.paused' | 'subscription.resumed' | 'subscription.cancelled' | 'invoice.created' | 'invoice.payment_failed' | 'refund.created' | 'credit_note.created' | 'payment_method.updated' | 'payment_method.updated_required' | 'payment_method.update_failed' | 'billing.operational_alert' | 'webhook.test')[] | null | undefined;
  readonly standard_headers?: boolean | undefined;
  readonly status?: 'enabled' | 'paused' | undefined;
};

export type WebhookEndpointList = {
  readonly data: readonly WebhookEndpoint[];
  readonly request_id: RequestId;
};

export type WebhookEndpointRequest = {
  readonly environment: 'sandbox' | 'production';
  readonly url: string;
  readonly event_types?: readonly ('payment.succeeded' | 'payment.failed' | 'subscription.created' | 'subscription.updated' | 'subscription.trial_ending' | 'subscription.renewal_upcoming' | 'subscription.paused' | 'subscription.resumed' | 'subscription.cancelled' | 'invoice.created' | 'invoice.payment_failed' | 'refund.created' | 'credit_note.created' | 'payment_method.updated' | 'payment_method.updated_required' | 'payment_method.update_failed' | 'billing.operational_alert' | 'webhook.test')[] | undefined;
  readonly standard_headers?: boolean | undefined;
};

export type WebhookEndpointWithSecret = {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: 'sandbox' | 'production';
  readonly url: string;
  /** Null means every type. */
  readonly event_types: readonly string[] | null;
  /** Adds webhook-id, webhook-timestamp and webhook-signature of Standard Webhooks. */
  readonly standard_headers: boolean;
  readonly status: 'enabled' | 'paused' | 'disabled';
  /** gone: it answered 410. failing: only failures for five days. */
  readonly disabled_reason: 'gone' | 'failing' | null;
  /** Start of the current run of failures. */
  readonly failing_since: string | null;
  /** HTTP status of the latest failure in the run; null without a response. */
  readonly failing_status: number | null;
  /** Deliveries that wait while it fails or is slow, counted up to 10,000; otherwise null. */
  readonly failing_waiting: number | null;
  /** Average response time of its latest deliveries if events have waited 15 minutes for its responses; otherwise null. */
  readonly slow_answer_ms: number | null;
  /** How long the previous secret also signs. */
  readonly previous_secret_until: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** Shown only once. */
  readonly secret: string;
  readonly request_id: RequestId;
};

export type WebhookLogAttempt = {
  readonly event_id: string;
  readonly event_type: string;
  readonly endpoint_id: string;
  readonly environment: 'sandbox' | 'production';
  readonly attempt: number;
  /** When it ended. */
  readonly at: string;
  readonly duration_ms: number;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  /** Human-readable; null if it was delivered. */
  readonly error: string | null;
  /** The first 2 KiB of the response. */
  readonly response: string | null;
  /** The headers as sent, with the signature. */
  readonly request_headers: Record<string, string>;
  readonly next_attempt_at: string | null;
};

export type WebhookLogAttemptPage = {
  readonly data: readonly WebhookLogAttempt[];
  readonly request_id: RequestId;
  /** The `cursor` of the next page; null on the last page. */
  readonly next_cursor: string | null;
};

export type WebhookLogEvent = {
  readonly id: string;
  readonly environment: 'sandbox' | 'production';
  readonly type: 'payment.succeeded' | 'payment.failed' | 'subscription.created' | 'subscription.updated' | 'subscription.trial_ending' | 'subscription.renewal_upcoming' | 'subscription.paused' | 'subscription.resumed' | 'subscription.cancelled' | 'invoice.created' | 'invoice.payment_failed' | 'refund.created' | 'credit_note.created' | 'payment_method.updated' | 'payment_method.updated_required' | 'payment_method.update_failed' | 'billing.operational_alert' | 'webhook.test';
  readonly occurred_at: string;
  readonly recorded_at: string;
  /** Empty if no endpoint was subscribed to the type. */
  readonly deliveries: readonly WebhookDelivery[];
};

export type WebhookLogEventAnswer = {
  readonly id: string;
  readonly environment: 'sandbox' | 'production';
  readonly type: 'payment.succeeded' | 'payment.failed' | 'subscription.created' | 'subscription.updated' | 'subscription.trial_ending' | 'subscription.renewal_upcoming' | 'subscription.paused' | 'subscription.resumed' | 'subscription.cancelled' | 'invoice.created' | 'invoice.payment_failed' | 'refund.created' | 'credit_note.created' | 'payment_method.updated' | 'payment_method.updated_required' | 'payment_method.update_failed' | 'billing.operational_alert' | 'webhook.test';
  readonly occurred_at: string;
  readonly recorded_at: string;
  /** Empty if no endpoint was subscribed to the type. */
  readonly deliveries: readonly WebhookDelivery[];
  /** The JSON text of every delivery. */
  readonly body: string;
  readonly request_id: RequestId;
};

export type WebhookLogEventPage = {
  readonly data: readonly WebhookLogEvent[];
  readonly request_id: RequestId;
  /** The `cursor` of the next page; null on the last page. */
  readonly next_cursor: string | null;
};

export type WebhookRecovery = {
  readonly endpoint_id: string;
  readonly since: string;
  /** Events after this instant are delivered normally. */
  readonly until: string;
  readonly request_id: RequestId;
};

export type WebhookRecoveryRequest = {
  /** Events from this instant on. */
  readonly since: string;
};

export type WebhookResend = {
  readonly event_id: string;
  readonly endpoint_ids: readonly string[];
  readonly request_id: RequestId;
};

export type WebhookResendRequest = {
  /** If absent, all original endpoints of the event. */
  readonly endpoint_id?: string | undefined;
};

export type WebhookSecretRotation = {
  /** If true, the current secret also signs for 24 hours. Rejected while an earlier overlap lasts. */
  readonly overlap?: boolean | undefined;
};

export type WebhookTestEvent = {
  readonly id: string;
  readonly type: 'webhook.test';
  readonly occurred_at: string;
  readonly merchant_id: string;
  /** Null in this event. */
  readonly customer: EventCustomer | null;
  /** Null in this event. */
  readonly product: EventProduct | null;
  /** Null in this event. */
  readonly subscription: EventSubscription | null;
  /** Null in this event. */
  readonly payment: EventPayment | null;
};

export type WithdrawOperation = {
  /** The reason, for the audit log. Do not include personal data. */
  readonly reason: string;
};

/** Every event, distinguished by `type`. Ignore types that you do not know: new ones may be added. */
export type WebhookEvent =
  | PaymentSucceededEvent
  | PaymentFailedEvent
  | SubscriptionCreatedEvent
  | SubscriptionUpdatedEvent
  | SubscriptionTrialEndingEvent
  | SubscriptionRenewalUpcomingEvent
  | SubscriptionPausedEvent
  | SubscriptionResumedEvent
  | SubscriptionCancelledEvent
  | InvoiceCreatedEvent
  | InvoicePaymentFailedEvent
  | RefundCreatedEvent
  | CreditNoteCreatedEvent
  | PaymentMethodUpdatedEvent
  | PaymentMethodUpdatedRequiredEvent
  | PaymentMethodUpdateFailedEvent
  | BillingOperationalAlertEvent
  | WebhookTestEvent;

/** The error codes of this version; new ones may be added. */
export type ErrorCode =
  | 'access_token_expired'
  | 'access_token_invalid'
  | 'access_token_role_missing'
  | 'administration_forbidden'
  | 'api_key_invalid'
  | 'api_key_limit_reached'
  | 'api_key_not_allowed'
  | 'api_key_not_found'
  | 'api_key_scope_insufficient'
  | 'change_needs_period_end'
  | 'checkout_amount_exceeds_price'
  | 'checkout_amount_invalid'
  | 'checkout_amount_not_allowed_with_trial'
  | 'checkout_billingDetails_invalid'
  | 'checkout_city_invalid'
  | 'checkout_client_not_found'
  | 'checkout_country_invalid'
  | 'checkout_couponCode_invalid'
  | 'checkout_couponCode_not_allowed_with_amount'
  | 'checkout_customer_invalid'
  | 'checkout_email_invalid'
  | 'checkout_externalCustomerId_invalid'
  | 'checkout_externalCustomerId_required'
  | 'checkout_failUrl_invalid'
  | 'checkout_failed'
  | 'checkout_idempotency_key_not_allowed'
  | 'checkout_line1_invalid'
  | 'checkout_line2_invalid'
  | 'checkout_locale_invalid'
  | 'checkout_merchantReference_invalid'
  | 'checkout_name_invalid'
  | 'checkout_not_found'
  | 'checkout_paymentMethod_invalid'
  | 'checkout_postal_code_invalid'
  | 'checkout_productId_invalid'
  | 'checkout_productId_required'
  | 'checkout_productReference_invalid'
  | 'checkout_productReference_required'
  | 'checkout_quantity_invalid'
  | 'checkout_reconciliation_invalid'
  | 'checkout_region_invalid'
  | 'checkout_successUrl_invalid'
  | 'checkout_tax_invalid'
  | 'checkout_type_invalid'
  | 'checkout_value_invalid'
  | 'coupon_amount_zero'
  | 'coupon_code_taken'
  | 'coupon_invalid'
  | 'coupon_not_found'
  | 'coupon_not_redeemable'
  | 'customer_not_found'
  | 'dependency_unavailable'
  | 'external_reference_taken'
  | 'idempotency_key_conflict'
  | 'idempotency_key_in_progress'
  | 'idempotency_key_invalid'
  | 'idempotency_key_required'
  | 'internal_error'
  | 'invalid_json'
  | 'invalid_request'
  | 'invoice_not_found'
  | 'invoice_not_payable'
  | 'invoice_older_unpaid'
  | 'merchant_feature_not_enabled'
  | 'merchant_id_not_allowed'
  | 'merchant_inactive'
  | 'merchant_not_found'
  | 'merchant_scope_mismatch'
  | 'offering_not_found'
  | 'offering_unchanged'
  | 'operation_refused'
  | 'operation_subject_not_found'
  | 'order_not_found'
  | 'origin_not_allowed'
  | 'payload_too_large'
  | 'payment_disputed'
  | 'payment_method_change_billingDetails_invalid'
  | 'payment_method_change_city_invalid'
  | 'payment_method_change_country_invalid'
  | 'payment_method_change_customer_invalid'
  | 'payment_method_change_customer_required'
  | 'payment_method_change_email_invalid'
  | 'payment_method_change_email_required'
  | 'payment_method_change_externalCustomerId_invalid'
  | 'payment_method_change_externalCustomerId_required'
  | 'payment_method_change_failUrl_invalid'
  | 'payment_method_change_failUrl_required'
  | 'payment_method_change_line1_invalid'
  | 'payment_method_change_line2_invalid'
  | 'payment_method_change_name_invalid'
  | 'payment_method_change_postal_code_invalid'
  | 'payment_method_change_region_invalid'
  | 'payment_method_change_subscriptionId_invalid'
  | 'payment_method_change_subscriptionId_required'
  | 'payment_method_change_successUrl_invalid'
  | 'payment_method_change_successUrl_required'
  | 'payment_method_change_tax_invalid'
  | 'payment_method_change_type_invalid'
  | 'payment_method_change_value_invalid'
  | 'payment_method_declined'
  | 'payment_not_found'
  | 'payment_not_refundable'
  | 'payment_rail_activation_in_progress'
  | 'payment_rail_unavailable'
  | 'plan_in_other_offering'
  | 'plan_incompatible'
  | 'plan_not_found'
  | 'plan_unchanged'
  | 'preview_outdated'
  | 'price_changed'
  | 'price_id_not_allowed'
  | 'price_move_date_invalid'
  | 'price_move_exists'
  | 'price_move_incompatible'
  | 'price_move_not_found'
  | 'price_not_found'
  | 'price_terms_immutable'
  | 'price_terms_inconsistent'
  | 'product_image_refused'
  | 'product_in_offering'
  | 'product_not_found'
  | 'product_not_recurring'
  | 'quantity_unchanged'
  | 'rail_account_not_found'
  | 'rail_account_refused'
  | 'rate_limited'
  | 'recurring_price_interval_missing'
  | 'refund_amount_exceeds_payment'
  | 'refund_currency_mismatch'
  | 'refund_limit_exceeded'
  | 'refund_not_found'
  | 'refundable_amount_changed'
  | 'refunds_not_supported'
  | 'request_timeout'
  | 'route_not_found'
  | 'sandbox_only'
  | 'service_api_key_required'
  | 'service_merchant_forbidden'
  | 'subscription_cancel_not_scheduled'
  | 'subscription_cancel_scheduled'
  | 'subscription_change_not_found'
  | 'subscription_change_not_scheduled'
  | 'subscription_change_scheduled'
  | 'subscription_charge_pending'
  | 'subscription_charging_stopped'
  | 'subscription_exists'
  | 'subscription_finished'
  | 'subscription_incomplete'
  | 'subscription_not_found'
  | 'subscription_not_paused'
  | 'subscription_not_trialing'
  | 'subscription_past_due'
  | 'subscription_paused'
  | 'subscription_quantity_invalid'
  | 'subscription_trialing'
  | 'unknown_field'
  | 'unsupported_media_type'
  | 'webhook_endpoint_limit_reached'
  | 'webhook_endpoint_not_enabled'
  | 'webhook_endpoint_not_found'
  | 'webhook_event_not_found'
  | 'webhook_recovery_in_progress'
  | 'webhook_secret_overlap_running';
