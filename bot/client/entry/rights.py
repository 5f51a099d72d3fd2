"""Who has which right; what each command and component needs is stated where it is declared.

Which moves a player has at the moment is no right: the offers say that.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import discord

from bot.table.errors import NotYours, Refused
from bot.table.settings.server_settings import moderator_role, moderators_question
from storage import Database, games
from storage.errors import NotSeated
from storage.questions import ask
from storage.tables import seat_history, seats

Right = Literal["ask", "look", "play", "sit", "moderate", "manage", "own"]
"""What something needs.

ask: nothing; look: to be of the game's server; play: a seat of the game, or to substitute for one;
sit: a seat in the lobby; moderate: to moderate games of the server; manage: to manage the server; own: to own the bot.
"""


@dataclass(frozen=True, slots=True)
class Standing:
    """What somebody is, where something is asked for."""

    here: bool = True
    """Of the server whose game it is."""
    seated: bool = False
    """Has a seat of the game, or plays for somebody who has."""
    moderates: bool = False
    manages: bool = False
    owns: bool = False

    def has(self, right: Right) -> bool:
        """Whether that is enough."""
        if right in ("ask", "own"):
            return right == "ask" or self.owns
        had = {"look": True, "moderate": self.moderates, "manage": self.manages}
        return self.here and had.get(right, self.seated)


OF_A_GAME: Final = frozenset({"look", "play", "sit"})
"""Rights that somebody has in one game and not in another."""
_REFUSALS: Final[Mapping[Right, str]] = {
    "look": "That game is not played on this server.",
    "manage": "Only who may manage this server chooses for everybody.",
    "own": "Only the owner of this bot may look at that.",
}
"""The refusal of a user without the right."""


async def require(interaction: discord.Interaction[Any], right: Right, game_id: int | None = None) -> None:
    """Raise NotYours or NotSeated unless the person has the right, in this game where one is meant."""
    db: Database = interaction.client.tables.db
    if not (await standing(interaction, right, game_id)).has(right):
        raise await _refusal(db, server_here(interaction), right, game_id)


async def standing(interaction: discord.Interaction[Any], right: Right, game_id: int | None) -> Standing:
    """What the person is; of the game only what the right asks for is read."""
    tables, server, may = interaction.client.tables, server_here(interaction), interaction.permissions
    row, seated, role = None, False, moderators_question(server)
    if game_id is None or right == "ask":
        chosen = await ask(tables.db, role)
    else:
        row, taken, sat, chosen = await ask(
            tables.db, games.question(game_id), seats.question(game_id), seat_history.question(game_id), role
        )
        standing_in = seat_history.substitutes(sat, tables.clock())
        people = {seat.user_id for seat in taken} | {one.user_id for one in standing_in.values()}
        seated = interaction.user.id in people
    return Standing(
        here=row is None or row.guild_id == server,
        seated=seated,
        moderates=interaction.guild_id is not None and _moderates(interaction, chosen),
        manages=may.manage_guild,
        owns=interaction.user.id in owners(interaction.client.application),
    )


async def moderates(interaction: discord.Interaction[Any]) -> bool:
    """Whether the person has the server's role for moderators, or where there is none, may manage threads here."""
    return _moderates(
        interaction, await moderator_role(interaction.client.tables.db, server_here(interaction))
    )


def server_here(interaction: discord.Interaction[Any]) -> int:
    """The number of the server where something is asked for; 0 in direct messages."""
    return interaction.guild_id or 0


def _moderates(interaction: discord.Interaction[Any], role: int | None) -> bool:
    may = interaction.permissions
    if role is None or may.manage_guild:
        return may.manage_threads
    return any(held.id == role for held in getattr(interaction.user, "roles", ()))


def owners(application: discord.AppInfo | None) -> set[int]:
    """Whose application this is: a person, or the members of a team."""
    if application is None:
        return set()
    team = application.team
    return {application.owner.id} if team is None else {member.id for member in team.members}


async def _refusal(db: Database, server: int, right: Right, game_id: int | None) -> Refused | NotSeated:
    row = None if game_id is None else await games.get_game(db, game_id)
    if row is not None and row.guild_id != server:
        return NotYours(_REFUSALS["look"])
    if right == "moderate":
        role = await moderator_role(db, server)
        needs = "the permission Manage Threads here" if role is None else f"the role <@&{role}>"
        return NotYours(f"That is for moderators of games: it needs {needs}.")
    if right in _REFUSALS or row is None:
        return NotYours(_REFUSALS.get(right, _REFUSALS["look"]))
    if right == "sit":
        return NotSeated(f"You have no seat in game {game_id}. Join it first.")
    names = ", ".join(seat.display_name for seat in await seats.seats(db, row.id))
    return NotYours(f"You have no seat in game {game_id}; it is played by {names}.")
