"""A method for each operation of the API, with its name."""

# Generated from docs/openapi.json by `npm run openapi`: do not edit.

from __future__ import annotations

from typing import cast

from ._caller import AsyncCaller, Caller, path_part
from .schemas import (
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
    CreditNoteList,
    CreditNotePage,
    CustomerDataRequest,
    CustomerErasure,
    CustomerExport,
    DeletedWebhookEndpoint,
    DisputeList,
    EmptyRequest,
    ExportCheckoutsQuery,
    ExportCreditNotesQuery,
    ExportDisputesQuery,
    ExportInvoicesQuery,
    ExportPaymentsQuery,
    ExportRefundsQuery,
    ExportSubscriptionsQuery,
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
    ListApiKeysQuery,
    ListAuditQuery,
    ListIncidentsQuery,
    ListMerchantCreditNotesQuery,
    ListMerchantDisputesQuery,
    ListMerchantHealthQuery,
    ListMerchantInvoicesQuery,
    ListMerchantOrdersQuery,
    ListMerchantPaymentsQuery,
    ListMerchantRefundsQuery,
    ListMerchantSubscriptionsQuery,
    ListMerchantsQuery,
    ListOperatorAuditQuery,
    ListRailAccountsQuery,
    ListStorefrontClientsQuery,
    ListWebhookAttemptsQuery,
    ListWebhookEndpointsQuery,
    ListWebhookEventsQuery,
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
    PaymentList,
    PaymentMethodChange,
    PaymentMethodChangeRequest,
    PlanChangeRequest,
    PreviewBrandingQuery,
    PreviewSubscriptionChangeQuery,
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
    SearchCheckoutsQuery,
    SearchCreditNotesQuery,
    SearchCustomersQuery,
    SearchDisputesQuery,
    SearchInvoicesQuery,
    SearchPaymentsQuery,
    SearchProductsQuery,
    SearchRefundsQuery,
    SearchSubjectsQuery,
    SearchSubscriptionsQuery,
    SentTestEvent,
    SettableRailList,
    ShowMerchantDashboardQuery,
    ShowOverviewQuery,
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
)

