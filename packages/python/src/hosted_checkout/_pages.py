"""Reads a paginated list to its end."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Protocol, TypeVar

Row = TypeVar("Row")


class Page(Protocol[Row]):
    data: list[Row]
    next_cursor: str | None


def every_row(read: Callable[[str | None], Page[Row]]) -> Iterator[Row]:
    """`every_row(lambda cursor: checkout.merchants.list(cursor=cursor))`"""
    cursor: str | None = None
    while True:
        page = read(cursor)
        yield from page.data
        cursor = page.next_cursor
        if cursor is None:
            return


async def every_row_async(read: Callable[[str | None], Awaitable[Page[Row]]]) -> AsyncIterator[Row]:
    """Like `every_row`, for `AsyncHostedCheckout`."""
    cursor: str | None = None
    while True:
        page = await read(cursor)
        for row in page.data:
            yield row
        cursor = page.next_cursor
        if cursor is None:
            return
