"""The link between a game and its rematch, stored in the settings of both."""

from collections.abc import Iterable
from typing import Final

from storage import ANONYMISED_USER, CARETAKER_USER, GAME_SETTINGS, Database, seats

NEW_GAME_KEY: Final = "played again as"
"""Key of the game setting that stores the id of the rematch."""
OLD_GAME_KEY: Final = "plays again"
"""Key of a rematch's setting that stores the id of the previous game."""


async def rematch_of(db: Database, game_id: int) -> int | None:
    """The id of a game's rematch; None if it has none."""
    return _parse_game_id(await GAME_SETTINGS.get(db, game_id, NEW_GAME_KEY))


async def record_rematch(db: Database, old_game_id: int, new_game_id: int) -> None:
    """Store that game `new_game_id` is the rematch of game `old_game_id`."""
    await GAME_SETTINGS.put(db, new_game_id, OLD_GAME_KEY, str(old_game_id))
    await GAME_SETTINGS.put(db, old_game_id, NEW_GAME_KEY, str(new_game_id))


async def users_not_rejoined(db: Database, game_id: int, joined_users: Iterable[int]) -> tuple[int, ...]:
    """Users of the previous game who have not joined this rematch; empty for a game that is not a rematch."""
    old_game_id = _parse_game_id(await GAME_SETTINGS.get(db, game_id, OLD_GAME_KEY))
    former_users = (
        [] if old_game_id is None else [seat.user_id for seat in await seats.seats(db, old_game_id)]
    )
    users_to_skip = {ANONYMISED_USER, CARETAKER_USER, *joined_users}
    return tuple(user for user in dict.fromkeys(former_users) if user not in users_to_skip)


def _parse_game_id(text: str | None) -> int | None:
    return int(text) if text else None
