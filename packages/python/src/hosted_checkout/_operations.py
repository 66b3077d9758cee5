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
    ExportCheckoutsQuery,
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
    PaymentDetailsAnswer,
    PaymentList,
    PaymentMethodChange,
    PaymentMethodChangeRequest,
    PlanChangeRequest,
    PreviewBrandingQuery,
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
        """Whether requests can be served."""
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
        """Create a checkout session."""
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
        """One checkout session."""
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
        """All products."""
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
        """All orders."""
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
        """All payments."""
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
        """All subscriptions."""
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
        """Alias of the full list of subscriptions."""
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
        """All invoices."""
        return cast("InvoiceList", self._call(
            "GET",
            "/v1/invoices",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show_billing_dashboard(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> BillingDashboard:
        """Counters."""
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
        """Cancel a subscription."""
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
        """Take back a cancellation."""
        return cast("SubscriptionAnswer", self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/cancel/undo",
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
        """Schedule a plan change."""
        return cast("SubscriptionAnswer", self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/plan-change",
            body=body,
            keyed=True,
            idempotency_key=idempotency_key,
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
        """Schedule a plan of another offering."""
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
        """Cancel a scheduled change."""
        return cast("SubscriptionChangeAnswer", self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/plan-change/cancel",
            body=body,
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
        """Move the clock of a sandbox subscription."""
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
        """Let a customer replace the payment method."""
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
        """Record a local charge."""
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
        """Echo invoice settings."""
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
        """Echo one of the invoice settings."""
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
        """All refunds."""
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
        """Refund a payment."""
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
        """One refund."""
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
        """The products of a merchant."""
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
        """Create a product."""
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
        """All orders of a merchant."""
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
        """All payments of a merchant."""
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
        """All subscriptions of a merchant."""
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
        """All refunds of a merchant."""
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
        """Refund a payment, as a person."""
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
        """All disputes of a merchant."""
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
        """All invoices of a merchant."""
        return cast("InvoiceList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/invoices",
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
        """Counters of a merchant."""
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
        """One product."""
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
        """Change a product, activate or deactivate it."""
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
        """The prices of a product."""
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
        """Create a price of a product."""
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
        """Activate or deactivate a price."""
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
        """The offerings of a merchant."""
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
        """Create an offering."""
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
        """One offering."""
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
        """Change an offering, activate or deactivate it."""
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
        """The storefront clients of a merchant."""
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
        """Create a storefront client."""
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
        """One storefront client."""
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
        """Change a storefront client, disable or enable it."""
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
        """Your merchants."""
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
        """Create a merchant."""
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
        """One merchant."""
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
        """Change a merchant."""
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
        """A merchant’s settings."""
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
        """Change a merchant’s settings."""
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
        """The audit log."""
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
        """List active API keys."""
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
        """Create an API key."""
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
        """Rotate an API key."""
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
        """Revoke an API key."""
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
        """The merchant’s rail accounts."""
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
        """Set a rail account."""
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
        """Check a rail account."""
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
        """List webhook endpoints."""
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
        """Create a webhook endpoint."""
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
        """Get a webhook endpoint."""
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
        """Change, pause or enable a webhook endpoint."""
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
        """Delete a webhook endpoint."""
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
        """Rotate the secret of an endpoint."""
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
        """Send a test event."""
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
        """Resend missed events."""
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
        """List events with their deliveries."""
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
        """One event."""
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
        """Resend an event."""
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
        """List delivery attempts."""
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
        """Your permissions as an operator."""
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
        """The health of each merchant."""
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
        """Incidents that need an operator."""
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
        """The audit log of all merchants."""
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
        """Search by any id."""
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
        """Explain a subject’s state."""
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
        """Execute an operator’s command."""
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
        """Confirm a colleague’s command."""
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
        """Withdraw a waiting command."""
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
        """Export a customer’s data."""
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
        """Erase a customer’s personal data."""
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
        """Your permissions here."""
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
        """Numbers of a merchant."""
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
        """Card processors."""
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
        """Preview the hosted page."""
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
        """Search payments."""
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
        """One payment with its history."""
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
        """Export payments as CSV."""
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
        """Search products."""
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
        """One checkout with its history."""
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
        """One subscription with its history."""
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
        """Cancel or change a subscription, as a person."""
        return cast("SubscriptionDetailsAnswer", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/subscriptions/{path_part(subscription_id)}/commands",
            body=body,
            keyed=True,
            idempotency_key=idempotency_key,
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
        """A link to replace a payment method."""
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
        """Export checkouts as CSV."""
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
        """Export subscriptions as CSV."""
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
        """Export invoices as CSV."""
        return cast("str", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/exports/invoices",
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
        """Search checkouts."""
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
        """Search customers."""
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
        """Search subscriptions."""
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
        """Search invoices."""
        return cast("InvoicePage", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/search/invoices",
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
        """List refunds by date."""
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
        """Export refunds as CSV."""
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
        """List disputes by date."""
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
        """Export disputes as CSV."""
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
        """Whether requests can be served."""
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
        """Create a checkout session."""
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
        """One checkout session."""
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
        """All products."""
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
        """All orders."""
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
        """All payments."""
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
        """All subscriptions."""
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
        """Alias of the full list of subscriptions."""
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
        """All invoices."""
        return cast("InvoiceList", await self._call(
            "GET",
            "/v1/invoices",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show_billing_dashboard(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> BillingDashboard:
        """Counters."""
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
        """Cancel a subscription."""
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
        """Take back a cancellation."""
        return cast("SubscriptionAnswer", await self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/cancel/undo",
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
        """Schedule a plan change."""
        return cast("SubscriptionAnswer", await self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/plan-change",
            body=body,
            keyed=True,
            idempotency_key=idempotency_key,
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
        """Schedule a plan of another offering."""
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
        """Cancel a scheduled change."""
        return cast("SubscriptionChangeAnswer", await self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/plan-change/cancel",
            body=body,
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
        """Move the clock of a sandbox subscription."""
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
        """Let a customer replace the payment method."""
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
        """Record a local charge."""
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
        """Echo invoice settings."""
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
        """Echo one of the invoice settings."""
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
        """All refunds."""
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
        """Refund a payment."""
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
        """One refund."""
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
        """The products of a merchant."""
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
        """Create a product."""
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
        """All orders of a merchant."""
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
        """All payments of a merchant."""
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
        """All subscriptions of a merchant."""
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
        """All refunds of a merchant."""
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
        """Refund a payment, as a person."""
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
        """All disputes of a merchant."""
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
        """All invoices of a merchant."""
        return cast("InvoiceList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/invoices",
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
        """Counters of a merchant."""
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
        """One product."""
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
        """Change a product, activate or deactivate it."""
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
        """The prices of a product."""
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
        """Create a price of a product."""
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
        """Activate or deactivate a price."""
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
        """The offerings of a merchant."""
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
        """Create an offering."""
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
        """One offering."""
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
        """Change an offering, activate or deactivate it."""
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
        """The storefront clients of a merchant."""
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
        """Create a storefront client."""
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
        """One storefront client."""
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
        """Change a storefront client, disable or enable it."""
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
        """Your merchants."""
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
        """Create a merchant."""
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
        """One merchant."""
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
        """Change a merchant."""
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
        """A merchant’s settings."""
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
        """Change a merchant’s settings."""
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
        """The audit log."""
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
        """List active API keys."""
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
        """Create an API key."""
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
        """Rotate an API key."""
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
        """Revoke an API key."""
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
        """The merchant’s rail accounts."""
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
        """Set a rail account."""
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
        """Check a rail account."""
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
        """List webhook endpoints."""
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
        """Create a webhook endpoint."""
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
        """Get a webhook endpoint."""
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
        """Change, pause or enable a webhook endpoint."""
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
        """Delete a webhook endpoint."""
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
        """Rotate the secret of an endpoint."""
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
        """Send a test event."""
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
        """Resend missed events."""
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
        """List events with their deliveries."""
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
        """One event."""
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
        """Resend an event."""
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
        """List delivery attempts."""
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
        """Your permissions as an operator."""
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
        """The health of each merchant."""
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
        """Incidents that need an operator."""
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
        """The audit log of all merchants."""
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
        """Search by any id."""
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
        """Explain a subject’s state."""
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
        """Execute an operator’s command."""
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
        """Confirm a colleague’s command."""
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
        """Withdraw a waiting command."""
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
        """Export a customer’s data."""
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
        """Erase a customer’s personal data."""
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
        """Your permissions here."""
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
        """Numbers of a merchant."""
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
        """Card processors."""
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
        """Preview the hosted page."""
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
        """Search payments."""
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
        """One payment with its history."""
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
        """Export payments as CSV."""
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
        """Search products."""
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
        """One checkout with its history."""
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
        """One subscription with its history."""
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
        """Cancel or change a subscription, as a person."""
        return cast("SubscriptionDetailsAnswer", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchant_id)}/subscriptions/{path_part(subscription_id)}/commands",
            body=body,
            keyed=True,
            idempotency_key=idempotency_key,
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
        """A link to replace a payment method."""
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
        """Export checkouts as CSV."""
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
        """Export subscriptions as CSV."""
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
        """Export invoices as CSV."""
        return cast("str", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/exports/invoices",
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
        """Search checkouts."""
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
        """Search customers."""
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
        """Search subscriptions."""
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
        """Search invoices."""
        return cast("InvoicePage", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/search/invoices",
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
        """List refunds by date."""
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
        """Export refunds as CSV."""
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
        """List disputes by date."""
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
        """Export disputes as CSV."""
        return cast("str", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchant_id)}/exports/disputes",
            query=query,
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))
