"""Statements on a connection to PostgreSQL, the transaction around them, and what the server's errors mean."""

from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from itertools import count
from typing import Final, TypeAlias, TypeVar

import asyncpg
from asyncpg.pool import PoolConnectionProxy

from storage.contract import Cells, Lock, Query, Transaction
from storage.errors import (
    ConstraintBroken,
    DatabaseInUse,
    DatabaseUnreachable,
    DatabaseUnreadable,
    OutcomeUnknown,
    StorageError,
    StorageFull,
    StorageReadOnly,
)

FAILURES = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError)
"""Everything by which the server, the way to it, or the package that talks with it can fail."""

_CUT_OFF = ("08", "57P01", "57P02", "57P05", "25P03")
_AGAIN = ("40001", "40P01")
_LOST = (DatabaseUnreachable, "The connection to {name} was lost, or could not be made; nothing was changed.")
_NOT_LET_IN = (
    DatabaseUnreachable,
    "{name} does not accept this user or password; check DATABASE_URL. Nothing was changed.",
)
_HELD = (DatabaseInUse, "{name} is busy: another transaction holds what is needed. Nothing was changed.")
_BROKEN = (ConstraintBroken, "{name} refuses this; nothing was changed.")
_DAMAGED = (DatabaseUnreadable, "{name} is damaged. Restore a backup.")

_MEANINGS: dict[str, tuple[type[StorageError], str]] = {
    **dict.fromkeys(_CUT_OFF, _LOST),
    "28": _NOT_LET_IN,
    "3D": (DatabaseUnreachable, "{name} is not there: the server has no database of that name; create it."),
    "42501": (StorageReadOnly, "{name} may not be written by this user; nothing was changed."),
    "25006": (StorageReadOnly, "{name} may not be written; nothing was changed."),
    "53100": (StorageFull, "There is no room left to write to {name}; nothing was changed."),
    "53": (DatabaseUnreachable, "{name} has no memory or connections left; nothing was changed."),
    "57P03": (DatabaseUnreachable, "{name} is starting up or shutting down; nothing was changed."),
    "58": (StorageError, "The disk of {name} failed; nothing was changed."),
    **dict.fromkeys(_AGAIN, _HELD),
    "55P03": _HELD,
    "57014": _HELD,
    "22": _BROKEN,
    "23": _BROKEN,
    "XX001": _DAMAGED,
    "XX002": _DAMAGED,
}
"""By the whole code, or else by its class, which is the first two letters."""


def translated(error: Exception, name: str) -> Exception:
    """Return the storage error that says what `error` means, or `error` itself if it is a bug."""
    if isinstance(error, asyncpg.DataError):  # found before the server was asked
        return _BROKEN[0](f"{_BROKEN[1].format(name=name)} (PostgreSQL: {error})")
    code = _code(error)
    meaning = _MEANINGS.get(code) or _MEANINGS.get(code[:2])
    if meaning is None and was_cut_off(error):
        meaning = _LOST
    if meaning is None:
        return error
    kind, sentence = meaning
    return kind(f"{sentence.format(name=name)} (PostgreSQL: {error})")


def was_cut_off(error: Exception) -> bool:
    """True if the connection ended: nothing is known of what was under way."""
    if code := _code(error):
        return code.startswith(_CUT_OFF)
    # A farewell of the server that comes between two questions is an internal error to the package.
    return isinstance(error, OSError | asyncpg.InterfaceError | asyncpg.InternalClientError)


def worth_another_try(error: Exception) -> bool:
    """True if nothing was stored and the same transaction may succeed when it is run again."""
    if isinstance(error, asyncpg.InvalidCachedStatementError):
        return True
    if isinstance(error, TimeoutError):
        return False
    return was_cut_off(error) or _code(error) in _AGAIN


def waited_in_vain(error: Exception) -> bool:
    """True if another transaction held what was needed for as long as one waits."""
    return _code(error) == "55P03"


def _code(error: Exception) -> str:
    """The server's code (SQLSTATE), empty for other errors."""
    return getattr(error, "sqlstate", None) or ""


T = TypeVar("T")

