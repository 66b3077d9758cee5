"""What a call can raise. All have the idempotency key that the request carried: repeat the call with it."""

from __future__ import annotations

from .schemas import ErrorCode


class HostedCheckoutError(Exception):
    idempotency_key: str | None

    def __init__(self, message: str, idempotency_key: str | None) -> None:
        super().__init__(message)
        self.idempotency_key = idempotency_key


class ApiError(HostedCheckoutError):
    """The API refused the request, or failed."""

    status: int
    code: str
    """Compare with this; messages may change. New codes may be added."""
    request_id: str | None
    """Quote it in support requests."""
    retry_after_seconds: int | None
    total: int | None
    """In cents, with the codes that name a sum: `change_needs_period_end`, `preview_outdated`."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str,
        request_id: str | None,
        retry_after_seconds: int | None,
        total: int | None,
        idempotency_key: str | None,
    ) -> None:
        about = f"{code}, {request_id}" if request_id else code
        super().__init__(f"{message} ({about})", idempotency_key)
        self.status = status
        self.code = code
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds
        self.total = total


class RequestTimeoutError(HostedCheckoutError):
    """No response within the time limit: the request may have taken effect."""

    def __init__(self, timeout: float, idempotency_key: str | None) -> None:
        super().__init__(
            f"No response within {timeout:g} s. The request may have taken effect.",
            idempotency_key,
        )


class RequestConnectionError(HostedCheckoutError):
    """The connection failed: the request may have taken effect."""

    def __init__(self, base_url: str, cause: Exception, idempotency_key: str | None) -> None:
        reason = str(cause) or type(cause).__name__
        super().__init__(f"{base_url} could not be reached: {reason.rstrip('.')}.", idempotency_key)


def is_api_error(error: BaseException, code: ErrorCode | None = None) -> bool:
    """Whether it is a refusal of the API, with this code if one is given."""
    return isinstance(error, ApiError) and (code is None or error.code == code)