class HostedCheckout(Caller):
    """The API of an installation. Safe to share between threads."""

    def show_health(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> Health:
        """Whether requests can be served.

        Without Temporal the API is `degraded` but ready: sessions are created and start when it is back.
        """
        return cast("Health", self._call(
            "GET",
            "/healthz",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def create_checkout(
        self,
        body: CheckoutRequest,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CheckoutSession:
        """Create a checkout session.

        A hosted session in the environment of the key. Send the buyer's browser to `hostedUrl` within 30
        minutes; declined attempts may be repeated there. `payment.succeeded` or `payment.failed` reports
        each attempt; a recurring product creates a subscription, reported by `subscription.created`.

        The merchant comes from the key and the price from the product: `merchantId` and `priceId` are
        refused, and so is an `Idempotency-Key` header. An unpaid session costs nothing: after a 5xx create
        another.

        Checked in this order: key, merchant, `Idempotency-Key`, body, its fields as listed, `merchantId`,
        `priceId`, product, capability, price, `quantity`, `amount`, rail account.
        """
        return cast("CheckoutSession", self._call(
            "POST",
            "/v1/checkouts",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show_checkout(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CheckoutDetailsAnswer:
        """One checkout session.

        State, failure reason, attempts, and resulting objects. A session that ends without an attempt sends
        no event: read its state here. Deliver on `payment.succeeded`, not on this response.
        """
        return cast("CheckoutDetailsAnswer", self._call(
            "GET",
            f"/v1/checkouts/{path_part(id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_products(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ProductList:
        """All products.

        The catalogue, which serves both environments: each product with its active price, including
        inactive products.
        """
        return cast("ProductList", self._call(
            "GET",
            "/v1/products",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_orders(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OrderList:
        """All orders.

        One order for each session with a payment attempt, for each period of a subscription and for each
        manual charge.
        """
        return cast("OrderList", self._call(
            "GET",
            "/v1/orders",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_payments(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PaymentList:
        """All payments.

        One payment for each attempt. The field credential_secret_ref is never returned.
        """
        return cast("PaymentList", self._call(
            "GET",
            "/v1/payments",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_subscriptions(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionList:
        """All subscriptions.

        Every subscription with a first payment attempt, in every status.
        """
        return cast("SubscriptionList", self._call(
            "GET",
            "/v1/subscriptions",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_current_subscriptions(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionList:
        """Alias of the full list of subscriptions.

        Every subscription with a first payment attempt, in every status.
        """
        return cast("SubscriptionList", self._call(
            "GET",
            "/v1/subscriptions/current",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_invoices(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> InvoiceList:
        """All invoices.

        As issued. `created` with `amount_due` 0 is the settled invoice. `pdf_url` opens without a key:
        treat it as a secret of the customer.
        """
        return cast("InvoiceList", self._call(
            "GET",
            "/v1/invoices",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_credit_notes(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CreditNoteList:
        """All credit notes.

        As issued. A refund of a payment with an invoice has one as soon as it is `succeeded`. `pdf_url`
        opens without a key: treat it as a secret of the customer.
        """
        return cast("CreditNoteList", self._call(
            "GET",
            "/v1/credit-notes",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show_billing_dashboard(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> BillingDashboard:
        """Counters.

        Counts of billing objects in the environment of the key. `subscriptions` is present only with the
        subscriptions capability.
        """
        return cast("BillingDashboard", self._call(
            "GET",
            "/v1/billing/dashboard",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def cancel_subscription(
        self,
        id: str,
        body: SubscriptionCancelRequest | None = None,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Cancel a subscription.

        Ends it immediately, or with `at_period_end` at the end of the current period; it continues until
        then. `subscription.cancelled` reports the end. A charge in progress is settled first: the response
        may then show the subscription in its current state. Cancel a scheduled change before.
        """
        return cast("SubscriptionAnswer", self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/cancel",
            body=body or {},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def undo_subscription_cancel(
        self,
        id: str,
        body: EmptyRequest | None = None,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Take back a cancellation.

        Takes back a cancellation at the end of the period, before that end: the subscription continues and
        renews as before. `subscription.updated` reports it. A cancellation that ends the subscription
        immediately cannot be taken back.
        """
        return cast("SubscriptionAnswer", self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/cancel/undo",
            body=body or {},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def pause_subscription(
        self,
        id: str,
        body: SubscriptionPauseRequest | None = None,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Pause a subscription.

        From the end of the paid period the subscription is `paused`, and nothing is charged until
        `resumes_at` or `resume`, which begins a period. Retries of an unpaid invoice go on; the pause
        begins once it is paid. Repeated, it changes the date. `subscription.updated` reports it;
        `subscription.paused` is sent when the pause begins, to endpoints that name it.
        """
        return cast("SubscriptionAnswer", self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/pause",
            body=body or {},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def resume_subscription(
        self,
        id: str,
        body: EmptyRequest | None = None,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Resume a paused subscription.

        Begins a period now and charges it with the stored method; later periods are counted from now. A
        pause that has not begun is taken back, and nothing is charged. The answer waits up to five seconds
        for the period to begin. `subscription.updated` reports it; `subscription.resumed` is sent when the
        period begins, to endpoints that name it.
        """
        return cast("SubscriptionAnswer", self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/resume",
            body=body or {},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def change_plan(
        self,
        id: str,
        body: PlanChangeRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Change the plan.

        Another plan of the same offering, from the end of the current period or trial. `target_product_id`
        is an alias of `target_plan_id`: a plan *is* a recurring product. Nothing is charged before the
        change applies; `subscription.updated` reports the schedule and the change. With `effective` `now`
        the difference is charged to the stored method, and the plan changes when that is paid:
        `change.status` is then `applied`. A decline is 202 with `failed`, and nothing has changed; until
        the answer is known, it is `pending`, and other operations are refused. A change that costs nothing
        now is 409 `change_needs_period_end`.
        """
        return cast("SubscriptionAnswer", self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/plan-change",
            body=body,
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def preview_plan_change(
        self,
        id: str,
        body: PlanChangeRequest,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ChangePreviewAnswer:
        """Preview a plan change.

        With the body of the change: its lines and total, and what the next renewal will charge. Nothing
        changes. Send its `calculated_at` with the change to charge exactly these lines, within 15 minutes,
        while nothing else has changed (409 `preview_outdated` otherwise).
        """
        return cast("ChangePreviewAnswer", self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/plan-change/preview",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def change_offering(
        self,
        id: str,
        body: OfferingChangeRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Change to a plan of another offering.

        Switches to a plan of another offering at the end of the current period or trial. A subscription
        whose plan is in no offering can change plans only this way. `effective` as in `plan-change`.
        """
        return cast("SubscriptionAnswer", self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/offering-change",
            body=body,
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def cancel_subscription_change(
        self,
        id: str,
        body: ChangeCancelRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionChangeAnswer:
        """Cancel a scheduled change.

        Cancels a plan or offering change, named by its `action_id`. The subscription stays unchanged.
        """
        return cast("SubscriptionChangeAnswer", self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/plan-change/cancel",
            body=body,
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def pay_invoice(
        self,
        id: str,
        body: EmptyRequest | None = None,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PaidInvoiceAnswer:
        """Charge an unpaid invoice now.

        One attempt with the stored method against the same invoice, beside the retry schedule. An attempt
        under way is joined, so that both make one charge. The answer waits up to five seconds for it:
        `payment.status` says how it went, and a decline is 200 with `failed`. At most three attempts a day
        (429), the oldest unpaid invoice first; after a decline that forbids another attempt, only with
        another method.
        """
        return cast("PaidInvoiceAnswer", self._call(
            "POST",
            f"/v1/invoices/{path_part(id)}/pay",
            body=body or {},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def advance_subscription_clock(
        self,
        id: str,
        body: AdvanceRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Move the clock of a sandbox subscription.

        Sandbox only. Moves the clock of this one subscription forward, through every renewal, trial end and
        retry on the way, each with its payments, invoices and events, so that a year takes seconds. The
        response comes on arrival or, if that takes long, while the clock is still moving. At most 20 years
        ahead of today, 500 billing boundaries per request, and two clocks of a merchant at once (429).
        """
        return cast("SubscriptionAnswer", self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/advance",
            body=body,
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def change_payment_method(
        self,
        body: PaymentMethodChangeRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PaymentMethodChange:
        """Let a customer replace the payment method.

        A hosted action, open for 15 minutes, in which the customer of a subscription replaces the card.
        Send the customer's browser to `hostedUrl`. `payment_method.updated` or
        `payment_method.update_failed` reports the result; an overdue invoice is charged with the new method
        immediately. A newer action replaces an older one.
        """
        return cast("PaymentMethodChange", self._call(
            "POST",
            "/v1/payment-methods/change",
            body=body,
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def create_manual_charge(
        self,
        body: ManualChargeRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ManualChargeAnswer:
        """Record a local charge.

        **This collects no money.** It creates a local payment in `processing`: nothing is sent to a card
        processor, the order stays unchanged, no event is sent, and the payment never progresses. Do not
        deliver goods on it.
        """
        return cast("ManualChargeAnswer", self._call(
            "POST",
            "/v1/manual-charges",
            body=body,
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def echo_invoice_settings(
        self,
        body: InvoiceSettings | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> InvoiceSettingsAnswer:
        """Echo invoice settings.

        **Nothing is stored.** The response echoes the body; invoices stay unchanged, and the next response
        does not include this one’s values.
        """
        return cast("InvoiceSettingsAnswer", self._call(
            "PATCH",
            "/v1/invoice-settings",
            body=body or {},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def echo_invoice_setting(
        self,
        id: str,
        body: InvoiceSettings | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> InvoiceSettingsAnswer:
        """Echo one of the invoice settings.

        **Nothing is stored.** The response echoes the body; invoices stay unchanged, and the next response
        does not include this one’s values.
        """
        return cast("InvoiceSettingsAnswer", self._call(
            "PATCH",
            f"/v1/invoice-settings/{path_part(id)}",
            body=body or {},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_refunds(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> RefundList:
        """All refunds.

        Each in its current state, newest first.
        """
        return cast("RefundList", self._call(
            "GET",
            "/v1/refunds",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def create_refund(
        self,
        body: RefundRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> RefundAnswer:
        """Refund a payment.

        Refunds a settled payment, in full or in part; several partial refunds may add up to the amount
        paid. The amount is reserved before the card processor is asked, and the response may come while the
        refund is still `pending`: its outcome is determined whatever fails, and `refund.created` reports
        it. A rail account without refunds answers 501, and nothing is sent to it.

        Disputed money (open or lost) is refunded only with `confirmDispute: true`: the buyer’s bank
        returns, or has returned, that money itself. Without it the response is 409 `payment_disputed`;
        confirm under a new key.

        Checked in this order: key, body, existence, state, amount, currency, capability, dispute.
        """
        return cast("RefundAnswer", self._call(
            "POST",
            "/v1/refunds",
            body=body,
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show_refund(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> RefundAnswer:
        """One refund.

        The refund in its current state.
        """
        return cast("RefundAnswer", self._call(
            "GET",
            f"/v1/refunds/{path_part(id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_merchant_products(
        self,
        merchant_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ProductList:
        """The products of a merchant.

        All of them, newest first, each with its active price, including inactive ones.
        """
        return cast("ProductList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/products",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def create_product(
        self,
        merchant_id: str,
        body: ProductRequest,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ProductAnswer:
        """Create a product.

        A product serves both environments. It is active immediately and can be sold once it has an active
        price.
        """
        return cast("ProductAnswer", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/products",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_merchant_orders(
        self,
        merchant_id: str,
        query: ListMerchantOrdersQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OrderList:
        """All orders of a merchant.

        The list of `GET /v1/orders`. A person sees both environments unless they filter by one; a key sees
        its own.
        """
        return cast("OrderList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/orders",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_merchant_payments(
        self,
        merchant_id: str,
        query: ListMerchantPaymentsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PaymentList:
        """All payments of a merchant.

        The list of `GET /v1/payments`. A person sees both environments unless they filter by one; a key
        sees its own.
        """
        return cast("PaymentList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/payments",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_merchant_subscriptions(
        self,
        merchant_id: str,
        query: ListMerchantSubscriptionsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionList:
        """All subscriptions of a merchant.

        The list of `GET /v1/subscriptions`. A person sees both environments unless they filter by one; a
        key sees its own.
        """
        return cast("SubscriptionList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/subscriptions",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_merchant_refunds(
        self,
        merchant_id: str,
        query: ListMerchantRefundsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> RefundList:
        """All refunds of a merchant.

        The list of `GET /v1/refunds`. A person sees both environments unless they filter by one; a key sees
        its own.
        """
        return cast("RefundList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/refunds",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def refund_as_person(
        self,
        merchant_id: str,
        body: MerchantRefundRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> RefundAnswer:
        """Refund a payment, as a person.

        Same as `POST /v1/refunds`, for owners and managers, and for support up to the merchant’s
        `support_refund_limit`; it is recorded in the audit log. A repeated key makes no second refund, nor
        does another key with the same `if_refundable_amount`.
        """
        return cast("RefundAnswer", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/refunds",
            body=body,
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_merchant_disputes(
        self,
        merchant_id: str,
        query: ListMerchantDisputesQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> DisputeList:
        """All disputes of a merchant.

        Payments that the buyer’s bank has disputed (chargebacks), newest first. Evidence is submitted at
        the card processor. The payment’s status does not change; a subscription with a lost dispute ends
        with its period, unless the merchant’s `renew_after_lost_dispute` is true. A person sees both
        environments unless they filter by one; a key sees its own.
        """
        return cast("DisputeList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/disputes",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_merchant_invoices(
        self,
        merchant_id: str,
        query: ListMerchantInvoicesQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> InvoiceList:
        """All invoices of a merchant.

        The list of `GET /v1/invoices`. A person sees both environments unless they filter by one; a key
        sees its own.
        """
        return cast("InvoiceList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/invoices",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_merchant_credit_notes(
        self,
        merchant_id: str,
        query: ListMerchantCreditNotesQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CreditNoteList:
        """All credit notes of a merchant.

        The list of `GET /v1/credit-notes`. A person sees both environments unless they filter by one; a key
        sees its own.
        """
        return cast("CreditNoteList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/credit-notes",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show_merchant_dashboard(
        self,
        merchant_id: str,
        query: ShowMerchantDashboardQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> BillingDashboard:
        """Counters of a merchant.

        The counters of `GET /v1/billing/dashboard`. A person sees the sum of both environments unless they
        filter by one; a key sees its own.
        """
        return cast("BillingDashboard", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/billing/dashboard",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show_product(
        self,
        merchant_id: str,
        product_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ProductAnswer:
        """One product.

        The product with its active price, even if inactive.
        """
        return cast("ProductAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/products/{path_part(product_id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def update_product(
        self,
        merchant_id: str,
        product_id: str,
        body: ProductChanges | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ProductAnswer:
        """Change a product, activate or deactivate it.

        Absent fields stay unchanged; null removes `description` and `external_reference`. With `status`
        `inactive` new sessions cannot sell the product. Existing agreements continue: sessions keep the
        texts and price that they were created with, subscriptions renew at their price.
        """
        return cast("ProductAnswer", self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchant_id)}/products/{path_part(product_id)}",
            body=body or {},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_prices(
        self,
        merchant_id: str,
        product_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PriceList:
        """The prices of a product.

        Every price of the product, past and present, newest first; at most one is active.
        """
        return cast("PriceList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/products/{path_part(product_id)}/prices",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def create_price(
        self,
        merchant_id: str,
        product_id: str,
        body: PriceRequest,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PriceAnswer:
        """Create a price of a product.

        The terms of a price never change. A product has at most one active price: the new one replaces it
        atomically, unless created with `status` `inactive`. Sessions and subscriptions agreed at another
        price keep it.
        """
        return cast("PriceAnswer", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/products/{path_part(product_id)}/prices",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def update_price(
        self,
        merchant_id: str,
        product_id: str,
        price_id: str,
        body: PriceChanges,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PriceAnswer:
        """Activate or deactivate a price.

        Activating a price replaces the active one atomically. Without an active price the product cannot be
        sold. A body that names terms (`amount`, `currency`, `tax_rate`, `billing_mode`, `recurring`) is
        refused.
        """
        return cast("PriceAnswer", self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchant_id)}/products/{path_part(product_id)}/prices/{path_part(price_id)}",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_offerings(
        self,
        merchant_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OfferingList:
        """The offerings of a merchant.

        All of them, newest first, including inactive ones.
        """
        return cast("OfferingList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/offerings",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def create_offering(
        self,
        merchant_id: str,
        body: OfferingRequest,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OfferingAnswer:
        """Create an offering.

        A plan change stays inside the offering of the subscription; a plan is in at most one offering.
        Subscriptions created before a plan joined the offering are in none.
        """
        return cast("OfferingAnswer", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/offerings",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show_offering(
        self,
        merchant_id: str,
        offering_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OfferingAnswer:
        """One offering.

        The offering with its plans, even if inactive.
        """
        return cast("OfferingAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/offerings/{path_part(offering_id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def update_offering(
        self,
        merchant_id: str,
        offering_id: str,
        body: OfferingChanges | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OfferingAnswer:
        """Change an offering, activate or deactivate it.

        Absent fields stay unchanged. `plan_ids` replaces the whole set: plans missing from it leave the
        offering. Subscriptions stay in their agreed offering, and scheduled changes still apply. With
        Subscriptions stay in their agreed offering, and scheduled changes still apply. With
        """
        return cast("OfferingAnswer", self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchant_id)}/offerings/{path_part(offering_id)}",
            body=body or {},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_storefront_clients(
        self,
        merchant_id: str,
        query: ListStorefrontClientsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> StorefrontClientList:
        """The storefront clients of a merchant.

        All of them, newest first, including disabled ones.
        """
        return cast("StorefrontClientList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/storefront-clients",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def create_storefront_client(
        self,
        merchant_id: str,
        body: StorefrontClientRequest,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> StorefrontClientAnswer:
        """Create a storefront client.

        Its `id` is the public id with which a page calls `/v1/checkout-clients/{publicId}`. It belongs to
        one environment and works only from the given origins. Origins are stored as browsers send them:
        `https://Shop.example:443` becomes `https://shop.example`.
        """
        return cast("StorefrontClientAnswer", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/storefront-clients",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show_storefront_client(
        self,
        merchant_id: str,
        client_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> StorefrontClientAnswer:
        """One storefront client.

        The client, even if disabled; a key sees those of its environment.
        """
        return cast("StorefrontClientAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/storefront-clients/{path_part(client_id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def update_storefront_client(
        self,
        merchant_id: str,
        client_id: str,
        body: StorefrontClientChanges | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> StorefrontClientAnswer:
        """Change a storefront client, disable or enable it.

        Absent fields stay unchanged; `origins` and `product_ids` replace the whole set. Takes effect with
        the next request in every process. Existing sessions of the client continue, even if it is disabled.
        """
        return cast("StorefrontClientAnswer", self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchant_id)}/storefront-clients/{path_part(client_id)}",
            body=body or {},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_merchants(
        self,
        query: ListMerchantsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> MerchantPage:
        """Your merchants.

        `platform` people see every merchant, others those named in their token. Newest first.
        """
        return cast("MerchantPage", self._call(
            "GET",
            "/v1/merchants",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def create_merchant(
        self,
        body: MerchantRequest,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CreatedMerchantAnswer:
        """Create a merchant.

        For `platform` people. The merchant is active immediately, has no rail account yet, and gets a first
        API key for the sandbox: only this response contains `api_key.key`. Its own people see it once the
        identity provider names its id in their tokens.
        """
        return cast("CreatedMerchantAnswer", self._call(
            "POST",
            "/v1/merchants",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show_merchant(
        self,
        merchant_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> MerchantAnswer:
        """One merchant.

        Name, status, capabilities, branding and legal identity.
        """
        return cast("MerchantAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def update_merchant(
        self,
        merchant_id: str,
        body: MerchantChanges | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> MerchantAnswer:
        """Change a merchant.

        Absent fields stay unchanged. `branding` requires an owner, a manager or a developer;
        `renew_after_lost_dispute` an owner or a manager; `name` and `legal_identity` an owner or a
        `platform` person; `status` and `capabilities` a `platform` person. If one field is not allowed,
        nothing is changed.

        Existing sessions keep the name, branding and legal identity that they were created with. An
        inactive merchant’s API keys are refused immediately; sessions and subscriptions in progress
        continue.
        """
        return cast("MerchantAnswer", self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchant_id)}",
            body=body or {},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show_merchant_settings(
        self,
        merchant_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> MerchantSettingsAnswer:
        """A merchant’s settings.

        One flat object for both environments. Every default changes nothing.
        """
        return cast("MerchantSettingsAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/settings",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def update_merchant_settings(
        self,
        merchant_id: str,
        body: MerchantSettingsChanges | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> MerchantSettingsAnswer:
        """Change a merchant’s settings.

        For an owner or a `platform` person, `support_refund_limit` for an owner only. Absent fields stay
        unchanged; a change is in the audit log with the old and the new value. `PATCH /v1/invoice-settings`
        changes none of them.
        """
        return cast("MerchantSettingsAnswer", self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchant_id)}/settings",
            body=body or {},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_audit(
        self,
        merchant_id: str,
        query: ListAuditQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> AuditEntryPage:
        """The audit log.

        Every change by people and operators, with the state before and after, without secrets. For owners
        and `platform` people. Entries are written in the transaction of the change and never altered.
        """
        return cast("AuditEntryPage", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/audit",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_api_keys(
        self,
        merchant_id: str,
        query: ListApiKeysQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ApiKeyList:
        """List active API keys.

        Newest first, without the keys themselves. A rotated key is listed until its `expires_at`. An API
        key can list only the keys of its environment.
        """
        return cast("ApiKeyList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/api-keys",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def create_api_key(
        self,
        merchant_id: str,
        body: ApiKeyRequest,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CreatedApiKeyAnswer:
        """Create an API key.

        For owners and developers. Only this response contains `key`: only its hash is stored. An
        environment has at most twenty active keys.
        """
        return cast("CreatedApiKeyAnswer", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/api-keys",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def rotate_api_key(
        self,
        merchant_id: str,
        key_id: str,
        body: ApiKeyRotation | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> RotatedApiKeyAnswer:
        """Rotate an API key.

        A new key with the same environment, name, scope and expiry, contained only in this response. The
        previous key stays valid for `overlap_hours` more (default 24), so that every server can switch; if
        it was due to expire sooner, it still does. For a leaked key: `overlap_hours: 0`.
        """
        return cast("RotatedApiKeyAnswer", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/api-keys/{path_part(key_id)}/rotate",
            body=body or {},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def revoke_api_key(
        self,
        merchant_id: str,
        key_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> RevokedApiKeyAnswer:
        """Revoke an API key.

        Immediate and permanent: the next request with it is answered 401 `api_key_invalid`. To give servers
        time, rotate it instead. Operations that the key started continue.
        """
        return cast("RevokedApiKeyAnswer", self._call(
            "DELETE",
            f"/v1/merchants/{path_part(merchant_id)}/api-keys/{path_part(key_id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_rail_accounts(
        self,
        merchant_id: str,
        query: ListRailAccountsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> RailAccountList:
        """The merchant’s rail accounts.

        Current and former accounts, newest first, with their capabilities. Each environment has one active
        account. Credentials are never returned.
        """
        return cast("RailAccountList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/rail-accounts",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def set_rail_account(
        self,
        merchant_id: str,
        body: RailAccountToSet,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ProbedRailAccountAnswer:
        """Set a rail account.

        For `platform` people. Asks the processor for the account’s capabilities, which can take some
        seconds; `findings` describe them. An account that cannot take cards yet stays `activating` and
        cannot be sold on until a check finds that it can. If the processor does not identify the account
        (mistyped keys, keys of the other mode, no answer in time), they are refused and nothing changes.

        At a rail where the merchant already has an account, these are new keys for it: keys of another
        account are refused, since open payments could not be looked up with them, unless `replace` is set.
        With `replace`, an account that the merchant has used before is in use again under its id, and the
        cards that are stored there can be charged again. Above `SECOND_PERSON_ABOVE`, production's account
        is replaced by two people: the first answer is `rail_account_refused` with a request that a
        colleague confirms, and the same keys are then set again. The merchant receives
        `billing.operational_alert` (`rail_account_replaced`).

        The credential is stored encrypted and appears in no response, log or audit entry.
        """
        return cast("ProbedRailAccountAnswer", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/rail-accounts",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def check_rail_account(
        self,
        merchant_id: str,
        rail_account_id: str,
        body: RailAccountCheck | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ProbedRailAccountAnswer:
        """Check a rail account.

        For `platform` people. Asks the processor and reports the account’s capabilities, and reasons for
        missing ones. An `activating` account that can take cards becomes `active`; the capabilities of an
        active one change only with `apply`, which also reactivates a `disabled` one.
        `rail_account_refused`: another account is active, or this one changed while its processor was being
        asked. A processor that does not answer in time is a finding, and nothing is stored.
        """
        return cast("ProbedRailAccountAnswer", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/rail-accounts/{path_part(rail_account_id)}/check",
            body=body or {},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_webhook_endpoints(
        self,
        merchant_id: str,
        query: ListWebhookEndpointsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookEndpointList:
        """List webhook endpoints.

        Newest first. A key sees those of its environment; a person may filter by `environment`.
        """
        return cast("WebhookEndpointList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/webhook-endpoints",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def create_webhook_endpoint(
        self,
        merchant_id: str,
        body: WebhookEndpointRequest,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookEndpointWithSecret:
        """Create a webhook endpoint.

        At most ten in each environment. Without `event_types`, it receives every type. Only this response
        contains the secret.
        """
        return cast("WebhookEndpointWithSecret", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/webhook-endpoints",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show_webhook_endpoint(
        self,
        merchant_id: str,
        endpoint_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookEndpointAnswer:
        """Get a webhook endpoint.

        Without its secret.
        """
        return cast("WebhookEndpointAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/webhook-endpoints/{path_part(endpoint_id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def update_webhook_endpoint(
        self,
        merchant_id: str,
        endpoint_id: str,
        body: WebhookEndpointChanges | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookEndpointAnswer:
        """Change, pause or enable a webhook endpoint.

        Absent fields stay unchanged. `paused` holds events back, `enabled` sends them, even after the
        endpoint was disabled for failing.
        """
        return cast("WebhookEndpointAnswer", self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchant_id)}/webhook-endpoints/{path_part(endpoint_id)}",
            body=body or {},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def delete_webhook_endpoint(
        self,
        merchant_id: str,
        endpoint_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> DeletedWebhookEndpoint:
        """Delete a webhook endpoint.

        Stops delivery to it. Its log is kept for its 90 days.
        """
        return cast("DeletedWebhookEndpoint", self._call(
            "DELETE",
            f"/v1/merchants/{path_part(merchant_id)}/webhook-endpoints/{path_part(endpoint_id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def rotate_webhook_secret(
        self,
        merchant_id: str,
        endpoint_id: str,
        body: WebhookSecretRotation | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookEndpointWithSecret:
        """Rotate the secret of an endpoint.

        The new secret signs immediately. With `overlap` the previous one also signs for 24 hours, both in
        one header, so that a receiver can switch without losing an event. During an overlap another one is
        refused: it would end the first secret, possibly the only one that your receiver has. Without
        `overlap` the new secret replaces all others.
        """
        return cast("WebhookEndpointWithSecret", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/webhook-endpoints/{path_part(endpoint_id)}/rotate-secret",
            body=body or {},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def send_test_event(
        self,
        merchant_id: str,
        endpoint_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SentTestEvent:
        """Send a test event.

        A `webhook.test` event, to this endpoint alone and regardless of its filter.
        """
        return cast("SentTestEvent", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/webhook-endpoints/{path_part(endpoint_id)}/test",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def recover_webhook_endpoint(
        self,
        merchant_id: str,
        endpoint_id: str,
        body: WebhookRecoveryRequest,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookRecovery:
        """Resend missed events.

        Resends every event since an instant that this endpoint subscribes to and has not acknowledged, in
        batches. One recovery at a time per endpoint.
        """
        return cast("WebhookRecovery", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/webhook-endpoints/{path_part(endpoint_id)}/recover",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_webhook_events(
        self,
        merchant_id: str,
        query: ListWebhookEventsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookLogEventPage:
        """List events with their deliveries.

        Newest first, filtered by type, time, delivery status and endpoint, paginated.
        """
        return cast("WebhookLogEventPage", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/webhook-events",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show_webhook_event(
        self,
        merchant_id: str,
        event_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookLogEventAnswer:
        """One event.

        The state of its deliveries, and the body that they send.
        """
        return cast("WebhookLogEventAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/webhook-events/{path_part(event_id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def resend_webhook_event(
        self,
        merchant_id: str,
        event_id: str,
        body: WebhookResendRequest | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookResend:
        """Resend an event.

        To one endpoint, or to all its original ones. Same id and body: a receiver that has seen it ignores
        it.
        """
        return cast("WebhookResend", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/webhook-events/{path_part(event_id)}/resend",
            body=body or {},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_webhook_attempts(
        self,
        merchant_id: str,
        query: ListWebhookAttemptsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookLogAttemptPage:
        """List delivery attempts.

        Newest first, filtered by event, type, time, outcome and endpoint, paginated. Kept for 90 days.
        """
        return cast("WebhookLogAttemptPage", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/webhook-attempts",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show_operator_access(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OperatorAccess:
        """Your permissions as an operator.

        `support` people see their merchants’ incidents, `platform` people see everything and act.
        """
        return cast("OperatorAccess", self._call(
            "GET",
            "/v1/operations/access",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_merchant_health(
        self,
        query: ListMerchantHealthQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> MerchantHealthPage:
        """The health of each merchant.

        Newest first, paginated: whether it can sell, whether its endpoints answer, its latest sale, and its
        open incidents. `support` people see their merchants only.
        """
        return cast("MerchantHealthPage", self._call(
            "GET",
            "/v1/operations/merchants",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_incidents(
        self,
        query: ListIncidentsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> IncidentList:
        """Incidents that need an operator.

        Every kind of incident with amount, age, reason, the next command and links: first Temporal and the
        workers, if they do not answer, then the others, oldest first. For `platform` people; `support`
        people see their merchants’ only.
        """
        return cast("IncidentList", self._call(
            "GET",
            "/v1/operations/incidents",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_operator_audit(
        self,
        query: ListOperatorAuditQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OperatorAuditEntryPage:
        """The audit log of all merchants.

        Every change by people and operators, newest first, with the state before and after, without
        secrets: of all subjects, of one id, one merchant or one person. For `platform` people.
        """
        return cast("OperatorAuditEntryPage", self._call(
            "GET",
            "/v1/operations/audit",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def search_subjects(
        self,
        query: SearchSubjectsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OperatorSubjectList:
        """Search by any id.

        At most 50, newest first. Empty if nothing has the id or reference.
        """
        return cast("OperatorSubjectList", self._call(
            "GET",
            "/v1/operations/subjects",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def explain_subject(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OperatorExplanation:
        """Explain a subject’s state.

        Description of the state, incidents, history with every answer of the rail, what comes next, and
        related ids. Takes the ids of `searchSubjects` and of `listIncidents`: also a whole rail in an
        environment (`<rail>:<environment>`) and a request that waits for a second person (`ap_opr_…`).
        """
        return cast("OperatorExplanation", self._call(
            "GET",
            f"/v1/operations/subjects/{path_part(id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def command_subject(
        self,
        id: str,
        body: CommandResolve | CommandReturned | CommandDisputeClose | CommandAsk | CommandPauseRail | CommandResumeRail | CommandStopMerchant | CommandStartMerchant | CommandEndpointPause | CommandEndpointResume | CommandEndpointRedeliver | CommandEndpointRecover | CommandIncidentClose,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OperatorCommandAnswer:
        """Execute an operator’s command.

        For `platform` people. The same as `npm run ops -- <command>`: `resolve` settles a session,
        subscription or refund in doubt (the rail is asked once more, and never contradicted); `returned`
        and `dispute_close` record facts that the rail does not show; `ask` asks the rail now; `pause_rail`
        and `resume_rail` stop and allow new attempts at a rail account, or at a whole rail, whose id is
        `<rail>:<environment>`; `stop_merchant` refuses a merchant’s keys until `start_merchant`; the
        `endpoint_` commands act on a webhook endpoint; `incident_close` removes an incident that no state
        shows as over. The audit log names the token’s person. About an amount above the configured one, the
        answer is 202 with `waiting_request`, which another person must confirm.
        """
        return cast("OperatorCommandAnswer", self._call(
            "POST",
            f"/v1/operations/subjects/{path_part(id)}/commands",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def confirm_operation(
        self,
        request_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OperatorCommandAnswer:
        """Confirm a colleague’s command.

        Executes a command that waits for a second person. For `platform` people other than the requester,
        within a day. The audit log names both.
        """
        return cast("OperatorCommandAnswer", self._call(
            "POST",
            f"/v1/operations/requests/{path_part(request_id)}/confirm",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def withdraw_operation(
        self,
        request_id: str,
        body: WithdrawOperation,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OperatorCommandAnswer:
        """Withdraw a waiting command.

        Withdraws a command that waits for a second person, so that another can be made: by its requester,
        or by a colleague who rejects it. For `platform` people. A confirmed command cannot be withdrawn.
        """
        return cast("OperatorCommandAnswer", self._call(
            "POST",
            f"/v1/operations/requests/{path_part(request_id)}/withdraw",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def export_customer(
        self,
        id: str,
        body: CustomerDataRequest,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CustomerExport:
        """Export a customer’s data.

        Everything stored about a customer, as printed by `npm run ops -- export-customer`, with an audit
        row. For `platform` people.
        """
        return cast("CustomerExport", self._call(
            "POST",
            f"/v1/operations/customers/{path_part(id)}/export",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def erase_customer(
        self,
        id: str,
        body: CustomerDataRequest,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CustomerErasure:
        """Erase a customer’s personal data.

        Email, name, address, tax number and the merchant’s id, also in stored events and clicks. Amounts,
        states, card brands and last digits, references of orders and issued invoices stay, as the law
        requires. Cannot be undone; repeating it changes nothing. Refused while a session, a subscription, a
        refund, a dispute or an unwritten document of the customer is open. With an audit row. For
        `platform` people.
        """
        return cast("CustomerErasure", self._call(
            "POST",
            f"/v1/operations/customers/{path_part(id)}/erase",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show_access(
        self,
        merchant_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> AccessAnswer:
        """Your permissions here.

        The caller’s permissions at this merchant. The table of roles is in docs/people.md.
        """
        return cast("AccessAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/access",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show_overview(
        self,
        merchant_id: str,
        query: ShowOverviewQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OverviewAnswer:
        """Numbers of a merchant.

        Sales, conversion, declines, subscriptions, and open issues, in one environment. Up to five seconds
        old.
        """
        return cast("OverviewAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/overview",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_rails(
        self,
        merchant_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SettableRailList:
        """Card processors.

        The rails of this installation at which accounts can be set, with the fields of their credentials.
        """
        return cast("SettableRailList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/rails",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def preview_branding(
        self,
        merchant_id: str,
        query: PreviewBrandingQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> BrandingPreviewAnswer:
        """Preview the hosted page.

        The hosted page with this branding and an example purchase. Nothing is saved, and nothing can be
        paid there. Only pages of the API’s own origin and of `origin` can frame it.
        """
        return cast("BrandingPreviewAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/branding-preview",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def search_payments(
        self,
        merchant_id: str,
        query: SearchPaymentsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundPaymentPage:
        """Search payments.

        Newest first, paginated. `q` is a complete id (of a payment, order, checkout, customer,
        subscription, invoice, refund or dispute, or the card processor’s), an email address, a merchant
        reference, a customer reference or an amount such as `19.00`.
        """
        return cast("FoundPaymentPage", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/search/payments",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show_payment(
        self,
        merchant_id: str,
        payment_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PaymentDetailsAnswer:
        """One payment with its history.

        The payment, its customer, refunds and invoice, and its history in chronological order.
        """
        return cast("PaymentDetailsAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/payments/{path_part(payment_id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def export_payments(
        self,
        merchant_id: str,
        query: ExportPaymentsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export payments as CSV.

        All rows of `GET …/search/payments`, streamed. UTF-8 with a header line; amounts with a decimal
        point. A text that a spreadsheet would run as a formula begins with an apostrophe, even after a
        semicolon, a `|`, a tab or a line break inside a value. The audit log names who took the list and
        how many rows.
        """
        return cast("str", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/exports/payments",
            query=query,
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def search_products(
        self,
        merchant_id: str,
        query: SearchProductsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundProductPage:
        """Search products.

        Newest first, paginated, each with its active price.
        """
        return cast("FoundProductPage", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/search/products",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show_checkout_history(
        self,
        merchant_id: str,
        checkout_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CheckoutHistoryAnswer:
        """One checkout with its history.

        The session, its customer, and its history and attempts in chronological order.
        """
        return cast("CheckoutHistoryAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/checkouts/{path_part(checkout_id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show_subscription(
        self,
        merchant_id: str,
        subscription_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionDetailsAnswer:
        """One subscription with its history.

        The subscription with its clock, next charge, dunning and scheduled change, and the events about it
        in order.
        """
        return cast("SubscriptionDetailsAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/subscriptions/{path_part(subscription_id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def command_subscription(
        self,
        merchant_id: str,
        subscription_id: str,
        body: SubscriptionCommand,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionDetailsAnswer:
        """Cancel or change a subscription, as a person.

        Same as `POST /v1/subscriptions/{id}/cancel`, `plan-change`, `offering-change`, `plan-change/cancel`
        and, in the sandbox, `advance`, and as `cancel/undo`, `pause`, `resume` and `POST
        /v1/invoices/{id}/pay`. Owners and managers give every command; support cancels at the period’s end,
        takes that back, pauses, resumes and charges an invoice; developers move the clock. The audit log
        names the requester. The answer does not wait for an open charge or a moving clock: read the
        subscription again.
        """
        return cast("SubscriptionDetailsAnswer", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/subscriptions/{path_part(subscription_id)}/commands",
            body=body,
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def preview_subscription_change(
        self,
        merchant_id: str,
        subscription_id: str,
        query: PreviewSubscriptionChangeQuery,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ChangePreviewAnswer:
        """Preview a change of a subscription.

        As `POST /v1/subscriptions/{id}/plan-change/preview`, also for another offering. Nothing changes.
        """
        return cast("ChangePreviewAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/subscriptions/{path_part(subscription_id)}/change-preview",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def link_method_change(
        self,
        merchant_id: str,
        subscription_id: str,
        body: MethodChangeLinkRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> MethodChangeLink:
        """Create a link to replace a payment method.

        Same as `POST /v1/payment-methods/change`, for owners, managers and support. Send the link to the
        buyer, who can use it for 15 minutes to replace the card of this subscription. A newer link
        invalidates older ones.
        """
        return cast("MethodChangeLink", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/subscriptions/{path_part(subscription_id)}/method-change",
            body=body,
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def export_checkouts(
        self,
        merchant_id: str,
        query: ExportCheckoutsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export checkouts as CSV.

        All rows of `GET …/search/checkouts`, streamed, as for `GET …/exports/payments`.
        """
        return cast("str", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/exports/checkouts",
            query=query,
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def export_subscriptions(
        self,
        merchant_id: str,
        query: ExportSubscriptionsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export subscriptions as CSV.

        All rows of `GET …/search/subscriptions`, streamed, as for `GET …/exports/payments`.
        """
        return cast("str", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/exports/subscriptions",
            query=query,
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def export_invoices(
        self,
        merchant_id: str,
        query: ExportInvoicesQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export invoices as CSV.

        All rows of `GET …/search/invoices`, streamed, as for `GET …/exports/payments`.
        """
        return cast("str", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/exports/invoices",
            query=query,
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def export_credit_notes(
        self,
        merchant_id: str,
        query: ExportCreditNotesQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export credit-notes as CSV.

        All rows of `GET …/search/credit-notes`, streamed, as for `GET …/exports/payments`.
        """
        return cast("str", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/exports/credit-notes",
            query=query,
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def search_checkouts(
        self,
        merchant_id: str,
        query: SearchCheckoutsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundCheckoutPage:
        """Search checkouts.

        Newest first, paginated. `q`: an id of a checkout, payment or customer, an email, a merchant or
        customer reference, an amount.
        """
        return cast("FoundCheckoutPage", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/search/checkouts",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def search_customers(
        self,
        merchant_id: str,
        query: SearchCustomersQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundCustomerPage:
        """Search customers.

        Newest first, paginated. `q`: an id, an email or your customer reference.
        """
        return cast("FoundCustomerPage", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/search/customers",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def search_subscriptions(
        self,
        merchant_id: str,
        query: SearchSubscriptionsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundSubscriptionPage:
        """Search subscriptions.

        Newest first, paginated. `q`: an id of a subscription, checkout or customer, an email, a merchant or
        customer reference.
        """
        return cast("FoundSubscriptionPage", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/search/subscriptions",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def search_invoices(
        self,
        merchant_id: str,
        query: SearchInvoicesQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> InvoicePage:
        """Search invoices.

        Newest first, paginated. `q`: a number, an id of an invoice, order, subscription or customer, an
        email, a merchant or customer reference, an amount.
        """
        return cast("InvoicePage", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/search/invoices",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def search_credit_notes(
        self,
        merchant_id: str,
        query: SearchCreditNotesQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CreditNotePage:
        """Search credit notes.

        Newest first, paginated. `q`: its number or its invoice’s, an id of a credit note, invoice, refund,
        payment or customer, an email, a customer reference.
        """
        return cast("CreditNotePage", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/search/credit-notes",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def search_refunds(
        self,
        merchant_id: str,
        query: SearchRefundsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundRefundPage:
        """List refunds by date.

        Newest first, of one environment; `from` and `to` are compared with `created_at`. Paginated.
        """
        return cast("FoundRefundPage", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/search/refunds",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def export_refunds(
        self,
        merchant_id: str,
        query: ExportRefundsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export refunds as CSV.

        All rows of `GET …/search/refunds`, streamed, as for `GET …/exports/payments`.
        """
        return cast("str", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/exports/refunds",
            query=query,
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def search_disputes(
        self,
        merchant_id: str,
        query: SearchDisputesQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundDisputePage:
        """List disputes by date.

        The most recently opened first, of one environment; `from` and `to` are compared with `opened_at`.
        Paginated.
        """
        return cast("FoundDisputePage", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/search/disputes",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def export_disputes(
        self,
        merchant_id: str,
        query: ExportDisputesQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export disputes as CSV.

        All rows of `GET …/search/disputes`, streamed, as for `GET …/exports/payments`.
        """
        return cast("str", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/exports/disputes",
            query=query,
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncHostedCheckout(AsyncCaller):
    """The API of an installation, for asyncio and trio."""

    async def show_health(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> Health:
        """Whether requests can be served.

        Without Temporal the API is `degraded` but ready: sessions are created and start when it is back.
        """
        return cast("Health", await self._call(
            "GET",
            "/healthz",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def create_checkout(
        self,
        body: CheckoutRequest,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CheckoutSession:
        """Create a checkout session.

        A hosted session in the environment of the key. Send the buyer's browser to `hostedUrl` within 30
        minutes; declined attempts may be repeated there. `payment.succeeded` or `payment.failed` reports
        each attempt; a recurring product creates a subscription, reported by `subscription.created`.

        The merchant comes from the key and the price from the product: `merchantId` and `priceId` are
        refused, and so is an `Idempotency-Key` header. An unpaid session costs nothing: after a 5xx create
        another.

        Checked in this order: key, merchant, `Idempotency-Key`, body, its fields as listed, `merchantId`,
        `priceId`, product, capability, price, `quantity`, `amount`, rail account.
        """
        return cast("CheckoutSession", await self._call(
            "POST",
            "/v1/checkouts",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show_checkout(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CheckoutDetailsAnswer:
        """One checkout session.

        State, failure reason, attempts, and resulting objects. A session that ends without an attempt sends
        no event: read its state here. Deliver on `payment.succeeded`, not on this response.
        """
        return cast("CheckoutDetailsAnswer", await self._call(
            "GET",
            f"/v1/checkouts/{path_part(id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_products(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ProductList:
        """All products.

        The catalogue, which serves both environments: each product with its active price, including
        inactive products.
        """
        return cast("ProductList", await self._call(
            "GET",
            "/v1/products",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_orders(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OrderList:
        """All orders.

        One order for each session with a payment attempt, for each period of a subscription and for each
        manual charge.
        """
        return cast("OrderList", await self._call(
            "GET",
            "/v1/orders",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_payments(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PaymentList:
        """All payments.

        One payment for each attempt. The field credential_secret_ref is never returned.
        """
        return cast("PaymentList", await self._call(
            "GET",
            "/v1/payments",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_subscriptions(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionList:
        """All subscriptions.

        Every subscription with a first payment attempt, in every status.
        """
        return cast("SubscriptionList", await self._call(
            "GET",
            "/v1/subscriptions",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_current_subscriptions(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionList:
        """Alias of the full list of subscriptions.

        Every subscription with a first payment attempt, in every status.
        """
        return cast("SubscriptionList", await self._call(
            "GET",
            "/v1/subscriptions/current",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_invoices(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> InvoiceList:
        """All invoices.

        As issued. `created` with `amount_due` 0 is the settled invoice. `pdf_url` opens without a key:
        treat it as a secret of the customer.
        """
        return cast("InvoiceList", await self._call(
            "GET",
            "/v1/invoices",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_credit_notes(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CreditNoteList:
        """All credit notes.

        As issued. A refund of a payment with an invoice has one as soon as it is `succeeded`. `pdf_url`
        opens without a key: treat it as a secret of the customer.
        """
        return cast("CreditNoteList", await self._call(
            "GET",
            "/v1/credit-notes",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show_billing_dashboard(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> BillingDashboard:
        """Counters.

        Counts of billing objects in the environment of the key. `subscriptions` is present only with the
        subscriptions capability.
        """
        return cast("BillingDashboard", await self._call(
            "GET",
            "/v1/billing/dashboard",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def cancel_subscription(
        self,
        id: str,
        body: SubscriptionCancelRequest | None = None,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Cancel a subscription.

        Ends it immediately, or with `at_period_end` at the end of the current period; it continues until
        then. `subscription.cancelled` reports the end. A charge in progress is settled first: the response
        may then show the subscription in its current state. Cancel a scheduled change before.
        """
        return cast("SubscriptionAnswer", await self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/cancel",
            body=body or {},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def undo_subscription_cancel(
        self,
        id: str,
        body: EmptyRequest | None = None,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Take back a cancellation.

        Takes back a cancellation at the end of the period, before that end: the subscription continues and
        renews as before. `subscription.updated` reports it. A cancellation that ends the subscription
        immediately cannot be taken back.
        """
        return cast("SubscriptionAnswer", await self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/cancel/undo",
            body=body or {},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def pause_subscription(
        self,
        id: str,
        body: SubscriptionPauseRequest | None = None,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Pause a subscription.

        From the end of the paid period the subscription is `paused`, and nothing is charged until
        `resumes_at` or `resume`, which begins a period. Retries of an unpaid invoice go on; the pause
        begins once it is paid. Repeated, it changes the date. `subscription.updated` reports it;
        `subscription.paused` is sent when the pause begins, to endpoints that name it.
        """
        return cast("SubscriptionAnswer", await self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/pause",
            body=body or {},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def resume_subscription(
        self,
        id: str,
        body: EmptyRequest | None = None,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Resume a paused subscription.

        Begins a period now and charges it with the stored method; later periods are counted from now. A
        pause that has not begun is taken back, and nothing is charged. The answer waits up to five seconds
        for the period to begin. `subscription.updated` reports it; `subscription.resumed` is sent when the
        period begins, to endpoints that name it.
        """
        return cast("SubscriptionAnswer", await self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/resume",
            body=body or {},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def change_plan(
        self,
        id: str,
        body: PlanChangeRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Change the plan.

        Another plan of the same offering, from the end of the current period or trial. `target_product_id`
        is an alias of `target_plan_id`: a plan *is* a recurring product. Nothing is charged before the
        change applies; `subscription.updated` reports the schedule and the change. With `effective` `now`
        the difference is charged to the stored method, and the plan changes when that is paid:
        `change.status` is then `applied`. A decline is 202 with `failed`, and nothing has changed; until
        the answer is known, it is `pending`, and other operations are refused. A change that costs nothing
        now is 409 `change_needs_period_end`.
        """
        return cast("SubscriptionAnswer", await self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/plan-change",
            body=body,
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def preview_plan_change(
        self,
        id: str,
        body: PlanChangeRequest,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ChangePreviewAnswer:
        """Preview a plan change.

        With the body of the change: its lines and total, and what the next renewal will charge. Nothing
        changes. Send its `calculated_at` with the change to charge exactly these lines, within 15 minutes,
        while nothing else has changed (409 `preview_outdated` otherwise).
        """
        return cast("ChangePreviewAnswer", await self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/plan-change/preview",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def change_offering(
        self,
        id: str,
        body: OfferingChangeRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Change to a plan of another offering.

        Switches to a plan of another offering at the end of the current period or trial. A subscription
        whose plan is in no offering can change plans only this way. `effective` as in `plan-change`.
        """
        return cast("SubscriptionAnswer", await self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/offering-change",
            body=body,
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def cancel_subscription_change(
        self,
        id: str,
        body: ChangeCancelRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionChangeAnswer:
        """Cancel a scheduled change.

        Cancels a plan or offering change, named by its `action_id`. The subscription stays unchanged.
        """
        return cast("SubscriptionChangeAnswer", await self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/plan-change/cancel",
            body=body,
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def pay_invoice(
        self,
        id: str,
        body: EmptyRequest | None = None,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PaidInvoiceAnswer:
        """Charge an unpaid invoice now.

        One attempt with the stored method against the same invoice, beside the retry schedule. An attempt
        under way is joined, so that both make one charge. The answer waits up to five seconds for it:
        `payment.status` says how it went, and a decline is 200 with `failed`. At most three attempts a day
        (429), the oldest unpaid invoice first; after a decline that forbids another attempt, only with
        another method.
        """
        return cast("PaidInvoiceAnswer", await self._call(
            "POST",
            f"/v1/invoices/{path_part(id)}/pay",
            body=body or {},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def advance_subscription_clock(
        self,
        id: str,
        body: AdvanceRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Move the clock of a sandbox subscription.

        Sandbox only. Moves the clock of this one subscription forward, through every renewal, trial end and
        retry on the way, each with its payments, invoices and events, so that a year takes seconds. The
        response comes on arrival or, if that takes long, while the clock is still moving. At most 20 years
        ahead of today, 500 billing boundaries per request, and two clocks of a merchant at once (429).
        """
        return cast("SubscriptionAnswer", await self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/advance",
            body=body,
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def change_payment_method(
        self,
        body: PaymentMethodChangeRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PaymentMethodChange:
        """Let a customer replace the payment method.

        A hosted action, open for 15 minutes, in which the customer of a subscription replaces the card.
        Send the customer's browser to `hostedUrl`. `payment_method.updated` or
        `payment_method.update_failed` reports the result; an overdue invoice is charged with the new method
        immediately. A newer action replaces an older one.
        """
        return cast("PaymentMethodChange", await self._call(
            "POST",
            "/v1/payment-methods/change",
            body=body,
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def create_manual_charge(
        self,
        body: ManualChargeRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ManualChargeAnswer:
        """Record a local charge.

        **This collects no money.** It creates a local payment in `processing`: nothing is sent to a card
        processor, the order stays unchanged, no event is sent, and the payment never progresses. Do not
        deliver goods on it.
        """
        return cast("ManualChargeAnswer", await self._call(
            "POST",
            "/v1/manual-charges",
            body=body,
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def echo_invoice_settings(
        self,
        body: InvoiceSettings | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> InvoiceSettingsAnswer:
        """Echo invoice settings.

        **Nothing is stored.** The response echoes the body; invoices stay unchanged, and the next response
        does not include this one’s values.
        """
        return cast("InvoiceSettingsAnswer", await self._call(
            "PATCH",
            "/v1/invoice-settings",
            body=body or {},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def echo_invoice_setting(
        self,
        id: str,
        body: InvoiceSettings | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> InvoiceSettingsAnswer:
        """Echo one of the invoice settings.

        **Nothing is stored.** The response echoes the body; invoices stay unchanged, and the next response
        does not include this one’s values.
        """
        return cast("InvoiceSettingsAnswer", await self._call(
            "PATCH",
            f"/v1/invoice-settings/{path_part(id)}",
            body=body or {},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_refunds(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> RefundList:
        """All refunds.

        Each in its current state, newest first.
        """
        return cast("RefundList", await self._call(
            "GET",
            "/v1/refunds",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def create_refund(
        self,
        body: RefundRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> RefundAnswer:
        """Refund a payment.

        Refunds a settled payment, in full or in part; several partial refunds may add up to the amount
        paid. The amount is reserved before the card processor is asked, and the response may come while the
        refund is still `pending`: its outcome is determined whatever fails, and `refund.created` reports
        it. A rail account without refunds answers 501, and nothing is sent to it.

        Disputed money (open or lost) is refunded only with `confirmDispute: true`: the buyer’s bank
        returns, or has returned, that money itself. Without it the response is 409 `payment_disputed`;
        confirm under a new key.

        Checked in this order: key, body, existence, state, amount, currency, capability, dispute.
        """
        return cast("RefundAnswer", await self._call(
            "POST",
            "/v1/refunds",
            body=body,
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show_refund(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> RefundAnswer:
        """One refund.

        The refund in its current state.
        """
        return cast("RefundAnswer", await self._call(
            "GET",
            f"/v1/refunds/{path_part(id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_merchant_products(
        self,
        merchant_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ProductList:
        """The products of a merchant.

        All of them, newest first, each with its active price, including inactive ones.
        """
        return cast("ProductList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/products",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def create_product(
        self,
        merchant_id: str,
        body: ProductRequest,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ProductAnswer:
        """Create a product.

        A product serves both environments. It is active immediately and can be sold once it has an active
        price.
        """
        return cast("ProductAnswer", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/products",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_merchant_orders(
        self,
        merchant_id: str,
        query: ListMerchantOrdersQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OrderList:
        """All orders of a merchant.

        The list of `GET /v1/orders`. A person sees both environments unless they filter by one; a key sees
        its own.
        """
        return cast("OrderList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/orders",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_merchant_payments(
        self,
        merchant_id: str,
        query: ListMerchantPaymentsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PaymentList:
        """All payments of a merchant.

        The list of `GET /v1/payments`. A person sees both environments unless they filter by one; a key
        sees its own.
        """
        return cast("PaymentList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/payments",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_merchant_subscriptions(
        self,
        merchant_id: str,
        query: ListMerchantSubscriptionsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionList:
        """All subscriptions of a merchant.

        The list of `GET /v1/subscriptions`. A person sees both environments unless they filter by one; a
        key sees its own.
        """
        return cast("SubscriptionList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/subscriptions",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_merchant_refunds(
        self,
        merchant_id: str,
        query: ListMerchantRefundsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> RefundList:
        """All refunds of a merchant.

        The list of `GET /v1/refunds`. A person sees both environments unless they filter by one; a key sees
        its own.
        """
        return cast("RefundList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/refunds",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def refund_as_person(
        self,
        merchant_id: str,
        body: MerchantRefundRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> RefundAnswer:
        """Refund a payment, as a person.

        Same as `POST /v1/refunds`, for owners and managers, and for support up to the merchant’s
        `support_refund_limit`; it is recorded in the audit log. A repeated key makes no second refund, nor
        does another key with the same `if_refundable_amount`.
        """
        return cast("RefundAnswer", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/refunds",
            body=body,
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_merchant_disputes(
        self,
        merchant_id: str,
        query: ListMerchantDisputesQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> DisputeList:
        """All disputes of a merchant.

        Payments that the buyer’s bank has disputed (chargebacks), newest first. Evidence is submitted at
        the card processor. The payment’s status does not change; a subscription with a lost dispute ends
        with its period, unless the merchant’s `renew_after_lost_dispute` is true. A person sees both
        environments unless they filter by one; a key sees its own.
        """
        return cast("DisputeList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/disputes",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_merchant_invoices(
        self,
        merchant_id: str,
        query: ListMerchantInvoicesQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> InvoiceList:
        """All invoices of a merchant.

        The list of `GET /v1/invoices`. A person sees both environments unless they filter by one; a key
        sees its own.
        """
        return cast("InvoiceList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/invoices",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_merchant_credit_notes(
        self,
        merchant_id: str,
        query: ListMerchantCreditNotesQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CreditNoteList:
        """All credit notes of a merchant.

        The list of `GET /v1/credit-notes`. A person sees both environments unless they filter by one; a key
        sees its own.
        """
        return cast("CreditNoteList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/credit-notes",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show_merchant_dashboard(
        self,
        merchant_id: str,
        query: ShowMerchantDashboardQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> BillingDashboard:
        """Counters of a merchant.

        The counters of `GET /v1/billing/dashboard`. A person sees the sum of both environments unless they
        filter by one; a key sees its own.
        """
        return cast("BillingDashboard", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/billing/dashboard",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show_product(
        self,
        merchant_id: str,
        product_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ProductAnswer:
        """One product.

        The product with its active price, even if inactive.
        """
        return cast("ProductAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/products/{path_part(product_id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def update_product(
        self,
        merchant_id: str,
        product_id: str,
        body: ProductChanges | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ProductAnswer:
        """Change a product, activate or deactivate it.

        Absent fields stay unchanged; null removes `description` and `external_reference`. With `status`
        `inactive` new sessions cannot sell the product. Existing agreements continue: sessions keep the
        texts and price that they were created with, subscriptions renew at their price.
        """
        return cast("ProductAnswer", await self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchant_id)}/products/{path_part(product_id)}",
            body=body or {},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_prices(
        self,
        merchant_id: str,
        product_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PriceList:
        """The prices of a product.

        Every price of the product, past and present, newest first; at most one is active.
        """
        return cast("PriceList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/products/{path_part(product_id)}/prices",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def create_price(
        self,
        merchant_id: str,
        product_id: str,
        body: PriceRequest,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PriceAnswer:
        """Create a price of a product.

        The terms of a price never change. A product has at most one active price: the new one replaces it
        atomically, unless created with `status` `inactive`. Sessions and subscriptions agreed at another
        price keep it.
        """
        return cast("PriceAnswer", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/products/{path_part(product_id)}/prices",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def update_price(
        self,
        merchant_id: str,
        product_id: str,
        price_id: str,
        body: PriceChanges,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PriceAnswer:
        """Activate or deactivate a price.

        Activating a price replaces the active one atomically. Without an active price the product cannot be
        sold. A body that names terms (`amount`, `currency`, `tax_rate`, `billing_mode`, `recurring`) is
        refused.
        """
        return cast("PriceAnswer", await self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchant_id)}/products/{path_part(product_id)}/prices/{path_part(price_id)}",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_offerings(
        self,
        merchant_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OfferingList:
        """The offerings of a merchant.

        All of them, newest first, including inactive ones.
        """
        return cast("OfferingList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/offerings",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def create_offering(
        self,
        merchant_id: str,
        body: OfferingRequest,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OfferingAnswer:
        """Create an offering.

        A plan change stays inside the offering of the subscription; a plan is in at most one offering.
        Subscriptions created before a plan joined the offering are in none.
        """
        return cast("OfferingAnswer", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/offerings",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show_offering(
        self,
        merchant_id: str,
        offering_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OfferingAnswer:
        """One offering.

        The offering with its plans, even if inactive.
        """
        return cast("OfferingAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/offerings/{path_part(offering_id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def update_offering(
        self,
        merchant_id: str,
        offering_id: str,
        body: OfferingChanges | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OfferingAnswer:
        """Change an offering, activate or deactivate it.

        Absent fields stay unchanged. `plan_ids` replaces the whole set: plans missing from it leave the
        offering. Subscriptions stay in their agreed offering, and scheduled changes still apply. With
        Subscriptions stay in their agreed offering, and scheduled changes still apply. With
        """
        return cast("OfferingAnswer", await self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchant_id)}/offerings/{path_part(offering_id)}",
            body=body or {},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_storefront_clients(
        self,
        merchant_id: str,
        query: ListStorefrontClientsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> StorefrontClientList:
        """The storefront clients of a merchant.

        All of them, newest first, including disabled ones.
        """
        return cast("StorefrontClientList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/storefront-clients",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def create_storefront_client(
        self,
        merchant_id: str,
        body: StorefrontClientRequest,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> StorefrontClientAnswer:
        """Create a storefront client.

        Its `id` is the public id with which a page calls `/v1/checkout-clients/{publicId}`. It belongs to
        one environment and works only from the given origins. Origins are stored as browsers send them:
        `https://Shop.example:443` becomes `https://shop.example`.
        """
        return cast("StorefrontClientAnswer", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/storefront-clients",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show_storefront_client(
        self,
        merchant_id: str,
        client_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> StorefrontClientAnswer:
        """One storefront client.

        The client, even if disabled; a key sees those of its environment.
        """
        return cast("StorefrontClientAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/storefront-clients/{path_part(client_id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def update_storefront_client(
        self,
        merchant_id: str,
        client_id: str,
        body: StorefrontClientChanges | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> StorefrontClientAnswer:
        """Change a storefront client, disable or enable it.

        Absent fields stay unchanged; `origins` and `product_ids` replace the whole set. Takes effect with
        the next request in every process. Existing sessions of the client continue, even if it is disabled.
        """
        return cast("StorefrontClientAnswer", await self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchant_id)}/storefront-clients/{path_part(client_id)}",
            body=body or {},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_merchants(
        self,
        query: ListMerchantsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> MerchantPage:
        """Your merchants.

        `platform` people see every merchant, others those named in their token. Newest first.
        """
        return cast("MerchantPage", await self._call(
            "GET",
            "/v1/merchants",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def create_merchant(
        self,
        body: MerchantRequest,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CreatedMerchantAnswer:
        """Create a merchant.

        For `platform` people. The merchant is active immediately, has no rail account yet, and gets a first
        API key for the sandbox: only this response contains `api_key.key`. Its own people see it once the
        identity provider names its id in their tokens.
        """
        return cast("CreatedMerchantAnswer", await self._call(
            "POST",
            "/v1/merchants",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show_merchant(
        self,
        merchant_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> MerchantAnswer:
        """One merchant.

        Name, status, capabilities, branding and legal identity.
        """
        return cast("MerchantAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def update_merchant(
        self,
        merchant_id: str,
        body: MerchantChanges | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> MerchantAnswer:
        """Change a merchant.

        Absent fields stay unchanged. `branding` requires an owner, a manager or a developer;
        `renew_after_lost_dispute` an owner or a manager; `name` and `legal_identity` an owner or a
        `platform` person; `status` and `capabilities` a `platform` person. If one field is not allowed,
        nothing is changed.

        Existing sessions keep the name, branding and legal identity that they were created with. An
        inactive merchant’s API keys are refused immediately; sessions and subscriptions in progress
        continue.
        """
        return cast("MerchantAnswer", await self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchant_id)}",
            body=body or {},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show_merchant_settings(
        self,
        merchant_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> MerchantSettingsAnswer:
        """A merchant’s settings.

        One flat object for both environments. Every default changes nothing.
        """
        return cast("MerchantSettingsAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/settings",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def update_merchant_settings(
        self,
        merchant_id: str,
        body: MerchantSettingsChanges | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> MerchantSettingsAnswer:
        """Change a merchant’s settings.

        For an owner or a `platform` person, `support_refund_limit` for an owner only. Absent fields stay
        unchanged; a change is in the audit log with the old and the new value. `PATCH /v1/invoice-settings`
        changes none of them.
        """
        return cast("MerchantSettingsAnswer", await self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchant_id)}/settings",
            body=body or {},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_audit(
        self,
        merchant_id: str,
        query: ListAuditQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> AuditEntryPage:
        """The audit log.

        Every change by people and operators, with the state before and after, without secrets. For owners
        and `platform` people. Entries are written in the transaction of the change and never altered.
        """
        return cast("AuditEntryPage", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/audit",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_api_keys(
        self,
        merchant_id: str,
        query: ListApiKeysQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ApiKeyList:
        """List active API keys.

        Newest first, without the keys themselves. A rotated key is listed until its `expires_at`. An API
        key can list only the keys of its environment.
        """
        return cast("ApiKeyList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/api-keys",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def create_api_key(
        self,
        merchant_id: str,
        body: ApiKeyRequest,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CreatedApiKeyAnswer:
        """Create an API key.

        For owners and developers. Only this response contains `key`: only its hash is stored. An
        environment has at most twenty active keys.
        """
        return cast("CreatedApiKeyAnswer", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/api-keys",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def rotate_api_key(
        self,
        merchant_id: str,
        key_id: str,
        body: ApiKeyRotation | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> RotatedApiKeyAnswer:
        """Rotate an API key.

        A new key with the same environment, name, scope and expiry, contained only in this response. The
        previous key stays valid for `overlap_hours` more (default 24), so that every server can switch; if
        it was due to expire sooner, it still does. For a leaked key: `overlap_hours: 0`.
        """
        return cast("RotatedApiKeyAnswer", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/api-keys/{path_part(key_id)}/rotate",
            body=body or {},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def revoke_api_key(
        self,
        merchant_id: str,
        key_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> RevokedApiKeyAnswer:
        """Revoke an API key.

        Immediate and permanent: the next request with it is answered 401 `api_key_invalid`. To give servers
        time, rotate it instead. Operations that the key started continue.
        """
        return cast("RevokedApiKeyAnswer", await self._call(
            "DELETE",
            f"/v1/merchants/{path_part(merchant_id)}/api-keys/{path_part(key_id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_rail_accounts(
        self,
        merchant_id: str,
        query: ListRailAccountsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> RailAccountList:
        """The merchant’s rail accounts.

        Current and former accounts, newest first, with their capabilities. Each environment has one active
        account. Credentials are never returned.
        """
        return cast("RailAccountList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/rail-accounts",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def set_rail_account(
        self,
        merchant_id: str,
        body: RailAccountToSet,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ProbedRailAccountAnswer:
        """Set a rail account.

        For `platform` people. Asks the processor for the account’s capabilities, which can take some
        seconds; `findings` describe them. An account that cannot take cards yet stays `activating` and
        cannot be sold on until a check finds that it can. If the processor does not identify the account
        (mistyped keys, keys of the other mode, no answer in time), they are refused and nothing changes.

        At a rail where the merchant already has an account, these are new keys for it: keys of another
        account are refused, since open payments could not be looked up with them, unless `replace` is set.
        With `replace`, an account that the merchant has used before is in use again under its id, and the
        cards that are stored there can be charged again. Above `SECOND_PERSON_ABOVE`, production's account
        is replaced by two people: the first answer is `rail_account_refused` with a request that a
        colleague confirms, and the same keys are then set again. The merchant receives
        `billing.operational_alert` (`rail_account_replaced`).

        The credential is stored encrypted and appears in no response, log or audit entry.
        """
        return cast("ProbedRailAccountAnswer", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/rail-accounts",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def check_rail_account(
        self,
        merchant_id: str,
        rail_account_id: str,
        body: RailAccountCheck | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ProbedRailAccountAnswer:
        """Check a rail account.

        For `platform` people. Asks the processor and reports the account’s capabilities, and reasons for
        missing ones. An `activating` account that can take cards becomes `active`; the capabilities of an
        active one change only with `apply`, which also reactivates a `disabled` one.
        `rail_account_refused`: another account is active, or this one changed while its processor was being
        asked. A processor that does not answer in time is a finding, and nothing is stored.
        """
        return cast("ProbedRailAccountAnswer", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/rail-accounts/{path_part(rail_account_id)}/check",
            body=body or {},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_webhook_endpoints(
        self,
        merchant_id: str,
        query: ListWebhookEndpointsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookEndpointList:
        """List webhook endpoints.

        Newest first. A key sees those of its environment; a person may filter by `environment`.
        """
        return cast("WebhookEndpointList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/webhook-endpoints",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def create_webhook_endpoint(
        self,
        merchant_id: str,
        body: WebhookEndpointRequest,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookEndpointWithSecret:
        """Create a webhook endpoint.

        At most ten in each environment. Without `event_types`, it receives every type. Only this response
        contains the secret.
        """
        return cast("WebhookEndpointWithSecret", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/webhook-endpoints",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show_webhook_endpoint(
        self,
        merchant_id: str,
        endpoint_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookEndpointAnswer:
        """Get a webhook endpoint.

        Without its secret.
        """
        return cast("WebhookEndpointAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/webhook-endpoints/{path_part(endpoint_id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def update_webhook_endpoint(
        self,
        merchant_id: str,
        endpoint_id: str,
        body: WebhookEndpointChanges | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookEndpointAnswer:
        """Change, pause or enable a webhook endpoint.

        Absent fields stay unchanged. `paused` holds events back, `enabled` sends them, even after the
        endpoint was disabled for failing.
        """
        return cast("WebhookEndpointAnswer", await self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchant_id)}/webhook-endpoints/{path_part(endpoint_id)}",
            body=body or {},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def delete_webhook_endpoint(
        self,
        merchant_id: str,
        endpoint_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> DeletedWebhookEndpoint:
        """Delete a webhook endpoint.

        Stops delivery to it. Its log is kept for its 90 days.
        """
        return cast("DeletedWebhookEndpoint", await self._call(
            "DELETE",
            f"/v1/merchants/{path_part(merchant_id)}/webhook-endpoints/{path_part(endpoint_id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def rotate_webhook_secret(
        self,
        merchant_id: str,
        endpoint_id: str,
        body: WebhookSecretRotation | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookEndpointWithSecret:
        """Rotate the secret of an endpoint.

        The new secret signs immediately. With `overlap` the previous one also signs for 24 hours, both in
        one header, so that a receiver can switch without losing an event. During an overlap another one is
        refused: it would end the first secret, possibly the only one that your receiver has. Without
        `overlap` the new secret replaces all others.
        """
        return cast("WebhookEndpointWithSecret", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/webhook-endpoints/{path_part(endpoint_id)}/rotate-secret",
            body=body or {},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def send_test_event(
        self,
        merchant_id: str,
        endpoint_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SentTestEvent:
        """Send a test event.

        A `webhook.test` event, to this endpoint alone and regardless of its filter.
        """
        return cast("SentTestEvent", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/webhook-endpoints/{path_part(endpoint_id)}/test",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def recover_webhook_endpoint(
        self,
        merchant_id: str,
        endpoint_id: str,
        body: WebhookRecoveryRequest,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookRecovery:
        """Resend missed events.

        Resends every event since an instant that this endpoint subscribes to and has not acknowledged, in
        batches. One recovery at a time per endpoint.
        """
        return cast("WebhookRecovery", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/webhook-endpoints/{path_part(endpoint_id)}/recover",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_webhook_events(
        self,
        merchant_id: str,
        query: ListWebhookEventsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookLogEventPage:
        """List events with their deliveries.

        Newest first, filtered by type, time, delivery status and endpoint, paginated.
        """
        return cast("WebhookLogEventPage", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/webhook-events",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show_webhook_event(
        self,
        merchant_id: str,
        event_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookLogEventAnswer:
        """One event.

        The state of its deliveries, and the body that they send.
        """
        return cast("WebhookLogEventAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/webhook-events/{path_part(event_id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def resend_webhook_event(
        self,
        merchant_id: str,
        event_id: str,
        body: WebhookResendRequest | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookResend:
        """Resend an event.

        To one endpoint, or to all its original ones. Same id and body: a receiver that has seen it ignores
        it.
        """
        return cast("WebhookResend", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/webhook-events/{path_part(event_id)}/resend",
            body=body or {},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_webhook_attempts(
        self,
        merchant_id: str,
        query: ListWebhookAttemptsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookLogAttemptPage:
        """List delivery attempts.

        Newest first, filtered by event, type, time, outcome and endpoint, paginated. Kept for 90 days.
        """
        return cast("WebhookLogAttemptPage", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/webhook-attempts",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show_operator_access(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OperatorAccess:
        """Your permissions as an operator.

        `support` people see their merchants’ incidents, `platform` people see everything and act.
        """
        return cast("OperatorAccess", await self._call(
            "GET",
            "/v1/operations/access",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_merchant_health(
        self,
        query: ListMerchantHealthQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> MerchantHealthPage:
        """The health of each merchant.

        Newest first, paginated: whether it can sell, whether its endpoints answer, its latest sale, and its
        open incidents. `support` people see their merchants only.
        """
        return cast("MerchantHealthPage", await self._call(
            "GET",
            "/v1/operations/merchants",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_incidents(
        self,
        query: ListIncidentsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> IncidentList:
        """Incidents that need an operator.

        Every kind of incident with amount, age, reason, the next command and links: first Temporal and the
        workers, if they do not answer, then the others, oldest first. For `platform` people; `support`
        people see their merchants’ only.
        """
        return cast("IncidentList", await self._call(
            "GET",
            "/v1/operations/incidents",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_operator_audit(
        self,
        query: ListOperatorAuditQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OperatorAuditEntryPage:
        """The audit log of all merchants.

        Every change by people and operators, newest first, with the state before and after, without
        secrets: of all subjects, of one id, one merchant or one person. For `platform` people.
        """
        return cast("OperatorAuditEntryPage", await self._call(
            "GET",
            "/v1/operations/audit",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def search_subjects(
        self,
        query: SearchSubjectsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OperatorSubjectList:
        """Search by any id.

        At most 50, newest first. Empty if nothing has the id or reference.
        """
        return cast("OperatorSubjectList", await self._call(
            "GET",
            "/v1/operations/subjects",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def explain_subject(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OperatorExplanation:
        """Explain a subject’s state.

        Description of the state, incidents, history with every answer of the rail, what comes next, and
        related ids. Takes the ids of `searchSubjects` and of `listIncidents`: also a whole rail in an
        environment (`<rail>:<environment>`) and a request that waits for a second person (`ap_opr_…`).
        """
        return cast("OperatorExplanation", await self._call(
            "GET",
            f"/v1/operations/subjects/{path_part(id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def command_subject(
        self,
        id: str,
        body: CommandResolve | CommandReturned | CommandDisputeClose | CommandAsk | CommandPauseRail | CommandResumeRail | CommandStopMerchant | CommandStartMerchant | CommandEndpointPause | CommandEndpointResume | CommandEndpointRedeliver | CommandEndpointRecover | CommandIncidentClose,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OperatorCommandAnswer:
        """Execute an operator’s command.

        For `platform` people. The same as `npm run ops -- <command>`: `resolve` settles a session,
        subscription or refund in doubt (the rail is asked once more, and never contradicted); `returned`
        and `dispute_close` record facts that the rail does not show; `ask` asks the rail now; `pause_rail`
        and `resume_rail` stop and allow new attempts at a rail account, or at a whole rail, whose id is
        `<rail>:<environment>`; `stop_merchant` refuses a merchant’s keys until `start_merchant`; the
        `endpoint_` commands act on a webhook endpoint; `incident_close` removes an incident that no state
        shows as over. The audit log names the token’s person. About an amount above the configured one, the
        answer is 202 with `waiting_request`, which another person must confirm.
        """
        return cast("OperatorCommandAnswer", await self._call(
            "POST",
            f"/v1/operations/subjects/{path_part(id)}/commands",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def confirm_operation(
        self,
        request_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OperatorCommandAnswer:
        """Confirm a colleague’s command.

        Executes a command that waits for a second person. For `platform` people other than the requester,
        within a day. The audit log names both.
        """
        return cast("OperatorCommandAnswer", await self._call(
            "POST",
            f"/v1/operations/requests/{path_part(request_id)}/confirm",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def withdraw_operation(
        self,
        request_id: str,
        body: WithdrawOperation,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OperatorCommandAnswer:
        """Withdraw a waiting command.

        Withdraws a command that waits for a second person, so that another can be made: by its requester,
        or by a colleague who rejects it. For `platform` people. A confirmed command cannot be withdrawn.
        """
        return cast("OperatorCommandAnswer", await self._call(
            "POST",
            f"/v1/operations/requests/{path_part(request_id)}/withdraw",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def export_customer(
        self,
        id: str,
        body: CustomerDataRequest,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CustomerExport:
        """Export a customer’s data.

        Everything stored about a customer, as printed by `npm run ops -- export-customer`, with an audit
        row. For `platform` people.
        """
        return cast("CustomerExport", await self._call(
            "POST",
            f"/v1/operations/customers/{path_part(id)}/export",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def erase_customer(
        self,
        id: str,
        body: CustomerDataRequest,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CustomerErasure:
        """Erase a customer’s personal data.

        Email, name, address, tax number and the merchant’s id, also in stored events and clicks. Amounts,
        states, card brands and last digits, references of orders and issued invoices stay, as the law
        requires. Cannot be undone; repeating it changes nothing. Refused while a session, a subscription, a
        refund, a dispute or an unwritten document of the customer is open. With an audit row. For
        `platform` people.
        """
        return cast("CustomerErasure", await self._call(
            "POST",
            f"/v1/operations/customers/{path_part(id)}/erase",
            body=body,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show_access(
        self,
        merchant_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> AccessAnswer:
        """Your permissions here.

        The caller’s permissions at this merchant. The table of roles is in docs/people.md.
        """
        return cast("AccessAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/access",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show_overview(
        self,
        merchant_id: str,
        query: ShowOverviewQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OverviewAnswer:
        """Numbers of a merchant.

        Sales, conversion, declines, subscriptions, and open issues, in one environment. Up to five seconds
        old.
        """
        return cast("OverviewAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/overview",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_rails(
        self,
        merchant_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SettableRailList:
        """Card processors.

        The rails of this installation at which accounts can be set, with the fields of their credentials.
        """
        return cast("SettableRailList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/rails",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def preview_branding(
        self,
        merchant_id: str,
        query: PreviewBrandingQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> BrandingPreviewAnswer:
        """Preview the hosted page.

        The hosted page with this branding and an example purchase. Nothing is saved, and nothing can be
        paid there. Only pages of the API’s own origin and of `origin` can frame it.
        """
        return cast("BrandingPreviewAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/branding-preview",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def search_payments(
        self,
        merchant_id: str,
        query: SearchPaymentsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundPaymentPage:
        """Search payments.

        Newest first, paginated. `q` is a complete id (of a payment, order, checkout, customer,
        subscription, invoice, refund or dispute, or the card processor’s), an email address, a merchant
        reference, a customer reference or an amount such as `19.00`.
        """
        return cast("FoundPaymentPage", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/search/payments",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show_payment(
        self,
        merchant_id: str,
        payment_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PaymentDetailsAnswer:
        """One payment with its history.

        The payment, its customer, refunds and invoice, and its history in chronological order.
        """
        return cast("PaymentDetailsAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/payments/{path_part(payment_id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def export_payments(
        self,
        merchant_id: str,
        query: ExportPaymentsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export payments as CSV.

        All rows of `GET …/search/payments`, streamed. UTF-8 with a header line; amounts with a decimal
        point. A text that a spreadsheet would run as a formula begins with an apostrophe, even after a
        semicolon, a `|`, a tab or a line break inside a value. The audit log names who took the list and
        how many rows.
        """
        return cast("str", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/exports/payments",
            query=query,
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def search_products(
        self,
        merchant_id: str,
        query: SearchProductsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundProductPage:
        """Search products.

        Newest first, paginated, each with its active price.
        """
        return cast("FoundProductPage", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/search/products",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show_checkout_history(
        self,
        merchant_id: str,
        checkout_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CheckoutHistoryAnswer:
        """One checkout with its history.

        The session, its customer, and its history and attempts in chronological order.
        """
        return cast("CheckoutHistoryAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/checkouts/{path_part(checkout_id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show_subscription(
        self,
        merchant_id: str,
        subscription_id: str,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionDetailsAnswer:
        """One subscription with its history.

        The subscription with its clock, next charge, dunning and scheduled change, and the events about it
        in order.
        """
        return cast("SubscriptionDetailsAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/subscriptions/{path_part(subscription_id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def command_subscription(
        self,
        merchant_id: str,
        subscription_id: str,
        body: SubscriptionCommand,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionDetailsAnswer:
        """Cancel or change a subscription, as a person.

        Same as `POST /v1/subscriptions/{id}/cancel`, `plan-change`, `offering-change`, `plan-change/cancel`
        and, in the sandbox, `advance`, and as `cancel/undo`, `pause`, `resume` and `POST
        /v1/invoices/{id}/pay`. Owners and managers give every command; support cancels at the period’s end,
        takes that back, pauses, resumes and charges an invoice; developers move the clock. The audit log
        names the requester. The answer does not wait for an open charge or a moving clock: read the
        subscription again.
        """
        return cast("SubscriptionDetailsAnswer", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/subscriptions/{path_part(subscription_id)}/commands",
            body=body,
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def preview_subscription_change(
        self,
        merchant_id: str,
        subscription_id: str,
        query: PreviewSubscriptionChangeQuery,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ChangePreviewAnswer:
        """Preview a change of a subscription.

        As `POST /v1/subscriptions/{id}/plan-change/preview`, also for another offering. Nothing changes.
        """
        return cast("ChangePreviewAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/subscriptions/{path_part(subscription_id)}/change-preview",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def link_method_change(
        self,
        merchant_id: str,
        subscription_id: str,
        body: MethodChangeLinkRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> MethodChangeLink:
        """Create a link to replace a payment method.

        Same as `POST /v1/payment-methods/change`, for owners, managers and support. Send the link to the
        buyer, who can use it for 15 minutes to replace the card of this subscription. A newer link
        invalidates older ones.
        """
        return cast("MethodChangeLink", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/subscriptions/{path_part(subscription_id)}/method-change",
            body=body,
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def export_checkouts(
        self,
        merchant_id: str,
        query: ExportCheckoutsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export checkouts as CSV.

        All rows of `GET …/search/checkouts`, streamed, as for `GET …/exports/payments`.
        """
        return cast("str", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/exports/checkouts",
            query=query,
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def export_subscriptions(
        self,
        merchant_id: str,
        query: ExportSubscriptionsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export subscriptions as CSV.

        All rows of `GET …/search/subscriptions`, streamed, as for `GET …/exports/payments`.
        """
        return cast("str", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/exports/subscriptions",
            query=query,
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def export_invoices(
        self,
        merchant_id: str,
        query: ExportInvoicesQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export invoices as CSV.

        All rows of `GET …/search/invoices`, streamed, as for `GET …/exports/payments`.
        """
        return cast("str", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/exports/invoices",
            query=query,
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def export_credit_notes(
        self,
        merchant_id: str,
        query: ExportCreditNotesQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export credit-notes as CSV.

        All rows of `GET …/search/credit-notes`, streamed, as for `GET …/exports/payments`.
        """
        return cast("str", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/exports/credit-notes",
            query=query,
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def search_checkouts(
        self,
        merchant_id: str,
        query: SearchCheckoutsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundCheckoutPage:
        """Search checkouts.

        Newest first, paginated. `q`: an id of a checkout, payment or customer, an email, a merchant or
        customer reference, an amount.
        """
        return cast("FoundCheckoutPage", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/search/checkouts",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def search_customers(
        self,
        merchant_id: str,
        query: SearchCustomersQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundCustomerPage:
        """Search customers.

        Newest first, paginated. `q`: an id, an email or your customer reference.
        """
        return cast("FoundCustomerPage", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/search/customers",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def search_subscriptions(
        self,
        merchant_id: str,
        query: SearchSubscriptionsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundSubscriptionPage:
        """Search subscriptions.

        Newest first, paginated. `q`: an id of a subscription, checkout or customer, an email, a merchant or
        customer reference.
        """
        return cast("FoundSubscriptionPage", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/search/subscriptions",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def search_invoices(
        self,
        merchant_id: str,
        query: SearchInvoicesQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> InvoicePage:
        """Search invoices.

        Newest first, paginated. `q`: a number, an id of an invoice, order, subscription or customer, an
        email, a merchant or customer reference, an amount.
        """
        return cast("InvoicePage", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/search/invoices",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def search_credit_notes(
        self,
        merchant_id: str,
        query: SearchCreditNotesQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CreditNotePage:
        """Search credit notes.

        Newest first, paginated. `q`: its number or its invoice’s, an id of a credit note, invoice, refund,
        payment or customer, an email, a customer reference.
        """
        return cast("CreditNotePage", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/search/credit-notes",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def search_refunds(
        self,
        merchant_id: str,
        query: SearchRefundsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundRefundPage:
        """List refunds by date.

        Newest first, of one environment; `from` and `to` are compared with `created_at`. Paginated.
        """
        return cast("FoundRefundPage", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/search/refunds",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def export_refunds(
        self,
        merchant_id: str,
        query: ExportRefundsQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export refunds as CSV.

        All rows of `GET …/search/refunds`, streamed, as for `GET …/exports/payments`.
        """
        return cast("str", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/exports/refunds",
            query=query,
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def search_disputes(
        self,
        merchant_id: str,
        query: SearchDisputesQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundDisputePage:
        """List disputes by date.

        The most recently opened first, of one environment; `from` and `to` are compared with `opened_at`.
        Paginated.
        """
        return cast("FoundDisputePage", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/search/disputes",
            query=query,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def export_disputes(
        self,
        merchant_id: str,
        query: ExportDisputesQuery | None = None,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export disputes as CSV.

        All rows of `GET …/search/disputes`, streamed, as for `GET …/exports/payments`.
        """
        return cast("str", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/exports/disputes",
            query=query,
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))