Link: TypeAlias = "asyncpg.Connection[asyncpg.Record] | PoolConnectionProxy[asyncpg.Record]"
"""A connection, of a pool or not."""
PRESENCE: Final = 0x31387000
"""The first number of the advisory locks that show which processes live, to which that of a shard is added; the second
is made of the name of its holder.
"""
MANY: Final = 100
"""Of how many rows each is written into a statement of its own; more are sent as values of a prepared one."""


class Statements:
    """A transaction's statements on a connection, which begins it with the first that is sent."""

    def __init__(self, link: Link, begin: str) -> None:
        self._link = link
        self._waiting = [begin]
        self._begun = False
        self._required: list[tuple[Query, Exception]] = []

    async def rows(self, sql: str, *values: object) -> list[Cells]:
        await self._send()
        return [tuple(record) for record in await self._link.fetch(numbered(sql), *values)]

    async def row(self, sql: str, *values: object) -> Cells | None:
        await self._send()
        record = await self._link.fetchrow(numbered(sql), *values)
        return None if record is None else tuple(record)

    async def run(self, sql: str, *values: object) -> int:
        await self._send()
        answer = await self._link.execute(numbered(sql), *values)
        last = answer.rpartition(" ")[2]
        return int(last) if last.isdigit() else 0

    async def ask(self, *queries: Query) -> list[list[Cells]]:
        await self._send()
        return await asked(self._link, queries)

    async def put(self, sql: str, *values: object) -> None:
        self._waiting.append(filled(sql, values))

    async def run_many(self, sql: str, values: Sequence[Sequence[object]]) -> None:
        if len(values) <= MANY:
            self._waiting += [filled(sql, each) for each in values]
            return
        await self._send()
        await self._link.executemany(numbered(sql), values)

    async def require(self, wanted: Query, lock: Lock, otherwise: Exception) -> None:
        self._required.append((wanted, otherwise))
        # What fails in SQL fails where it stands, and nothing after it is done.
        self._waiting.append(f"SELECT 1 / COUNT(*) FROM ({filled(*wanted)}{self.locking(lock)}) AS wanted")

    def locking(self, lock: Lock) -> str:
        """Hold the rows: others write at the same time."""
        return f" FOR {lock}"

    def clock(self) -> str:
        """Return the time of the server, in milliseconds, as SQL; it advances within a transaction."""
        return "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)"

    def holder_alive(self, shard: str, holder: str) -> str:
        """Return in SQL whether the holder of a shard has its advisory lock."""
        return (
            "EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2 "
            "AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) "
            f"AND classid = CAST({PRESENCE} + {shard} AS oid) AND objid = CAST(hashtext({holder}) AS oid))"
        )

    @property
    def are_open(self) -> bool:
        """True while the transaction can be committed: it has not begun, or not ended."""
        return not self._begun or self._link.is_in_transaction()

    async def end(self, ending: str) -> str:
        """Send what waits, and end the transaction; what the server says to that."""
        if not self._begun and len(self._waiting) == 1:
            return ending  # nothing was done
        self._waiting.append(ending)
        return await self._send()

    async def _send(self) -> str:
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return ""
        self._begun = True
        try:
            return await self._link.execute(script(waiting))
        except asyncpg.DivisionByZeroError as error:
            raise await self._missing() or error from error

    async def _missing(self) -> Exception | None:
        """The error of the first required row that is missing."""
        await undo(self._link)
        found = await asked(self._link, [wanted for wanted, _ in self._required])
        lacking = (otherwise for (_, otherwise), rows in zip(self._required, found, strict=True) if not rows)
        return next(lacking, None)


async def asked(link: Link, queries: Sequence[Query]) -> list[list[Cells]]:
    """Return the rows of each query; a single statement has one picture of the database."""
    if len(queries) == 1:
        ((sql, values),) = queries
        return [[tuple(record) for record in await link.fetch(numbered(sql), *values)]]
    record = await link.fetchrow(
        together(tuple(sql for sql, _ in queries)), *(value for _, values in queries for value in values)
    )
    assert record is not None
    return [[tuple(row) for row in rows] for rows in record]


