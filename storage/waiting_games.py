"""Games that wait for a user: all, and the longest waiting."""

from storage import games
from storage.contract import Database
from storage.games import GameRow
from storage.pings import HOLDER, RUNNING


async def next_game(db: Database, user_id: int, but: int) -> GameRow | None:
    """Return the longest-waiting running game for a user, except this one; None if there is none."""
    clause = (
        f"JOIN notifications ON games.id = game_id WHERE {RUNNING} AND games.id <> ? "
        f"AND ? = {HOLDER} ORDER BY notifications.since, games.id LIMIT 1"
    )
    return next(iter(await games.select_games(db, clause, but, user_id)), None)


async def waiting_for(db: Database, user_id: int) -> list[int]:
    """Return the running games that wait for a user's own or played seat."""
    return await db.numbers(
        f"SELECT DISTINCT game_id FROM notifications JOIN games ON games.id = game_id WHERE {RUNNING} "
        f"AND ? = {HOLDER} ORDER BY game_id",
        user_id,
    )
