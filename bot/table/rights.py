"""Rights required by commands and components, and refusals.

Which moves a player has at the moment is no right: the offers say that.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from bot.table.errors import NotYours, Refused
from bot.table.settings.server_settings import moderator_role
from bot.table.tables import Tables
from storage import Database, NotSeated, ask, games, seats

Right = Literal["ask", "look", "play", "sit", "moderate", "manage", "own"]
"""A right that a request needs.

ask: nothing; look: to be of the game's server; play: a seat of the game, or to substitute for one;
sit: a seat in the lobby; moderate: to moderate games of the server; manage: to manage the server; own: to own the bot.
"""


@dataclass(frozen=True, slots=True)
class UserStanding:
    """A user's standing: server, seat, and roles."""

    here: bool = True
    """True for people of the server whose game it is."""
    seated: bool = False
    """Has a seat of the game, or plays for somebody who has."""
    moderates: bool = False
    manages: bool = False
    owns: bool = False

    def includes(self, right: Right) -> bool:
        """True if the standing includes the right."""
        if right in ("ask", "own"):
            return right == "ask" or self.owns
        had = {"look": True, "moderate": self.moderates, "manage": self.manages}
        return self.here and had.get(right, self.seated)


OF_A_GAME: Final = frozenset({"look", "play", "sit"})
"""Rights that somebody has in one game and not in another."""
_REFUSALS: Final[Mapping[Right, str]] = {
    "manage": "Only members who manage this server can choose for everybody.",
    "own": "Only the owner of this bot can see this.",
}
"""The refusal of a user without the right."""


def not_on_this_server(game_id: int) -> str:
    """The refusal of a game that belongs to another server."""
    return f"Game {game_id} is not on this server."


class Relation(NamedTuple):
    """A user's relation to a game: `here`: of the same server; `seated`: they play it."""

    here: bool
    seated: bool


async def relation(tables: Tables, server: int, user_id: int, game_id: int | None) -> Relation:
    """A user's relation to a game, or to none."""
    if game_id is None:
        return Relation(here=True, seated=False)
    live, now = tables.cached_game(game_id), tables.clock()
    if live is not None:
        seated = user_id in _players(live.seats, live.seat_history, now)
        return Relation(live.row.guild_id == server, seated)
    row, taken, sat = await ask(
        tables.db, games.question(game_id), seats.question(game_id), seats.entries_question(game_id)
    )
    return Relation(row.guild_id == server, user_id in _players(taken, sat, now))


def _players(
    taken_seats: Iterable[seats.Seat], seat_entries: Sequence[seats.SeatEntry], now: str
) -> set[int]:
    """The users who have a seat, or substitute for one."""
    substitutes = seats.substitutes(seat_entries, now).values()
    return {seat.user_id for seat in taken_seats} | {substitute.user_id for substitute in substitutes}


async def refusal(db: Database, server: int, right: Right, game_id: int | None) -> Refused | NotSeated:
    """The refusal of a user without the right, in words."""
    row = None if game_id is None else await games.get_game(db, game_id)
    if row is not None and row.guild_id != server:
        return NotYours(not_on_this_server(row.id))
    if right == "moderate":
        role = await moderator_role(db, server)
        needs = "the permission Manage Threads here" if role is None else f"the role <@&{role}>"
        return NotYours(f"Only moderators of games can do this: you need {needs}.")
    if right in _REFUSALS or row is None:
        return NotYours(_REFUSALS.get(right, "Use this command in the thread of a game."))
    if right == "sit":
        return NotSeated(f"You have no seat in game {game_id}. Join it first.")
    names = ", ".join(seat.display_name for seat in await seats.seats(db, row.id))
    return NotYours(f"You have no seat in game {game_id}. Its players are {names}.")
