"""Sends requests with a time limit, at most three attempts, and one idempotency key: blocking, and as coroutines."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, TypeVar
from urllib.parse import quote

import anyio
import httpx

from ._errors import RequestConnectionError, RequestTimeoutError
from ._requests import Call, Failure, Settings, Verb, answer_of, call_of, settings_of, wait_after

# Stand in for `typing.Self`, which needs Python 3.11.
Blocking = TypeVar("Blocking", bound="Caller")
Asynchronous = TypeVar("Asynchronous", bound="AsyncCaller")


def path_part(value: str) -> str:
    # httpx would remove dots from the path. Without an id, the request would reach another operation.
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise ValueError(f"An id is missing: {value!r}.")
    return quote(value, safe="")


class Group:
    """Operations on one kind of object."""

    def __init__(self, call: Callable[..., Any]) -> None:
        self._call = call


class Caller:
    def __init__(
        self,
        api_key: str,
        *,
        base_url: str | None = None,
        timeout: float = 30.0,
        max_attempts: int = 3,
        http_client: httpx.Client | None = None,
    ) -> None:
        """
        `base_url` is the installation's address (default: HOSTED_CHECKOUT_URL of the environment); `timeout` is in
        seconds, for each attempt; `http_client` replaces the default one, for a proxy.
        """
        self._settings = settings_of(api_key, base_url, timeout, max_attempts)
        self._owns_client = http_client is None
        self._client = http_client or httpx.Client()

    @property
    def base_url(self) -> str:
        return self._settings.base_url

    def close(self) -> None:
        if self._owns_client:
            self._client.close()

    def __enter__(self: Blocking) -> Blocking:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _call(
        self,
        method: Verb,
        path: str,
        *,
        body: Mapping[str, object] | None = None,
        query: Mapping[str, object] | None = None,
        keyed: bool = False,
        idempotency_key: str | None = None,
        text: bool = False,
        plain: bool = False,
        timeout: float | None,
        max_attempts: int | None,
    ) -> Any:
        call = call_of(
            self._settings,
            method,
            path,
            body=body,
            query=query,
            keyed=keyed,
            idempotency_key=idempotency_key,
            text=text,
            plain=plain,
            timeout=timeout,
            max_attempts=max_attempts,
        )
        attempt = 1
        while True:
            outcome = self._attempt(call)
            if not isinstance(outcome, Failure):
                return outcome
            wait = wait_after(outcome, attempt, call)
            if wait is None:
                raise outcome.error
            time.sleep(wait)
            attempt += 1

    def _attempt(self, call: Call) -> Any | Failure:
        request = _request(self._client, self._settings, call)
        deadline = time.monotonic() + call.timeout
        try:
            # A redirect would send the key elsewhere, or turn a POST into a GET.
            response = self._client.send(request, stream=True, follow_redirects=False)
            try:
                content = bytearray()
                for chunk in response.iter_bytes():
                    content += chunk
                    # Check the total time: httpx limits only the wait for each chunk.
                    if time.monotonic() > deadline:
                        raise httpx.ReadTimeout("", request=request)
            finally:
                response.close()
        except httpx.TimeoutException as error:
            return _timed_out(call, error)
        except httpx.RequestError as error:
            return _not_reached(self._settings, call, error)
        return answer_of(self._settings, call, response, bytes(content))


class AsyncCaller:
    def __init__(
        self,
        api_key: str,
        *,
        base_url: str | None = None,
        timeout: float = 30.0,
        max_attempts: int = 3,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        """Like `Caller`, as coroutines."""
        self._settings = settings_of(api_key, base_url, timeout, max_attempts)
        self._owns_client = http_client is None
        self._client = http_client or httpx.AsyncClient()

    @property
    def base_url(self) -> str:
        return self._settings.base_url

    async def aclose(self) -> None:
        if self._owns_client:
            await self._client.aclose()

    async def __aenter__(self: Asynchronous) -> Asynchronous:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def _call(
        self,
        method: Verb,
        path: str,
        *,
        body: Mapping[str, object] | None = None,
        query: Mapping[str, object] | None = None,
        keyed: bool = False,
        idempotency_key: str | None = None,
        text: bool = False,
        plain: bool = False,
        timeout: float | None,
        max_attempts: int | None,
    ) -> Any:
        call = call_of(
            self._settings,
            method,
            path,
            body=body,
            query=query,
            keyed=keyed,
            idempotency_key=idempotency_key,
            text=text,
            plain=plain,
            timeout=timeout,
            max_attempts=max_attempts,
        )
        attempt = 1
        while True:
            outcome = await self._attempt(call)
            if not isinstance(outcome, Failure):
                return outcome
            wait = wait_after(outcome, attempt, call)
            if wait is None:
                raise outcome.error
            await anyio.sleep(wait)
            attempt += 1

    async def _attempt(self, call: Call) -> Any | Failure:
        request = _request(self._client, self._settings, call)
        try:
            with anyio.fail_after(call.timeout):
                response = await self._client.send(request, follow_redirects=False)
        except (TimeoutError, httpx.TimeoutException) as error:
            return _timed_out(call, error)
        except httpx.RequestError as error:
            return _not_reached(self._settings, call, error)
        return answer_of(self._settings, call, response, response.content)


def _request(client: httpx.Client | httpx.AsyncClient, settings: Settings, call: Call) -> httpx.Request:
    return client.build_request(
        call.method,
        settings.base_url + call.path,
        params=dict(call.query) or None,
        content=call.content,
        headers=dict(call.headers),
        timeout=call.timeout,
    )


def _timed_out(call: Call, cause: Exception) -> Failure:
    error = RequestTimeoutError(call.timeout, call.idempotency_key)
    error.__cause__ = cause
    return Failure(error)


def _not_reached(settings: Settings, call: Call, cause: Exception) -> Failure:
    error = RequestConnectionError(settings.base_url, cause, call.idempotency_key)
    error.__cause__ = cause
    return Failure(error)
