"""A database file without a thread of its own: its work is done by the event loop, which saves changes of threads.

Nothing else is different: a caller waits, others run meanwhile, work is done in the order in which it was asked for,
and is done although nobody waits for it any more. Tests of `storage` and those that start processes have the thread.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Generator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import aiosqlite
import pytest

from storage.sqlite import database

T = TypeVar("T")


class Threadless:
    """What the database uses of a connection of aiosqlite."""

    def __init__(self, place: Path, **how: Any) -> None:
        self._place = place
        self._how = how
        self._conn: sqlite3.Connection | None = None

    def __await__(self) -> Generator[Any, None, "Threadless"]:
        return self._opened().__await__()

    async def close(self) -> None:
        """Close the file, after what was asked for before."""
        assert self._conn is not None
        await self._execute(self._conn.close)

    async def _opened(self) -> "Threadless":
        self._conn = sqlite3.connect(self._place, **self._how)
        return self

    async def _execute(self, work: Callable[[], T]) -> T:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()
        loop.call_soon(_do, work, answer)
        return await answer


def _do(work: Callable[[], T], answer: asyncio.Future[T]) -> None:
    try:
        result = work()
    except BaseException as error:  # noqa: BLE001 - raised where it was asked for
        if not answer.done():
            answer.set_exception(error)
    else:
        if not answer.done():
            answer.set_result(result)


async def _at_once(work: Callable[..., T], *given: Any) -> T:
    return work(*given)


def without_threads(patch: pytest.MonkeyPatch) -> None:
    """Files that are opened from now on have no thread."""
    patch.setattr(database, "aiosqlite", SimpleNamespace(**{**vars(aiosqlite), "connect": Threadless}))
    patch.setattr(database, "asyncio", SimpleNamespace(**{**vars(asyncio), "to_thread": _at_once}))
