"""Reads a paginated list to its end."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Generic, TypeVar

if sys.version_info >= (3, 11):
    from typing import TypedDict
else:
    from typing_extensions import TypedDict

Row = TypeVar("Row")


class Page(TypedDict, Generic[Row]):
    data: list[Row]
    next_cursor: str | None


def every_row(read: Callable[[str | None], Page[Row]]) -> Iterator[Row]:
    """`every_row(lambda cursor: checkout.list_merchants({"cursor": cursor}))`"""
    cursor: str | None = None
    while True:
        page = read(cursor)
        yield from page["data"]
        cursor = page["next_cursor"]
        if cursor is None:
            return


async def every_row_async(read: Callable[[str | None], Awaitable[Page[Row]]]) -> AsyncIterator[Row]:
    """As `every_row`, for `AsyncHostedCheckout`."""
    cursor: str | None = None
    while True:
        page = await read(cursor)
        for row in page["data"]:
            yield row
        cursor = page["next_cursor"]
        if cursor is None:
            return
