"""Rights that commands and buttons require, and the refusals for users without them.

Rights do not decide which moves a player may make: the engine does.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from bot.table.errors import NotPermitted, Refused
from bot.table.settings.server_settings import moderator_role
from bot.table.tables import Tables
from storage import Database, NotSeated, fetch, games, seats

Right = Literal["ask", "look", "play", "sit", "moderate", "manage", "own"]
"""A right that a command or button requires.

ask: none; look: the game belongs to this server; play: the user plays a seat, also as a substitute; sit: the user has a
seat in the lobby; moderate: moderator of the server's games; manage: manager of the server; own: owner of the bot.
"""


@dataclass(frozen=True, slots=True)
class UserFacts:
    """Facts about a user that decide which rights they have."""

    is_on_server: bool = True
    """True if the game belongs to the server where the user makes the request."""
    is_seated: bool = False
    """True if the user has a seat in the game, or is a substitute."""
    is_moderator: bool = False
    is_manager: bool = False
    is_owner: bool = False

    def has_right(self, right: Right) -> bool:
        """True if a user with these facts has the right."""
        if right in ("ask", "own"):
            return right == "ask" or self.is_owner
        held_rights = {"look": True, "moderate": self.is_moderator, "manage": self.is_manager}
        return self.is_on_server and held_rights.get(right, self.is_seated)


RIGHTS_IN_ONE_GAME: Final = frozenset({"look", "play", "sit"})
"""Rights that a user has or lacks in one particular game."""
_REFUSAL_TEXTS: Final[Mapping[Right, str]] = {
    "manage": "Only members who manage this server can change this for everybody.",
    "own": "Only the owner of this bot can see this.",
}


def not_on_server_text(game_id: int) -> str:
    """Refusal for a game that belongs to another server."""
    return f"Game {game_id} is not on this server."


class GameRelation(NamedTuple):
    """Facts about a user and a game: if the game belongs to the server of the request, and if the user plays in it."""

    is_on_server: bool
    is_seated: bool


async def relation_to_game(tables: Tables, server_id: int, user_id: int, game_id: int | None) -> GameRelation:
    """A user's relation to a game. With `game_id` None, the user counts as not playing."""
    if game_id is None:
        return GameRelation(is_on_server=True, is_seated=False)
    live, now = tables.cached_game(game_id), tables.clock()
    if live is not None:
        is_seated = user_id in _playing_users(live.seats, live.seat_history, now)
        return GameRelation(live.row.guild_id == server_id, is_seated)
    row, taken_seats, seat_entries = await fetch(
        tables.db, games.game_query(game_id), seats.seats_query(game_id), seats.seat_entries_query(game_id)
    )
    return GameRelation(row.guild_id == server_id, user_id in _playing_users(taken_seats, seat_entries, now))


def _playing_users(
    taken_seats: Iterable[seats.Seat], seat_entries: Sequence[seats.SeatEntry], now: str
) -> set[int]:
    substitutes = seats.substitutes(seat_entries, now).values()
    return {seat.user_id for seat in taken_seats} | {substitute.user_id for substitute in substitutes}


async def refusal_of_right(
    db: Database, server_id: int, right: Right, game_id: int | None
) -> Refused | NotSeated:
    """The refusal to show to a user who lacks this right."""
    row = None if game_id is None else await games.get_game(db, game_id)
    if row is not None and row.guild_id != server_id:
        return NotPermitted(not_on_server_text(row.id))
    if right == "moderate":
        role = await moderator_role(db, server_id)
        requirement = "the permission Manage Threads here" if role is None else f"the role <@&{role}>"
        return NotPermitted(f"Only moderators of games can do this: you need {requirement}.")
    if right in _REFUSAL_TEXTS or row is None:
        return NotPermitted(_REFUSAL_TEXTS.get(right, "Use this command in the thread of a game."))
    if right == "sit":
        return NotSeated(f"You have no seat in game {game_id}. Join it first.")
    seat_names = ", ".join(seat.display_name for seat in await seats.seats(db, row.id))
    return NotPermitted(f"You have no seat in game {game_id}. Its players are {seat_names}.")
