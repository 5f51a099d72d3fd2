"""What is tried again on another connection, and what is not: without a server, on connections that fail as it does."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest

from storage.errors import ConstraintBroken, DatabaseInUse, DatabaseUnreachable, StorageError
from storage.postgres.database import ServerDatabase
from storage.postgres.statements import translated, undo


class Line:
    """A connection and the pool that it comes from."""

    def __init__(self, *, closed: bool = False, inside: bool = False) -> None:
        self.closed, self.inside = closed, inside
        self.done: list[str] = []
        self.silent: list[tuple[bool]] | Exception = []
        """Which others have fallen silent and were ended."""

    @asynccontextmanager
    async def acquire(self, **within: float) -> AsyncIterator["Line"]:
        """Lend it."""
        assert within == {"timeout": 10}
        yield self

    async def fetch(self, sql: str, seconds: int) -> list[tuple[bool]]:
        """End those that have fallen silent."""
        assert (seconds, "pg_terminate_backend" in sql) == (5, True)
        self.done.append("ended")
        if isinstance(self.silent, Exception):
            raise self.silent
        return self.silent

    async def execute(self, message: str) -> None:
        """Take a statement; one that is closed cannot."""
        self.done.append(message)
        if self.closed:
            raise asyncpg.InterfaceError("connection is closed")

    def is_closed(self) -> bool:
        """Whether it is."""
        return self.closed and not self.inside

    def is_in_transaction(self) -> bool:
        """Whether it is in one."""
        return self.inside

    def terminate(self) -> None:
        """Cut it off."""
        self.done.append("cut off")


async def tried(line: Line, error: Exception, monkeypatch: pytest.MonkeyPatch) -> tuple[int, list[float]]:
    """How often something that always fails so is tried, and the pauses between, in seconds."""
    runs, pauses = 0, list[float]()

    async def slept(seconds: float) -> None:
        pauses.append(round(seconds, 3))

    async def fails(_: object) -> None:
        nonlocal runs
        runs += 1
        raise error

    pool: Any = line
    monkeypatch.setattr(asyncio, "sleep", slept)
    with pytest.raises(StorageError):
        await ServerDatabase("server", "", pool)._tried(fails)
    return runs, pauses


@pytest.mark.parametrize(
    "error", [asyncpg.SerializationError("others"), asyncpg.InvalidCachedStatementError("changed")]
)
async def test_what_others_came_across_is_tried_four_times_after_ever_longer_pauses(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    line = Line()
    monkeypatch.setattr("storage.postgres.database.translated", lambda *_: DatabaseInUse())
    assert await tried(line, error, monkeypatch) == (4, [0.02, 0.04, 0.06])
    assert line.done == []


async def test_a_line_that_was_cut_off_is_not_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    line = Line()
    assert await tried(line, OSError("gone"), monkeypatch) == (4, [0.02, 0.04, 0.06])
    assert line.done == ["cut off"] * 4


async def test_what_the_tables_refuse_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    line = Line()
    assert await tried(line, asyncpg.UniqueViolationError("twice"), monkeypatch) == (1, [])
    assert line.done == []


@pytest.mark.parametrize(
    ("silent", "runs"), [([], 1), ([(False,)], 1), ([(False,), (True,)], 4), (OSError("gone"), 1)]
)
async def test_what_was_waited_for_in_vain_is_tried_again_where_its_holder_had_fallen_silent(
    monkeypatch: pytest.MonkeyPatch, silent: list[tuple[bool]] | Exception, runs: int
) -> None:
    line = Line()
    line.silent = silent
    found, _ = await tried(line, asyncpg.LockNotAvailableError("busy"), monkeypatch)
    assert found == runs
    assert line.done.count("ended") == max(1, runs - 1)


def test_a_bug_is_raised_as_it_is() -> None:
    bug = asyncpg.PostgresSyntaxError("SELEC")
    assert translated(bug, "server") is bug


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (OSError("gone"), DatabaseUnreachable),
        (TimeoutError("late"), DatabaseUnreachable),
        (asyncpg.InterfaceError("closed"), DatabaseUnreachable),
        (asyncpg.InternalClientError("farewell"), DatabaseUnreachable),
        (asyncpg.ConnectionDoesNotExistError("gone"), DatabaseUnreachable),
        (asyncpg.AdminShutdownError("ended"), DatabaseUnreachable),
        (asyncpg.DeadlockDetectedError("both"), DatabaseInUse),
        (asyncpg.LockNotAvailableError("busy"), DatabaseInUse),
        (asyncpg.UniqueViolationError("twice"), ConstraintBroken),
    ],
)
def test_a_failure_of_the_server_is_an_error_of_storage(error: Exception, kind: type[StorageError]) -> None:
    assert type(translated(error, "server")) is kind


@pytest.mark.parametrize(
    ("line", "done"),
    [
        (Line(), []),
        (Line(closed=True), []),
        (Line(inside=True), ["ROLLBACK"]),
        (Line(closed=True, inside=True), ["ROLLBACK", "cut off"]),
    ],
)
async def test_what_is_open_is_rolled_back_or_the_line_cut_off(line: Line, done: list[str]) -> None:
    link: Any = line
    await undo(link)
    assert line.done == done
