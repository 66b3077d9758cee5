"""Builds requests as the contract advises, interprets responses, and computes the wait before another attempt."""

from __future__ import annotations

import json
import math
import os
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Literal

import httpx

from ._errors import ApiError
from ._explain import explain, not_this_api
from ._objects import object_of

# Stands for an omitted argument, because None is sent as null.
OMIT: Any = object()

CONTRACT_VERSION = "2026-01-01"
FIRST_WAIT = 0.25
# The caller does not wait for a longer `Retry-After`: the error contains it.
LONGEST_WAIT = 5.0
# Statuses of requests that were not executed, regardless of the operation.
NEVER_STARTED = frozenset({408, 429})
TRANSIENT = frozenset({500, 502, 503, 504})
# The only 409 that another attempt can change: the first request is still running.
STILL_RUNNING = "idempotency_key_in_progress"
# A header has no space at either end.
KEY_FORM = re.compile(r"(?! )[\x20-\x7e]{1,255}(?<! )")

Verb = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]


@dataclass(frozen=True)
class Settings:
    api_key: str
    base_url: str
    timeout: float
    max_attempts: int


@dataclass(frozen=True)
class Call:
    """The part of a call that all its attempts share."""

    method: str
    path: str
    query: Mapping[str, str]
    content: bytes | None
    headers: Mapping[str, str]
    idempotency_key: str | None
    is_text: bool
    is_plain: bool
    is_repeatable: bool
    timeout: float
    max_attempts: int


@dataclass(frozen=True)
class Failure:
    error: Exception
    retry_after: float = 0.0
    """Seconds; NaN if the header is unreadable."""


def settings_of(api_key: str, base_url: str | None, timeout: float, max_attempts: int) -> Settings:
    if not api_key:
        raise ValueError("The API key is missing: HostedCheckout(api_key, base_url=...).")
    # httpx would reject such a key with an error that quotes it.
    if not re.fullmatch(r"[\x21-\x7e]+", api_key):
        raise ValueError(
            "The API key contains white space or a character outside ASCII: it was probably copied together with other text."
        )
    address = base_url or os.environ.get("HOSTED_CHECKOUT_URL")
    if not address:
        raise ValueError(
            "The address of the installation is missing: pass base_url, or set HOSTED_CHECKOUT_URL."
        )
    if not _is_address(address):
        raise ValueError(
            f"{address} is not an installation's address, which begins with https:// or http://."
        )
    return Settings(api_key, address.rstrip("/"), timeout, max_attempts)


def call_of(
    settings: Settings,
    method: Verb,
    path: str,
    *,
    body: Mapping[str, object] | None,
    query: Mapping[str, object] | None,
    keyed: bool,
    idempotency_key: str | None,
    text: bool,
    plain: bool,
    timeout: float | None,
    max_attempts: int | None,
) -> Call:
    key = None
    if keyed:
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        if not KEY_FORM.fullmatch(key):
            raise ValueError(
                "idempotency_key must be 1 to 255 printable ASCII characters, without leading or trailing spaces."
            )
    headers = {
        "Authorization": f"Bearer {settings.api_key}",
        "Service-Version": CONTRACT_VERSION,
        "Accept": "*/*" if text else "application/json",
    }
    content = None
    if body is not None:
        given = {name: value for name, value in body.items() if value is not OMIT}
        content = json.dumps(given, ensure_ascii=False, allow_nan=False).encode()
        headers["Content-Type"] = "application/json"
    if key is not None:
        headers["Idempotency-Key"] = key
    return Call(
        method=method,
        path=path,
        query={name: _query_value(value) for name, value in (query or {}).items() if value is not None},
        content=content,
        headers=headers,
        idempotency_key=key,
        is_text=text,
        is_plain=plain,
        # Creating a session twice is harmless: the buyer sees and pays for only one of the two.
        is_repeatable=keyed or method == "GET" or (method == "POST" and path == "/v1/checkouts"),
        timeout=settings.timeout if timeout is None else timeout,
        max_attempts=settings.max_attempts if max_attempts is None else max_attempts,
    )


def answer_of(settings: Settings, call: Call, response: httpx.Response, content: bytes) -> Any | Failure:
    if response.is_success and call.is_text:
        return content.decode()
    answer = _parsed(content)
    if response.is_success and answer is not None:
        return answer if call.is_plain else object_of(answer)
    answer = answer or {}
    is_ours = isinstance(answer.get("code"), str)
    code = str(answer["code"]) if is_ours else "unexpected_response"
    message = answer.get("message") or f"The response with status {response.status_code} is not from this API."
    hint = explain(code, settings.api_key, settings.base_url) if is_ours else not_this_api(settings.base_url)
    retry_after = _seconds_of(response.headers.get("retry-after"))
    field, reason, limit, total = (answer.get(name) for name in ("field", "reason", "limit", "total"))
    error = ApiError(
        f"{message} {hint}" if hint else str(message),
        status=response.status_code,
        code=code,
        request_id=str(answer.get("request_id") or response.headers.get("x-request-id") or "") or None,
        retry_after_seconds=None if math.isnan(retry_after) else (int(retry_after) or None),
        field=field if isinstance(field, str) else None,
        reason=reason if isinstance(reason, str) else None,
        limit=limit if isinstance(limit, int | float) else None,
        total=total if isinstance(total, int) else None,
        idempotency_key=call.idempotency_key,
    )
    return Failure(error, retry_after)


def wait_after(failure: Failure, attempt: int, call: Call) -> float | None:
    """Returns None if another attempt is useless, or could have an effect twice."""
    if attempt >= call.max_attempts:
        return None
    doubled: float = FIRST_WAIT * 2 ** (attempt - 1)
    error = failure.error
    if not isinstance(error, ApiError):
        return doubled if call.is_repeatable else None
    transient = error.status in TRANSIENT or error.code == STILL_RUNNING
    if error.status not in NEVER_STARTED and not (call.is_repeatable and transient):
        return None
    # If Retry-After is unreadable, give up: any wait would contradict the server.
    if math.isnan(failure.retry_after):
        return None
    wait = max(doubled, failure.retry_after)
    return wait if wait <= LONGEST_WAIT else None


def _is_address(text: str) -> bool:
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL:
        return False
    return url.scheme in ("http", "https") and url.host != ""


def _query_value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _parsed(content: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(content)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _seconds_of(retry_after: str | None) -> float:
    """Seconds from now; 0 without the header, NaN for a value that is neither a number nor a date."""
    if retry_after is None:
        return 0.0
    if re.fullmatch(r"[0-9]+", retry_after):
        return float(retry_after)
    if not retry_after.endswith("GMT"):
        return math.nan
    try:
        then = parsedate_to_datetime(retry_after)
    except ValueError:
        return math.nan
    return float(max(0, math.ceil((then - datetime.now(timezone.utc)).total_seconds())))
