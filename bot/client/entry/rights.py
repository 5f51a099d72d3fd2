"""Rights required by commands, and users' rights on Discord, by role, permission and seat."""

from dataclasses import dataclass
from typing import Any, Final

import discord
from discord import app_commands

from bot.table.rate_limits import Kind
from bot.table.rights import Right, UserStanding, refusal, relation
from bot.table.settings.server_settings import moderator_role
from storage import Database

_KEY: Final = "requirements"


@dataclass(frozen=True, slots=True)
class Requirements:
    """A command's requirements: right, kind of request, and the parameter that names its game, if any."""

    right: Right
    cost: Kind = Kind.MOVE
    game: str | None = None


def needs(right: Right, cost: Kind = Kind.MOVE, game: str | None = None) -> dict[str, Requirements]:
    """The `extras` of a command with these requirements."""
    return {_KEY: Requirements(right, cost, game)}


def requirements(command: app_commands.Command[Any, ..., Any]) -> Requirements:
    """Requirements of a command; raises KeyError where its declaration states nothing."""
    stated: Requirements = command.extras[_KEY]
    return stated


async def require(interaction: discord.Interaction[Any], right: Right, game_id: int | None = None) -> None:
    """Raise NotYours or NotSeated unless the user has the right, in this game if one is given."""
    db: Database = interaction.client.tables.db
    if not (await standing(interaction, right, game_id)).includes(right):
        raise await refusal(db, server_here(interaction), right, game_id)


async def standing(interaction: discord.Interaction[Any], right: Right, game_id: int | None) -> UserStanding:
    """The user's standing, read only as far as the right requires."""
    tables, server, user_id = interaction.client.tables, server_here(interaction), interaction.user.id
    here, seated = await relation(tables, server, user_id, None if right == "ask" else game_id)
    on_server = interaction.guild_id is not None
    return UserStanding(
        here=here,
        seated=seated,
        moderates=right == "moderate" and on_server and await moderates(interaction),
        manages=interaction.permissions.manage_guild,
        owns=user_id in owners(interaction.client.application),
    )


async def moderates(interaction: discord.Interaction[Any]) -> bool:
    """True if the user has the server's moderator role or, without one, may manage threads here."""
    role = await moderator_role(interaction.client.tables.db, server_here(interaction))
    may = interaction.permissions
    if role is None or may.manage_guild:
        return may.manage_threads
    return any(held.id == role for held in getattr(interaction.user, "roles", ()))


def server_here(interaction: discord.Interaction[Any]) -> int:
    """The id of the interaction's server; 0 in direct messages."""
    return interaction.guild_id or 0


def owners(application: discord.AppInfo | None) -> set[int]:
    """The owner of this application, or the members of its team."""
    if application is None:
        return set()
    team = application.team
    return {application.owner.id} if team is None else {member.id for member in team.members}
