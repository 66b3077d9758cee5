"""Errors of a call. Each contains the request's idempotency key: use it to repeat the call."""

from __future__ import annotations

from .schemas import ErrorCode


class HostedCheckoutError(Exception):
    idempotency_key: str | None

    def __init__(self, message: str, idempotency_key: str | None) -> None:
        super().__init__(message)
        self.idempotency_key = idempotency_key


class ApiError(HostedCheckoutError):
    """The API returned an error, or failed."""

    status: int
    code: str
    """Stable, unlike the message: compare with the code. New codes may be added."""
    request_id: str | None
    """Quote this id in support requests."""
    retry_after_seconds: int | None
    field: str | None
    """The path of the field that is at fault: `recurring.interval_count`."""
    reason: str | None
    """Machine-readable reason, such as `required` or `too_long`. New reasons may be added."""
    limit: float | None
    """The smallest or largest accepted value or number of characters or entries."""
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
        field: str | None,
        reason: str | None,
        limit: float | None,
        total: int | None,
        idempotency_key: str | None,
    ) -> None:
        about = f"{code}, {request_id}" if request_id else code
        super().__init__(f"{message} ({about})", idempotency_key)
        self.status = status
        self.code = code
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds
        self.field = field
        self.reason = reason
        self.limit = limit
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
    """Returns whether the error is an `ApiError`, with this code if one is given."""
    return isinstance(error, ApiError) and (code is None or error.code == code)
