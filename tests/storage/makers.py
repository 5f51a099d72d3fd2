"""Games, rows and notices for the tests of storage."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import pytest

from storage import Database, games, log
from storage.log import NewLogRow
from storage.outbox import OutboxMessage
from storage.shards import ShardSet

NOW, LATER, LAST = (f"2026-0{month}-02T03:04:05.000+00:00" for month in (1, 2, 3))
ANN, BOB = 100, 200
SECOND = ShardSet((1,), 2)
"""Half of the servers, without that of most games here."""
ON_FILE = pytest.mark.parametrize("where", ["sqlite"], indirect=True)
"""What is tested is the same on a server: no statement depends on the kind of database."""
START = NewLogRow("start", "{}", "d1", "")

Damage: TypeAlias = Callable[[str], Awaitable[object]]
"""Does to the database what its tables would refuse."""


async def new_game(db: Database, *, guild_id: int = 10, name: str = "Friday") -> games.GameRow:
    """A game in the lobby."""
    return await games.create_game(
        db,
        guild_id=guild_id,
        channel_id=20,
        title="t18al",
        profile="rulebook",
        options='{"short": true}',
        seed=42,
        name=name,
        now=NOW,
    )


async def running_game(db: Database, *, guild_id: int = 10) -> int:
    """The number of a game with its first row."""
    game = await new_game(db, guild_id=guild_id)
    await log.commit_start(db, game.id, [START], now=NOW)
    return game.id


def act(payload: str = '{"type": "pass"}', digest: str = "d") -> NewLogRow:
    """The row of an action."""
    return NewLogRow("action", payload, digest, "p1", ANN)


def undo(to: int, digest: str = "d") -> NewLogRow:
    """The row of an undo to a move."""
    return NewLogRow("undo", log.undo_payload(to), digest, "p1", ANN)


def accept(state: str = "{}", digest: str = "d") -> NewLogRow:
    """The row from which a game continues under rules of today."""
    return NewLogRow("accept", log.accept_payload("18tn 2", state), digest, "", ANN)


def line(text: str) -> OutboxMessage:
    """A notice."""
    return OutboxMessage("line", text)


async def move(db: Database, game: int, seq: int, *entries: NewLogRow, **more: Any) -> int:
    """Store rows after row `seq`, one action if none are given."""
    return await log.commit_move(db, game, seq, entries or [act()], **{"now": NOW, **more})


async def change(db: Database, statement: str, *values: object) -> int:
    """Run one statement, and say how many rows it changed."""
    return await db.write(lambda tx: tx.run(statement, *values))
