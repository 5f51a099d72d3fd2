"""Games in which a user must act: all of them, or the one that has waited longest."""

from storage import games
from storage.contract import Database
from storage.games import GameRow
from storage.pings import MAY_PING_USERS_SQL, USER_OF_SEAT_SQL


async def next_game(db: Database, user_id: int, excluded_game_id: int) -> GameRow | None:
    """Return the running game that has waited longest for a user, other than `excluded_game_id`; None if no game
    waits.
    """
    clause = (
        f"JOIN notifications ON games.id = game_id WHERE {MAY_PING_USERS_SQL} AND games.id <> ? "
        f"AND ? = {USER_OF_SEAT_SQL} ORDER BY notifications.since, games.id LIMIT 1"
    )
    return next(iter(await games.select_games(db, clause, excluded_game_id, user_id)), None)


async def games_waiting_for(db: Database, user_id: int) -> list[int]:
    """Return the ids of the running games in which a seat that the user plays must act."""
    return await db.numbers(
        f"SELECT DISTINCT game_id FROM notifications JOIN games ON games.id = game_id WHERE {MAY_PING_USERS_SQL} "
        f"AND ? = {USER_OF_SEAT_SQL} ORDER BY game_id",
        user_id,
    )
