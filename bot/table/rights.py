"""Rights required by commands and components, and refusals without them.

Which moves a player may make is no right: the engine's offers state that.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from bot.table.errors import BelongsToAnother, Refused
from bot.table.settings.server_settings import moderator_role
from bot.table.tables import Tables
from storage import Database, NotSeated, ask, games, seats

Right = Literal["ask", "look", "play", "sit", "moderate", "manage", "own"]
"""A right that a request needs.

ask: none; look: the game is of this server; play: a seat in the game, also as a substitute; sit: a seat in the lobby;
moderate: may moderate the server's games; manage: may manage the server; own: owns the bot.
"""


@dataclass(frozen=True, slots=True)
class UserStanding:
    """The facts about a user that decide about their rights."""

    is_on_server: bool = True
    """True if the game belongs to the server in which the user asks."""
    is_seated: bool = False
    """True if the user has a seat in the game or is a substitute."""
    is_moderator: bool = False
    is_manager: bool = False
    is_owner: bool = False

    def includes(self, right: Right) -> bool:
        """True if this user has the right."""
        if right in ("ask", "own"):
            return right == "ask" or self.is_owner
        held_rights = {"look": True, "moderate": self.is_moderator, "manage": self.is_manager}
        return self.is_on_server and held_rights.get(right, self.is_seated)


RIGHTS_IN_ONE_GAME: Final = frozenset({"look", "play", "sit"})
"""Rights that depend on the game."""
_REFUSALS: Final[Mapping[Right, str]] = {
    "manage": "Only members who manage this server can change this for everybody.",
    "own": "Only the owner of this bot can see this.",
}
"""Refusals by right, for rights that do not depend on the game."""


def not_on_this_server(game_id: int) -> str:
    """The refusal if a game belongs to another server."""
    return f"Game {game_id} is not on this server."


class Relation(NamedTuple):
    """A user's relation to a game: it is of the server in which they ask, and they play it."""

    is_on_server: bool
    is_seated: bool


async def relation_to_game(tables: Tables, server: int, user_id: int, game_id: int | None) -> Relation:
    """A user's relation to a game, or to none (None)."""
    if game_id is None:
        return Relation(is_on_server=True, is_seated=False)
    live, now = tables.cached_game(game_id), tables.clock()
    if live is not None:
        is_seated = user_id in _playing_users(live.seats, live.seat_history, now)
        return Relation(live.row.guild_id == server, is_seated)
    row, taken_seats, seat_entries = await ask(
        tables.db, games.question(game_id), seats.question(game_id), seats.entries_question(game_id)
    )
    return Relation(row.guild_id == server, user_id in _playing_users(taken_seats, seat_entries, now))


def _playing_users(
    taken_seats: Iterable[seats.Seat], seat_entries: Sequence[seats.SeatEntry], now: str
) -> set[int]:
    """The users who have a seat or are substitutes."""
    substitutes = seats.substitutes(seat_entries, now).values()
    return {seat.user_id for seat in taken_seats} | {substitute.user_id for substitute in substitutes}


async def refusal_of_right(
    db: Database, server: int, right: Right, game_id: int | None
) -> Refused | NotSeated:
    """The refusal for a user without this right."""
    row = None if game_id is None else await games.get_game(db, game_id)
    if row is not None and row.guild_id != server:
        return BelongsToAnother(not_on_this_server(row.id))
    if right == "moderate":
        role = await moderator_role(db, server)
        requirement = "the permission Manage Threads here" if role is None else f"the role <@&{role}>"
        return BelongsToAnother(f"Only moderators of games can do this: you need {requirement}.")
    if right in _REFUSALS or row is None:
        return BelongsToAnother(_REFUSALS.get(right, "Use this command in the thread of a game."))
    if right == "sit":
        return NotSeated(f"You have no seat in game {game_id}. Join it first.")
    names = ", ".join(seat.display_name for seat in await seats.seats(db, row.id))
    return BelongsToAnother(f"You have no seat in game {game_id}. Its players are {names}.")
