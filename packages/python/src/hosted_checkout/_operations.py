"""A group for each kind of object of the API, with a method for each operation."""

# Generated from docs/openapi.json by `npm run openapi`: do not edit.

from __future__ import annotations

import builtins
from typing import Any, Literal, cast

from ._caller import AsyncCaller, Caller, Group, path_part
from ._requests import OMIT
from .schemas import (
    AccessAnswer,
    ApiKeyList,
    AuditEntryPage,
    BillingDashboard,
    BillingDetails,
    BrandingPreviewAnswer,
    ChangePreviewAnswer,
    CheckoutDetailsAnswer,
    CheckoutHistoryAnswer,
    CheckoutPrefill,
    CheckoutReconciliation,
    CheckoutSession,
    CouponAnswer,
    CouponList,
    CreatedApiKeyAnswer,
    CreatedMerchantAnswer,
    CreditNoteList,
    CreditNotePage,
    CustomerAnswer,
    CustomerErasure,
    CustomerExport,
    CustomerTax,
    DeletedWebhookEndpoint,
    DisputeList,
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
    InvoiceList,
    InvoiceSettingsAnswer,
    LegalIdentityChanges,
    ManualChargeAnswer,
    MerchantAnswer,
    MerchantBrandingChanges,
    MerchantCapabilityChanges,
    MerchantHealthPage,
    MerchantPage,
    MerchantSettingsAnswer,
    MethodChangeLink,
    OfferingAnswer,
    OfferingList,
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
    PaymentMethodChangeCustomer,
    PriceAnswer,
    PriceList,
    PriceMoveAnswer,
    PriceMoveDetailsAnswer,
    PriceMoveList,
    PriceMoveReportAnswer,
    ProbedRailAccountAnswer,
    ProductAnswer,
    ProductList,
    QuantityRange,
    RailAccountList,
    RecurringTermsRequest,
    Refund,
    RefundAnswer,
    RefundList,
    RevokedApiKeyAnswer,
    RotatedApiKeyAnswer,
    SentTestEvent,
    SettableRailList,
    StorefrontClientAnswer,
    StorefrontClientList,
    SubscriptionAnswer,
    SubscriptionChangeAnswer,
    SubscriptionDetailsAnswer,
    SubscriptionList,
    TaxSummaryAnswer,
    WebhookEndpointAnswer,
    WebhookEndpointList,
    WebhookEndpointWithSecret,
    WebhookLogAttemptPage,
    WebhookLogEventAnswer,
    WebhookLogEventPage,
    WebhookRecovery,
    WebhookResend,
)

