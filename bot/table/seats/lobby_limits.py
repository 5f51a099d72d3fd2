"""How many games may wait for players at the same time."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from bot.table.errors import Refused
from storage import Database, games, seats
from storage.contract import parse_timestamp

OPEN_OF_ONE: Final = 5
"""Games in the lobby that one person may have a seat in, or have opened on a server, before opening another."""
OPEN_ON_A_SERVER: Final = 30
"""Games in the lobby that one server may have."""


LOBBY_LASTS: Final = timedelta(days=30)
"""How long a game may wait for players."""


def expires(created_at: str) -> datetime:
    """When a lobby that was opened at this time (ISO 8601) is closed, if the game has not started."""
    return parse_timestamp(created_at) + LOBBY_LASTS


async def opener_of(db: Database, game_id: int) -> seats.Membership | None:
    """Who opened a game: the first user seated; None where something failed before that."""
    return next(iter(await seats.memberships(db, game_id)), None)


def may_give_up(user_id: int, opener_id: int, seated: Sequence[int]) -> bool:
    """Whether a user may abandon a lobby: its opener, and once they have left, any seated user."""
    return user_id == opener_id or (opener_id not in seated and user_id in seated)


async def require_room(db: Database, guild_id: int, user_id: int) -> None:
    """Raise Refused where a server, or a person, has as many open games as may be."""
    here = await games.list_games(db, guild_id, "lobby")
    if len(here) >= OPEN_ON_A_SERVER:
        raise Refused(
            f"{len(here)} games of this server wait for players already, which is as many as may. "
            "Join one of them, or have one given up with `/game abandon`."
        )
    own = {row.id for row in await games.games_of_user(db, user_id) if row.status == "lobby"}
    openers = {row.id: await opener_of(db, row.id) for row in here}
    own |= {
        game_id for game_id, opener in openers.items() if opener is not None and opener.user_id == user_id
    }
    if len(own) >= OPEN_OF_ONE:
        raise Refused(
            f"You wait for players in {len(own)} games already ({', '.join(map(str, sorted(own)))}), which is "
            "as many as one person may. Start one of them, leave it, or give it up with `/game abandon`."
        )
