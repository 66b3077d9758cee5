"""Plays one request per line of standard input with packages/python, and prints its outcome as a line."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
import sys
from typing import Any

import hosted_checkout as api

KINDS = (
    (api.ApiError, "refused"),
    (api.RequestConnectionError, "unreachable"),
    (api.RequestTimeoutError, "late"),
    (api.WebhookVerificationError, "unverified"),
    ((TypeError, ValueError), "misuse"),
)


def snake(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: "_" + letter.group().lower(), name)


def options_of(request: dict[str, Any]) -> dict[str, Any]:
    options = {snake(name): value for name, value in (request.get("options") or {}).items()}
    if "timeout_ms" in options:
        options["timeout"] = options.pop("timeout_ms") / 1000
    return options


def method_of(client: Any, name: str) -> Any:
    """Finds a method by its name in the description: `merchants.webhookEvents.list`."""
    for part in name.split("."):
        client = getattr(client, snake(part))
    return client


def arguments_of(method: Any, args: list[Any]) -> tuple[list[Any], dict[str, Any]]:
    """Passes ids by position and fields by name, except those of a body that may have any field."""
    named = [each for each in args if isinstance(each, dict)]
    if not named or "body" in inspect.signature(method).parameters:
        return args, {}
    return [each for each in args if not isinstance(each, dict)], {name: value for each in named for name, value in each.items()}


def play(request: dict[str, Any]) -> Any:
    if "verify" in request:
        return api.verify_webhook(**{snake(name): value for name, value in request["verify"].items()})
    with api.HostedCheckout(request["key"], base_url=request["baseUrl"]) as client:
        method = method_of(client, request.get("call") or request["pages"])
        args, fields = arguments_of(method, request["args"])
        if "call" in request:
            return method(*args, **fields, **options_of(request))
        return {"count": len(list(api.every_row(lambda cursor: method(*args, **fields, cursor=cursor))))}


async def play_async(request: dict[str, Any]) -> Any:
    if "verify" in request:
        return play(request)
    async with api.AsyncHostedCheckout(request["key"], base_url=request["baseUrl"]) as client:
        method = method_of(client, request.get("call") or request["pages"])
        args, fields = arguments_of(method, request["args"])
        if "call" in request:
            return await method(*args, **fields, **options_of(request))
        rows = [row async for row in api.every_row_async(lambda cursor: method(*args, **fields, cursor=cursor))]
        return {"count": len(rows)}


def outcome_of(request: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"answer": api.as_dict(asyncio.run(play_async(request)) if "async" in sys.argv else play(request))}
    except Exception as error:
        kinds = [kind for types, kind in KINDS if isinstance(error, types)]
        if not kinds:
            raise
        names = {"request_id": "requestId", "retry_after_seconds": "retryAfterSeconds", "idempotency_key": "idempotencyKey"}
        fields = {names.get(name, name): value for name, value in vars(error).items()}
        return {"error": {**fields, "kind": kinds[0], "message": str(error)}}


for line in sys.stdin:
    print(json.dumps(outcome_of(json.loads(line))), flush=True)
