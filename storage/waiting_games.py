"""Games that wait for a user: all of them, and the one that has waited longest."""

from storage import games
from storage.contract import Database
from storage.games import GameRow
from storage.pings import IS_PINGING_GAME, USER_OF_SEAT


async def next_game(db: Database, user_id: int, except_game: int) -> GameRow | None:
    """Return the running game that has waited longest for a user, other than `except_game`; None if there is none."""
    clause = (
        f"JOIN notifications ON games.id = game_id WHERE {IS_PINGING_GAME} AND games.id <> ? "
        f"AND ? = {USER_OF_SEAT} ORDER BY notifications.since, games.id LIMIT 1"
    )
    return next(iter(await games.select_games(db, clause, except_game, user_id)), None)


async def games_waiting_for(db: Database, user_id: int) -> list[int]:
    """Return the running games that wait for a seat that a user plays."""
    return await db.numbers(
        f"SELECT DISTINCT game_id FROM notifications JOIN games ON games.id = game_id WHERE {IS_PINGING_GAME} "
        f"AND ? = {USER_OF_SEAT} ORDER BY game_id",
        user_id,
    )