class CheckoutsGroup(Group):
    def create(
        self,
        *,
        productId: str,
        externalCustomerId: str,
        customer: CheckoutPrefill | None = OMIT,
        amount: int | None = OMIT,
        paymentMethod: Literal["card", "apple_pay", "google_pay"] | None = OMIT,
        locale: str | None = OMIT,
        successUrl: str | None = OMIT,
        failUrl: str | None = OMIT,
        reconciliation: CheckoutReconciliation | None = OMIT,
        quantity: int | None = OMIT,
        couponCode: str | None = OMIT,
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
        `priceId`, `couponCode` with `amount`, product, capability, price, `quantity`, `amount`, rail
        account, coupon.

        productId: An active product of the merchant.
        externalCustomerId: Your stable reference for the customer.
        customer: Stored with the session, printed on its invoice, and copied to the customer when the
        session succeeds. Name, address and tax id are one set: giving one of them replaces all three; if
        only nulls are given, they clear just those fields.
        amount: Cents; at most the active price times `quantity`, which is the default. Not accepted if the
        price has a trial.
        paymentMethod: Preselected on the hosted page.
        locale: The buyer's language tag. The hosted page supports de, en, es, fr, it, nl, pl, pt; if absent
        or unsupported: the browser's language, then the merchant's. The buyer can switch.
        quantity: Within the bounds of the product's `quantity`. If absent: the minimum, and the hosted page
        lets the buyer choose unless `amount` is given.
        couponCode: The code of a coupon of the merchant, case-insensitive. It is redeemed when the buyer
        pays. If it has been used up by then, the hosted page shows the price without it. Not accepted with
        `amount`.
        """
        return cast("CheckoutSession", self._call(
            "POST",
            "/v1/checkouts",
            body={"productId": productId, "externalCustomerId": externalCustomerId, "customer": customer, "amount": amount, "paymentMethod": paymentMethod, "locale": locale, "successUrl": successUrl, "failUrl": failUrl, "reconciliation": reconciliation, "quantity": quantity, "couponCode": couponCode},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show(
        self,
        id: str,
        /,
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

class ProductsGroup(Group):
    def list(
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

class OrdersGroup(Group):
    def list(
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

class PaymentsGroup(Group):
    def list(
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

class SubscriptionsGroup(Group):
    def list(
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

    def list_current(
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

    def cancel(
        self,
        id: str,
        /,
        *,
        at_period_end: bool = OMIT,
        calculated_at: str = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Cancel a subscription.

        Ends it immediately, or with `at_period_end` at the end of the current period; it continues until
        then. `subscription.cancelled` reports the end. A charge in progress is settled first: the response
        may then show the subscription in its current state. Cancel a scheduled change first. With the
        setting `collect_after_cancellation`, a subscription that ends with its period ends later if an
        invoice is still being retried.

        at_period_end: If true, at the end of the current period; by default immediately.
        calculated_at: The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`),
        at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated`
        if it no longer applies.
        """
        return cast("SubscriptionAnswer", self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/cancel",
            body={"at_period_end": at_period_end, "calculated_at": calculated_at},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def undo_cancel(
        self,
        id: str,
        /,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Undo a cancellation.

        Undoes a cancellation at the end of the period, before that end: the subscription continues and
        renews, or pauses if that was set, as before. `subscription.updated` reports it. An immediate
        cancellation cannot be undone.
        """
        return cast("SubscriptionAnswer", self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/cancel/undo",
            body={},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def pause(
        self,
        id: str,
        /,
        *,
        resumes_at: str | None = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Pause a subscription.

        From the end of the paid period the subscription is `paused`, and nothing is charged until
        `resumes_at` or `resume`, which begins a period. Retries of an unpaid invoice continue; the pause
        begins once it is paid. Repeating the request changes the date. `subscription.updated` reports it;
        `subscription.paused` is sent when the pause begins, to endpoints that list it.

        resumes_at: RFC 3339, after the end of the period, at most five years later. By default it lasts
        until `resume`.
        """
        return cast("SubscriptionAnswer", self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/pause",
            body={"resumes_at": resumes_at},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def resume(
        self,
        id: str,
        /,
        *,
        calculated_at: str = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Resume a paused subscription.

        Begins a period now and charges it with the stored method; later periods are counted from now. A
        pause that has not begun is cancelled, and nothing is charged. The response waits up to five seconds
        for the period to begin. `subscription.updated` reports it; `subscription.resumed` is sent when the
        period begins, to endpoints that list it.

        calculated_at: The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`),
        at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated`
        if it no longer applies.
        """
        return cast("SubscriptionAnswer", self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/resume",
            body={"calculated_at": calculated_at},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def move_trial(
        self,
        id: str,
        /,
        *,
        ends_at: str,
        calculated_at: str = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Extend or end a trial.

        Moves the end of the trial and with it the first charge, a scheduled change, later billing dates and
        `subscription.trial_ending`, which is sent again for the new end. `now` ends it at once: the first
        period begins and is charged, and the response waits up to five seconds for the period to begin.
        `subscription.updated` reports it.

        ends_at: `now`, or RFC 3339, later than the subscription's clock by at most 730 days.
        calculated_at: The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`),
        at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated`
        if it no longer applies.
        """
        return cast("SubscriptionAnswer", self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/trial",
            body={"ends_at": ends_at, "calculated_at": calculated_at},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def change_plan(
        self,
        id: str,
        /,
        *,
        target_plan_id: str = OMIT,
        effective: Literal["now", "period_end"] = OMIT,
        calculated_at: str = OMIT,
        target_product_id: str = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Change the plan.

        Another plan of the same offering, from the end of the current period or trial; or the current plan,
        to move the subscription to its current price. `target_product_id` is an alias of `target_plan_id`:
        a plan *is* a recurring product. Nothing is charged before the change applies;
        `subscription.updated` reports the schedule and the change. With `effective` `now` the difference is
        charged to the stored method, and the plan changes when that is paid: `change.status` is then
        `applied`. A decline is 202 with `failed`, and nothing has changed; if the bank requires the
        customer's confirmation, it is `requires_action` with a `hostedUrl`, where they confirm and pay it.
        Until the outcome is known, it is `pending`, and other operations are refused. A change that costs
        nothing now is 409 `change_needs_period_end`.

        target_plan_id: A recurring product in the same offering; the current one, to move to its current
        price.
        effective: `now`: the unused share of the paid period is credited, and its remaining time charged at
        the new price (a whole new period if the interval differs). Default: `period_end`.
        calculated_at: The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`),
        at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated`
        if it no longer applies.
        target_product_id: Alias of target_plan_id.
        """
        return cast("SubscriptionAnswer", self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/plan-change",
            body={"target_plan_id": target_plan_id, "effective": effective, "calculated_at": calculated_at, "target_product_id": target_product_id},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def preview_plan_change(
        self,
        id: str,
        /,
        *,
        target_plan_id: str = OMIT,
        effective: Literal["now", "period_end"] = OMIT,
        calculated_at: str = OMIT,
        target_product_id: str = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ChangePreviewAnswer:
        """Preview a plan change.

        With the body of the change: its lines and total, and what the next renewal will charge. Nothing
        changes. Send its `calculated_at` with the change to charge exactly these lines (at the end of the
        period: this renewal), within 15 minutes, while nothing else has changed (409 `preview_outdated`
        otherwise).

        target_plan_id: A recurring product in the same offering; the current one, to move to its current
        price.
        effective: `now`: the unused share of the paid period is credited, and its remaining time charged at
        the new price (a whole new period if the interval differs). Default: `period_end`.
        calculated_at: The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`),
        at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated`
        if it no longer applies.
        target_product_id: Alias of target_plan_id.
        """
        return cast("ChangePreviewAnswer", self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/plan-change/preview",
            body={"target_plan_id": target_plan_id, "effective": effective, "calculated_at": calculated_at, "target_product_id": target_product_id},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def change_offering(
        self,
        id: str,
        /,
        *,
        target_offering_id: str,
        target_plan_id: str,
        effective: Literal["now", "period_end"] = OMIT,
        calculated_at: str = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Change to a plan of another offering.

        Switches to a plan of another offering at the end of the current period or trial. A subscription
        whose plan is in no offering can change plans only this way. `effective` as in `plan-change`.

        target_plan_id: A recurring product in that offering.
        effective: `now`: the unused share of the paid period is credited, and its remaining time charged at
        the new price (a whole new period if the interval differs). Default: `period_end`.
        calculated_at: The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`),
        at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated`
        if it no longer applies.
        """
        return cast("SubscriptionAnswer", self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/offering-change",
            body={"target_offering_id": target_offering_id, "target_plan_id": target_plan_id, "effective": effective, "calculated_at": calculated_at},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def change_quantity(
        self,
        id: str,
        /,
        *,
        quantity: int,
        effective: Literal["now", "period_end"] = OMIT,
        calculated_at: str = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Change the quantity.

        Another quantity of the same plan at the same price, from the end of the current period or trial.
        With `effective` `now` the difference for the rest of the period is charged, as in `plan-change`; a
        smaller quantity costs nothing now, and is 409 `change_needs_period_end`.

        quantity: Within the bounds of the plan.
        effective: `now`: the unused share of the paid period is credited, and its remaining time charged at
        the new price (a whole new period if the interval differs). Default: `period_end`.
        calculated_at: The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`),
        at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated`
        if it no longer applies.
        """
        return cast("SubscriptionAnswer", self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/quantity",
            body={"quantity": quantity, "effective": effective, "calculated_at": calculated_at},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def preview_quantity(
        self,
        id: str,
        /,
        *,
        quantity: int,
        effective: Literal["now", "period_end"] = OMIT,
        calculated_at: str = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ChangePreviewAnswer:
        """Preview a change of quantity.

        With the body of the change: its lines and total, and what the next renewal will charge. Nothing
        changes. Send its `calculated_at` with the change to charge exactly these lines (at the end of the
        period: this renewal), within 15 minutes, while nothing else has changed (409 `preview_outdated`
        otherwise).

        quantity: Within the bounds of the plan.
        effective: `now`: the unused share of the paid period is credited, and its remaining time charged at
        the new price (a whole new period if the interval differs). Default: `period_end`.
        calculated_at: The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`),
        at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated`
        if it no longer applies.
        """
        return cast("ChangePreviewAnswer", self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/quantity/preview",
            body={"quantity": quantity, "effective": effective, "calculated_at": calculated_at},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def preview_cancel(
        self,
        id: str,
        /,
        *,
        at_period_end: bool = OMIT,
        calculated_at: str = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ChangePreviewAnswer:
        """Preview a cancellation.

        With the body of the cancellation: when it ends the subscription. Nothing changes. A cancellation
        charges nothing, and refunds nothing of the paid period: refund its payment separately.

        at_period_end: If true, at the end of the current period; by default immediately.
        calculated_at: The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`),
        at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated`
        if it no longer applies.
        """
        return cast("ChangePreviewAnswer", self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/cancel/preview",
            body={"at_period_end": at_period_end, "calculated_at": calculated_at},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def cancel_change(
        self,
        id: str,
        /,
        *,
        action_id: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionChangeAnswer:
        """Cancel a change.

        Cancels a change of any kind, named by its `action_id`, that is `scheduled` or `requires_action`.
        The subscription stays unchanged. While the customer is paying it on its page, the response is 409
        `subscription_change_scheduled`.

        action_id: The action_id of the change.
        """
        return cast("SubscriptionChangeAnswer", self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/plan-change/cancel",
            body={"action_id": action_id},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def advance_clock(
        self,
        id: str,
        /,
        *,
        to: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Move the clock of a sandbox subscription.

        Sandbox only. Moves the clock of this one subscription forward, through every renewal, trial end and
        retry on the way, each with its payments, invoices and events, so that a year takes seconds. The
        response comes on arrival or, if that takes long, while the clock is still moving. At most 20 years
        ahead of today, 500 billing boundaries per request, and two clocks of a merchant at once (429).

        to: RFC 3339, any offset; not before the subscription's clock.
        """
        return cast("SubscriptionAnswer", self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/advance",
            body={"to": to},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class InvoicesGroup(Group):
    def list(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> InvoiceList:
        """All invoices.

        Invoices as issued. An invoice that is `created` with `amount_due` 0 is settled. `pdf_url` opens
        without a key: treat it as a secret of the customer.
        """
        return cast("InvoiceList", self._call(
            "GET",
            "/v1/invoices",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def pay(
        self,
        id: str,
        /,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PaidInvoiceAnswer:
        """Charge an unpaid invoice now.

        One attempt with the stored method for the same invoice, in addition to the retry schedule. If an
        attempt is already in progress, the request joins it, so that there is one charge. The response
        waits up to five seconds for it: `payment.status` reports the result, and a decline is 200 with
        `failed`. At most three attempts a day (429), the oldest unpaid invoice first; after a decline that
        forbids another attempt, only with another method.
        """
        return cast("PaidInvoiceAnswer", self._call(
            "POST",
            f"/v1/invoices/{path_part(id)}/pay",
            body={},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def create_payment_link(
        self,
        id: str,
        /,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PaymentLink:
        """Let a customer pay an unpaid invoice.

        A hosted page for this invoice and amount, open for 24 hours, with any card and a confirmation by
        the bank if needed. Repeating the request returns the open link. Retries continue in parallel; the
        invoice is charged once, whichever pays first. If the customer agrees on the page, the method
        becomes the subscription’s (`payment_method.updated`). `payment.succeeded` or `payment.failed`
        reports each attempt. The oldest unpaid invoice is paid first.
        """
        return cast("PaymentLink", self._call(
            "POST",
            f"/v1/invoices/{path_part(id)}/payment-link",
            body={},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class CreditNotesGroup(Group):
    def list(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CreditNoteList:
        """All credit notes.

        Credit notes as issued. A refund of a payment with an invoice has one as soon as it is `succeeded`.
        `pdf_url` opens without a key: treat it as a secret of the customer.
        """
        return cast("CreditNoteList", self._call(
            "GET",
            "/v1/credit-notes",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class RefundsGroup(Group):
    def list(
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

    def create(
        self,
        *,
        paymentId: str = OMIT,
        amount: int = OMIT,
        currency: str | None = OMIT,
        reason: str | None = OMIT,
        confirmDispute: bool | None = OMIT,
        orderId: str = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> RefundAnswer:
        """Refund a payment.

        Refunds a settled payment, in full or in part; several partial refunds may add up to the amount
        paid. The amount is reserved before the card processor is asked, and the response may come while the
        refund is still `pending`: its outcome is determined whatever fails, and `refund.created` reports
        it. If the rail account does not support refunds, the response is 501 and nothing is sent to it.

        Disputed money (open or lost) is refunded only with `confirmDispute: true`: the buyer’s bank
        returns, or has returned, that money itself. Otherwise the response is 409 `payment_disputed`;
        confirm with a new `Idempotency-Key`.

        Checked in this order: key, body, existence, state, amount, currency, capability, dispute.

        paymentId: A settled payment.
        amount: Cents; defaults to everything that is refundable.
        currency: If sent, must equal the payment’s currency.
        reason: For your own records.
        confirmDispute: If true, also refunds amounts in open or lost disputes; the buyer may then receive
        that money twice. Otherwise the response is 409 `payment_disputed`.
        orderId: The order of the payment.
        """
        return cast("RefundAnswer", self._call(
            "POST",
            "/v1/refunds",
            body={"paymentId": paymentId, "amount": amount, "currency": currency, "reason": reason, "confirmDispute": confirmDispute, "orderId": orderId},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show(
        self,
        id: str,
        /,
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

class BillingGroup(Group):
    def show_dashboard(
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

class PaymentMethodsGroup(Group):
    def change(
        self,
        *,
        subscriptionId: str,
        externalCustomerId: str,
        customer: PaymentMethodChangeCustomer,
        successUrl: str,
        failUrl: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PaymentMethodChange:
        """Let a customer replace the payment method.

        A hosted action, open for 15 minutes, in which the customer of a subscription replaces the card.
        Send the customer's browser to `hostedUrl`. `payment_method.updated` or
        `payment_method.update_failed` reports the result; an overdue invoice is charged with the new method
        immediately. A newer action replaces an older one.

        externalCustomerId: The subscription's customer, by your reference.
        """
        return cast("PaymentMethodChange", self._call(
            "POST",
            "/v1/payment-methods/change",
            body={"subscriptionId": subscriptionId, "externalCustomerId": externalCustomerId, "customer": customer, "successUrl": successUrl, "failUrl": failUrl},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class ManualChargesGroup(Group):
    def create(
        self,
        *,
        orderId: str = OMIT,
        currency: Literal["EUR"] | None = OMIT,
        amount: int = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ManualChargeAnswer:
        """Record a local charge.

        **This collects no money.** It creates a local payment in `processing`: nothing is sent to a card
        processor, the order stays unchanged, no event is sent, and the payment never progresses. Do not
        deliver goods on it.

        orderId: An existing order, in any state.
        currency: Defaults to EUR.
        amount: Cents.
        """
        return cast("ManualChargeAnswer", self._call(
            "POST",
            "/v1/manual-charges",
            body={"orderId": orderId, "currency": currency, "amount": amount},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class InvoiceSettingsGroup(Group):
    def echo(
        self,
        body: dict[str, Any] | None = None,
        /,
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

    def echo_by_id(
        self,
        id: str,
        body: dict[str, Any] | None = None,
        /,
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

class MerchantsProductsGroup(Group):
    def list(
        self,
        merchantId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ProductList:
        """The products of a merchant.

        All products, including inactive ones, newest first, each with its active price.
        """
        return cast("ProductList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/products",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def create(
        self,
        merchantId: str,
        /,
        *,
        name: str,
        description: str | None = OMIT,
        metadata: dict[str, str] = OMIT,
        external_reference: str | None = OMIT,
        quantity: QuantityRange | None = OMIT,
        billing_cycles: int | None = OMIT,
        one_subscription_per_customer: bool = OMIT,
        one_trial_per_customer: bool = OMIT,
        image_url: str | None = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ProductAnswer:
        """Create a product.

        A product serves both environments. It is active immediately and can be sold once it has an active
        price.

        name: The name that buyers see on the hosted page.
        metadata: For your own use: at most 50 keys. Replaced as a whole.
        external_reference: Your own reference, unique among your products. Storefronts may use it to name
        the product.
        quantity: How many units can be bought at once, for example seats; null or absent: one. The price is
        per unit.
        billing_cycles: Number of charged periods after which a subscription ends; null or absent: no limit.
        Trials, pauses and free periods do not count. Applies to sessions created later.
        one_subscription_per_customer: A customer with a running subscription of the same offering (without
        an offering: of this product) cannot buy another: 409 `subscription_exists` when the session is
        created, checked again when the buyer pays. Customers are identified by `externalCustomerId`.
        Defaults to false.
        one_trial_per_customer: A buyer who has had a trial of the same offering (without an offering: of
        this product) pays the price from the first day, as the page announces before the payment. Buyers
        are recognised by `externalCustomerId`, by an email confirmed on the page, and by the card where the
        rail identifies it. Defaults to false.
        image_url: An https URL (http only for localhost) of a still JPEG, PNG or WebP image of at most 300
        kB and 2,000 pixels a side. It is fetched once, when it is saved, within five seconds and without
        redirects, re-encoded in its format, with less quality if it would exceed 300 kB, and shown on the
        hosted page from this service. To change the image, use another URL.
        """
        return cast("ProductAnswer", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/products",
            body={"name": name, "description": description, "metadata": metadata, "external_reference": external_reference, "quantity": quantity, "billing_cycles": billing_cycles, "one_subscription_per_customer": one_subscription_per_customer, "one_trial_per_customer": one_trial_per_customer, "image_url": image_url},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show(
        self,
        merchantId: str,
        productId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ProductAnswer:
        """One product.

        The product with its active price, even if inactive.
        """
        return cast("ProductAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/products/{path_part(productId)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def update(
        self,
        merchantId: str,
        productId: str,
        /,
        *,
        name: str = OMIT,
        description: str | None = OMIT,
        metadata: dict[str, str] = OMIT,
        external_reference: str | None = OMIT,
        quantity: QuantityRange | None = OMIT,
        billing_cycles: int | None = OMIT,
        one_subscription_per_customer: bool = OMIT,
        one_trial_per_customer: bool = OMIT,
        image_url: str | None = OMIT,
        status: Literal["active", "inactive"] = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ProductAnswer:
        """Change a product, activate or deactivate it.

        Absent fields stay unchanged; null removes `description`, `external_reference` and `image_url`. With
        `status` `inactive` new sessions cannot sell the product. Existing agreements continue: sessions
        keep the texts and price that they were created with, subscriptions renew at their price.

        name: The name that buyers see on the hosted page.
        metadata: For your own use: at most 50 keys. Replaced as a whole.
        external_reference: Your own reference, unique among your products. Storefronts may use it to name
        the product.
        quantity: How many units can be bought at once, for example seats; null or absent: one. The price is
        per unit.
        billing_cycles: Number of charged periods after which a subscription ends; null or absent: no limit.
        Trials, pauses and free periods do not count. Applies to sessions created later.
        one_subscription_per_customer: A customer with a running subscription of the same offering (without
        an offering: of this product) cannot buy another: 409 `subscription_exists` when the session is
        created, checked again when the buyer pays. Customers are identified by `externalCustomerId`.
        Defaults to false.
        one_trial_per_customer: A buyer who has had a trial of the same offering (without an offering: of
        this product) pays the price from the first day, as the page announces before the payment. Buyers
        are recognised by `externalCustomerId`, by an email confirmed on the page, and by the card where the
        rail identifies it. Defaults to false.
        image_url: An https URL (http only for localhost) of a still JPEG, PNG or WebP image of at most 300
        kB and 2,000 pixels a side. It is fetched once, when it is saved, within five seconds and without
        redirects, re-encoded in its format, with less quality if it would exceed 300 kB, and shown on the
        hosted page from this service. To change the image, use another URL.
        status: inactive: new sessions cannot sell it. Existing sessions and subscriptions continue.
        """
        return cast("ProductAnswer", self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchantId)}/products/{path_part(productId)}",
            body={"name": name, "description": description, "metadata": metadata, "external_reference": external_reference, "quantity": quantity, "billing_cycles": billing_cycles, "one_subscription_per_customer": one_subscription_per_customer, "one_trial_per_customer": one_trial_per_customer, "image_url": image_url, "status": status},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def list_prices(
        self,
        merchantId: str,
        productId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PriceList:
        """The prices of a product.

        Every price of the product, past and present, newest first; at most one is active.
        """
        return cast("PriceList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/products/{path_part(productId)}/prices",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def create_price(
        self,
        merchantId: str,
        productId: str,
        /,
        *,
        amount: int,
        currency: Literal["EUR"] = OMIT,
        tax_rate: float,
        billing_mode: Literal["one_time", "recurring"],
        recurring: RecurringTermsRequest | None = OMIT,
        status: Literal["active", "inactive"] = OMIT,
        replaces: str | None = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PriceAnswer:
        """Create a price of a product.

        The terms of a price never change. A product has at most one active price: the new one replaces it
        atomically, unless created with `status` `inactive`. Sessions and subscriptions agreed at another
        price keep that price.

        amount: Integer cents, tax included.
        currency: Defaults to EUR.
        tax_rate: Percentage included in the amount. Required, because invoices show it.
        recurring: With billing_mode recurring: how often it is charged.
        status: A product has at most one active price: activating a price deactivates the other.
        replaces: The id of the price that you expect to be active; null for none. If another price is
        active: 409 `price_changed`, and nothing changes. If absent, the active price is replaced, whichever
        it is.
        """
        return cast("PriceAnswer", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/products/{path_part(productId)}/prices",
            body={"amount": amount, "currency": currency, "tax_rate": tax_rate, "billing_mode": billing_mode, "recurring": recurring, "status": status, "replaces": replaces},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def update_price(
        self,
        merchantId: str,
        productId: str,
        priceId: str,
        /,
        *,
        status: Literal["active", "inactive"],
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PriceAnswer:
        """Activate or deactivate a price.

        Activating a price replaces the active one atomically. Without an active price the product cannot be
        sold. A body that names terms (`amount`, `currency`, `tax_rate`, `billing_mode`, `recurring`) is
        refused.

        status: A product has at most one active price: activating a price deactivates the other.
        """
        return cast("PriceAnswer", self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchantId)}/products/{path_part(productId)}/prices/{path_part(priceId)}",
            body={"status": status},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class MerchantsOrdersGroup(Group):
    def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OrderList:
        """All orders of a merchant.

        The same list as `GET /v1/orders`. A person sees both environments unless they filter by one; a key
        sees its own.

        environment: If absent, both environments; for a key, its own.
        """
        return cast("OrderList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/orders",
            query={"environment": environment},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class MerchantsPaymentsGroup(Group):
    def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PaymentList:
        """All payments of a merchant.

        The same list as `GET /v1/payments`. A person sees both environments unless they filter by one; a
        key sees its own.

        environment: If absent, both environments; for a key, its own.
        """
        return cast("PaymentList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/payments",
            query={"environment": environment},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show(
        self,
        merchantId: str,
        paymentId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PaymentDetailsAnswer:
        """One payment with its history.

        The payment, its customer, refunds and invoice, and its history in chronological order.
        """
        return cast("PaymentDetailsAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/payments/{path_part(paymentId)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class MerchantsSubscriptionsGroup(Group):
    def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionList:
        """All subscriptions of a merchant.

        The same list as `GET /v1/subscriptions`. A person sees both environments unless they filter by one;
        a key sees its own.

        environment: If absent, both environments; for a key, its own.
        """
        return cast("SubscriptionList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/subscriptions",
            query={"environment": environment},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show(
        self,
        merchantId: str,
        subscriptionId: str,
        /,
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
            f"/v1/merchants/{path_part(merchantId)}/subscriptions/{path_part(subscriptionId)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def command(
        self,
        merchantId: str,
        subscriptionId: str,
        /,
        *,
        command: Literal["cancel"] | Literal["undo_cancel"] | Literal["pause"] | Literal["resume"] | Literal["move_trial"] | Literal["pay"] | Literal["change_plan"] | Literal["change_quantity"] | Literal["cancel_change"] | Literal["advance"],
        at_period_end: bool = OMIT,
        calculated_at: str = OMIT,
        resumes_at: str | None = OMIT,
        ends_at: str = OMIT,
        invoice_id: str = OMIT,
        plan_id: str = OMIT,
        offering_id: str | None = OMIT,
        effective: Literal["now", "period_end"] = OMIT,
        quantity: int = OMIT,
        change_id: str = OMIT,
        to: str = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionDetailsAnswer:
        """Cancel or change a subscription, as a person.

        Same as `POST /v1/subscriptions/{id}/cancel`, `plan-change`, `offering-change`, `quantity`,
        `plan-change/cancel`, `trial` and, in the sandbox, `advance`, and as `cancel/undo`, `pause`,
        `resume` and `POST /v1/invoices/{id}/pay`. Owners and managers may give every command; support may
        cancel at the period’s end, undo that, pause, resume and charge an invoice; developers may move the
        clock. The audit log names the requester. The response does not wait for an open charge or a moving
        clock: read the subscription again.

        calculated_at: The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`),
        at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated`
        if it no longer applies.
        ends_at: `now`, or RFC 3339, later than the subscription's clock by at most 730 days.
        offering_id: Another offering; null for a plan of the current one.
        effective: Default: `period_end`.
        quantity: Within the bounds of the plan.
        """
        return cast("SubscriptionDetailsAnswer", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/subscriptions/{path_part(subscriptionId)}/commands",
            body={"command": command, "at_period_end": at_period_end, "calculated_at": calculated_at, "resumes_at": resumes_at, "ends_at": ends_at, "invoice_id": invoice_id, "plan_id": plan_id, "offering_id": offering_id, "effective": effective, "quantity": quantity, "change_id": change_id, "to": to},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def preview_change(
        self,
        merchantId: str,
        subscriptionId: str,
        /,
        *,
        command: Literal["cancel", "undo_cancel", "pause", "resume", "move_trial"] | None = None,
        ends_at: str | None = None,
        resumes_at: str | None = None,
        plan_id: str | None = None,
        quantity: int | None = None,
        offering_id: str | None = None,
        effective: Literal["now", "period_end"],
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ChangePreviewAnswer:
        """Preview a change of a subscription.

        Plan changes (also to another offering), quantity changes and cancellations are previewed as by
        `POST /v1/subscriptions/{id}/plan-change/preview`, `quantity/preview` and `cancel/preview`. For
        `undo_cancel`, `pause`, `resume` and `move_trial`, the response shows their charge and the renewal
        that follows. Nothing changes.

        command: A cancellation or a pause, the end of either, or another end of the trial; absent for a
        change.
        ends_at: With `move_trial`: as in the command.
        resumes_at: With `pause`: when it ends; absent for a pause without an end.
        plan_id: The plan to change to; absent for a change of quantity.
        quantity: Without `plan_id`: the quantity to change to.
        offering_id: Another offering; absent for a plan of the current one.
        """
        return cast("ChangePreviewAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/subscriptions/{path_part(subscriptionId)}/change-preview",
            query={"command": command, "ends_at": ends_at, "resumes_at": resumes_at, "plan_id": plan_id, "quantity": quantity, "offering_id": offering_id, "effective": effective},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def link_method_change(
        self,
        merchantId: str,
        subscriptionId: str,
        /,
        *,
        return_url: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> MethodChangeLink:
        """Create a link to replace a payment method.

        Same as `POST /v1/payment-methods/change`, for owners, managers and support. Send the link to the
        buyer, who can use it for 15 minutes to replace the card of this subscription. A newer link
        invalidates older ones.

        return_url: Where the buyer’s browser goes afterwards.
        """
        return cast("MethodChangeLink", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/subscriptions/{path_part(subscriptionId)}/method-change",
            body={"return_url": return_url},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def link_invoice(
        self,
        merchantId: str,
        subscriptionId: str,
        /,
        *,
        invoice_id: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> InvoiceLink:
        """Create a link to pay an invoice.

        Same as `POST /v1/invoices/{id}/payment-link`, for owners, managers and support. Send the link to
        the buyer, who can use it for 24 hours.
        """
        return cast("InvoiceLink", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/subscriptions/{path_part(subscriptionId)}/payment-link",
            body={"invoice_id": invoice_id},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class MerchantsInvoicesGroup(Group):
    def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> InvoiceList:
        """All invoices of a merchant.

        The same list as `GET /v1/invoices`. A person sees both environments unless they filter by one; a
        key sees its own.

        environment: If absent, both environments; for a key, its own.
        """
        return cast("InvoiceList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/invoices",
            query={"environment": environment},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class MerchantsCreditNotesGroup(Group):
    def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CreditNoteList:
        """All credit notes of a merchant.

        The same list as `GET /v1/credit-notes`. A person sees both environments unless they filter by one;
        a key sees its own.

        environment: If absent, both environments; for a key, its own.
        """
        return cast("CreditNoteList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/credit-notes",
            query={"environment": environment},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class MerchantsRefundsGroup(Group):
    def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> RefundList:
        """All refunds of a merchant.

        The same list as `GET /v1/refunds`. A person sees both environments unless they filter by one; a key
        sees its own.

        environment: If absent, both environments; for a key, its own.
        """
        return cast("RefundList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/refunds",
            query={"environment": environment},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def create_as_person(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"],
        payment_id: str,
        amount: int = OMIT,
        if_refundable_amount: int = OMIT,
        confirm_dispute: bool = OMIT,
        reason: str = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> RefundAnswer:
        """Refund a payment, as a person.

        Same as `POST /v1/refunds`, for owners and managers, and for support up to the merchant’s
        `support_refund_limit`; it is recorded in the audit log. A repeated key makes no second refund, nor
        does another key with the same `if_refundable_amount`.

        amount: Cents; defaults to everything not refunded yet.
        if_refundable_amount: The refundable cents when the person decided, as the payment shows them. If
        they have changed: 409 `refundable_amount_changed`, and nothing is refunded.
        confirm_dispute: Also refund the amount of open or lost disputes. Without this, the response is 409
        `payment_disputed`.
        reason: For your own records.
        """
        return cast("RefundAnswer", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/refunds",
            body={"environment": environment, "payment_id": payment_id, "amount": amount, "if_refundable_amount": if_refundable_amount, "confirm_dispute": confirm_dispute, "reason": reason},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class MerchantsDisputesGroup(Group):
    def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> DisputeList:
        """All disputes of a merchant.

        Payments that the buyer’s bank has disputed (chargebacks), newest first. Evidence is submitted at
        the card processor. The payment’s status does not change; a subscription with a lost dispute ends
        with its period, unless the merchant’s `renew_after_lost_dispute` is true. A person sees both
        environments unless they filter by one; a key sees its own.

        environment: If absent, both environments; for a key, its own.
        """
        return cast("DisputeList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/disputes",
            query={"environment": environment},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class MerchantsBillingGroup(Group):
    def show_dashboard(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> BillingDashboard:
        """Counters of a merchant.

        The counters of `GET /v1/billing/dashboard`. A person sees the sum of both environments unless they
        filter by one; a key sees its own.

        environment: If absent, both environments; for a key, its own.
        """
        return cast("BillingDashboard", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/billing/dashboard",
            query={"environment": environment},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class MerchantsOfferingsGroup(Group):
    def list(
        self,
        merchantId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OfferingList:
        """The offerings of a merchant.

        All offerings, including inactive ones, newest first.
        """
        return cast("OfferingList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/offerings",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def create(
        self,
        merchantId: str,
        /,
        *,
        name: str,
        plan_ids: builtins.list[str] = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OfferingAnswer:
        """Create an offering.

        A plan change stays inside the offering of the subscription; a plan is in at most one offering.
        Subscriptions created before a plan joined the offering are in none.

        plan_ids: Products with a recurring price; a plan is in at most one offering.
        """
        return cast("OfferingAnswer", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/offerings",
            body={"name": name, "plan_ids": plan_ids},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show(
        self,
        merchantId: str,
        offeringId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OfferingAnswer:
        """One offering.

        The offering with its plans, even if inactive.
        """
        return cast("OfferingAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/offerings/{path_part(offeringId)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def update(
        self,
        merchantId: str,
        offeringId: str,
        /,
        *,
        name: str = OMIT,
        plan_ids: builtins.list[str] = OMIT,
        status: Literal["active", "inactive"] = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OfferingAnswer:
        """Change an offering, activate or deactivate it.

        Absent fields stay unchanged. `plan_ids` replaces the whole set: plans missing from it leave the
        offering. Subscriptions stay in their agreed offering, and scheduled changes still apply. With
        `status` `inactive`, subscriptions can no longer change to it.

        plan_ids: Replaces the whole set. Subscriptions stay in their agreed offering.
        status: inactive: subscriptions can no longer change to it.
        """
        return cast("OfferingAnswer", self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchantId)}/offerings/{path_part(offeringId)}",
            body={"name": name, "plan_ids": plan_ids, "status": status},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class MerchantsCouponsGroup(Group):
    def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CouponList:
        """The coupons of a merchant.

        All coupons, including stopped ones, newest first. A key sees those of its environment.

        environment: If absent, both environments; for a key, its own.
        """
        return cast("CouponList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/coupons",
            query={"environment": environment},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def create(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"],
        code: str,
        percent: int | None = OMIT,
        amount: int | None = OMIT,
        duration: Literal["once", "repeating", "forever"],
        periods: int | None = OMIT,
        product_ids: builtins.list[str] = OMIT,
        first_purchase_only: bool = OMIT,
        valid_from: str = OMIT,
        valid_until: str = OMIT,
        max_redemptions: int = OMIT,
        max_per_customer: int = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CouponAnswer:
        """Create a coupon.

        A coupon belongs to one environment. Its terms never change, because subscriptions keep them: to
        change them, stop it and create another. Stopping a coupon frees its code.

        code: The code that buyers type and invoices print. Surrounding white space is ignored.
        percent: Percentage of the price times the quantity, rounded half up to the cent. Exactly one of
        `percent` and `amount` is set.
        amount: Cents off each charge; at most its price.
        duration: Which charges of a subscription the coupon reduces, counted after a trial: the first, the
        first `periods`, or all.
        periods: Required with `repeating`, not accepted otherwise.
        product_ids: Products that it applies to. If absent, all.
        first_purchase_only: Only for customers who have bought nothing from the merchant before; a trial or
        a free period counts as a purchase.
        valid_until: From this time on, it cannot be redeemed. Subscriptions that have it keep it.
        max_redemptions: The maximum for all customers together. If absent, no limit.
        """
        return cast("CouponAnswer", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/coupons",
            body={"environment": environment, "code": code, "percent": percent, "amount": amount, "duration": duration, "periods": periods, "product_ids": product_ids, "first_purchase_only": first_purchase_only, "valid_from": valid_from, "valid_until": valid_until, "max_redemptions": max_redemptions, "max_per_customer": max_per_customer},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def update(
        self,
        merchantId: str,
        couponId: str,
        /,
        *,
        status: Literal["stopped"],
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CouponAnswer:
        """Stop a coupon.

        A stopped coupon can no longer be redeemed, and cannot be restarted. Subscriptions that have it keep
        it. Repeating the request changes nothing.

        status: It can no longer be redeemed. Subscriptions that have it keep it.
        """
        return cast("CouponAnswer", self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchantId)}/coupons/{path_part(couponId)}",
            body={"status": status},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class MerchantsStorefrontClientsGroup(Group):
    def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> StorefrontClientList:
        """The storefront clients of a merchant.

        All storefront clients, including disabled ones, newest first.

        environment: If absent, both environments; for a key, its own.
        """
        return cast("StorefrontClientList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/storefront-clients",
            query={"environment": environment},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def create(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"],
        name: str,
        origins: builtins.list[str],
        product_ids: builtins.list[str] = OMIT,
        successUrl: str | None = OMIT,
        failUrl: str | None = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> StorefrontClientAnswer:
        """Create a storefront client.

        Its `id` is the public id with which a page calls `/v1/checkout-clients/{publicId}`. It belongs to
        one environment and works only from the given origins. Origins are stored as browsers send them:
        `https://Shop.example:443` becomes `https://shop.example`.

        name: A label for your own use.
        origins: Scheme, host and port, matched exactly: `https://shop.example`, without a path or wildcard.
        https only, except for localhost in development.
        """
        return cast("StorefrontClientAnswer", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/storefront-clients",
            body={"environment": environment, "name": name, "origins": origins, "product_ids": product_ids, "successUrl": successUrl, "failUrl": failUrl},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show(
        self,
        merchantId: str,
        clientId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> StorefrontClientAnswer:
        """One storefront client.

        The client, even if disabled; a key sees those of its environment.
        """
        return cast("StorefrontClientAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/storefront-clients/{path_part(clientId)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def update(
        self,
        merchantId: str,
        clientId: str,
        /,
        *,
        name: str = OMIT,
        origins: builtins.list[str] = OMIT,
        product_ids: builtins.list[str] = OMIT,
        successUrl: str | None = OMIT,
        failUrl: str | None = OMIT,
        status: Literal["active", "disabled"] = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> StorefrontClientAnswer:
        """Change a storefront client, disable or enable it.

        Absent fields stay unchanged; `origins` and `product_ids` replace the whole set. Takes effect with
        the next request in every process. Existing sessions of the client continue, even if it is disabled.

        name: A label for your own use.
        origins: Scheme, host and port, matched exactly: `https://shop.example`, without a path or wildcard.
        https only, except for localhost in development.
        product_ids: Replaces the whole set.
        status: disabled: its public id is treated as unknown.
        """
        return cast("StorefrontClientAnswer", self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchantId)}/storefront-clients/{path_part(clientId)}",
            body={"name": name, "origins": origins, "product_ids": product_ids, "successUrl": successUrl, "failUrl": failUrl, "status": status},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class MerchantsAuditGroup(Group):
    def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        subject_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> AuditEntryPage:
        """The audit log.

        Every change by people and operators, with the state before and after, without secrets. For owners
        and `platform` people. Entries are written in the transaction of the change and never altered.

        environment: Absent: everything.
        subject_id: Only changes of this subject.
        to: Exclusive.
        cursor: next_cursor of the previous page.
        """
        return cast("AuditEntryPage", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/audit",
            query={"environment": environment, "subject_id": subject_id, "from": from_, "to": to, "cursor": cursor, "limit": limit},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class MerchantsApiKeysGroup(Group):
    def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ApiKeyList:
        """List active API keys.

        Newest first, without the keys themselves. A rotated key is listed until its `expires_at`. An API
        key can list only the keys of its environment.

        environment: If absent, both environments; for a key, its own.
        """
        return cast("ApiKeyList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/api-keys",
            query={"environment": environment},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def create(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"],
        name: str,
        scope: Literal["all", "read", "catalogue"] = OMIT,
        expires_at: str = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CreatedApiKeyAnswer:
        """Create an API key.

        For owners and developers. Only this response contains `key`: only its hash is stored. An
        environment has at most twenty active keys.

        name: What the key is for: a server, a script, a person.
        scope: `all`: everything that a shop’s server needs; it reads the catalogue, but cannot change it.
        `read`: GET requests only. `catalogue`: reads and changes products, prices and offerings, and
        nothing else. Otherwise the response is 403 `api_key_scope_insufficient`.
        expires_at: From this time on, the response is 401 `api_key_invalid`. If absent, never.
        """
        return cast("CreatedApiKeyAnswer", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/api-keys",
            body={"environment": environment, "name": name, "scope": scope, "expires_at": expires_at},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def rotate(
        self,
        merchantId: str,
        keyId: str,
        /,
        *,
        overlap_hours: int = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> RotatedApiKeyAnswer:
        """Rotate an API key.

        A new key with the same environment, name, scope and expiry, contained only in this response. The
        previous key stays valid for `overlap_hours` more (default 24), so that every server can switch; if
        it was due to expire sooner, it still does. For a leaked key: `overlap_hours: 0`.

        overlap_hours: How long the previous key stays valid. 0 revokes it at once.
        """
        return cast("RotatedApiKeyAnswer", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/api-keys/{path_part(keyId)}/rotate",
            body={"overlap_hours": overlap_hours},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def revoke(
        self,
        merchantId: str,
        keyId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> RevokedApiKeyAnswer:
        """Revoke an API key.

        Takes effect immediately and for good: the next request with the key gets 401 `api_key_invalid`. To
        give servers time, rotate it instead. Operations that the key started continue.
        """
        return cast("RevokedApiKeyAnswer", self._call(
            "DELETE",
            f"/v1/merchants/{path_part(merchantId)}/api-keys/{path_part(keyId)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class MerchantsRailAccountsGroup(Group):
    def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> RailAccountList:
        """The merchant’s rail accounts.

        Current and former accounts, newest first, with their capabilities. Each environment has one active
        account. Credentials are never returned.

        environment: If absent, both environments; for a key, its own.
        """
        return cast("RailAccountList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/rail-accounts",
            query={"environment": environment},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def set(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"],
        rail: str,
        credential: dict[str, str],
        replace: bool = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ProbedRailAccountAnswer:
        """Set a rail account.

        For `platform` people. Asks the processor for the account’s capabilities, which can take some
        seconds; `findings` describe them. An account that cannot take cards yet stays `activating` and
        cannot be used for sales until a check finds that it can. If the processor does not identify the
        account (mistyped keys, keys of the other mode, no answer in time), they are refused and nothing
        changes.

        At a rail where the merchant already has an account, these are new keys for it: keys of another
        account are refused, since open payments could not be looked up with them, unless `replace` is set.
        With `replace`, an account that the merchant has used before is in use again under its id, and the
        cards that are stored there can be charged again.

        Above `SECOND_PERSON_ABOVE`, production’s account is replaced, and its stored keys are changed, by
        two people: the first response is `rail_account_refused` with a request that a colleague confirms,
        and the same keys are then set again. The merchant receives `billing.operational_alert`
        (`rail_account_replaced`, `rail_account_keys_changed`).

        The credential is stored encrypted and appears in no response, log or audit entry.

        credential: Depend on the rail; stripe: secretKey, publishableKey, webhookSecret. Absent ones stay
        unchanged.
        replace: Replace the active account, which is then disabled.
        """
        return cast("ProbedRailAccountAnswer", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/rail-accounts",
            body={"environment": environment, "rail": rail, "credential": credential, "replace": replace},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def check(
        self,
        merchantId: str,
        railAccountId: str,
        /,
        *,
        apply: bool = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ProbedRailAccountAnswer:
        """Check a rail account.

        For `platform` people. Asks the processor and reports the account’s capabilities, and reasons for
        missing ones. An `activating` account that can take cards becomes `active`; the capabilities of an
        active one change only with `apply`, which also reactivates a `disabled` one.
        `rail_account_refused`: another account is active, or this one changed while its processor was being
        asked. A processor that does not answer in time is a finding, and nothing is stored.

        apply: Also store the capabilities found. An activating account is activated either way.
        """
        return cast("ProbedRailAccountAnswer", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/rail-accounts/{path_part(railAccountId)}/check",
            body={"apply": apply},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class MerchantsWebhookEndpointsGroup(Group):
    def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookEndpointList:
        """List webhook endpoints.

        Newest first. A key sees those of its environment; a person may filter by `environment`.

        environment: If absent, both environments; for a key, its own.
        """
        return cast("WebhookEndpointList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/webhook-endpoints",
            query={"environment": environment},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def create(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"],
        url: str,
        event_types: builtins.list[Literal["payment.succeeded", "payment.failed", "subscription.created", "subscription.updated", "subscription.trial_ending", "subscription.renewal_upcoming", "subscription.paused", "subscription.resumed", "subscription.cancelled", "invoice.created", "invoice.payment_failed", "refund.created", "credit_note.created", "payment_method.updated", "payment_method.updated_required", "payment_method.update_failed", "billing.operational_alert"] | Literal["webhook.test"]] = OMIT,
        standard_headers: bool = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookEndpointWithSecret:
        """Create a webhook endpoint.

        At most ten in each environment. Without `event_types`, it receives every type. Only this response,
        and its repetition under the same `Idempotency-Key`, contains the secret.
        """
        return cast("WebhookEndpointWithSecret", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/webhook-endpoints",
            body={"environment": environment, "url": url, "event_types": event_types, "standard_headers": standard_headers},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show(
        self,
        merchantId: str,
        endpointId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookEndpointAnswer:
        """Get a webhook endpoint.

        The endpoint, without its secret.
        """
        return cast("WebhookEndpointAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/webhook-endpoints/{path_part(endpointId)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def update(
        self,
        merchantId: str,
        endpointId: str,
        /,
        *,
        url: str = OMIT,
        event_types: builtins.list[Literal["payment.succeeded", "payment.failed", "subscription.created", "subscription.updated", "subscription.trial_ending", "subscription.renewal_upcoming", "subscription.paused", "subscription.resumed", "subscription.cancelled", "invoice.created", "invoice.payment_failed", "refund.created", "credit_note.created", "payment_method.updated", "payment_method.updated_required", "payment_method.update_failed", "billing.operational_alert"] | Literal["webhook.test"]] | None = OMIT,
        standard_headers: bool = OMIT,
        status: Literal["enabled", "paused"] = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookEndpointAnswer:
        """Change, pause or enable a webhook endpoint.

        Absent fields stay unchanged. `paused` holds events back, `enabled` sends them, even after the
        endpoint was disabled for failing.

        event_types: Null selects every type.
        """
        return cast("WebhookEndpointAnswer", self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchantId)}/webhook-endpoints/{path_part(endpointId)}",
            body={"url": url, "event_types": event_types, "standard_headers": standard_headers, "status": status},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def delete(
        self,
        merchantId: str,
        endpointId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> DeletedWebhookEndpoint:
        """Delete a webhook endpoint.

        Stops delivery to it. Its log is kept for 90 days.
        """
        return cast("DeletedWebhookEndpoint", self._call(
            "DELETE",
            f"/v1/merchants/{path_part(merchantId)}/webhook-endpoints/{path_part(endpointId)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def rotate_secret(
        self,
        merchantId: str,
        endpointId: str,
        /,
        *,
        overlap: bool = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookEndpointWithSecret:
        """Rotate the secret of an endpoint.

        The new secret signs immediately. With `overlap` the previous one also signs for 24 hours, both in
        one header, so that a receiver can switch without losing an event. During an overlap, a rotation
        with `overlap` is rejected: it would invalidate the first secret, possibly the only one that your
        receiver has. Without `overlap` the new secret replaces all others. A repetition under the same
        `Idempotency-Key` gets the same secret.

        overlap: If true, the current secret also signs for 24 hours. Rejected while an earlier overlap
        lasts.
        """
        return cast("WebhookEndpointWithSecret", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/webhook-endpoints/{path_part(endpointId)}/rotate-secret",
            body={"overlap": overlap},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def send_test_event(
        self,
        merchantId: str,
        endpointId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SentTestEvent:
        """Send a test event.

        A `webhook.test` event, to this endpoint alone and regardless of its filter.
        """
        return cast("SentTestEvent", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/webhook-endpoints/{path_part(endpointId)}/test",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def recover(
        self,
        merchantId: str,
        endpointId: str,
        /,
        *,
        since: str,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookRecovery:
        """Resend missed events.

        Resends, in batches, every event since a given time that this endpoint subscribes to and has not
        acknowledged. One recovery at a time per endpoint.

        since: Events from this instant on.
        """
        return cast("WebhookRecovery", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/webhook-endpoints/{path_part(endpointId)}/recover",
            body={"since": since},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class MerchantsWebhookEventsGroup(Group):
    def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        type: Literal["payment.succeeded", "payment.failed", "subscription.created", "subscription.updated", "subscription.trial_ending", "subscription.renewal_upcoming", "subscription.paused", "subscription.resumed", "subscription.cancelled", "invoice.created", "invoice.payment_failed", "refund.created", "credit_note.created", "payment_method.updated", "payment_method.updated_required", "payment_method.update_failed", "billing.operational_alert"] | Literal["webhook.test"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        endpoint_id: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        status: Literal["pending", "succeeded", "exhausted", "held"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookLogEventPage:
        """List events with their deliveries.

        Newest first, filtered by type, time, delivery status and endpoint, paginated.
        """
        return cast("WebhookLogEventPage", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/webhook-events",
            query={"environment": environment, "type": type, "from": from_, "to": to, "endpoint_id": endpoint_id, "cursor": cursor, "limit": limit, "status": status},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show(
        self,
        merchantId: str,
        eventId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookLogEventAnswer:
        """One event.

        The state of its deliveries, and the body that they send.
        """
        return cast("WebhookLogEventAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/webhook-events/{path_part(eventId)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def resend(
        self,
        merchantId: str,
        eventId: str,
        /,
        *,
        endpoint_id: str = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookResend:
        """Resend an event.

        To one endpoint, or to all its original ones. Same id and body: a receiver that has seen it ignores
        it.

        endpoint_id: If absent, all original endpoints of the event.
        """
        return cast("WebhookResend", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/webhook-events/{path_part(eventId)}/resend",
            body={"endpoint_id": endpoint_id},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class MerchantsWebhookAttemptsGroup(Group):
    def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        type: Literal["payment.succeeded", "payment.failed", "subscription.created", "subscription.updated", "subscription.trial_ending", "subscription.renewal_upcoming", "subscription.paused", "subscription.resumed", "subscription.cancelled", "invoice.created", "invoice.payment_failed", "refund.created", "credit_note.created", "payment_method.updated", "payment_method.updated_required", "payment_method.update_failed", "billing.operational_alert"] | Literal["webhook.test"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        endpoint_id: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        event_id: str | None = None,
        status: Literal["succeeded", "failed"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookLogAttemptPage:
        """List delivery attempts.

        Newest first, filtered by event, type, time, outcome and endpoint, paginated. Kept for 90 days.
        """
        return cast("WebhookLogAttemptPage", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/webhook-attempts",
            query={"environment": environment, "type": type, "from": from_, "to": to, "endpoint_id": endpoint_id, "cursor": cursor, "limit": limit, "event_id": event_id, "status": status},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class MerchantsRailsGroup(Group):
    def list(
        self,
        merchantId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SettableRailList:
        """Card processors.

        The rails of this installation at which accounts can be set up, with the fields of their
        credentials.
        """
        return cast("SettableRailList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/rails",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class MerchantsSearchGroup(Group):
    def products(
        self,
        merchantId: str,
        /,
        *,
        q: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        status: Literal["active", "inactive"] | None = None,
        billing_mode: Literal["one_time", "recurring"] | None = None,
        storefront_client_id: str | None = None,
        offering_id: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundProductPage:
        """Search products.

        Newest first, paginated, each with its active price.

        q: A product’s id, your exact reference, or part of the name.
        cursor: next_cursor of the previous page.
        billing_mode: Only products whose active price has this billing mode.
        storefront_client_id: Only products that this storefront client may sell.
        offering_id: Only plans of this offering.
        """
        return cast("FoundProductPage", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/search/products",
            query={"q": q, "cursor": cursor, "limit": limit, "status": status, "billing_mode": billing_mode, "storefront_client_id": storefront_client_id, "offering_id": offering_id},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def payments(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        q: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        status: Literal["requires_action", "processing", "succeeded", "failed", "cancelled", "refunded", "partially_refunded"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundPaymentPage:
        """Search payments.

        Newest first, paginated. `q` is a complete id (of a payment, order, checkout, customer,
        subscription, invoice, refund or dispute, or the card processor’s), an email address, a merchant
        reference, a customer reference or an amount such as `19.00`.

        environment: Required for people; an API key determines its own.
        q: An exact id, reference or amount; at least three consecutive characters of an email address or a
        name, or the first two of a word of the name (the 100 newest matching buyers); the last four digits
        of a card, alone or with the brand, an amount or both (`Visa 4242 19.00`), for payments; a part of
        the number, for invoices and credit notes.
        cursor: next_cursor of the previous page.
        to: Exclusive.
        """
        return cast("FoundPaymentPage", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/search/payments",
            query={"environment": environment, "q": q, "cursor": cursor, "limit": limit, "status": status, "from": from_, "to": to},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def checkouts(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        q: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Literal["created", "processing", "requires_action", "succeeded", "failed", "reconciliation_required"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundCheckoutPage:
        """Search checkouts.

        Newest first, paginated. `q`: an id of a checkout, payment or customer, an email, a merchant or
        customer reference, an amount.

        environment: Required for people; an API key determines its own.
        q: An exact id, reference or amount; at least three consecutive characters of an email address or a
        name, or the first two of a word of the name (the 100 newest matching buyers); the last four digits
        of a card, alone or with the brand, an amount or both (`Visa 4242 19.00`), for payments; a part of
        the number, for invoices and credit notes.
        cursor: next_cursor of the previous page.
        to: Exclusive.
        """
        return cast("FoundCheckoutPage", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/search/checkouts",
            query={"environment": environment, "q": q, "cursor": cursor, "limit": limit, "from": from_, "to": to, "status": status},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def customers(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        q: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        from_: str | None = None,
        to: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundCustomerPage:
        """Search customers.

        Newest first, paginated. `q`: an id, an email or your customer reference.

        environment: Required for people; an API key determines its own.
        q: An exact id, reference or amount; at least three consecutive characters of an email address or a
        name, or the first two of a word of the name (the 100 newest matching buyers); the last four digits
        of a card, alone or with the brand, an amount or both (`Visa 4242 19.00`), for payments; a part of
        the number, for invoices and credit notes.
        cursor: next_cursor of the previous page.
        to: Exclusive.
        """
        return cast("FoundCustomerPage", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/search/customers",
            query={"environment": environment, "q": q, "cursor": cursor, "limit": limit, "from": from_, "to": to},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def subscriptions(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        q: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Literal["incomplete", "trialing", "active", "past_due", "cancelled", "expired", "paused"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundSubscriptionPage:
        """Search subscriptions.

        Newest first, paginated. `q`: an id of a subscription, checkout or customer, an email, a merchant or
        customer reference.

        environment: Required for people; an API key determines its own.
        q: An exact id, reference or amount; at least three consecutive characters of an email address or a
        name, or the first two of a word of the name (the 100 newest matching buyers); the last four digits
        of a card, alone or with the brand, an amount or both (`Visa 4242 19.00`), for payments; a part of
        the number, for invoices and credit notes.
        cursor: next_cursor of the previous page.
        to: Exclusive.
        """
        return cast("FoundSubscriptionPage", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/search/subscriptions",
            query={"environment": environment, "q": q, "cursor": cursor, "limit": limit, "from": from_, "to": to, "status": status},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def invoices(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        q: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Literal["draft", "open", "created", "void", "uncollectible", "payment_failed"] | None = None,
        prints_codes: Literal["true"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundInvoicePage:
        """Search invoices.

        Newest first, paginated. `q`: a part of the number, an id of an invoice, order, subscription or
        customer, an email, a merchant or customer reference, an amount.

        environment: Required for people; an API key determines its own.
        q: An exact id, reference or amount; at least three consecutive characters of an email address or a
        name, or the first two of a word of the name (the 100 newest matching buyers); the last four digits
        of a card, alone or with the brand, an amount or both (`Visa 4242 19.00`), for payments; a part of
        the number, for invoices and credit notes.
        cursor: next_cursor of the previous page.
        to: Exclusive.
        prints_codes: Only documents whose PDF prints the code of a character in the customer’s details,
        such as [U+0B95], because no font contains it.
        """
        return cast("FoundInvoicePage", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/search/invoices",
            query={"environment": environment, "q": q, "cursor": cursor, "limit": limit, "from": from_, "to": to, "status": status, "prints_codes": prints_codes},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def credit_notes(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        q: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        from_: str | None = None,
        to: str | None = None,
        prints_codes: Literal["true"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CreditNotePage:
        """Search credit notes.

        Newest first, paginated. `q`: a part of the number, its invoice’s number, an id of a credit note,
        invoice, refund, payment or customer, an email, a customer reference.

        environment: Required for people; an API key determines its own.
        q: An exact id, reference or amount; at least three consecutive characters of an email address or a
        name, or the first two of a word of the name (the 100 newest matching buyers); the last four digits
        of a card, alone or with the brand, an amount or both (`Visa 4242 19.00`), for payments; a part of
        the number, for invoices and credit notes.
        cursor: next_cursor of the previous page.
        to: Exclusive.
        prints_codes: Only documents whose PDF prints the code of a character in the customer’s details,
        such as [U+0B95], because no font contains it.
        """
        return cast("CreditNotePage", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/search/credit-notes",
            query={"environment": environment, "q": q, "cursor": cursor, "limit": limit, "from": from_, "to": to, "prints_codes": prints_codes},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def refunds(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Literal["pending", "succeeded", "failed"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundRefundPage:
        """List refunds by date.

        Refunds of one environment, newest first; `from` and `to` are compared with `created_at`. Paginated.

        environment: Required for people; an API key determines its own.
        cursor: next_cursor of the previous page.
        to: Exclusive.
        status: pending until the card processor has answered; a failed refund returned nothing.
        """
        return cast("FoundRefundPage", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/search/refunds",
            query={"environment": environment, "cursor": cursor, "limit": limit, "from": from_, "to": to, "status": status},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def disputes(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Literal["open", "won", "lost"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundDisputePage:
        """List disputes by date.

        Disputes of one environment, most recently opened first; `from` and `to` are compared with
        `opened_at`. Paginated.

        environment: Required for people; an API key determines its own.
        cursor: next_cursor of the previous page.
        to: Exclusive.
        status: open until the buyer’s bank has decided; lost: the money was returned to the buyer.
        """
        return cast("FoundDisputePage", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/search/disputes",
            query={"environment": environment, "cursor": cursor, "limit": limit, "from": from_, "to": to, "status": status},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class MerchantsCheckoutsGroup(Group):
    def show_history(
        self,
        merchantId: str,
        checkoutId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CheckoutHistoryAnswer:
        """One checkout with its history.

        The session, its customer, and its history and attempts in chronological order.
        """
        return cast("CheckoutHistoryAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/checkouts/{path_part(checkoutId)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class MerchantsPriceMovesGroup(Group):
    def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        product_id: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PriceMoveList:
        """The price moves of a merchant.

        All price moves, including cancelled ones, newest first. A key sees those of its environment.

        environment: If absent, both environments; for a key, its own.
        """
        return cast("PriceMoveList", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/price-moves",
            query={"environment": environment, "product_id": product_id},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def create(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"],
        old_price_id: str,
        new_price_id: str,
        from_: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PriceMoveAnswer:
        """Move subscribers to a new price.

        Moves all subscribers of an inactive price, in one environment, to the active price of its product.
        `subscription.updated`, with the subscription’s `price_move`, announces it for each: at most 500 a
        minute. The new price is not charged before the notice period has passed, and no other operation is
        blocked: subscribers who cancel by then do not pay the new price. A price has at most one active
        move in each environment: a second one is 409.

        old_price_id: The inactive price whose subscribers move.
        new_price_id: The active price of the same product, with the same interval and currency.
        from_: Each subscriber’s first renewal at or after this time is charged at the new price, once the
        notice period (setting `price_move_notice_days`) has passed since its announcement. At least the
        notice period away, at most five years.
        """
        return cast("PriceMoveAnswer", self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/price-moves",
            body={"environment": environment, "old_price_id": old_price_id, "new_price_id": new_price_id, "from": from_},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def preview(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"],
        old_price_id: str,
        new_price_id: str,
        from_: str,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PriceMoveReportAnswer:
        """Preview a price move.

        The subscribers that it would reach, and the new totals of ten of them. Nothing changes.

        old_price_id: The inactive price whose subscribers move.
        new_price_id: The active price of the same product, with the same interval and currency.
        from_: Each subscriber’s first renewal at or after this time is charged at the new price, once the
        notice period (setting `price_move_notice_days`) has passed since its announcement. At least the
        notice period away, at most five years.
        """
        return cast("PriceMoveReportAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/price-moves/preview",
            query={"environment": environment, "old_price_id": old_price_id, "new_price_id": new_price_id, "from": from_},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show(
        self,
        merchantId: str,
        priceMoveId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PriceMoveDetailsAnswer:
        """Show a price move.

        With counts of its subscribers, the new totals of ten of them, and the reasons why some are not
        moved. For a cancelled move, only the subscribers already moved.
        """
        return cast("PriceMoveDetailsAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/price-moves/{path_part(priceMoveId)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def update(
        self,
        merchantId: str,
        priceMoveId: str,
        /,
        *,
        status: Literal["cancelled"],
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PriceMoveAnswer:
        """Cancel a price move.

        No more subscribers are moved, and `subscription.updated` reports it for each subscriber whose move
        was announced. Those already charged the new price keep it. Repeating the request changes nothing.

        status: No more subscribers are moved. Those already charged the new price keep it.
        """
        return cast("PriceMoveAnswer", self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchantId)}/price-moves/{path_part(priceMoveId)}",
            body={"status": status},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class MerchantsCustomersGroup(Group):
    def update(
        self,
        merchantId: str,
        customerId: str,
        /,
        *,
        name: str | None = OMIT,
        billing_details: BillingDetails | None = OMIT,
        tax: CustomerTax | None = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CustomerAnswer:
        """Change a customer, as a person.

        Name, address and tax id are one set, as in `POST /v1/checkouts`: giving one of them replaces all
        three; if only nulls are given, they clear just those fields. They appear on invoices drafted from
        now on: issued invoices, and sessions that have their own details, do not change. For owners,
        managers and support. The audit log records the old and new values.
        """
        return cast("CustomerAnswer", self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchantId)}/customers/{path_part(customerId)}",
            body={"name": name, "billing_details": billing_details, "tax": tax},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class MerchantsExportsGroup(Group):
    def payments(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        q: str | None = None,
        status: Literal["requires_action", "processing", "succeeded", "failed", "cancelled", "refunded", "partially_refunded"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export payments as CSV.

        All rows of `GET …/search/payments`, streamed. UTF-8 with a header line; amounts with a decimal
        point. A text that a spreadsheet would run as a formula is prefixed with an apostrophe, even after a
        semicolon, a `|`, a tab or a line break inside a value. The audit log records who exported the list
        and how many rows.

        environment: Required for people; an API key determines its own.
        q: An exact id, reference or amount; at least three consecutive characters of an email address or a
        name, or the first two of a word of the name (the 100 newest matching buyers); the last four digits
        of a card, alone or with the brand, an amount or both (`Visa 4242 19.00`), for payments; a part of
        the number, for invoices and credit notes.
        to: Exclusive.
        """
        return cast("str", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/exports/payments",
            query={"environment": environment, "q": q, "status": status, "from": from_, "to": to},
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def checkouts(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        q: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Literal["created", "processing", "requires_action", "succeeded", "failed", "reconciliation_required"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export checkouts as CSV.

        All rows of `GET …/search/checkouts`, streamed, as for `GET …/exports/payments`.

        environment: Required for people; an API key determines its own.
        q: An exact id, reference or amount; at least three consecutive characters of an email address or a
        name, or the first two of a word of the name (the 100 newest matching buyers); the last four digits
        of a card, alone or with the brand, an amount or both (`Visa 4242 19.00`), for payments; a part of
        the number, for invoices and credit notes.
        to: Exclusive.
        """
        return cast("str", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/exports/checkouts",
            query={"environment": environment, "q": q, "from": from_, "to": to, "status": status},
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def subscriptions(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        q: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Literal["incomplete", "trialing", "active", "past_due", "cancelled", "expired", "paused"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export subscriptions as CSV.

        All rows of `GET …/search/subscriptions`, streamed, as for `GET …/exports/payments`.

        environment: Required for people; an API key determines its own.
        q: An exact id, reference or amount; at least three consecutive characters of an email address or a
        name, or the first two of a word of the name (the 100 newest matching buyers); the last four digits
        of a card, alone or with the brand, an amount or both (`Visa 4242 19.00`), for payments; a part of
        the number, for invoices and credit notes.
        to: Exclusive.
        """
        return cast("str", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/exports/subscriptions",
            query={"environment": environment, "q": q, "from": from_, "to": to, "status": status},
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def invoices(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        q: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Literal["draft", "open", "created", "void", "uncollectible", "payment_failed"] | None = None,
        prints_codes: Literal["true"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export invoices as CSV.

        All rows of `GET …/search/invoices`, streamed, as for `GET …/exports/payments`.

        environment: Required for people; an API key determines its own.
        q: An exact id, reference or amount; at least three consecutive characters of an email address or a
        name, or the first two of a word of the name (the 100 newest matching buyers); the last four digits
        of a card, alone or with the brand, an amount or both (`Visa 4242 19.00`), for payments; a part of
        the number, for invoices and credit notes.
        to: Exclusive.
        prints_codes: Only documents whose PDF prints the code of a character in the customer’s details,
        such as [U+0B95], because no font contains it.
        """
        return cast("str", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/exports/invoices",
            query={"environment": environment, "q": q, "from": from_, "to": to, "status": status, "prints_codes": prints_codes},
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def credit_notes(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        q: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        prints_codes: Literal["true"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export credit-notes as CSV.

        All rows of `GET …/search/credit-notes`, streamed, as for `GET …/exports/payments`.

        environment: Required for people; an API key determines its own.
        q: An exact id, reference or amount; at least three consecutive characters of an email address or a
        name, or the first two of a word of the name (the 100 newest matching buyers); the last four digits
        of a card, alone or with the brand, an amount or both (`Visa 4242 19.00`), for payments; a part of
        the number, for invoices and credit notes.
        to: Exclusive.
        prints_codes: Only documents whose PDF prints the code of a character in the customer’s details,
        such as [U+0B95], because no font contains it.
        """
        return cast("str", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/exports/credit-notes",
            query={"environment": environment, "q": q, "from": from_, "to": to, "prints_codes": prints_codes},
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def tax_summary(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        month: str,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export a month’s tax summary as CSV.

        The rows of `GET …/tax-summary`.

        environment: Required for people; an API key determines its own.
        month: The month of the printed dates of issue, which are in the merchant’s time zone at that time.
        """
        return cast("str", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/exports/tax-summary",
            query={"environment": environment, "month": month},
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def refunds(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Literal["pending", "succeeded", "failed"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export refunds as CSV.

        All rows of `GET …/search/refunds`, streamed, as for `GET …/exports/payments`.

        environment: Required for people; an API key determines its own.
        to: Exclusive.
        status: pending until the card processor has answered; a failed refund returned nothing.
        """
        return cast("str", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/exports/refunds",
            query={"environment": environment, "from": from_, "to": to, "status": status},
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def disputes(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Literal["open", "won", "lost"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export disputes as CSV.

        All rows of `GET …/search/disputes`, streamed, as for `GET …/exports/payments`.

        environment: Required for people; an API key determines its own.
        to: Exclusive.
        status: open until the buyer’s bank has decided; lost: the money was returned to the buyer.
        """
        return cast("str", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/exports/disputes",
            query={"environment": environment, "from": from_, "to": to, "status": status},
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class MerchantsGroup(Group):
    @property
    def products(self) -> MerchantsProductsGroup:
        return MerchantsProductsGroup(self._call)

    @property
    def orders(self) -> MerchantsOrdersGroup:
        return MerchantsOrdersGroup(self._call)

    @property
    def payments(self) -> MerchantsPaymentsGroup:
        return MerchantsPaymentsGroup(self._call)

    @property
    def subscriptions(self) -> MerchantsSubscriptionsGroup:
        return MerchantsSubscriptionsGroup(self._call)

    @property
    def invoices(self) -> MerchantsInvoicesGroup:
        return MerchantsInvoicesGroup(self._call)

    @property
    def credit_notes(self) -> MerchantsCreditNotesGroup:
        return MerchantsCreditNotesGroup(self._call)

    @property
    def refunds(self) -> MerchantsRefundsGroup:
        return MerchantsRefundsGroup(self._call)

    @property
    def disputes(self) -> MerchantsDisputesGroup:
        return MerchantsDisputesGroup(self._call)

    @property
    def billing(self) -> MerchantsBillingGroup:
        return MerchantsBillingGroup(self._call)

    @property
    def offerings(self) -> MerchantsOfferingsGroup:
        return MerchantsOfferingsGroup(self._call)

    @property
    def coupons(self) -> MerchantsCouponsGroup:
        return MerchantsCouponsGroup(self._call)

    @property
    def storefront_clients(self) -> MerchantsStorefrontClientsGroup:
        return MerchantsStorefrontClientsGroup(self._call)

    @property
    def audit(self) -> MerchantsAuditGroup:
        return MerchantsAuditGroup(self._call)

    @property
    def api_keys(self) -> MerchantsApiKeysGroup:
        return MerchantsApiKeysGroup(self._call)

    @property
    def rail_accounts(self) -> MerchantsRailAccountsGroup:
        return MerchantsRailAccountsGroup(self._call)

    @property
    def webhook_endpoints(self) -> MerchantsWebhookEndpointsGroup:
        return MerchantsWebhookEndpointsGroup(self._call)

    @property
    def webhook_events(self) -> MerchantsWebhookEventsGroup:
        return MerchantsWebhookEventsGroup(self._call)

    @property
    def webhook_attempts(self) -> MerchantsWebhookAttemptsGroup:
        return MerchantsWebhookAttemptsGroup(self._call)

    @property
    def rails(self) -> MerchantsRailsGroup:
        return MerchantsRailsGroup(self._call)

    @property
    def search(self) -> MerchantsSearchGroup:
        return MerchantsSearchGroup(self._call)

    @property
    def checkouts(self) -> MerchantsCheckoutsGroup:
        return MerchantsCheckoutsGroup(self._call)

    @property
    def price_moves(self) -> MerchantsPriceMovesGroup:
        return MerchantsPriceMovesGroup(self._call)

    @property
    def customers(self) -> MerchantsCustomersGroup:
        return MerchantsCustomersGroup(self._call)

    @property
    def exports(self) -> MerchantsExportsGroup:
        return MerchantsExportsGroup(self._call)

    def list(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> MerchantPage:
        """Your merchants.

        `platform` people see every merchant, others those named in their token. Newest first.

        cursor: next_cursor of the previous page.
        """
        return cast("MerchantPage", self._call(
            "GET",
            "/v1/merchants",
            query={"cursor": cursor, "limit": limit},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def create(
        self,
        *,
        name: str,
        branding: MerchantBrandingChanges = OMIT,
        capabilities: MerchantCapabilityChanges = OMIT,
        legal_identity: LegalIdentityChanges = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CreatedMerchantAnswer:
        """Create a merchant.

        For `platform` people. The merchant is active immediately, has no rail account yet, and gets a first
        API key for the sandbox: only this response contains `api_key.key`. Its own people see it once the
        identity provider names its id in their tokens.

        name: Shown to buyers at the top of the hosted page.
        """
        return cast("CreatedMerchantAnswer", self._call(
            "POST",
            "/v1/merchants",
            body={"name": name, "branding": branding, "capabilities": capabilities, "legal_identity": legal_identity},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show(
        self,
        merchantId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> MerchantAnswer:
        """One merchant.

        Name, status, capabilities, branding and legal identity.
        """
        return cast("MerchantAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def update(
        self,
        merchantId: str,
        /,
        *,
        name: str = OMIT,
        branding: MerchantBrandingChanges = OMIT,
        capabilities: MerchantCapabilityChanges = OMIT,
        legal_identity: LegalIdentityChanges = OMIT,
        status: Literal["active", "inactive"] = OMIT,
        renew_after_lost_dispute: bool = OMIT,
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

        name: Shown to buyers at the top of the hosted page.
        renew_after_lost_dispute: If false (the default), a subscription with a lost dispute ends with its
        period; if true, it renews.
        """
        return cast("MerchantAnswer", self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchantId)}",
            body={"name": name, "branding": branding, "capabilities": capabilities, "legal_identity": legal_identity, "status": status, "renew_after_lost_dispute": renew_after_lost_dispute},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show_settings(
        self,
        merchantId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> MerchantSettingsAnswer:
        """A merchant’s settings.

        One flat object for both environments. The defaults change nothing.
        """
        return cast("MerchantSettingsAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/settings",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def update_settings(
        self,
        merchantId: str,
        /,
        *,
        time_zone: str = OMIT,
        invoice_prefix: str = OMIT,
        invoice_first_number: int = OMIT,
        credit_note_on_lost_dispute: bool = OMIT,
        credit_note_on_uncollectible: bool = OMIT,
        collect_after_cancellation: bool = OMIT,
        trial_ending_days: int = OMIT,
        renewal_upcoming_days: int = OMIT,
        price_move_notice_days: int = OMIT,
        support_refund_limit: int = OMIT,
        support_email: str | None = OMIT,
        support_url: str | None = OMIT,
        support_phone: str | None = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> MerchantSettingsAnswer:
        """Change a merchant’s settings.

        For an owner or a `platform` person, `support_refund_limit` for an owner only. Absent fields stay
        unchanged; a change is in the audit log with the old and the new value. `PATCH /v1/invoice-settings`
        changes none of them.

        time_zone: The IANA time zone in which invoices are dated and numbered by year, and in which the
        days of the dashboard’s first page and lists begin. Issued invoices keep theirs.
        invoice_prefix: The prefix of new invoice numbers. The series continues: no number is used twice.
        invoice_first_number: Each year’s series begins with this number, in each environment. A series that
        is already beyond it continues: numbers never decrease.
        credit_note_on_lost_dispute: Whether a lost dispute issues a credit note for the disputed amount. If
        the dispute is won after all, a new invoice reverses it.
        credit_note_on_uncollectible: Whether an invoice that becomes `uncollectible` is credited in full.
        collect_after_cancellation: Whether unpaid invoices are still retried after a cancellation at the
        end of the period: the subscription then ends with its period, but not before they are paid or their
        retries are over. Applies to later cancellations; an immediate one always ends it at once.
        trial_ending_days: Days before the end of a trial at which `subscription.trial_ending` is sent to
        endpoints that list it, never before the period starts. 0 disables it. Applies to periods that begin
        later, and to current ones whose announcement is not yet due when an endpoint starts to list the
        event.
        renewal_upcoming_days: Days before a renewal at which `subscription.renewal_upcoming` is sent to
        endpoints that list it, never before the period starts. 0 disables it. Applies to periods that begin
        later, and to current ones whose announcement is not yet due when an endpoint starts to list the
        event.
        price_move_notice_days: How many days before its charge each subscriber’s [move to a new
        price](subscriptions.md#a-new-price-for-all) is announced. Applies to moves created later.
        support_refund_limit: Cents that support may refund per payment, counting all its refunds; only an
        owner may change it. 0 allows none.
        support_email: Shown on the hosted page as an email link: after a decline, while the outcome is
        unknown, and at the end.
        support_url: Shown on the hosted page as a link: after a decline, while the outcome is unknown, and
        at the end.
        support_phone: Shown on the hosted page as a phone link: after a decline, while the outcome is
        unknown, and at the end.
        """
        return cast("MerchantSettingsAnswer", self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchantId)}/settings",
            body={"time_zone": time_zone, "invoice_prefix": invoice_prefix, "invoice_first_number": invoice_first_number, "credit_note_on_lost_dispute": credit_note_on_lost_dispute, "credit_note_on_uncollectible": credit_note_on_uncollectible, "collect_after_cancellation": collect_after_cancellation, "trial_ending_days": trial_ending_days, "renewal_upcoming_days": renewal_upcoming_days, "price_move_notice_days": price_move_notice_days, "support_refund_limit": support_refund_limit, "support_email": support_email, "support_url": support_url, "support_phone": support_phone},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show_access(
        self,
        merchantId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> AccessAnswer:
        """Your permissions here.

        The caller’s permissions at this merchant. The table of roles is in docs/people.md.
        """
        return cast("AccessAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/access",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show_overview(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OverviewAnswer:
        """Key figures of a merchant.

        Sales, conversion, declines, subscriptions and open issues in one environment. Up to five seconds
        old.

        environment: Required for people; an API key determines its own.
        """
        return cast("OverviewAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/overview",
            query={"environment": environment},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def preview_branding(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        name: str | None = None,
        logo_url: str | None = None,
        color: str | None = None,
        language: str | None = None,
        origin: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> BrandingPreviewAnswer:
        """Preview the hosted page.

        The hosted page with this branding and an example purchase. Nothing is saved, and nothing can be
        paid there. Only pages of the API’s own origin and of `origin` can frame it.

        environment: Required for people; an API key determines its own.
        name: If absent, the merchant’s.
        origin: Origin of the page that frames the preview, if it is not the API’s own.
        """
        return cast("BrandingPreviewAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/branding-preview",
            query={"environment": environment, "name": name, "logo_url": logo_url, "color": color, "language": language, "origin": origin},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def show_tax_summary(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        month: str,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> TaxSummaryAnswer:
        """Sum a month’s invoices by tax rate.

        Net, tax and gross of the invoices issued in a month, of its credit notes, and their difference.

        environment: Required for people; an API key determines its own.
        month: The month of the printed dates of issue, which are in the merchant’s time zone at that time.
        """
        return cast("TaxSummaryAnswer", self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/tax-summary",
            query={"environment": environment, "month": month},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class OperationsMerchantsGroup(Group):
    def list_health(
        self,
        *,
        q: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> MerchantHealthPage:
        """The health of each merchant.

        Newest first, paginated: whether it can sell, whether its endpoints answer, its latest sale, and its
        open incidents. `support` people see their merchants only.

        q: A merchant’s id, or part of the name.
        cursor: next_cursor of the previous page.
        """
        return cast("MerchantHealthPage", self._call(
            "GET",
            "/v1/operations/merchants",
            query={"q": q, "cursor": cursor, "limit": limit},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class OperationsIncidentsGroup(Group):
    def list(
        self,
        *,
        kind: Literal["reconciliation_required", "orphaned_charge", "payment_not_at_rail", "outcome_not_recorded", "invoice_not_issued", "charge_unanswered", "refund_failed", "refund_reversed_by_rail", "refund_carried_out", "second_person_needed", "dispute_open", "dispute_not_found", "rail_unavailable", "merchant_sells_nothing", "merchant_stopped", "rail_account_disabled", "rail_account_misconfigured", "card_testing", "endpoint_failing", "endpoint_disabled", "webhook_deliveries_exhausted", "overdue", "sweep_late", "workers_missing", "temporal_unavailable", "database_fenced", "not_in_database"] | None = None,
        merchant_id: str | None = None,
        environment: Literal["sandbox", "production"] | None = None,
        min_amount: int | None = None,
        older_than_seconds: int | None = None,
        limit: int | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> IncidentList:
        """Incidents that need an operator.

        Every kind of incident with amount, age, reason, the next command and links: first Temporal and the
        workers, if they do not answer, then the others, oldest first. For `platform` people; `support`
        people see their merchants’ only.

        min_amount: Cents.
        """
        return cast("IncidentList", self._call(
            "GET",
            "/v1/operations/incidents",
            query={"kind": kind, "merchant_id": merchant_id, "environment": environment, "min_amount": min_amount, "older_than_seconds": older_than_seconds, "limit": limit},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class OperationsAuditGroup(Group):
    def list(
        self,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        subject_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        actor: str | None = None,
        merchant_id: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OperatorAuditEntryPage:
        """The audit log of all merchants.

        Every change by people and operators, newest first, with the state before and after, without
        secrets: for all subjects, one id, one merchant or one person. For `platform` people.

        environment: Absent: everything.
        subject_id: Only changes of this subject.
        to: Exclusive.
        cursor: next_cursor of the previous page.
        actor: Only changes by this person or program, including those that they confirmed.
        """
        return cast("OperatorAuditEntryPage", self._call(
            "GET",
            "/v1/operations/audit",
            query={"environment": environment, "subject_id": subject_id, "from": from_, "to": to, "cursor": cursor, "limit": limit, "actor": actor, "merchant_id": merchant_id},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class OperationsSubjectsGroup(Group):
    def search(
        self,
        *,
        id: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OperatorSubjectList:
        """Search by any id.

        At most 50, newest first. Empty if nothing has the id or reference.

        id: The id or reference to find; without it the result is empty. An id of this service (of a
        payment, session, subscription, refund, dispute, event, order, invoice, endpoint, rail account or
        merchant, of a request or an incident), the rail’s, the merchant’s reference or customer, the page’s
        `sessionId`, or the buyer’s email address.
        """
        return cast("OperatorSubjectList", self._call(
            "GET",
            "/v1/operations/subjects",
            query={"id": id},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def explain(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OperatorExplanation:
        """Explain a subject’s state.

        Describes the state, incidents, history with every answer of the rail, next step and related ids.
        Accepts every id of `searchSubjects` and of `listIncidents`, including a whole rail in an
        environment (`<rail>:<environment>`) and a request that waits for a second person (`ap_opr_…`).
        """
        return cast("OperatorExplanation", self._call(
            "GET",
            f"/v1/operations/subjects/{path_part(id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def command(
        self,
        id: str,
        /,
        *,
        command: Literal["resolve"] | Literal["returned"] | Literal["dispute_close"] | Literal["credit"] | Literal["ask"] | Literal["pause_rail"] | Literal["resume_rail"] | Literal["stop_merchant"] | Literal["start_merchant"] | Literal["endpoint_pause"] | Literal["endpoint_resume"] | Literal["endpoint_redeliver"] | Literal["endpoint_recover"] | Literal["incident_close"],
        outcome: Literal["succeeded", "failed"] = OMIT,
        reason: str = OMIT,
        evidence: str = OMIT,
        status: Literal["won", "lost"] = OMIT,
        event_id: str = OMIT,
        since: str = OMIT,
        kind: Literal["reconciliation_required", "orphaned_charge", "payment_not_at_rail", "outcome_not_recorded", "invoice_not_issued", "charge_unanswered", "refund_failed", "refund_reversed_by_rail", "refund_carried_out", "second_person_needed", "dispute_open", "dispute_not_found", "rail_unavailable", "merchant_sells_nothing", "merchant_stopped", "rail_account_disabled", "rail_account_misconfigured", "card_testing", "endpoint_failing", "endpoint_disabled", "webhook_deliveries_exhausted", "overdue", "sweep_late", "workers_missing", "temporal_unavailable", "database_fenced", "not_in_database"] = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OperatorCommandAnswer:
        """Execute an operator’s command.

        For `platform` people. The same as `npm run ops -- <command>`: `resolve` settles a session,
        subscription or refund in doubt (the rail is asked once more, and never contradicted); `returned`
        and `dispute_close` record facts that the rail does not show; `credit` issues a credit note for an
        uncollectible invoice; `ask` asks the rail now; `pause_rail` and `resume_rail` stop and allow new
        attempts at a rail account, or at a whole rail, whose id is `<rail>:<environment>`; `stop_merchant`
        refuses a merchant’s keys until `start_merchant`; the `endpoint_` commands act on a webhook
        endpoint; `incident_close` closes an incident whose end the service cannot detect. The audit log
        names the token’s person. For an amount above the configured one, the response is 202 with
        `waiting_request`, which another person must confirm.

        reason: The reason, for the audit log. Do not include personal data.
        evidence: The evidence, for example from the rail’s dashboard.
        """
        return cast("OperatorCommandAnswer", self._call(
            "POST",
            f"/v1/operations/subjects/{path_part(id)}/commands",
            body={"command": command, "outcome": outcome, "reason": reason, "evidence": evidence, "status": status, "event_id": event_id, "since": since, "kind": kind},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class OperationsRequestsGroup(Group):
    def confirm(
        self,
        requestId: str,
        /,
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
            f"/v1/operations/requests/{path_part(requestId)}/confirm",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def withdraw(
        self,
        requestId: str,
        /,
        *,
        reason: str,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OperatorCommandAnswer:
        """Withdraw a waiting command.

        Withdraws a command that waits for a second person, so that another can be made: by its requester,
        or by a colleague who rejects it. For `platform` people. A confirmed command cannot be withdrawn.

        reason: The reason, for the audit log. Do not include personal data.
        """
        return cast("OperatorCommandAnswer", self._call(
            "POST",
            f"/v1/operations/requests/{path_part(requestId)}/withdraw",
            body={"reason": reason},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class OperationsCustomersGroup(Group):
    def export(
        self,
        id: str,
        /,
        *,
        reason: str,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CustomerExport:
        """Export a customer’s data.

        Returns everything stored about a customer, in the form of `npm run ops -- export-customer`, and
        writes an audit row. For `platform` people.

        reason: For the audit log, for example the number of the customer’s request or ticket. Do not
        include personal data.
        """
        return cast("CustomerExport", self._call(
            "POST",
            f"/v1/operations/customers/{path_part(id)}/export",
            body={"reason": reason},
            plain=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    def erase(
        self,
        id: str,
        /,
        *,
        reason: str,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CustomerErasure:
        """Erase a customer’s personal data.

        Erases email, name, address, tax number and the merchant’s id, including in stored events and
        clicks. Amounts, states, card brands and last digits, references of orders and issued invoices are
        kept, as the law requires. The erasure cannot be undone; repeating it changes nothing. It is refused
        while a session, a subscription, a refund, a dispute or an unwritten document of the customer is
        open. Writes an audit row. For `platform` people.

        reason: For the audit log, for example the number of the customer’s request or ticket. Do not
        include personal data.
        """
        return cast("CustomerErasure", self._call(
            "POST",
            f"/v1/operations/customers/{path_part(id)}/erase",
            body={"reason": reason},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class OperationsGroup(Group):
    @property
    def merchants(self) -> OperationsMerchantsGroup:
        return OperationsMerchantsGroup(self._call)

    @property
    def incidents(self) -> OperationsIncidentsGroup:
        return OperationsIncidentsGroup(self._call)

    @property
    def audit(self) -> OperationsAuditGroup:
        return OperationsAuditGroup(self._call)

    @property
    def subjects(self) -> OperationsSubjectsGroup:
        return OperationsSubjectsGroup(self._call)

    @property
    def requests(self) -> OperationsRequestsGroup:
        return OperationsRequestsGroup(self._call)

    @property
    def customers(self) -> OperationsCustomersGroup:
        return OperationsCustomersGroup(self._call)

    def show_access(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OperatorAccess:
        """Your permissions as an operator.

        `support` people see their merchants’ incidents, `platform` people see everything and can run
        commands.
        """
        return cast("OperatorAccess", self._call(
            "GET",
            "/v1/operations/access",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class HostedCheckout(Caller):
    """The API of an installation. Safe to share between threads."""

    @property
    def checkouts(self) -> CheckoutsGroup:
        return CheckoutsGroup(self._call)

    @property
    def products(self) -> ProductsGroup:
        return ProductsGroup(self._call)

    @property
    def orders(self) -> OrdersGroup:
        return OrdersGroup(self._call)

    @property
    def payments(self) -> PaymentsGroup:
        return PaymentsGroup(self._call)

    @property
    def subscriptions(self) -> SubscriptionsGroup:
        return SubscriptionsGroup(self._call)

    @property
    def invoices(self) -> InvoicesGroup:
        return InvoicesGroup(self._call)

    @property
    def credit_notes(self) -> CreditNotesGroup:
        return CreditNotesGroup(self._call)

    @property
    def refunds(self) -> RefundsGroup:
        return RefundsGroup(self._call)

    @property
    def billing(self) -> BillingGroup:
        return BillingGroup(self._call)

    @property
    def payment_methods(self) -> PaymentMethodsGroup:
        return PaymentMethodsGroup(self._call)

    @property
    def manual_charges(self) -> ManualChargesGroup:
        return ManualChargesGroup(self._call)

    @property
    def invoice_settings(self) -> InvoiceSettingsGroup:
        return InvoiceSettingsGroup(self._call)

    @property
    def merchants(self) -> MerchantsGroup:
        return MerchantsGroup(self._call)

    @property
    def operations(self) -> OperationsGroup:
        return OperationsGroup(self._call)

    def show_health(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> Health:
        """Readiness of the API.

        Without Temporal the API is `degraded` but ready: sessions are created, and start when Temporal is
        back.
        """
        return cast("Health", self._call(
            "GET",
            "/healthz",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncCheckoutsGroup(Group):
    async def create(
        self,
        *,
        productId: str,
        externalCustomerId: str,
        customer: CheckoutPrefill | None = OMIT,
        amount: int | None = OMIT,
        paymentMethod: Literal["card", "apple_pay", "google_pay"] | None = OMIT,
        locale: str | None = OMIT,
        successUrl: str | None = OMIT,
        failUrl: str | None = OMIT,
        reconciliation: CheckoutReconciliation | None = OMIT,
        quantity: int | None = OMIT,
        couponCode: str | None = OMIT,
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
        `priceId`, `couponCode` with `amount`, product, capability, price, `quantity`, `amount`, rail
        account, coupon.

        productId: An active product of the merchant.
        externalCustomerId: Your stable reference for the customer.
        customer: Stored with the session, printed on its invoice, and copied to the customer when the
        session succeeds. Name, address and tax id are one set: giving one of them replaces all three; if
        only nulls are given, they clear just those fields.
        amount: Cents; at most the active price times `quantity`, which is the default. Not accepted if the
        price has a trial.
        paymentMethod: Preselected on the hosted page.
        locale: The buyer's language tag. The hosted page supports de, en, es, fr, it, nl, pl, pt; if absent
        or unsupported: the browser's language, then the merchant's. The buyer can switch.
        quantity: Within the bounds of the product's `quantity`. If absent: the minimum, and the hosted page
        lets the buyer choose unless `amount` is given.
        couponCode: The code of a coupon of the merchant, case-insensitive. It is redeemed when the buyer
        pays. If it has been used up by then, the hosted page shows the price without it. Not accepted with
        `amount`.
        """
        return cast("CheckoutSession", await self._call(
            "POST",
            "/v1/checkouts",
            body={"productId": productId, "externalCustomerId": externalCustomerId, "customer": customer, "amount": amount, "paymentMethod": paymentMethod, "locale": locale, "successUrl": successUrl, "failUrl": failUrl, "reconciliation": reconciliation, "quantity": quantity, "couponCode": couponCode},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show(
        self,
        id: str,
        /,
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

class AsyncProductsGroup(Group):
    async def list(
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

class AsyncOrdersGroup(Group):
    async def list(
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

class AsyncPaymentsGroup(Group):
    async def list(
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

class AsyncSubscriptionsGroup(Group):
    async def list(
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

    async def list_current(
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

    async def cancel(
        self,
        id: str,
        /,
        *,
        at_period_end: bool = OMIT,
        calculated_at: str = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Cancel a subscription.

        Ends it immediately, or with `at_period_end` at the end of the current period; it continues until
        then. `subscription.cancelled` reports the end. A charge in progress is settled first: the response
        may then show the subscription in its current state. Cancel a scheduled change first. With the
        setting `collect_after_cancellation`, a subscription that ends with its period ends later if an
        invoice is still being retried.

        at_period_end: If true, at the end of the current period; by default immediately.
        calculated_at: The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`),
        at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated`
        if it no longer applies.
        """
        return cast("SubscriptionAnswer", await self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/cancel",
            body={"at_period_end": at_period_end, "calculated_at": calculated_at},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def undo_cancel(
        self,
        id: str,
        /,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Undo a cancellation.

        Undoes a cancellation at the end of the period, before that end: the subscription continues and
        renews, or pauses if that was set, as before. `subscription.updated` reports it. An immediate
        cancellation cannot be undone.
        """
        return cast("SubscriptionAnswer", await self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/cancel/undo",
            body={},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def pause(
        self,
        id: str,
        /,
        *,
        resumes_at: str | None = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Pause a subscription.

        From the end of the paid period the subscription is `paused`, and nothing is charged until
        `resumes_at` or `resume`, which begins a period. Retries of an unpaid invoice continue; the pause
        begins once it is paid. Repeating the request changes the date. `subscription.updated` reports it;
        `subscription.paused` is sent when the pause begins, to endpoints that list it.

        resumes_at: RFC 3339, after the end of the period, at most five years later. By default it lasts
        until `resume`.
        """
        return cast("SubscriptionAnswer", await self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/pause",
            body={"resumes_at": resumes_at},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def resume(
        self,
        id: str,
        /,
        *,
        calculated_at: str = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Resume a paused subscription.

        Begins a period now and charges it with the stored method; later periods are counted from now. A
        pause that has not begun is cancelled, and nothing is charged. The response waits up to five seconds
        for the period to begin. `subscription.updated` reports it; `subscription.resumed` is sent when the
        period begins, to endpoints that list it.

        calculated_at: The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`),
        at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated`
        if it no longer applies.
        """
        return cast("SubscriptionAnswer", await self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/resume",
            body={"calculated_at": calculated_at},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def move_trial(
        self,
        id: str,
        /,
        *,
        ends_at: str,
        calculated_at: str = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Extend or end a trial.

        Moves the end of the trial and with it the first charge, a scheduled change, later billing dates and
        `subscription.trial_ending`, which is sent again for the new end. `now` ends it at once: the first
        period begins and is charged, and the response waits up to five seconds for the period to begin.
        `subscription.updated` reports it.

        ends_at: `now`, or RFC 3339, later than the subscription's clock by at most 730 days.
        calculated_at: The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`),
        at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated`
        if it no longer applies.
        """
        return cast("SubscriptionAnswer", await self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/trial",
            body={"ends_at": ends_at, "calculated_at": calculated_at},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def change_plan(
        self,
        id: str,
        /,
        *,
        target_plan_id: str = OMIT,
        effective: Literal["now", "period_end"] = OMIT,
        calculated_at: str = OMIT,
        target_product_id: str = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Change the plan.

        Another plan of the same offering, from the end of the current period or trial; or the current plan,
        to move the subscription to its current price. `target_product_id` is an alias of `target_plan_id`:
        a plan *is* a recurring product. Nothing is charged before the change applies;
        `subscription.updated` reports the schedule and the change. With `effective` `now` the difference is
        charged to the stored method, and the plan changes when that is paid: `change.status` is then
        `applied`. A decline is 202 with `failed`, and nothing has changed; if the bank requires the
        customer's confirmation, it is `requires_action` with a `hostedUrl`, where they confirm and pay it.
        Until the outcome is known, it is `pending`, and other operations are refused. A change that costs
        nothing now is 409 `change_needs_period_end`.

        target_plan_id: A recurring product in the same offering; the current one, to move to its current
        price.
        effective: `now`: the unused share of the paid period is credited, and its remaining time charged at
        the new price (a whole new period if the interval differs). Default: `period_end`.
        calculated_at: The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`),
        at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated`
        if it no longer applies.
        target_product_id: Alias of target_plan_id.
        """
        return cast("SubscriptionAnswer", await self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/plan-change",
            body={"target_plan_id": target_plan_id, "effective": effective, "calculated_at": calculated_at, "target_product_id": target_product_id},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def preview_plan_change(
        self,
        id: str,
        /,
        *,
        target_plan_id: str = OMIT,
        effective: Literal["now", "period_end"] = OMIT,
        calculated_at: str = OMIT,
        target_product_id: str = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ChangePreviewAnswer:
        """Preview a plan change.

        With the body of the change: its lines and total, and what the next renewal will charge. Nothing
        changes. Send its `calculated_at` with the change to charge exactly these lines (at the end of the
        period: this renewal), within 15 minutes, while nothing else has changed (409 `preview_outdated`
        otherwise).

        target_plan_id: A recurring product in the same offering; the current one, to move to its current
        price.
        effective: `now`: the unused share of the paid period is credited, and its remaining time charged at
        the new price (a whole new period if the interval differs). Default: `period_end`.
        calculated_at: The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`),
        at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated`
        if it no longer applies.
        target_product_id: Alias of target_plan_id.
        """
        return cast("ChangePreviewAnswer", await self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/plan-change/preview",
            body={"target_plan_id": target_plan_id, "effective": effective, "calculated_at": calculated_at, "target_product_id": target_product_id},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def change_offering(
        self,
        id: str,
        /,
        *,
        target_offering_id: str,
        target_plan_id: str,
        effective: Literal["now", "period_end"] = OMIT,
        calculated_at: str = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Change to a plan of another offering.

        Switches to a plan of another offering at the end of the current period or trial. A subscription
        whose plan is in no offering can change plans only this way. `effective` as in `plan-change`.

        target_plan_id: A recurring product in that offering.
        effective: `now`: the unused share of the paid period is credited, and its remaining time charged at
        the new price (a whole new period if the interval differs). Default: `period_end`.
        calculated_at: The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`),
        at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated`
        if it no longer applies.
        """
        return cast("SubscriptionAnswer", await self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/offering-change",
            body={"target_offering_id": target_offering_id, "target_plan_id": target_plan_id, "effective": effective, "calculated_at": calculated_at},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def change_quantity(
        self,
        id: str,
        /,
        *,
        quantity: int,
        effective: Literal["now", "period_end"] = OMIT,
        calculated_at: str = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Change the quantity.

        Another quantity of the same plan at the same price, from the end of the current period or trial.
        With `effective` `now` the difference for the rest of the period is charged, as in `plan-change`; a
        smaller quantity costs nothing now, and is 409 `change_needs_period_end`.

        quantity: Within the bounds of the plan.
        effective: `now`: the unused share of the paid period is credited, and its remaining time charged at
        the new price (a whole new period if the interval differs). Default: `period_end`.
        calculated_at: The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`),
        at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated`
        if it no longer applies.
        """
        return cast("SubscriptionAnswer", await self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/quantity",
            body={"quantity": quantity, "effective": effective, "calculated_at": calculated_at},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def preview_quantity(
        self,
        id: str,
        /,
        *,
        quantity: int,
        effective: Literal["now", "period_end"] = OMIT,
        calculated_at: str = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ChangePreviewAnswer:
        """Preview a change of quantity.

        With the body of the change: its lines and total, and what the next renewal will charge. Nothing
        changes. Send its `calculated_at` with the change to charge exactly these lines (at the end of the
        period: this renewal), within 15 minutes, while nothing else has changed (409 `preview_outdated`
        otherwise).

        quantity: Within the bounds of the plan.
        effective: `now`: the unused share of the paid period is credited, and its remaining time charged at
        the new price (a whole new period if the interval differs). Default: `period_end`.
        calculated_at: The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`),
        at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated`
        if it no longer applies.
        """
        return cast("ChangePreviewAnswer", await self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/quantity/preview",
            body={"quantity": quantity, "effective": effective, "calculated_at": calculated_at},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def preview_cancel(
        self,
        id: str,
        /,
        *,
        at_period_end: bool = OMIT,
        calculated_at: str = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ChangePreviewAnswer:
        """Preview a cancellation.

        With the body of the cancellation: when it ends the subscription. Nothing changes. A cancellation
        charges nothing, and refunds nothing of the paid period: refund its payment separately.

        at_period_end: If true, at the end of the current period; by default immediately.
        calculated_at: The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`),
        at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated`
        if it no longer applies.
        """
        return cast("ChangePreviewAnswer", await self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/cancel/preview",
            body={"at_period_end": at_period_end, "calculated_at": calculated_at},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def cancel_change(
        self,
        id: str,
        /,
        *,
        action_id: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionChangeAnswer:
        """Cancel a change.

        Cancels a change of any kind, named by its `action_id`, that is `scheduled` or `requires_action`.
        The subscription stays unchanged. While the customer is paying it on its page, the response is 409
        `subscription_change_scheduled`.

        action_id: The action_id of the change.
        """
        return cast("SubscriptionChangeAnswer", await self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/plan-change/cancel",
            body={"action_id": action_id},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def advance_clock(
        self,
        id: str,
        /,
        *,
        to: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionAnswer:
        """Move the clock of a sandbox subscription.

        Sandbox only. Moves the clock of this one subscription forward, through every renewal, trial end and
        retry on the way, each with its payments, invoices and events, so that a year takes seconds. The
        response comes on arrival or, if that takes long, while the clock is still moving. At most 20 years
        ahead of today, 500 billing boundaries per request, and two clocks of a merchant at once (429).

        to: RFC 3339, any offset; not before the subscription's clock.
        """
        return cast("SubscriptionAnswer", await self._call(
            "POST",
            f"/v1/subscriptions/{path_part(id)}/advance",
            body={"to": to},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncInvoicesGroup(Group):
    async def list(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> InvoiceList:
        """All invoices.

        Invoices as issued. An invoice that is `created` with `amount_due` 0 is settled. `pdf_url` opens
        without a key: treat it as a secret of the customer.
        """
        return cast("InvoiceList", await self._call(
            "GET",
            "/v1/invoices",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def pay(
        self,
        id: str,
        /,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PaidInvoiceAnswer:
        """Charge an unpaid invoice now.

        One attempt with the stored method for the same invoice, in addition to the retry schedule. If an
        attempt is already in progress, the request joins it, so that there is one charge. The response
        waits up to five seconds for it: `payment.status` reports the result, and a decline is 200 with
        `failed`. At most three attempts a day (429), the oldest unpaid invoice first; after a decline that
        forbids another attempt, only with another method.
        """
        return cast("PaidInvoiceAnswer", await self._call(
            "POST",
            f"/v1/invoices/{path_part(id)}/pay",
            body={},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def create_payment_link(
        self,
        id: str,
        /,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PaymentLink:
        """Let a customer pay an unpaid invoice.

        A hosted page for this invoice and amount, open for 24 hours, with any card and a confirmation by
        the bank if needed. Repeating the request returns the open link. Retries continue in parallel; the
        invoice is charged once, whichever pays first. If the customer agrees on the page, the method
        becomes the subscription’s (`payment_method.updated`). `payment.succeeded` or `payment.failed`
        reports each attempt. The oldest unpaid invoice is paid first.
        """
        return cast("PaymentLink", await self._call(
            "POST",
            f"/v1/invoices/{path_part(id)}/payment-link",
            body={},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncCreditNotesGroup(Group):
    async def list(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CreditNoteList:
        """All credit notes.

        Credit notes as issued. A refund of a payment with an invoice has one as soon as it is `succeeded`.
        `pdf_url` opens without a key: treat it as a secret of the customer.
        """
        return cast("CreditNoteList", await self._call(
            "GET",
            "/v1/credit-notes",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncRefundsGroup(Group):
    async def list(
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

    async def create(
        self,
        *,
        paymentId: str = OMIT,
        amount: int = OMIT,
        currency: str | None = OMIT,
        reason: str | None = OMIT,
        confirmDispute: bool | None = OMIT,
        orderId: str = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> RefundAnswer:
        """Refund a payment.

        Refunds a settled payment, in full or in part; several partial refunds may add up to the amount
        paid. The amount is reserved before the card processor is asked, and the response may come while the
        refund is still `pending`: its outcome is determined whatever fails, and `refund.created` reports
        it. If the rail account does not support refunds, the response is 501 and nothing is sent to it.

        Disputed money (open or lost) is refunded only with `confirmDispute: true`: the buyer’s bank
        returns, or has returned, that money itself. Otherwise the response is 409 `payment_disputed`;
        confirm with a new `Idempotency-Key`.

        Checked in this order: key, body, existence, state, amount, currency, capability, dispute.

        paymentId: A settled payment.
        amount: Cents; defaults to everything that is refundable.
        currency: If sent, must equal the payment’s currency.
        reason: For your own records.
        confirmDispute: If true, also refunds amounts in open or lost disputes; the buyer may then receive
        that money twice. Otherwise the response is 409 `payment_disputed`.
        orderId: The order of the payment.
        """
        return cast("RefundAnswer", await self._call(
            "POST",
            "/v1/refunds",
            body={"paymentId": paymentId, "amount": amount, "currency": currency, "reason": reason, "confirmDispute": confirmDispute, "orderId": orderId},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show(
        self,
        id: str,
        /,
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

class AsyncBillingGroup(Group):
    async def show_dashboard(
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

class AsyncPaymentMethodsGroup(Group):
    async def change(
        self,
        *,
        subscriptionId: str,
        externalCustomerId: str,
        customer: PaymentMethodChangeCustomer,
        successUrl: str,
        failUrl: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PaymentMethodChange:
        """Let a customer replace the payment method.

        A hosted action, open for 15 minutes, in which the customer of a subscription replaces the card.
        Send the customer's browser to `hostedUrl`. `payment_method.updated` or
        `payment_method.update_failed` reports the result; an overdue invoice is charged with the new method
        immediately. A newer action replaces an older one.

        externalCustomerId: The subscription's customer, by your reference.
        """
        return cast("PaymentMethodChange", await self._call(
            "POST",
            "/v1/payment-methods/change",
            body={"subscriptionId": subscriptionId, "externalCustomerId": externalCustomerId, "customer": customer, "successUrl": successUrl, "failUrl": failUrl},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncManualChargesGroup(Group):
    async def create(
        self,
        *,
        orderId: str = OMIT,
        currency: Literal["EUR"] | None = OMIT,
        amount: int = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ManualChargeAnswer:
        """Record a local charge.

        **This collects no money.** It creates a local payment in `processing`: nothing is sent to a card
        processor, the order stays unchanged, no event is sent, and the payment never progresses. Do not
        deliver goods on it.

        orderId: An existing order, in any state.
        currency: Defaults to EUR.
        amount: Cents.
        """
        return cast("ManualChargeAnswer", await self._call(
            "POST",
            "/v1/manual-charges",
            body={"orderId": orderId, "currency": currency, "amount": amount},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncInvoiceSettingsGroup(Group):
    async def echo(
        self,
        body: dict[str, Any] | None = None,
        /,
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

    async def echo_by_id(
        self,
        id: str,
        body: dict[str, Any] | None = None,
        /,
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

class AsyncMerchantsProductsGroup(Group):
    async def list(
        self,
        merchantId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ProductList:
        """The products of a merchant.

        All products, including inactive ones, newest first, each with its active price.
        """
        return cast("ProductList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/products",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def create(
        self,
        merchantId: str,
        /,
        *,
        name: str,
        description: str | None = OMIT,
        metadata: dict[str, str] = OMIT,
        external_reference: str | None = OMIT,
        quantity: QuantityRange | None = OMIT,
        billing_cycles: int | None = OMIT,
        one_subscription_per_customer: bool = OMIT,
        one_trial_per_customer: bool = OMIT,
        image_url: str | None = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ProductAnswer:
        """Create a product.

        A product serves both environments. It is active immediately and can be sold once it has an active
        price.

        name: The name that buyers see on the hosted page.
        metadata: For your own use: at most 50 keys. Replaced as a whole.
        external_reference: Your own reference, unique among your products. Storefronts may use it to name
        the product.
        quantity: How many units can be bought at once, for example seats; null or absent: one. The price is
        per unit.
        billing_cycles: Number of charged periods after which a subscription ends; null or absent: no limit.
        Trials, pauses and free periods do not count. Applies to sessions created later.
        one_subscription_per_customer: A customer with a running subscription of the same offering (without
        an offering: of this product) cannot buy another: 409 `subscription_exists` when the session is
        created, checked again when the buyer pays. Customers are identified by `externalCustomerId`.
        Defaults to false.
        one_trial_per_customer: A buyer who has had a trial of the same offering (without an offering: of
        this product) pays the price from the first day, as the page announces before the payment. Buyers
        are recognised by `externalCustomerId`, by an email confirmed on the page, and by the card where the
        rail identifies it. Defaults to false.
        image_url: An https URL (http only for localhost) of a still JPEG, PNG or WebP image of at most 300
        kB and 2,000 pixels a side. It is fetched once, when it is saved, within five seconds and without
        redirects, re-encoded in its format, with less quality if it would exceed 300 kB, and shown on the
        hosted page from this service. To change the image, use another URL.
        """
        return cast("ProductAnswer", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/products",
            body={"name": name, "description": description, "metadata": metadata, "external_reference": external_reference, "quantity": quantity, "billing_cycles": billing_cycles, "one_subscription_per_customer": one_subscription_per_customer, "one_trial_per_customer": one_trial_per_customer, "image_url": image_url},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show(
        self,
        merchantId: str,
        productId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ProductAnswer:
        """One product.

        The product with its active price, even if inactive.
        """
        return cast("ProductAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/products/{path_part(productId)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def update(
        self,
        merchantId: str,
        productId: str,
        /,
        *,
        name: str = OMIT,
        description: str | None = OMIT,
        metadata: dict[str, str] = OMIT,
        external_reference: str | None = OMIT,
        quantity: QuantityRange | None = OMIT,
        billing_cycles: int | None = OMIT,
        one_subscription_per_customer: bool = OMIT,
        one_trial_per_customer: bool = OMIT,
        image_url: str | None = OMIT,
        status: Literal["active", "inactive"] = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ProductAnswer:
        """Change a product, activate or deactivate it.

        Absent fields stay unchanged; null removes `description`, `external_reference` and `image_url`. With
        `status` `inactive` new sessions cannot sell the product. Existing agreements continue: sessions
        keep the texts and price that they were created with, subscriptions renew at their price.

        name: The name that buyers see on the hosted page.
        metadata: For your own use: at most 50 keys. Replaced as a whole.
        external_reference: Your own reference, unique among your products. Storefronts may use it to name
        the product.
        quantity: How many units can be bought at once, for example seats; null or absent: one. The price is
        per unit.
        billing_cycles: Number of charged periods after which a subscription ends; null or absent: no limit.
        Trials, pauses and free periods do not count. Applies to sessions created later.
        one_subscription_per_customer: A customer with a running subscription of the same offering (without
        an offering: of this product) cannot buy another: 409 `subscription_exists` when the session is
        created, checked again when the buyer pays. Customers are identified by `externalCustomerId`.
        Defaults to false.
        one_trial_per_customer: A buyer who has had a trial of the same offering (without an offering: of
        this product) pays the price from the first day, as the page announces before the payment. Buyers
        are recognised by `externalCustomerId`, by an email confirmed on the page, and by the card where the
        rail identifies it. Defaults to false.
        image_url: An https URL (http only for localhost) of a still JPEG, PNG or WebP image of at most 300
        kB and 2,000 pixels a side. It is fetched once, when it is saved, within five seconds and without
        redirects, re-encoded in its format, with less quality if it would exceed 300 kB, and shown on the
        hosted page from this service. To change the image, use another URL.
        status: inactive: new sessions cannot sell it. Existing sessions and subscriptions continue.
        """
        return cast("ProductAnswer", await self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchantId)}/products/{path_part(productId)}",
            body={"name": name, "description": description, "metadata": metadata, "external_reference": external_reference, "quantity": quantity, "billing_cycles": billing_cycles, "one_subscription_per_customer": one_subscription_per_customer, "one_trial_per_customer": one_trial_per_customer, "image_url": image_url, "status": status},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def list_prices(
        self,
        merchantId: str,
        productId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PriceList:
        """The prices of a product.

        Every price of the product, past and present, newest first; at most one is active.
        """
        return cast("PriceList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/products/{path_part(productId)}/prices",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def create_price(
        self,
        merchantId: str,
        productId: str,
        /,
        *,
        amount: int,
        currency: Literal["EUR"] = OMIT,
        tax_rate: float,
        billing_mode: Literal["one_time", "recurring"],
        recurring: RecurringTermsRequest | None = OMIT,
        status: Literal["active", "inactive"] = OMIT,
        replaces: str | None = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PriceAnswer:
        """Create a price of a product.

        The terms of a price never change. A product has at most one active price: the new one replaces it
        atomically, unless created with `status` `inactive`. Sessions and subscriptions agreed at another
        price keep that price.

        amount: Integer cents, tax included.
        currency: Defaults to EUR.
        tax_rate: Percentage included in the amount. Required, because invoices show it.
        recurring: With billing_mode recurring: how often it is charged.
        status: A product has at most one active price: activating a price deactivates the other.
        replaces: The id of the price that you expect to be active; null for none. If another price is
        active: 409 `price_changed`, and nothing changes. If absent, the active price is replaced, whichever
        it is.
        """
        return cast("PriceAnswer", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/products/{path_part(productId)}/prices",
            body={"amount": amount, "currency": currency, "tax_rate": tax_rate, "billing_mode": billing_mode, "recurring": recurring, "status": status, "replaces": replaces},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def update_price(
        self,
        merchantId: str,
        productId: str,
        priceId: str,
        /,
        *,
        status: Literal["active", "inactive"],
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PriceAnswer:
        """Activate or deactivate a price.

        Activating a price replaces the active one atomically. Without an active price the product cannot be
        sold. A body that names terms (`amount`, `currency`, `tax_rate`, `billing_mode`, `recurring`) is
        refused.

        status: A product has at most one active price: activating a price deactivates the other.
        """
        return cast("PriceAnswer", await self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchantId)}/products/{path_part(productId)}/prices/{path_part(priceId)}",
            body={"status": status},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncMerchantsOrdersGroup(Group):
    async def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OrderList:
        """All orders of a merchant.

        The same list as `GET /v1/orders`. A person sees both environments unless they filter by one; a key
        sees its own.

        environment: If absent, both environments; for a key, its own.
        """
        return cast("OrderList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/orders",
            query={"environment": environment},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncMerchantsPaymentsGroup(Group):
    async def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PaymentList:
        """All payments of a merchant.

        The same list as `GET /v1/payments`. A person sees both environments unless they filter by one; a
        key sees its own.

        environment: If absent, both environments; for a key, its own.
        """
        return cast("PaymentList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/payments",
            query={"environment": environment},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show(
        self,
        merchantId: str,
        paymentId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PaymentDetailsAnswer:
        """One payment with its history.

        The payment, its customer, refunds and invoice, and its history in chronological order.
        """
        return cast("PaymentDetailsAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/payments/{path_part(paymentId)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncMerchantsSubscriptionsGroup(Group):
    async def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionList:
        """All subscriptions of a merchant.

        The same list as `GET /v1/subscriptions`. A person sees both environments unless they filter by one;
        a key sees its own.

        environment: If absent, both environments; for a key, its own.
        """
        return cast("SubscriptionList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/subscriptions",
            query={"environment": environment},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show(
        self,
        merchantId: str,
        subscriptionId: str,
        /,
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
            f"/v1/merchants/{path_part(merchantId)}/subscriptions/{path_part(subscriptionId)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def command(
        self,
        merchantId: str,
        subscriptionId: str,
        /,
        *,
        command: Literal["cancel"] | Literal["undo_cancel"] | Literal["pause"] | Literal["resume"] | Literal["move_trial"] | Literal["pay"] | Literal["change_plan"] | Literal["change_quantity"] | Literal["cancel_change"] | Literal["advance"],
        at_period_end: bool = OMIT,
        calculated_at: str = OMIT,
        resumes_at: str | None = OMIT,
        ends_at: str = OMIT,
        invoice_id: str = OMIT,
        plan_id: str = OMIT,
        offering_id: str | None = OMIT,
        effective: Literal["now", "period_end"] = OMIT,
        quantity: int = OMIT,
        change_id: str = OMIT,
        to: str = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SubscriptionDetailsAnswer:
        """Cancel or change a subscription, as a person.

        Same as `POST /v1/subscriptions/{id}/cancel`, `plan-change`, `offering-change`, `quantity`,
        `plan-change/cancel`, `trial` and, in the sandbox, `advance`, and as `cancel/undo`, `pause`,
        `resume` and `POST /v1/invoices/{id}/pay`. Owners and managers may give every command; support may
        cancel at the period’s end, undo that, pause, resume and charge an invoice; developers may move the
        clock. The audit log names the requester. The response does not wait for an open charge or a moving
        clock: read the subscription again.

        calculated_at: The `calculated_at` of a preview (`…/preview`, or the merchant’s `change-preview`),
        at most 15 minutes old. Exactly its lines, or its next renewal, are charged; 409 `preview_outdated`
        if it no longer applies.
        ends_at: `now`, or RFC 3339, later than the subscription's clock by at most 730 days.
        offering_id: Another offering; null for a plan of the current one.
        effective: Default: `period_end`.
        quantity: Within the bounds of the plan.
        """
        return cast("SubscriptionDetailsAnswer", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/subscriptions/{path_part(subscriptionId)}/commands",
            body={"command": command, "at_period_end": at_period_end, "calculated_at": calculated_at, "resumes_at": resumes_at, "ends_at": ends_at, "invoice_id": invoice_id, "plan_id": plan_id, "offering_id": offering_id, "effective": effective, "quantity": quantity, "change_id": change_id, "to": to},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def preview_change(
        self,
        merchantId: str,
        subscriptionId: str,
        /,
        *,
        command: Literal["cancel", "undo_cancel", "pause", "resume", "move_trial"] | None = None,
        ends_at: str | None = None,
        resumes_at: str | None = None,
        plan_id: str | None = None,
        quantity: int | None = None,
        offering_id: str | None = None,
        effective: Literal["now", "period_end"],
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ChangePreviewAnswer:
        """Preview a change of a subscription.

        Plan changes (also to another offering), quantity changes and cancellations are previewed as by
        `POST /v1/subscriptions/{id}/plan-change/preview`, `quantity/preview` and `cancel/preview`. For
        `undo_cancel`, `pause`, `resume` and `move_trial`, the response shows their charge and the renewal
        that follows. Nothing changes.

        command: A cancellation or a pause, the end of either, or another end of the trial; absent for a
        change.
        ends_at: With `move_trial`: as in the command.
        resumes_at: With `pause`: when it ends; absent for a pause without an end.
        plan_id: The plan to change to; absent for a change of quantity.
        quantity: Without `plan_id`: the quantity to change to.
        offering_id: Another offering; absent for a plan of the current one.
        """
        return cast("ChangePreviewAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/subscriptions/{path_part(subscriptionId)}/change-preview",
            query={"command": command, "ends_at": ends_at, "resumes_at": resumes_at, "plan_id": plan_id, "quantity": quantity, "offering_id": offering_id, "effective": effective},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def link_method_change(
        self,
        merchantId: str,
        subscriptionId: str,
        /,
        *,
        return_url: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> MethodChangeLink:
        """Create a link to replace a payment method.

        Same as `POST /v1/payment-methods/change`, for owners, managers and support. Send the link to the
        buyer, who can use it for 15 minutes to replace the card of this subscription. A newer link
        invalidates older ones.

        return_url: Where the buyer’s browser goes afterwards.
        """
        return cast("MethodChangeLink", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/subscriptions/{path_part(subscriptionId)}/method-change",
            body={"return_url": return_url},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def link_invoice(
        self,
        merchantId: str,
        subscriptionId: str,
        /,
        *,
        invoice_id: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> InvoiceLink:
        """Create a link to pay an invoice.

        Same as `POST /v1/invoices/{id}/payment-link`, for owners, managers and support. Send the link to
        the buyer, who can use it for 24 hours.
        """
        return cast("InvoiceLink", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/subscriptions/{path_part(subscriptionId)}/payment-link",
            body={"invoice_id": invoice_id},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncMerchantsInvoicesGroup(Group):
    async def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> InvoiceList:
        """All invoices of a merchant.

        The same list as `GET /v1/invoices`. A person sees both environments unless they filter by one; a
        key sees its own.

        environment: If absent, both environments; for a key, its own.
        """
        return cast("InvoiceList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/invoices",
            query={"environment": environment},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncMerchantsCreditNotesGroup(Group):
    async def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CreditNoteList:
        """All credit notes of a merchant.

        The same list as `GET /v1/credit-notes`. A person sees both environments unless they filter by one;
        a key sees its own.

        environment: If absent, both environments; for a key, its own.
        """
        return cast("CreditNoteList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/credit-notes",
            query={"environment": environment},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncMerchantsRefundsGroup(Group):
    async def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> RefundList:
        """All refunds of a merchant.

        The same list as `GET /v1/refunds`. A person sees both environments unless they filter by one; a key
        sees its own.

        environment: If absent, both environments; for a key, its own.
        """
        return cast("RefundList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/refunds",
            query={"environment": environment},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def create_as_person(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"],
        payment_id: str,
        amount: int = OMIT,
        if_refundable_amount: int = OMIT,
        confirm_dispute: bool = OMIT,
        reason: str = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> RefundAnswer:
        """Refund a payment, as a person.

        Same as `POST /v1/refunds`, for owners and managers, and for support up to the merchant’s
        `support_refund_limit`; it is recorded in the audit log. A repeated key makes no second refund, nor
        does another key with the same `if_refundable_amount`.

        amount: Cents; defaults to everything not refunded yet.
        if_refundable_amount: The refundable cents when the person decided, as the payment shows them. If
        they have changed: 409 `refundable_amount_changed`, and nothing is refunded.
        confirm_dispute: Also refund the amount of open or lost disputes. Without this, the response is 409
        `payment_disputed`.
        reason: For your own records.
        """
        return cast("RefundAnswer", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/refunds",
            body={"environment": environment, "payment_id": payment_id, "amount": amount, "if_refundable_amount": if_refundable_amount, "confirm_dispute": confirm_dispute, "reason": reason},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncMerchantsDisputesGroup(Group):
    async def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> DisputeList:
        """All disputes of a merchant.

        Payments that the buyer’s bank has disputed (chargebacks), newest first. Evidence is submitted at
        the card processor. The payment’s status does not change; a subscription with a lost dispute ends
        with its period, unless the merchant’s `renew_after_lost_dispute` is true. A person sees both
        environments unless they filter by one; a key sees its own.

        environment: If absent, both environments; for a key, its own.
        """
        return cast("DisputeList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/disputes",
            query={"environment": environment},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncMerchantsBillingGroup(Group):
    async def show_dashboard(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> BillingDashboard:
        """Counters of a merchant.

        The counters of `GET /v1/billing/dashboard`. A person sees the sum of both environments unless they
        filter by one; a key sees its own.

        environment: If absent, both environments; for a key, its own.
        """
        return cast("BillingDashboard", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/billing/dashboard",
            query={"environment": environment},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncMerchantsOfferingsGroup(Group):
    async def list(
        self,
        merchantId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OfferingList:
        """The offerings of a merchant.

        All offerings, including inactive ones, newest first.
        """
        return cast("OfferingList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/offerings",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def create(
        self,
        merchantId: str,
        /,
        *,
        name: str,
        plan_ids: builtins.list[str] = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OfferingAnswer:
        """Create an offering.

        A plan change stays inside the offering of the subscription; a plan is in at most one offering.
        Subscriptions created before a plan joined the offering are in none.

        plan_ids: Products with a recurring price; a plan is in at most one offering.
        """
        return cast("OfferingAnswer", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/offerings",
            body={"name": name, "plan_ids": plan_ids},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show(
        self,
        merchantId: str,
        offeringId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OfferingAnswer:
        """One offering.

        The offering with its plans, even if inactive.
        """
        return cast("OfferingAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/offerings/{path_part(offeringId)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def update(
        self,
        merchantId: str,
        offeringId: str,
        /,
        *,
        name: str = OMIT,
        plan_ids: builtins.list[str] = OMIT,
        status: Literal["active", "inactive"] = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OfferingAnswer:
        """Change an offering, activate or deactivate it.

        Absent fields stay unchanged. `plan_ids` replaces the whole set: plans missing from it leave the
        offering. Subscriptions stay in their agreed offering, and scheduled changes still apply. With
        `status` `inactive`, subscriptions can no longer change to it.

        plan_ids: Replaces the whole set. Subscriptions stay in their agreed offering.
        status: inactive: subscriptions can no longer change to it.
        """
        return cast("OfferingAnswer", await self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchantId)}/offerings/{path_part(offeringId)}",
            body={"name": name, "plan_ids": plan_ids, "status": status},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncMerchantsCouponsGroup(Group):
    async def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CouponList:
        """The coupons of a merchant.

        All coupons, including stopped ones, newest first. A key sees those of its environment.

        environment: If absent, both environments; for a key, its own.
        """
        return cast("CouponList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/coupons",
            query={"environment": environment},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def create(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"],
        code: str,
        percent: int | None = OMIT,
        amount: int | None = OMIT,
        duration: Literal["once", "repeating", "forever"],
        periods: int | None = OMIT,
        product_ids: builtins.list[str] = OMIT,
        first_purchase_only: bool = OMIT,
        valid_from: str = OMIT,
        valid_until: str = OMIT,
        max_redemptions: int = OMIT,
        max_per_customer: int = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CouponAnswer:
        """Create a coupon.

        A coupon belongs to one environment. Its terms never change, because subscriptions keep them: to
        change them, stop it and create another. Stopping a coupon frees its code.

        code: The code that buyers type and invoices print. Surrounding white space is ignored.
        percent: Percentage of the price times the quantity, rounded half up to the cent. Exactly one of
        `percent` and `amount` is set.
        amount: Cents off each charge; at most its price.
        duration: Which charges of a subscription the coupon reduces, counted after a trial: the first, the
        first `periods`, or all.
        periods: Required with `repeating`, not accepted otherwise.
        product_ids: Products that it applies to. If absent, all.
        first_purchase_only: Only for customers who have bought nothing from the merchant before; a trial or
        a free period counts as a purchase.
        valid_until: From this time on, it cannot be redeemed. Subscriptions that have it keep it.
        max_redemptions: The maximum for all customers together. If absent, no limit.
        """
        return cast("CouponAnswer", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/coupons",
            body={"environment": environment, "code": code, "percent": percent, "amount": amount, "duration": duration, "periods": periods, "product_ids": product_ids, "first_purchase_only": first_purchase_only, "valid_from": valid_from, "valid_until": valid_until, "max_redemptions": max_redemptions, "max_per_customer": max_per_customer},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def update(
        self,
        merchantId: str,
        couponId: str,
        /,
        *,
        status: Literal["stopped"],
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CouponAnswer:
        """Stop a coupon.

        A stopped coupon can no longer be redeemed, and cannot be restarted. Subscriptions that have it keep
        it. Repeating the request changes nothing.

        status: It can no longer be redeemed. Subscriptions that have it keep it.
        """
        return cast("CouponAnswer", await self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchantId)}/coupons/{path_part(couponId)}",
            body={"status": status},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncMerchantsStorefrontClientsGroup(Group):
    async def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> StorefrontClientList:
        """The storefront clients of a merchant.

        All storefront clients, including disabled ones, newest first.

        environment: If absent, both environments; for a key, its own.
        """
        return cast("StorefrontClientList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/storefront-clients",
            query={"environment": environment},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def create(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"],
        name: str,
        origins: builtins.list[str],
        product_ids: builtins.list[str] = OMIT,
        successUrl: str | None = OMIT,
        failUrl: str | None = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> StorefrontClientAnswer:
        """Create a storefront client.

        Its `id` is the public id with which a page calls `/v1/checkout-clients/{publicId}`. It belongs to
        one environment and works only from the given origins. Origins are stored as browsers send them:
        `https://Shop.example:443` becomes `https://shop.example`.

        name: A label for your own use.
        origins: Scheme, host and port, matched exactly: `https://shop.example`, without a path or wildcard.
        https only, except for localhost in development.
        """
        return cast("StorefrontClientAnswer", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/storefront-clients",
            body={"environment": environment, "name": name, "origins": origins, "product_ids": product_ids, "successUrl": successUrl, "failUrl": failUrl},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show(
        self,
        merchantId: str,
        clientId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> StorefrontClientAnswer:
        """One storefront client.

        The client, even if disabled; a key sees those of its environment.
        """
        return cast("StorefrontClientAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/storefront-clients/{path_part(clientId)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def update(
        self,
        merchantId: str,
        clientId: str,
        /,
        *,
        name: str = OMIT,
        origins: builtins.list[str] = OMIT,
        product_ids: builtins.list[str] = OMIT,
        successUrl: str | None = OMIT,
        failUrl: str | None = OMIT,
        status: Literal["active", "disabled"] = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> StorefrontClientAnswer:
        """Change a storefront client, disable or enable it.

        Absent fields stay unchanged; `origins` and `product_ids` replace the whole set. Takes effect with
        the next request in every process. Existing sessions of the client continue, even if it is disabled.

        name: A label for your own use.
        origins: Scheme, host and port, matched exactly: `https://shop.example`, without a path or wildcard.
        https only, except for localhost in development.
        product_ids: Replaces the whole set.
        status: disabled: its public id is treated as unknown.
        """
        return cast("StorefrontClientAnswer", await self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchantId)}/storefront-clients/{path_part(clientId)}",
            body={"name": name, "origins": origins, "product_ids": product_ids, "successUrl": successUrl, "failUrl": failUrl, "status": status},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncMerchantsAuditGroup(Group):
    async def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        subject_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> AuditEntryPage:
        """The audit log.

        Every change by people and operators, with the state before and after, without secrets. For owners
        and `platform` people. Entries are written in the transaction of the change and never altered.

        environment: Absent: everything.
        subject_id: Only changes of this subject.
        to: Exclusive.
        cursor: next_cursor of the previous page.
        """
        return cast("AuditEntryPage", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/audit",
            query={"environment": environment, "subject_id": subject_id, "from": from_, "to": to, "cursor": cursor, "limit": limit},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncMerchantsApiKeysGroup(Group):
    async def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ApiKeyList:
        """List active API keys.

        Newest first, without the keys themselves. A rotated key is listed until its `expires_at`. An API
        key can list only the keys of its environment.

        environment: If absent, both environments; for a key, its own.
        """
        return cast("ApiKeyList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/api-keys",
            query={"environment": environment},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def create(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"],
        name: str,
        scope: Literal["all", "read", "catalogue"] = OMIT,
        expires_at: str = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CreatedApiKeyAnswer:
        """Create an API key.

        For owners and developers. Only this response contains `key`: only its hash is stored. An
        environment has at most twenty active keys.

        name: What the key is for: a server, a script, a person.
        scope: `all`: everything that a shop’s server needs; it reads the catalogue, but cannot change it.
        `read`: GET requests only. `catalogue`: reads and changes products, prices and offerings, and
        nothing else. Otherwise the response is 403 `api_key_scope_insufficient`.
        expires_at: From this time on, the response is 401 `api_key_invalid`. If absent, never.
        """
        return cast("CreatedApiKeyAnswer", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/api-keys",
            body={"environment": environment, "name": name, "scope": scope, "expires_at": expires_at},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def rotate(
        self,
        merchantId: str,
        keyId: str,
        /,
        *,
        overlap_hours: int = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> RotatedApiKeyAnswer:
        """Rotate an API key.

        A new key with the same environment, name, scope and expiry, contained only in this response. The
        previous key stays valid for `overlap_hours` more (default 24), so that every server can switch; if
        it was due to expire sooner, it still does. For a leaked key: `overlap_hours: 0`.

        overlap_hours: How long the previous key stays valid. 0 revokes it at once.
        """
        return cast("RotatedApiKeyAnswer", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/api-keys/{path_part(keyId)}/rotate",
            body={"overlap_hours": overlap_hours},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def revoke(
        self,
        merchantId: str,
        keyId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> RevokedApiKeyAnswer:
        """Revoke an API key.

        Takes effect immediately and for good: the next request with the key gets 401 `api_key_invalid`. To
        give servers time, rotate it instead. Operations that the key started continue.
        """
        return cast("RevokedApiKeyAnswer", await self._call(
            "DELETE",
            f"/v1/merchants/{path_part(merchantId)}/api-keys/{path_part(keyId)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncMerchantsRailAccountsGroup(Group):
    async def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> RailAccountList:
        """The merchant’s rail accounts.

        Current and former accounts, newest first, with their capabilities. Each environment has one active
        account. Credentials are never returned.

        environment: If absent, both environments; for a key, its own.
        """
        return cast("RailAccountList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/rail-accounts",
            query={"environment": environment},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def set(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"],
        rail: str,
        credential: dict[str, str],
        replace: bool = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ProbedRailAccountAnswer:
        """Set a rail account.

        For `platform` people. Asks the processor for the account’s capabilities, which can take some
        seconds; `findings` describe them. An account that cannot take cards yet stays `activating` and
        cannot be used for sales until a check finds that it can. If the processor does not identify the
        account (mistyped keys, keys of the other mode, no answer in time), they are refused and nothing
        changes.

        At a rail where the merchant already has an account, these are new keys for it: keys of another
        account are refused, since open payments could not be looked up with them, unless `replace` is set.
        With `replace`, an account that the merchant has used before is in use again under its id, and the
        cards that are stored there can be charged again.

        Above `SECOND_PERSON_ABOVE`, production’s account is replaced, and its stored keys are changed, by
        two people: the first response is `rail_account_refused` with a request that a colleague confirms,
        and the same keys are then set again. The merchant receives `billing.operational_alert`
        (`rail_account_replaced`, `rail_account_keys_changed`).

        The credential is stored encrypted and appears in no response, log or audit entry.

        credential: Depend on the rail; stripe: secretKey, publishableKey, webhookSecret. Absent ones stay
        unchanged.
        replace: Replace the active account, which is then disabled.
        """
        return cast("ProbedRailAccountAnswer", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/rail-accounts",
            body={"environment": environment, "rail": rail, "credential": credential, "replace": replace},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def check(
        self,
        merchantId: str,
        railAccountId: str,
        /,
        *,
        apply: bool = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> ProbedRailAccountAnswer:
        """Check a rail account.

        For `platform` people. Asks the processor and reports the account’s capabilities, and reasons for
        missing ones. An `activating` account that can take cards becomes `active`; the capabilities of an
        active one change only with `apply`, which also reactivates a `disabled` one.
        `rail_account_refused`: another account is active, or this one changed while its processor was being
        asked. A processor that does not answer in time is a finding, and nothing is stored.

        apply: Also store the capabilities found. An activating account is activated either way.
        """
        return cast("ProbedRailAccountAnswer", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/rail-accounts/{path_part(railAccountId)}/check",
            body={"apply": apply},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncMerchantsWebhookEndpointsGroup(Group):
    async def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookEndpointList:
        """List webhook endpoints.

        Newest first. A key sees those of its environment; a person may filter by `environment`.

        environment: If absent, both environments; for a key, its own.
        """
        return cast("WebhookEndpointList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/webhook-endpoints",
            query={"environment": environment},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def create(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"],
        url: str,
        event_types: builtins.list[Literal["payment.succeeded", "payment.failed", "subscription.created", "subscription.updated", "subscription.trial_ending", "subscription.renewal_upcoming", "subscription.paused", "subscription.resumed", "subscription.cancelled", "invoice.created", "invoice.payment_failed", "refund.created", "credit_note.created", "payment_method.updated", "payment_method.updated_required", "payment_method.update_failed", "billing.operational_alert"] | Literal["webhook.test"]] = OMIT,
        standard_headers: bool = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookEndpointWithSecret:
        """Create a webhook endpoint.

        At most ten in each environment. Without `event_types`, it receives every type. Only this response,
        and its repetition under the same `Idempotency-Key`, contains the secret.
        """
        return cast("WebhookEndpointWithSecret", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/webhook-endpoints",
            body={"environment": environment, "url": url, "event_types": event_types, "standard_headers": standard_headers},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show(
        self,
        merchantId: str,
        endpointId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookEndpointAnswer:
        """Get a webhook endpoint.

        The endpoint, without its secret.
        """
        return cast("WebhookEndpointAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/webhook-endpoints/{path_part(endpointId)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def update(
        self,
        merchantId: str,
        endpointId: str,
        /,
        *,
        url: str = OMIT,
        event_types: builtins.list[Literal["payment.succeeded", "payment.failed", "subscription.created", "subscription.updated", "subscription.trial_ending", "subscription.renewal_upcoming", "subscription.paused", "subscription.resumed", "subscription.cancelled", "invoice.created", "invoice.payment_failed", "refund.created", "credit_note.created", "payment_method.updated", "payment_method.updated_required", "payment_method.update_failed", "billing.operational_alert"] | Literal["webhook.test"]] | None = OMIT,
        standard_headers: bool = OMIT,
        status: Literal["enabled", "paused"] = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookEndpointAnswer:
        """Change, pause or enable a webhook endpoint.

        Absent fields stay unchanged. `paused` holds events back, `enabled` sends them, even after the
        endpoint was disabled for failing.

        event_types: Null selects every type.
        """
        return cast("WebhookEndpointAnswer", await self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchantId)}/webhook-endpoints/{path_part(endpointId)}",
            body={"url": url, "event_types": event_types, "standard_headers": standard_headers, "status": status},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def delete(
        self,
        merchantId: str,
        endpointId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> DeletedWebhookEndpoint:
        """Delete a webhook endpoint.

        Stops delivery to it. Its log is kept for 90 days.
        """
        return cast("DeletedWebhookEndpoint", await self._call(
            "DELETE",
            f"/v1/merchants/{path_part(merchantId)}/webhook-endpoints/{path_part(endpointId)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def rotate_secret(
        self,
        merchantId: str,
        endpointId: str,
        /,
        *,
        overlap: bool = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookEndpointWithSecret:
        """Rotate the secret of an endpoint.

        The new secret signs immediately. With `overlap` the previous one also signs for 24 hours, both in
        one header, so that a receiver can switch without losing an event. During an overlap, a rotation
        with `overlap` is rejected: it would invalidate the first secret, possibly the only one that your
        receiver has. Without `overlap` the new secret replaces all others. A repetition under the same
        `Idempotency-Key` gets the same secret.

        overlap: If true, the current secret also signs for 24 hours. Rejected while an earlier overlap
        lasts.
        """
        return cast("WebhookEndpointWithSecret", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/webhook-endpoints/{path_part(endpointId)}/rotate-secret",
            body={"overlap": overlap},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def send_test_event(
        self,
        merchantId: str,
        endpointId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SentTestEvent:
        """Send a test event.

        A `webhook.test` event, to this endpoint alone and regardless of its filter.
        """
        return cast("SentTestEvent", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/webhook-endpoints/{path_part(endpointId)}/test",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def recover(
        self,
        merchantId: str,
        endpointId: str,
        /,
        *,
        since: str,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookRecovery:
        """Resend missed events.

        Resends, in batches, every event since a given time that this endpoint subscribes to and has not
        acknowledged. One recovery at a time per endpoint.

        since: Events from this instant on.
        """
        return cast("WebhookRecovery", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/webhook-endpoints/{path_part(endpointId)}/recover",
            body={"since": since},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncMerchantsWebhookEventsGroup(Group):
    async def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        type: Literal["payment.succeeded", "payment.failed", "subscription.created", "subscription.updated", "subscription.trial_ending", "subscription.renewal_upcoming", "subscription.paused", "subscription.resumed", "subscription.cancelled", "invoice.created", "invoice.payment_failed", "refund.created", "credit_note.created", "payment_method.updated", "payment_method.updated_required", "payment_method.update_failed", "billing.operational_alert"] | Literal["webhook.test"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        endpoint_id: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        status: Literal["pending", "succeeded", "exhausted", "held"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookLogEventPage:
        """List events with their deliveries.

        Newest first, filtered by type, time, delivery status and endpoint, paginated.
        """
        return cast("WebhookLogEventPage", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/webhook-events",
            query={"environment": environment, "type": type, "from": from_, "to": to, "endpoint_id": endpoint_id, "cursor": cursor, "limit": limit, "status": status},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show(
        self,
        merchantId: str,
        eventId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookLogEventAnswer:
        """One event.

        The state of its deliveries, and the body that they send.
        """
        return cast("WebhookLogEventAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/webhook-events/{path_part(eventId)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def resend(
        self,
        merchantId: str,
        eventId: str,
        /,
        *,
        endpoint_id: str = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookResend:
        """Resend an event.

        To one endpoint, or to all its original ones. Same id and body: a receiver that has seen it ignores
        it.

        endpoint_id: If absent, all original endpoints of the event.
        """
        return cast("WebhookResend", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/webhook-events/{path_part(eventId)}/resend",
            body={"endpoint_id": endpoint_id},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncMerchantsWebhookAttemptsGroup(Group):
    async def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        type: Literal["payment.succeeded", "payment.failed", "subscription.created", "subscription.updated", "subscription.trial_ending", "subscription.renewal_upcoming", "subscription.paused", "subscription.resumed", "subscription.cancelled", "invoice.created", "invoice.payment_failed", "refund.created", "credit_note.created", "payment_method.updated", "payment_method.updated_required", "payment_method.update_failed", "billing.operational_alert"] | Literal["webhook.test"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        endpoint_id: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        event_id: str | None = None,
        status: Literal["succeeded", "failed"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> WebhookLogAttemptPage:
        """List delivery attempts.

        Newest first, filtered by event, type, time, outcome and endpoint, paginated. Kept for 90 days.
        """
        return cast("WebhookLogAttemptPage", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/webhook-attempts",
            query={"environment": environment, "type": type, "from": from_, "to": to, "endpoint_id": endpoint_id, "cursor": cursor, "limit": limit, "event_id": event_id, "status": status},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncMerchantsRailsGroup(Group):
    async def list(
        self,
        merchantId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> SettableRailList:
        """Card processors.

        The rails of this installation at which accounts can be set up, with the fields of their
        credentials.
        """
        return cast("SettableRailList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/rails",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncMerchantsSearchGroup(Group):
    async def products(
        self,
        merchantId: str,
        /,
        *,
        q: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        status: Literal["active", "inactive"] | None = None,
        billing_mode: Literal["one_time", "recurring"] | None = None,
        storefront_client_id: str | None = None,
        offering_id: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundProductPage:
        """Search products.

        Newest first, paginated, each with its active price.

        q: A product’s id, your exact reference, or part of the name.
        cursor: next_cursor of the previous page.
        billing_mode: Only products whose active price has this billing mode.
        storefront_client_id: Only products that this storefront client may sell.
        offering_id: Only plans of this offering.
        """
        return cast("FoundProductPage", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/search/products",
            query={"q": q, "cursor": cursor, "limit": limit, "status": status, "billing_mode": billing_mode, "storefront_client_id": storefront_client_id, "offering_id": offering_id},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def payments(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        q: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        status: Literal["requires_action", "processing", "succeeded", "failed", "cancelled", "refunded", "partially_refunded"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundPaymentPage:
        """Search payments.

        Newest first, paginated. `q` is a complete id (of a payment, order, checkout, customer,
        subscription, invoice, refund or dispute, or the card processor’s), an email address, a merchant
        reference, a customer reference or an amount such as `19.00`.

        environment: Required for people; an API key determines its own.
        q: An exact id, reference or amount; at least three consecutive characters of an email address or a
        name, or the first two of a word of the name (the 100 newest matching buyers); the last four digits
        of a card, alone or with the brand, an amount or both (`Visa 4242 19.00`), for payments; a part of
        the number, for invoices and credit notes.
        cursor: next_cursor of the previous page.
        to: Exclusive.
        """
        return cast("FoundPaymentPage", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/search/payments",
            query={"environment": environment, "q": q, "cursor": cursor, "limit": limit, "status": status, "from": from_, "to": to},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def checkouts(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        q: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Literal["created", "processing", "requires_action", "succeeded", "failed", "reconciliation_required"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundCheckoutPage:
        """Search checkouts.

        Newest first, paginated. `q`: an id of a checkout, payment or customer, an email, a merchant or
        customer reference, an amount.

        environment: Required for people; an API key determines its own.
        q: An exact id, reference or amount; at least three consecutive characters of an email address or a
        name, or the first two of a word of the name (the 100 newest matching buyers); the last four digits
        of a card, alone or with the brand, an amount or both (`Visa 4242 19.00`), for payments; a part of
        the number, for invoices and credit notes.
        cursor: next_cursor of the previous page.
        to: Exclusive.
        """
        return cast("FoundCheckoutPage", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/search/checkouts",
            query={"environment": environment, "q": q, "cursor": cursor, "limit": limit, "from": from_, "to": to, "status": status},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def customers(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        q: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        from_: str | None = None,
        to: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundCustomerPage:
        """Search customers.

        Newest first, paginated. `q`: an id, an email or your customer reference.

        environment: Required for people; an API key determines its own.
        q: An exact id, reference or amount; at least three consecutive characters of an email address or a
        name, or the first two of a word of the name (the 100 newest matching buyers); the last four digits
        of a card, alone or with the brand, an amount or both (`Visa 4242 19.00`), for payments; a part of
        the number, for invoices and credit notes.
        cursor: next_cursor of the previous page.
        to: Exclusive.
        """
        return cast("FoundCustomerPage", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/search/customers",
            query={"environment": environment, "q": q, "cursor": cursor, "limit": limit, "from": from_, "to": to},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def subscriptions(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        q: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Literal["incomplete", "trialing", "active", "past_due", "cancelled", "expired", "paused"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundSubscriptionPage:
        """Search subscriptions.

        Newest first, paginated. `q`: an id of a subscription, checkout or customer, an email, a merchant or
        customer reference.

        environment: Required for people; an API key determines its own.
        q: An exact id, reference or amount; at least three consecutive characters of an email address or a
        name, or the first two of a word of the name (the 100 newest matching buyers); the last four digits
        of a card, alone or with the brand, an amount or both (`Visa 4242 19.00`), for payments; a part of
        the number, for invoices and credit notes.
        cursor: next_cursor of the previous page.
        to: Exclusive.
        """
        return cast("FoundSubscriptionPage", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/search/subscriptions",
            query={"environment": environment, "q": q, "cursor": cursor, "limit": limit, "from": from_, "to": to, "status": status},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def invoices(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        q: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Literal["draft", "open", "created", "void", "uncollectible", "payment_failed"] | None = None,
        prints_codes: Literal["true"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundInvoicePage:
        """Search invoices.

        Newest first, paginated. `q`: a part of the number, an id of an invoice, order, subscription or
        customer, an email, a merchant or customer reference, an amount.

        environment: Required for people; an API key determines its own.
        q: An exact id, reference or amount; at least three consecutive characters of an email address or a
        name, or the first two of a word of the name (the 100 newest matching buyers); the last four digits
        of a card, alone or with the brand, an amount or both (`Visa 4242 19.00`), for payments; a part of
        the number, for invoices and credit notes.
        cursor: next_cursor of the previous page.
        to: Exclusive.
        prints_codes: Only documents whose PDF prints the code of a character in the customer’s details,
        such as [U+0B95], because no font contains it.
        """
        return cast("FoundInvoicePage", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/search/invoices",
            query={"environment": environment, "q": q, "cursor": cursor, "limit": limit, "from": from_, "to": to, "status": status, "prints_codes": prints_codes},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def credit_notes(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        q: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        from_: str | None = None,
        to: str | None = None,
        prints_codes: Literal["true"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CreditNotePage:
        """Search credit notes.

        Newest first, paginated. `q`: a part of the number, its invoice’s number, an id of a credit note,
        invoice, refund, payment or customer, an email, a customer reference.

        environment: Required for people; an API key determines its own.
        q: An exact id, reference or amount; at least three consecutive characters of an email address or a
        name, or the first two of a word of the name (the 100 newest matching buyers); the last four digits
        of a card, alone or with the brand, an amount or both (`Visa 4242 19.00`), for payments; a part of
        the number, for invoices and credit notes.
        cursor: next_cursor of the previous page.
        to: Exclusive.
        prints_codes: Only documents whose PDF prints the code of a character in the customer’s details,
        such as [U+0B95], because no font contains it.
        """
        return cast("CreditNotePage", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/search/credit-notes",
            query={"environment": environment, "q": q, "cursor": cursor, "limit": limit, "from": from_, "to": to, "prints_codes": prints_codes},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def refunds(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Literal["pending", "succeeded", "failed"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundRefundPage:
        """List refunds by date.

        Refunds of one environment, newest first; `from` and `to` are compared with `created_at`. Paginated.

        environment: Required for people; an API key determines its own.
        cursor: next_cursor of the previous page.
        to: Exclusive.
        status: pending until the card processor has answered; a failed refund returned nothing.
        """
        return cast("FoundRefundPage", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/search/refunds",
            query={"environment": environment, "cursor": cursor, "limit": limit, "from": from_, "to": to, "status": status},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def disputes(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Literal["open", "won", "lost"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> FoundDisputePage:
        """List disputes by date.

        Disputes of one environment, most recently opened first; `from` and `to` are compared with
        `opened_at`. Paginated.

        environment: Required for people; an API key determines its own.
        cursor: next_cursor of the previous page.
        to: Exclusive.
        status: open until the buyer’s bank has decided; lost: the money was returned to the buyer.
        """
        return cast("FoundDisputePage", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/search/disputes",
            query={"environment": environment, "cursor": cursor, "limit": limit, "from": from_, "to": to, "status": status},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncMerchantsCheckoutsGroup(Group):
    async def show_history(
        self,
        merchantId: str,
        checkoutId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CheckoutHistoryAnswer:
        """One checkout with its history.

        The session, its customer, and its history and attempts in chronological order.
        """
        return cast("CheckoutHistoryAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/checkouts/{path_part(checkoutId)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncMerchantsPriceMovesGroup(Group):
    async def list(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        product_id: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PriceMoveList:
        """The price moves of a merchant.

        All price moves, including cancelled ones, newest first. A key sees those of its environment.

        environment: If absent, both environments; for a key, its own.
        """
        return cast("PriceMoveList", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/price-moves",
            query={"environment": environment, "product_id": product_id},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def create(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"],
        old_price_id: str,
        new_price_id: str,
        from_: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PriceMoveAnswer:
        """Move subscribers to a new price.

        Moves all subscribers of an inactive price, in one environment, to the active price of its product.
        `subscription.updated`, with the subscription’s `price_move`, announces it for each: at most 500 a
        minute. The new price is not charged before the notice period has passed, and no other operation is
        blocked: subscribers who cancel by then do not pay the new price. A price has at most one active
        move in each environment: a second one is 409.

        old_price_id: The inactive price whose subscribers move.
        new_price_id: The active price of the same product, with the same interval and currency.
        from_: Each subscriber’s first renewal at or after this time is charged at the new price, once the
        notice period (setting `price_move_notice_days`) has passed since its announcement. At least the
        notice period away, at most five years.
        """
        return cast("PriceMoveAnswer", await self._call(
            "POST",
            f"/v1/merchants/{path_part(merchantId)}/price-moves",
            body={"environment": environment, "old_price_id": old_price_id, "new_price_id": new_price_id, "from": from_},
            keyed=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def preview(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"],
        old_price_id: str,
        new_price_id: str,
        from_: str,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PriceMoveReportAnswer:
        """Preview a price move.

        The subscribers that it would reach, and the new totals of ten of them. Nothing changes.

        old_price_id: The inactive price whose subscribers move.
        new_price_id: The active price of the same product, with the same interval and currency.
        from_: Each subscriber’s first renewal at or after this time is charged at the new price, once the
        notice period (setting `price_move_notice_days`) has passed since its announcement. At least the
        notice period away, at most five years.
        """
        return cast("PriceMoveReportAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/price-moves/preview",
            query={"environment": environment, "old_price_id": old_price_id, "new_price_id": new_price_id, "from": from_},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show(
        self,
        merchantId: str,
        priceMoveId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PriceMoveDetailsAnswer:
        """Show a price move.

        With counts of its subscribers, the new totals of ten of them, and the reasons why some are not
        moved. For a cancelled move, only the subscribers already moved.
        """
        return cast("PriceMoveDetailsAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/price-moves/{path_part(priceMoveId)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def update(
        self,
        merchantId: str,
        priceMoveId: str,
        /,
        *,
        status: Literal["cancelled"],
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> PriceMoveAnswer:
        """Cancel a price move.

        No more subscribers are moved, and `subscription.updated` reports it for each subscriber whose move
        was announced. Those already charged the new price keep it. Repeating the request changes nothing.

        status: No more subscribers are moved. Those already charged the new price keep it.
        """
        return cast("PriceMoveAnswer", await self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchantId)}/price-moves/{path_part(priceMoveId)}",
            body={"status": status},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncMerchantsCustomersGroup(Group):
    async def update(
        self,
        merchantId: str,
        customerId: str,
        /,
        *,
        name: str | None = OMIT,
        billing_details: BillingDetails | None = OMIT,
        tax: CustomerTax | None = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CustomerAnswer:
        """Change a customer, as a person.

        Name, address and tax id are one set, as in `POST /v1/checkouts`: giving one of them replaces all
        three; if only nulls are given, they clear just those fields. They appear on invoices drafted from
        now on: issued invoices, and sessions that have their own details, do not change. For owners,
        managers and support. The audit log records the old and new values.
        """
        return cast("CustomerAnswer", await self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchantId)}/customers/{path_part(customerId)}",
            body={"name": name, "billing_details": billing_details, "tax": tax},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncMerchantsExportsGroup(Group):
    async def payments(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        q: str | None = None,
        status: Literal["requires_action", "processing", "succeeded", "failed", "cancelled", "refunded", "partially_refunded"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export payments as CSV.

        All rows of `GET …/search/payments`, streamed. UTF-8 with a header line; amounts with a decimal
        point. A text that a spreadsheet would run as a formula is prefixed with an apostrophe, even after a
        semicolon, a `|`, a tab or a line break inside a value. The audit log records who exported the list
        and how many rows.

        environment: Required for people; an API key determines its own.
        q: An exact id, reference or amount; at least three consecutive characters of an email address or a
        name, or the first two of a word of the name (the 100 newest matching buyers); the last four digits
        of a card, alone or with the brand, an amount or both (`Visa 4242 19.00`), for payments; a part of
        the number, for invoices and credit notes.
        to: Exclusive.
        """
        return cast("str", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/exports/payments",
            query={"environment": environment, "q": q, "status": status, "from": from_, "to": to},
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def checkouts(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        q: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Literal["created", "processing", "requires_action", "succeeded", "failed", "reconciliation_required"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export checkouts as CSV.

        All rows of `GET …/search/checkouts`, streamed, as for `GET …/exports/payments`.

        environment: Required for people; an API key determines its own.
        q: An exact id, reference or amount; at least three consecutive characters of an email address or a
        name, or the first two of a word of the name (the 100 newest matching buyers); the last four digits
        of a card, alone or with the brand, an amount or both (`Visa 4242 19.00`), for payments; a part of
        the number, for invoices and credit notes.
        to: Exclusive.
        """
        return cast("str", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/exports/checkouts",
            query={"environment": environment, "q": q, "from": from_, "to": to, "status": status},
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def subscriptions(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        q: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Literal["incomplete", "trialing", "active", "past_due", "cancelled", "expired", "paused"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export subscriptions as CSV.

        All rows of `GET …/search/subscriptions`, streamed, as for `GET …/exports/payments`.

        environment: Required for people; an API key determines its own.
        q: An exact id, reference or amount; at least three consecutive characters of an email address or a
        name, or the first two of a word of the name (the 100 newest matching buyers); the last four digits
        of a card, alone or with the brand, an amount or both (`Visa 4242 19.00`), for payments; a part of
        the number, for invoices and credit notes.
        to: Exclusive.
        """
        return cast("str", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/exports/subscriptions",
            query={"environment": environment, "q": q, "from": from_, "to": to, "status": status},
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def invoices(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        q: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Literal["draft", "open", "created", "void", "uncollectible", "payment_failed"] | None = None,
        prints_codes: Literal["true"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export invoices as CSV.

        All rows of `GET …/search/invoices`, streamed, as for `GET …/exports/payments`.

        environment: Required for people; an API key determines its own.
        q: An exact id, reference or amount; at least three consecutive characters of an email address or a
        name, or the first two of a word of the name (the 100 newest matching buyers); the last four digits
        of a card, alone or with the brand, an amount or both (`Visa 4242 19.00`), for payments; a part of
        the number, for invoices and credit notes.
        to: Exclusive.
        prints_codes: Only documents whose PDF prints the code of a character in the customer’s details,
        such as [U+0B95], because no font contains it.
        """
        return cast("str", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/exports/invoices",
            query={"environment": environment, "q": q, "from": from_, "to": to, "status": status, "prints_codes": prints_codes},
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def credit_notes(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        q: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        prints_codes: Literal["true"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export credit-notes as CSV.

        All rows of `GET …/search/credit-notes`, streamed, as for `GET …/exports/payments`.

        environment: Required for people; an API key determines its own.
        q: An exact id, reference or amount; at least three consecutive characters of an email address or a
        name, or the first two of a word of the name (the 100 newest matching buyers); the last four digits
        of a card, alone or with the brand, an amount or both (`Visa 4242 19.00`), for payments; a part of
        the number, for invoices and credit notes.
        to: Exclusive.
        prints_codes: Only documents whose PDF prints the code of a character in the customer’s details,
        such as [U+0B95], because no font contains it.
        """
        return cast("str", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/exports/credit-notes",
            query={"environment": environment, "q": q, "from": from_, "to": to, "prints_codes": prints_codes},
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def tax_summary(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        month: str,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export a month’s tax summary as CSV.

        The rows of `GET …/tax-summary`.

        environment: Required for people; an API key determines its own.
        month: The month of the printed dates of issue, which are in the merchant’s time zone at that time.
        """
        return cast("str", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/exports/tax-summary",
            query={"environment": environment, "month": month},
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def refunds(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Literal["pending", "succeeded", "failed"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export refunds as CSV.

        All rows of `GET …/search/refunds`, streamed, as for `GET …/exports/payments`.

        environment: Required for people; an API key determines its own.
        to: Exclusive.
        status: pending until the card processor has answered; a failed refund returned nothing.
        """
        return cast("str", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/exports/refunds",
            query={"environment": environment, "from": from_, "to": to, "status": status},
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def disputes(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Literal["open", "won", "lost"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> str:
        """Export disputes as CSV.

        All rows of `GET …/search/disputes`, streamed, as for `GET …/exports/payments`.

        environment: Required for people; an API key determines its own.
        to: Exclusive.
        status: open until the buyer’s bank has decided; lost: the money was returned to the buyer.
        """
        return cast("str", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/exports/disputes",
            query={"environment": environment, "from": from_, "to": to, "status": status},
            text=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncMerchantsGroup(Group):
    @property
    def products(self) -> AsyncMerchantsProductsGroup:
        return AsyncMerchantsProductsGroup(self._call)

    @property
    def orders(self) -> AsyncMerchantsOrdersGroup:
        return AsyncMerchantsOrdersGroup(self._call)

    @property
    def payments(self) -> AsyncMerchantsPaymentsGroup:
        return AsyncMerchantsPaymentsGroup(self._call)

    @property
    def subscriptions(self) -> AsyncMerchantsSubscriptionsGroup:
        return AsyncMerchantsSubscriptionsGroup(self._call)

    @property
    def invoices(self) -> AsyncMerchantsInvoicesGroup:
        return AsyncMerchantsInvoicesGroup(self._call)

    @property
    def credit_notes(self) -> AsyncMerchantsCreditNotesGroup:
        return AsyncMerchantsCreditNotesGroup(self._call)

    @property
    def refunds(self) -> AsyncMerchantsRefundsGroup:
        return AsyncMerchantsRefundsGroup(self._call)

    @property
    def disputes(self) -> AsyncMerchantsDisputesGroup:
        return AsyncMerchantsDisputesGroup(self._call)

    @property
    def billing(self) -> AsyncMerchantsBillingGroup:
        return AsyncMerchantsBillingGroup(self._call)

    @property
    def offerings(self) -> AsyncMerchantsOfferingsGroup:
        return AsyncMerchantsOfferingsGroup(self._call)

    @property
    def coupons(self) -> AsyncMerchantsCouponsGroup:
        return AsyncMerchantsCouponsGroup(self._call)

    @property
    def storefront_clients(self) -> AsyncMerchantsStorefrontClientsGroup:
        return AsyncMerchantsStorefrontClientsGroup(self._call)

    @property
    def audit(self) -> AsyncMerchantsAuditGroup:
        return AsyncMerchantsAuditGroup(self._call)

    @property
    def api_keys(self) -> AsyncMerchantsApiKeysGroup:
        return AsyncMerchantsApiKeysGroup(self._call)

    @property
    def rail_accounts(self) -> AsyncMerchantsRailAccountsGroup:
        return AsyncMerchantsRailAccountsGroup(self._call)

    @property
    def webhook_endpoints(self) -> AsyncMerchantsWebhookEndpointsGroup:
        return AsyncMerchantsWebhookEndpointsGroup(self._call)

    @property
    def webhook_events(self) -> AsyncMerchantsWebhookEventsGroup:
        return AsyncMerchantsWebhookEventsGroup(self._call)

    @property
    def webhook_attempts(self) -> AsyncMerchantsWebhookAttemptsGroup:
        return AsyncMerchantsWebhookAttemptsGroup(self._call)

    @property
    def rails(self) -> AsyncMerchantsRailsGroup:
        return AsyncMerchantsRailsGroup(self._call)

    @property
    def search(self) -> AsyncMerchantsSearchGroup:
        return AsyncMerchantsSearchGroup(self._call)

    @property
    def checkouts(self) -> AsyncMerchantsCheckoutsGroup:
        return AsyncMerchantsCheckoutsGroup(self._call)

    @property
    def price_moves(self) -> AsyncMerchantsPriceMovesGroup:
        return AsyncMerchantsPriceMovesGroup(self._call)

    @property
    def customers(self) -> AsyncMerchantsCustomersGroup:
        return AsyncMerchantsCustomersGroup(self._call)

    @property
    def exports(self) -> AsyncMerchantsExportsGroup:
        return AsyncMerchantsExportsGroup(self._call)

    async def list(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> MerchantPage:
        """Your merchants.

        `platform` people see every merchant, others those named in their token. Newest first.

        cursor: next_cursor of the previous page.
        """
        return cast("MerchantPage", await self._call(
            "GET",
            "/v1/merchants",
            query={"cursor": cursor, "limit": limit},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def create(
        self,
        *,
        name: str,
        branding: MerchantBrandingChanges = OMIT,
        capabilities: MerchantCapabilityChanges = OMIT,
        legal_identity: LegalIdentityChanges = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CreatedMerchantAnswer:
        """Create a merchant.

        For `platform` people. The merchant is active immediately, has no rail account yet, and gets a first
        API key for the sandbox: only this response contains `api_key.key`. Its own people see it once the
        identity provider names its id in their tokens.

        name: Shown to buyers at the top of the hosted page.
        """
        return cast("CreatedMerchantAnswer", await self._call(
            "POST",
            "/v1/merchants",
            body={"name": name, "branding": branding, "capabilities": capabilities, "legal_identity": legal_identity},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show(
        self,
        merchantId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> MerchantAnswer:
        """One merchant.

        Name, status, capabilities, branding and legal identity.
        """
        return cast("MerchantAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def update(
        self,
        merchantId: str,
        /,
        *,
        name: str = OMIT,
        branding: MerchantBrandingChanges = OMIT,
        capabilities: MerchantCapabilityChanges = OMIT,
        legal_identity: LegalIdentityChanges = OMIT,
        status: Literal["active", "inactive"] = OMIT,
        renew_after_lost_dispute: bool = OMIT,
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

        name: Shown to buyers at the top of the hosted page.
        renew_after_lost_dispute: If false (the default), a subscription with a lost dispute ends with its
        period; if true, it renews.
        """
        return cast("MerchantAnswer", await self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchantId)}",
            body={"name": name, "branding": branding, "capabilities": capabilities, "legal_identity": legal_identity, "status": status, "renew_after_lost_dispute": renew_after_lost_dispute},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show_settings(
        self,
        merchantId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> MerchantSettingsAnswer:
        """A merchant’s settings.

        One flat object for both environments. The defaults change nothing.
        """
        return cast("MerchantSettingsAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/settings",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def update_settings(
        self,
        merchantId: str,
        /,
        *,
        time_zone: str = OMIT,
        invoice_prefix: str = OMIT,
        invoice_first_number: int = OMIT,
        credit_note_on_lost_dispute: bool = OMIT,
        credit_note_on_uncollectible: bool = OMIT,
        collect_after_cancellation: bool = OMIT,
        trial_ending_days: int = OMIT,
        renewal_upcoming_days: int = OMIT,
        price_move_notice_days: int = OMIT,
        support_refund_limit: int = OMIT,
        support_email: str | None = OMIT,
        support_url: str | None = OMIT,
        support_phone: str | None = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> MerchantSettingsAnswer:
        """Change a merchant’s settings.

        For an owner or a `platform` person, `support_refund_limit` for an owner only. Absent fields stay
        unchanged; a change is in the audit log with the old and the new value. `PATCH /v1/invoice-settings`
        changes none of them.

        time_zone: The IANA time zone in which invoices are dated and numbered by year, and in which the
        days of the dashboard’s first page and lists begin. Issued invoices keep theirs.
        invoice_prefix: The prefix of new invoice numbers. The series continues: no number is used twice.
        invoice_first_number: Each year’s series begins with this number, in each environment. A series that
        is already beyond it continues: numbers never decrease.
        credit_note_on_lost_dispute: Whether a lost dispute issues a credit note for the disputed amount. If
        the dispute is won after all, a new invoice reverses it.
        credit_note_on_uncollectible: Whether an invoice that becomes `uncollectible` is credited in full.
        collect_after_cancellation: Whether unpaid invoices are still retried after a cancellation at the
        end of the period: the subscription then ends with its period, but not before they are paid or their
        retries are over. Applies to later cancellations; an immediate one always ends it at once.
        trial_ending_days: Days before the end of a trial at which `subscription.trial_ending` is sent to
        endpoints that list it, never before the period starts. 0 disables it. Applies to periods that begin
        later, and to current ones whose announcement is not yet due when an endpoint starts to list the
        event.
        renewal_upcoming_days: Days before a renewal at which `subscription.renewal_upcoming` is sent to
        endpoints that list it, never before the period starts. 0 disables it. Applies to periods that begin
        later, and to current ones whose announcement is not yet due when an endpoint starts to list the
        event.
        price_move_notice_days: How many days before its charge each subscriber’s [move to a new
        price](subscriptions.md#a-new-price-for-all) is announced. Applies to moves created later.
        support_refund_limit: Cents that support may refund per payment, counting all its refunds; only an
        owner may change it. 0 allows none.
        support_email: Shown on the hosted page as an email link: after a decline, while the outcome is
        unknown, and at the end.
        support_url: Shown on the hosted page as a link: after a decline, while the outcome is unknown, and
        at the end.
        support_phone: Shown on the hosted page as a phone link: after a decline, while the outcome is
        unknown, and at the end.
        """
        return cast("MerchantSettingsAnswer", await self._call(
            "PATCH",
            f"/v1/merchants/{path_part(merchantId)}/settings",
            body={"time_zone": time_zone, "invoice_prefix": invoice_prefix, "invoice_first_number": invoice_first_number, "credit_note_on_lost_dispute": credit_note_on_lost_dispute, "credit_note_on_uncollectible": credit_note_on_uncollectible, "collect_after_cancellation": collect_after_cancellation, "trial_ending_days": trial_ending_days, "renewal_upcoming_days": renewal_upcoming_days, "price_move_notice_days": price_move_notice_days, "support_refund_limit": support_refund_limit, "support_email": support_email, "support_url": support_url, "support_phone": support_phone},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show_access(
        self,
        merchantId: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> AccessAnswer:
        """Your permissions here.

        The caller’s permissions at this merchant. The table of roles is in docs/people.md.
        """
        return cast("AccessAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/access",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show_overview(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OverviewAnswer:
        """Key figures of a merchant.

        Sales, conversion, declines, subscriptions and open issues in one environment. Up to five seconds
        old.

        environment: Required for people; an API key determines its own.
        """
        return cast("OverviewAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/overview",
            query={"environment": environment},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def preview_branding(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        name: str | None = None,
        logo_url: str | None = None,
        color: str | None = None,
        language: str | None = None,
        origin: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> BrandingPreviewAnswer:
        """Preview the hosted page.

        The hosted page with this branding and an example purchase. Nothing is saved, and nothing can be
        paid there. Only pages of the API’s own origin and of `origin` can frame it.

        environment: Required for people; an API key determines its own.
        name: If absent, the merchant’s.
        origin: Origin of the page that frames the preview, if it is not the API’s own.
        """
        return cast("BrandingPreviewAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/branding-preview",
            query={"environment": environment, "name": name, "logo_url": logo_url, "color": color, "language": language, "origin": origin},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def show_tax_summary(
        self,
        merchantId: str,
        /,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        month: str,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> TaxSummaryAnswer:
        """Sum a month’s invoices by tax rate.

        Net, tax and gross of the invoices issued in a month, of its credit notes, and their difference.

        environment: Required for people; an API key determines its own.
        month: The month of the printed dates of issue, which are in the merchant’s time zone at that time.
        """
        return cast("TaxSummaryAnswer", await self._call(
            "GET",
            f"/v1/merchants/{path_part(merchantId)}/tax-summary",
            query={"environment": environment, "month": month},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncOperationsMerchantsGroup(Group):
    async def list_health(
        self,
        *,
        q: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> MerchantHealthPage:
        """The health of each merchant.

        Newest first, paginated: whether it can sell, whether its endpoints answer, its latest sale, and its
        open incidents. `support` people see their merchants only.

        q: A merchant’s id, or part of the name.
        cursor: next_cursor of the previous page.
        """
        return cast("MerchantHealthPage", await self._call(
            "GET",
            "/v1/operations/merchants",
            query={"q": q, "cursor": cursor, "limit": limit},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncOperationsIncidentsGroup(Group):
    async def list(
        self,
        *,
        kind: Literal["reconciliation_required", "orphaned_charge", "payment_not_at_rail", "outcome_not_recorded", "invoice_not_issued", "charge_unanswered", "refund_failed", "refund_reversed_by_rail", "refund_carried_out", "second_person_needed", "dispute_open", "dispute_not_found", "rail_unavailable", "merchant_sells_nothing", "merchant_stopped", "rail_account_disabled", "rail_account_misconfigured", "card_testing", "endpoint_failing", "endpoint_disabled", "webhook_deliveries_exhausted", "overdue", "sweep_late", "workers_missing", "temporal_unavailable", "database_fenced", "not_in_database"] | None = None,
        merchant_id: str | None = None,
        environment: Literal["sandbox", "production"] | None = None,
        min_amount: int | None = None,
        older_than_seconds: int | None = None,
        limit: int | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> IncidentList:
        """Incidents that need an operator.

        Every kind of incident with amount, age, reason, the next command and links: first Temporal and the
        workers, if they do not answer, then the others, oldest first. For `platform` people; `support`
        people see their merchants’ only.

        min_amount: Cents.
        """
        return cast("IncidentList", await self._call(
            "GET",
            "/v1/operations/incidents",
            query={"kind": kind, "merchant_id": merchant_id, "environment": environment, "min_amount": min_amount, "older_than_seconds": older_than_seconds, "limit": limit},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncOperationsAuditGroup(Group):
    async def list(
        self,
        *,
        environment: Literal["sandbox", "production"] | None = None,
        subject_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        actor: str | None = None,
        merchant_id: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OperatorAuditEntryPage:
        """The audit log of all merchants.

        Every change by people and operators, newest first, with the state before and after, without
        secrets: for all subjects, one id, one merchant or one person. For `platform` people.

        environment: Absent: everything.
        subject_id: Only changes of this subject.
        to: Exclusive.
        cursor: next_cursor of the previous page.
        actor: Only changes by this person or program, including those that they confirmed.
        """
        return cast("OperatorAuditEntryPage", await self._call(
            "GET",
            "/v1/operations/audit",
            query={"environment": environment, "subject_id": subject_id, "from": from_, "to": to, "cursor": cursor, "limit": limit, "actor": actor, "merchant_id": merchant_id},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncOperationsSubjectsGroup(Group):
    async def search(
        self,
        *,
        id: str | None = None,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OperatorSubjectList:
        """Search by any id.

        At most 50, newest first. Empty if nothing has the id or reference.

        id: The id or reference to find; without it the result is empty. An id of this service (of a
        payment, session, subscription, refund, dispute, event, order, invoice, endpoint, rail account or
        merchant, of a request or an incident), the rail’s, the merchant’s reference or customer, the page’s
        `sessionId`, or the buyer’s email address.
        """
        return cast("OperatorSubjectList", await self._call(
            "GET",
            "/v1/operations/subjects",
            query={"id": id},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def explain(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OperatorExplanation:
        """Explain a subject’s state.

        Describes the state, incidents, history with every answer of the rail, next step and related ids.
        Accepts every id of `searchSubjects` and of `listIncidents`, including a whole rail in an
        environment (`<rail>:<environment>`) and a request that waits for a second person (`ap_opr_…`).
        """
        return cast("OperatorExplanation", await self._call(
            "GET",
            f"/v1/operations/subjects/{path_part(id)}",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def command(
        self,
        id: str,
        /,
        *,
        command: Literal["resolve"] | Literal["returned"] | Literal["dispute_close"] | Literal["credit"] | Literal["ask"] | Literal["pause_rail"] | Literal["resume_rail"] | Literal["stop_merchant"] | Literal["start_merchant"] | Literal["endpoint_pause"] | Literal["endpoint_resume"] | Literal["endpoint_redeliver"] | Literal["endpoint_recover"] | Literal["incident_close"],
        outcome: Literal["succeeded", "failed"] = OMIT,
        reason: str = OMIT,
        evidence: str = OMIT,
        status: Literal["won", "lost"] = OMIT,
        event_id: str = OMIT,
        since: str = OMIT,
        kind: Literal["reconciliation_required", "orphaned_charge", "payment_not_at_rail", "outcome_not_recorded", "invoice_not_issued", "charge_unanswered", "refund_failed", "refund_reversed_by_rail", "refund_carried_out", "second_person_needed", "dispute_open", "dispute_not_found", "rail_unavailable", "merchant_sells_nothing", "merchant_stopped", "rail_account_disabled", "rail_account_misconfigured", "card_testing", "endpoint_failing", "endpoint_disabled", "webhook_deliveries_exhausted", "overdue", "sweep_late", "workers_missing", "temporal_unavailable", "database_fenced", "not_in_database"] = OMIT,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OperatorCommandAnswer:
        """Execute an operator’s command.

        For `platform` people. The same as `npm run ops -- <command>`: `resolve` settles a session,
        subscription or refund in doubt (the rail is asked once more, and never contradicted); `returned`
        and `dispute_close` record facts that the rail does not show; `credit` issues a credit note for an
        uncollectible invoice; `ask` asks the rail now; `pause_rail` and `resume_rail` stop and allow new
        attempts at a rail account, or at a whole rail, whose id is `<rail>:<environment>`; `stop_merchant`
        refuses a merchant’s keys until `start_merchant`; the `endpoint_` commands act on a webhook
        endpoint; `incident_close` closes an incident whose end the service cannot detect. The audit log
        names the token’s person. For an amount above the configured one, the response is 202 with
        `waiting_request`, which another person must confirm.

        reason: The reason, for the audit log. Do not include personal data.
        evidence: The evidence, for example from the rail’s dashboard.
        """
        return cast("OperatorCommandAnswer", await self._call(
            "POST",
            f"/v1/operations/subjects/{path_part(id)}/commands",
            body={"command": command, "outcome": outcome, "reason": reason, "evidence": evidence, "status": status, "event_id": event_id, "since": since, "kind": kind},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncOperationsRequestsGroup(Group):
    async def confirm(
        self,
        requestId: str,
        /,
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
            f"/v1/operations/requests/{path_part(requestId)}/confirm",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def withdraw(
        self,
        requestId: str,
        /,
        *,
        reason: str,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OperatorCommandAnswer:
        """Withdraw a waiting command.

        Withdraws a command that waits for a second person, so that another can be made: by its requester,
        or by a colleague who rejects it. For `platform` people. A confirmed command cannot be withdrawn.

        reason: The reason, for the audit log. Do not include personal data.
        """
        return cast("OperatorCommandAnswer", await self._call(
            "POST",
            f"/v1/operations/requests/{path_part(requestId)}/withdraw",
            body={"reason": reason},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncOperationsCustomersGroup(Group):
    async def export(
        self,
        id: str,
        /,
        *,
        reason: str,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CustomerExport:
        """Export a customer’s data.

        Returns everything stored about a customer, in the form of `npm run ops -- export-customer`, and
        writes an audit row. For `platform` people.

        reason: For the audit log, for example the number of the customer’s request or ticket. Do not
        include personal data.
        """
        return cast("CustomerExport", await self._call(
            "POST",
            f"/v1/operations/customers/{path_part(id)}/export",
            body={"reason": reason},
            plain=True,
            timeout=timeout,
            max_attempts=max_attempts,
        ))

    async def erase(
        self,
        id: str,
        /,
        *,
        reason: str,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> CustomerErasure:
        """Erase a customer’s personal data.

        Erases email, name, address, tax number and the merchant’s id, including in stored events and
        clicks. Amounts, states, card brands and last digits, references of orders and issued invoices are
        kept, as the law requires. The erasure cannot be undone; repeating it changes nothing. It is refused
        while a session, a subscription, a refund, a dispute or an unwritten document of the customer is
        open. Writes an audit row. For `platform` people.

        reason: For the audit log, for example the number of the customer’s request or ticket. Do not
        include personal data.
        """
        return cast("CustomerErasure", await self._call(
            "POST",
            f"/v1/operations/customers/{path_part(id)}/erase",
            body={"reason": reason},
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncOperationsGroup(Group):
    @property
    def merchants(self) -> AsyncOperationsMerchantsGroup:
        return AsyncOperationsMerchantsGroup(self._call)

    @property
    def incidents(self) -> AsyncOperationsIncidentsGroup:
        return AsyncOperationsIncidentsGroup(self._call)

    @property
    def audit(self) -> AsyncOperationsAuditGroup:
        return AsyncOperationsAuditGroup(self._call)

    @property
    def subjects(self) -> AsyncOperationsSubjectsGroup:
        return AsyncOperationsSubjectsGroup(self._call)

    @property
    def requests(self) -> AsyncOperationsRequestsGroup:
        return AsyncOperationsRequestsGroup(self._call)

    @property
    def customers(self) -> AsyncOperationsCustomersGroup:
        return AsyncOperationsCustomersGroup(self._call)

    async def show_access(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> OperatorAccess:
        """Your permissions as an operator.

        `support` people see their merchants’ incidents, `platform` people see everything and can run
        commands.
        """
        return cast("OperatorAccess", await self._call(
            "GET",
            "/v1/operations/access",
            timeout=timeout,
            max_attempts=max_attempts,
        ))

class AsyncHostedCheckout(AsyncCaller):
    """The API of an installation. For asyncio and trio."""

    @property
    def checkouts(self) -> AsyncCheckoutsGroup:
        return AsyncCheckoutsGroup(self._call)

    @property
    def products(self) -> AsyncProductsGroup:
        return AsyncProductsGroup(self._call)

    @property
    def orders(self) -> AsyncOrdersGroup:
        return AsyncOrdersGroup(self._call)

    @property
    def payments(self) -> AsyncPaymentsGroup:
        return AsyncPaymentsGroup(self._call)

    @property
    def subscriptions(self) -> AsyncSubscriptionsGroup:
        return AsyncSubscriptionsGroup(self._call)

    @property
    def invoices(self) -> AsyncInvoicesGroup:
        return AsyncInvoicesGroup(self._call)

    @property
    def credit_notes(self) -> AsyncCreditNotesGroup:
        return AsyncCreditNotesGroup(self._call)

    @property
    def refunds(self) -> AsyncRefundsGroup:
        return AsyncRefundsGroup(self._call)

    @property
    def billing(self) -> AsyncBillingGroup:
        return AsyncBillingGroup(self._call)

    @property
    def payment_methods(self) -> AsyncPaymentMethodsGroup:
        return AsyncPaymentMethodsGroup(self._call)

    @property
    def manual_charges(self) -> AsyncManualChargesGroup:
        return AsyncManualChargesGroup(self._call)

    @property
    def invoice_settings(self) -> AsyncInvoiceSettingsGroup:
        return AsyncInvoiceSettingsGroup(self._call)

    @property
    def merchants(self) -> AsyncMerchantsGroup:
        return AsyncMerchantsGroup(self._call)

    @property
    def operations(self) -> AsyncOperationsGroup:
        return AsyncOperationsGroup(self._call)

    async def show_health(
        self,
        *,
        timeout: float | None = None,
        max_attempts: int | None = None,
    ) -> Health:
        """Readiness of the API.

        Without Temporal the API is `degraded` but ready: sessions are created, and start when Temporal is
        back.
        """
        return cast("Health", await self._call(
            "GET",
            "/healthz",
            timeout=timeout,
            max_attempts=max_attempts,
        ))
