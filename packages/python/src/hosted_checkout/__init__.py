"""The API of a hosted checkout installation: `HostedCheckout(api_key, base_url=...)`."""

from ._errors import (
    ApiError,
    HostedCheckoutError,
    RequestConnectionError,
    RequestTimeoutError,
    is_api_error,
)
from ._objects import as_dict
from ._operations import AsyncHostedCheckout, HostedCheckout
from ._pages import every_row, every_row_async
from ._webhooks import (
    SIGNATURE_HEADER,
    VerificationFailure,
    WebhookVerificationError,
    verify_webhook,
)
from .schemas import ErrorCode, WebhookEvent

__all__ = [
    "SIGNATURE_HEADER",
    "ApiError",
    "AsyncHostedCheckout",
    "ErrorCode",
    "HostedCheckout",
    "HostedCheckoutError",
    "RequestConnectionError",
    "RequestTimeoutError",
    "VerificationFailure",
    "WebhookEvent",
    "WebhookVerificationError",
    "as_dict",
    "every_row",
    "every_row_async",
    "is_api_error",
    "verify_webhook",
]
