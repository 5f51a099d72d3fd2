"""The unsent rows of the outbox."""

from storage import Database, Posting, outbox


async def unsent(db: Database) -> list[Posting]:
    rows = [
        row
        for game_id in await outbox.games_with_unposted_notices(db)
        for row in await outbox.unposted_notices_of_game(db, game_id)
    ]
    return sorted(rows, key=lambda row: row.id)