@cache
def together(queries: tuple[str, ...]) -> str:
    """Return a statement whose only row has the rows of each query, as an array."""
    return numbered("SELECT " + ", ".join(f"ARRAY(SELECT one FROM ({sql}) AS one)" for sql in queries))


@cache
def numbered(sql: str) -> str:
    """Return a statement whose places for values are $1, $2 and so on instead of `?`."""
    pieces = sql.split("?")
    places = (f"${number}" for number in count(1))
    return pieces[0] + "".join(place + piece for place, piece in zip(places, pieces[1:], strict=False))


async def written(link: Link, change: Callable[[Transaction], Awaitable[T]], name: str) -> T:
    """Run `change` and commit; what it raises rolls everything back. Raises OutcomeUnknown."""
    # With READ COMMITTED, what is read once a row is held is what the one who held it before has left.
    statements = Statements(link, "BEGIN ISOLATION LEVEL READ COMMITTED")
    result = await _whole(link, statements, change)
    await _commit(link, statements, name)
    return result


async def read(link: Link, query: Callable[[Transaction], Awaitable[T]]) -> T:
    """Run `query` on one unchanging picture of the database, where nothing can be written."""
    statements = Statements(link, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    result = await _whole(link, statements, query)
    await statements.end("ROLLBACK")
    return result


PERSONAL: Final = (
    "seats, memberships, seat_history, log, states, positions, outbox, proposals, votes, pauses, orders, "
    "orders_before, pings, direct_messages, turns, person_settings, guild_settings"
)
"""The tables from which something goes when somebody is removed."""


async def vacuumed(link: Link) -> None:
    """Free what was deleted in the tables that hold anything of people; outside of any transaction."""
    await link.execute(f"VACUUM {PERSONAL}")


async def _whole(link: Link, statements: Statements, work: Callable[[Transaction], Awaitable[T]]) -> T:
    try:
        result = await work(statements)
        if not statements.are_open:
            raise RuntimeError("the transaction was ended from within")
    except BaseException:
        await undo(link)
        raise
    return result


async def _commit(link: Link, statements: Statements, name: str) -> None:
    try:
        answer = await statements.end("COMMIT")
    except Exception as error:
        if was_cut_off(error):
            raise OutcomeUnknown(name) from error
        await undo(link)
        raise
    if answer != "COMMIT":
        raise RuntimeError("a statement failed, and the transaction went on as if it had not")


async def undo(link: Link) -> None:
    """Roll back what is open; a connection that is gone has done so already."""
    if link.is_closed() or not link.is_in_transaction():
        return
    try:
        await link.execute("ROLLBACK")
    except FAILURES:
        # The server rolls back what a connection leaves; what was raised before this is what matters.
        link.terminate()


def filled(sql: str, values: Sequence[object]) -> str:
    """Return a statement with its values in place of `?`; raises DataError for what no column holds."""
    pieces = sql.split("?")
    if len(pieces) != len(values) + 1:
        raise asyncpg.DataError(f"{len(pieces) - 1} values are wanted, not {len(values)}: {sql}")
    return pieces[0] + "".join(
        _written(value) + piece for value, piece in zip(values, pieces[1:], strict=True)
    )


def script(statements: Sequence[str]) -> str:
    """Return statements as one message to the server."""
    return ";\n".join(statements)


def _written(value: object) -> str:
    """A value as the server reads it, however it is set: in an escaped text a backslash is as special as a quote."""
    match value:
        case None:
            return "NULL"
        case bool():
            raise asyncpg.DataError(
                f"{value} is no number, and no column holds anything else that it could be"
            )
        case int():
            return f"({value})"  # two minus signs in a row would begin a comment
        case str():
            return "E'" + _sound(value).replace("\\", "\\\\").replace("'", "''") + "'"
        case bytes():
            return f"decode('{value.hex()}', 'hex')"
    raise asyncpg.DataError(f"no column holds a {type(value).__name__}")


def _sound(text: str) -> str:
    """The text, if it can be sent: a NUL would end the message."""
    if "\0" in text:
        raise asyncpg.DataError("a text may not have a NUL in it")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise asyncpg.DataError(f"a text is not made of characters: {error}") from error
    return text
