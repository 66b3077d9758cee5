"""Verifies signed webhooks."""

from __future__ import annotations

import hashlib
import hmac
import json
import math
import re
import time
from collections.abc import Sequence
from typing import Literal, cast

from ._objects import object_of
from .schemas import WebhookEvent

SIGNATURE_HEADER = "service-signature"

VerificationFailure = Literal[
    "missing_header",
    "malformed_header",
    "timestamp_outside_tolerance",
    "no_matching_signature",
    "unreadable_body",
]


class WebhookVerificationError(Exception):
    """Raised for a webhook that cannot be verified: respond with 400."""

    code = "invalid_signature"
    reason: VerificationFailure

    def __init__(self, reason: VerificationFailure, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def verify_webhook(
    *,
    raw_body: str | bytes | bytearray | memoryview,
    signature: str | Sequence[str] | None,
    secret: str | Sequence[str],
    tolerance_seconds: float = 300,
    now_seconds: float | None = None,
) -> WebhookEvent:
    """
    Checks the signature and returns the event.

    `raw_body` is the request's body exactly as received, before any JSON parsing; `signature` the value of its
    `Service-Signature` header; `secret` the endpoint's secret as shown (several during a rotation).
    Raises WebhookVerificationError; TypeError if the body was parsed already or there is no secret; ValueError for a malformed secret,
    or a tolerance or clock that is not finite.
    """
    now = time.time() if now_seconds is None else now_seconds
    # A comparison with NaN is false, so every timestamp would be within the tolerance.
    if not math.isfinite(tolerance_seconds) or not math.isfinite(now):
        raise ValueError("tolerance_seconds and now_seconds must be finite numbers")
    body = _bytes_of(raw_body)
    secrets = _secrets_of(secret)
    timestamp, signatures = _parse_header(signature)
    age = round(now - int(timestamp))
    if abs(age) > tolerance_seconds:
        raise WebhookVerificationError("timestamp_outside_tolerance", _outside_tolerance(age))
    signed = timestamp.encode() + b"." + body
    digests = [hmac.new(one.encode(), signed, hashlib.sha256).digest() for one in secrets]
    # Every pair is compared in constant time.
    if not any([hmac.compare_digest(digest, given) for digest in digests for given in signatures]):
        raise WebhookVerificationError("no_matching_signature", _no_match(body))
    try:
        return cast("WebhookEvent", object_of(json.loads(body)))
    except ValueError:
        raise WebhookVerificationError(
            "unreadable_body", "The signature is valid, but the body is not JSON."
        ) from None


def _bytes_of(raw_body: object) -> bytes:
    if isinstance(raw_body, str):
        return raw_body.encode()
    if isinstance(raw_body, (bytes, bytearray, memoryview)):
        return bytes(raw_body)
    raise TypeError(
        "raw_body is not text or bytes: the body was parsed before the verification. Pass it as it was received: "
        "await request.body() in FastAPI and Starlette, request.get_data() in Flask, request.body in Django."
    )


def _secrets_of(secret: str | Sequence[str] | None) -> Sequence[str]:
    # os.environ.get returns None for a variable that is not set.
    if secret is None:
        raise TypeError(
            "secret is missing: pass the endpoint's (whsec_…). If it comes from an environment variable, that "
            "variable is not set."
        )
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not secrets or not all(secrets):
        raise ValueError("secret must not be empty")
    for one in secrets:
        if one.startswith("ap_"):
            raise ValueError(
                "secret is an API key: the secret of a webhook endpoint begins with whsec_."
            )
        if not re.fullmatch(r"whsec_\S+", one):
            raise ValueError(
                "secret must be the whole secret of the endpoint as shown, beginning with whsec_, without white space."
            )
    return secrets


def _parse_header(header: str | Sequence[str] | None) -> tuple[str, list[bytes]]:
    value = header if isinstance(header, str) else ",".join(header or [])
    if not value:
        raise WebhookVerificationError(
            "missing_header",
            "The request has no Service-Signature header: it is not a webhook of this service, or a proxy removed "
            "the header (let it pass).",
        )
    parts = [part.strip() for part in value.split(",")]
    timestamps = [part[2:] for part in parts if re.fullmatch(r"t=[0-9]{1,12}", part)]
    signatures = [part[3:] for part in parts if re.fullmatch(r"v1=[0-9a-fA-F]{64}", part)]
    if len(timestamps) != 1 or not signatures:
        raise WebhookVerificationError(
            "malformed_header",
            "The Service-Signature header does not have the form t=<unix seconds>,v1=<64 hex characters>.",
        )
    return timestamps[0], [bytes.fromhex(signature) for signature in signatures]


def _outside_tolerance(age: int) -> str:
    if age > 0:
        return (
            f"The webhook was signed {age} s ago by this machine's clock: the clock is fast (check its time "
            "synchronization), or the request waited in a queue or is being replayed."
        )
    return (
        f"The webhook was signed {-age} s in the future by this machine's clock: the clock is slow (check its time "
        "synchronization)."
    )


def _no_match(body: bytes) -> str:
    causes = (
        "the secret belongs to another endpoint (the sandbox and production have their own), "
        "or the body was changed after it was sent"
    )
    rewritten = ": it looks re-serialized, by a JSON parser or a proxy" if _looks_rewritten(body) else ""
    remedy = "Use this endpoint's secret, and verify the bytes as received, before anything parses them."
    return f"No signature matches: {causes}{rewritten}. {remedy}"


def _looks_rewritten(body: bytes) -> bool:
    """Bodies are sent without white space between their parts."""
    try:
        text = body.decode()
        return json.dumps(json.loads(text), ensure_ascii=False, separators=(",", ":")) != text
    except ValueError:
        return False
