"""Claims: of several processes one posts what a game has in the outbox, so that its order holds."""

from storage.contract import Database, Transaction
from storage.posts.outbox import Posting

_WAITING = "game_id = ? AND sent_at IS NULL AND set_aside_at IS NULL"


async def claim(db: Database, game_id: int, holder: str, *, seconds: float) -> list[Posting]:
    """Return what a game has to post, in order, and keep others from it for so long; nothing if others are at it."""

    async def change(tx: Transaction) -> list[Posting]:
        # Claiming the first row claims all: what is added meanwhile is behind it.
        first = (
            f"SELECT id FROM outbox WHERE id = (SELECT MIN(id) FROM outbox WHERE {_WAITING}) "
            f"AND (claimed_by = ? OR claimed_until <= {tx.clock()})"
            f"{tx.locking('UPDATE SKIP LOCKED')}"
        )
        rows = await tx.rows(
            f"UPDATE outbox SET claimed_by = ?, claimed_until = {tx.clock()} + ? WHERE {_WAITING} "
            f"AND id >= ({first}) "
            "RETURNING id, game_id, seq, kind, payload, created_at, attempts, last_error",
            *(holder, round(seconds * 1000), game_id, game_id, holder),
        )
        return sorted((Posting(*row) for row in rows), key=lambda posting: posting.id)

    return await db.write(change)


async def give_up(db: Database, holder: str, game_id: int | None = None) -> None:
    """Let others post what a game still has to post, or all games that were claimed, at once."""
    statement = (
        "UPDATE outbox SET claimed_until = 0 WHERE claimed_by = ? AND game_id = COALESCE(?, game_id) "
        "AND sent_at IS NULL AND set_aside_at IS NULL"
    )
    await db.write(lambda tx: tx.run(statement, holder, game_id))
