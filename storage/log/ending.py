"""Ending a running game without a score, with the line about it in the same transaction."""

from collections.abc import Sequence

from storage import games
from storage.contract import Database, Transaction
from storage.posts import outbox
from storage.posts.outbox import OutboxMessage


async def abandon(
    db: Database, game_id: int, *, seq: int, notices: Sequence[OutboxMessage], now: str
) -> None:
    """Mark a running game as abandoned, with the notices that tell of it; raises NoSuchGame, WrongStatus."""

    async def change(tx: Transaction) -> None:
        await games.move_status(tx, game_id, ("running",), "abandoned")
        await outbox.add(tx, game_id, seq, notices, now)

    await db.write(change)
