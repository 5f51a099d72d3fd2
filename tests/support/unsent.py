"""What is left in the outbox, as tests look at it."""

from storage import Database, Posting, outbox


async def unsent(db: Database) -> list[Posting]:
    """What waits to be posted, of all games, oldest first; without what rests."""
    rows = [row for game_id in await outbox.waiting(db) for row in await outbox.of_game(db, game_id)]
    return sorted(rows, key=lambda row: row.id)
