"""Rights that commands require, and the rights that users have by role, permission and seat."""

from dataclasses import dataclass
from typing import Any, Final

import discord
from discord import app_commands

from bot.table.rate_limits import RequestKind
from bot.table.rights import Right, UserFacts, refusal_of_right, relation_to_game
from bot.table.settings.server_settings import moderator_role
from storage import Database

_REQUIREMENTS_KEY: Final = "requirements"


@dataclass(frozen=True, slots=True)
class Requirements:
    """A command's requirements: a right, a kind of rate limit, and the parameter that names the game."""

    right: Right
    request_kind: RequestKind = RequestKind.MOVE
    game: str | None = None


def needs(
    right: Right, request_kind: RequestKind = RequestKind.MOVE, game: str | None = None
) -> dict[str, Requirements]:
    """The `extras` argument for a command's decorator, which declares the command's Requirements."""
    return {_REQUIREMENTS_KEY: Requirements(right, request_kind, game)}


def requirements(command: app_commands.Command[Any, ..., Any]) -> Requirements:
    """The Requirements declared by a command; raises KeyError if it has none."""
    declared_requirements: Requirements = command.extras[_REQUIREMENTS_KEY]
    return declared_requirements


async def require_right(
    interaction: discord.Interaction[Any], right: Right, game_id: int | None = None
) -> None:
    """Raise NotPermitted or NotSeated unless the user has the right; `game_id` is the game in question, if any."""
    db: Database = interaction.client.tables.db
    if not (await find_user_facts(interaction, right, game_id)).has_right(right):
        raise await refusal_of_right(db, server_id_here(interaction), right, game_id)


async def find_user_facts(
    interaction: discord.Interaction[Any], right: Right, game_id: int | None
) -> UserFacts:
    """A user's roles (member, seated, moderator, server manager, bot owner), as far as `right` depends on them."""
    tables, server_id, user_id = interaction.client.tables, server_id_here(interaction), interaction.user.id
    is_game_here, is_seated = await relation_to_game(
        tables, server_id, user_id, None if right == "ask" else game_id
    )
    is_server_interaction = interaction.guild_id is not None
    return UserFacts(
        is_on_server=is_game_here,
        is_seated=is_seated,
        is_moderator=right == "moderate" and is_server_interaction and await moderates(interaction),
        is_manager=interaction.permissions.manage_guild,
        is_owner=user_id in owner_ids(interaction.client.application),
    )


async def moderates(interaction: discord.Interaction[Any]) -> bool:
    """True if the user has the server's moderator role or, if none is set, may manage threads."""
    moderator_role_id = await moderator_role(interaction.client.tables.db, server_id_here(interaction))
    permissions = interaction.permissions
    if moderator_role_id is None or permissions.manage_guild:
        return permissions.manage_threads
    return any(user_role.id == moderator_role_id for user_role in getattr(interaction.user, "roles", ()))


def server_id_here(interaction: discord.Interaction[Any]) -> int:
    """The id of the interaction's server; 0 in direct messages."""
    return interaction.guild_id or 0


def owner_ids(application: discord.AppInfo | None) -> set[int]:
    """Ids of the users who own the bot: the application's owner, or all members of its team."""
    if application is None:
        return set()
    team = application.team
    return {application.owner.id} if team is None else {member.id for member in team.members}
