"""Channels suitable for games: text channels (a game is a thread) and forums (a game is a post)."""

import logging
from collections.abc import Iterable
from typing import Any, Final, TypeAlias

import discord

from bot.client.requests.permission_problems import missing_permissions_text
from bot.client.requests.permissions_and_invitation import GAME_PERMISSIONS, missing_permissions
from bot.table.errors import Refused
from bot.table.settings.server_settings import server_settings
from storage import Database, GameRow

_log = logging.getLogger("stationmaster.forums")

Venue: TypeAlias = discord.TextChannel | discord.ForumChannel
FORUM_PERMISSIONS: Final = tuple(name for name in GAME_PERMISSIONS if name != "create_public_threads")
"""Permissions that the bot needs in a forum to run games there."""
CREATE_POSTS_NAME: Final = "Create Posts"
"""Discord's name for the permission *Send Messages* in a forum's settings."""
OPEN_ELSEWHERE_TEXT: Final = "Open the game in a text channel or a forum post"
_UNSUITABLE_CHANNELS: Final[tuple[tuple[type[object], str], ...]] = (
    (
        discord.VoiceChannel,
        f"A game needs its own thread, and the chat of a voice channel has no threads. {OPEN_ELSEWHERE_TEXT}.",
    ),
    (
        discord.StageChannel,
        f"A game needs its own thread, and the chat of a stage has no threads. {OPEN_ELSEWHERE_TEXT}.",
    ),
    (discord.CategoryChannel, f"A category cannot hold messages. {OPEN_ELSEWHERE_TEXT}."),
    (
        discord.Thread,
        "A game needs its own thread, and Discord allows no thread inside a thread. Open the game in the "
        "channel above.",
    ),
)
_ANNOUNCEMENT_CHANNEL_TEXT: Final = (
    f"Other servers can follow an announcement channel, so games are not allowed here. {OPEN_ELSEWHERE_TEXT}."
)
_NO_SERVER_TEXT: Final = "Open a game on a server, in a channel that all players can see."


def suitable_venue(channel: object) -> Venue:
    """The channel (or the forum of a forum post) if games can be opened in it; otherwise raises Refused."""
    if isinstance(channel, discord.Thread) and isinstance(channel.parent, discord.ForumChannel):
        channel = channel.parent
    if isinstance(channel, discord.TextChannel) and channel.is_news():
        raise Refused(_ANNOUNCEMENT_CHANNEL_TEXT)
    if isinstance(channel, discord.TextChannel | discord.ForumChannel):
        return channel
    raise Refused(
        next((why for kind, why in _UNSUITABLE_CHANNELS if isinstance(channel, kind)), _NO_SERVER_TEXT)
    )


async def new_game_venue(interaction: discord.Interaction[Any], db: Database) -> Venue:
    """The channel for a new game: the server's channel for games or, if none is set, this channel. Raises Refused."""
    if interaction.guild is None:
        raise Refused(_NO_SERVER_TEXT)
    channel_id = (await server_settings(db, interaction.guild.id)).game_channel_id
    if channel_id is None:
        return suitable_venue(interaction.channel)
    channel = interaction.guild.get_channel(channel_id)
    if channel is None:
        raise Refused(
            "The channel for games was deleted, or I may not see it. A member who manages this "
            "server can choose another with `/setup channel:`, or none with `/setup back:`."
        )
    return suitable_venue(channel)


async def rematch_venue(interaction: discord.Interaction[Any], db: Database, row: GameRow) -> Venue:
    """The channel for a rematch: the server's channel for games or, if none is set, the old game's. Raises Refused."""
    assert interaction.guild is not None, "games belong to a server"
    if (await server_settings(db, interaction.guild.id)).game_channel_id is not None:
        return await new_game_venue(interaction, db)
    channel = interaction.guild.get_channel(row.channel_id)
    if channel is None:
        raise Refused(
            "The channel of this game was deleted, or I may not see it. `/game new` opens another game."
        )
    return suitable_venue(channel)


def require_permissions(interaction: discord.Interaction[Any], venue: Venue, refusal: str) -> None:
    """Raise Refused unless the bot has all permissions for games in the channel. The error starts with `refusal`."""
    missing_permission_names = missing_permissions_in(venue, _permissions_of_bot(interaction, venue))
    if missing_permission_names:
        raise Refused(f"{refusal} {missing_permissions_text(missing_permission_names, venue.id)}")


def require_game_permissions(interaction: discord.Interaction[Any], row: GameRow, refusal: str) -> None:
    """Raise Refused unless the bot has all permissions in the game's channel. The error starts with `refusal`."""
    channel = interaction.guild and interaction.guild.get_channel(row.channel_id)
    if channel is None:
        raise Refused(
            f"{refusal} Its channel was deleted, or I may not see it. `/game new` opens another game."
        )
    require_permissions(interaction, suitable_venue(channel), refusal)


def require_known_permissions(guild: discord.Guild, row: GameRow) -> None:
    """Raise Refused unless the bot has all permissions in a game's channel. Makes no request to Discord."""
    channel = guild.get_channel(row.channel_id)
    if channel is None:
        raise Refused("Its channel was deleted, or I may not see it.")
    venue = suitable_venue(channel)
    missing_permission_names = missing_permissions_in(venue, permissions_in(venue))
    if missing_permission_names:
        raise Refused(missing_permissions_text(missing_permission_names, venue.id))


def missing_permissions_in(venue: Venue, permissions: discord.Permissions) -> list[str]:
    """Names of the permissions that the bot lacks for games in a channel, as Discord's settings show them."""
    if isinstance(venue, discord.ForumChannel):
        return list(_forum_permission_names(missing_permissions(permissions, FORUM_PERMISSIONS)))
    return missing_permissions(permissions)


def permissions_in(venue: Venue) -> discord.Permissions:
    """The bot's permissions in a channel."""
    return venue.permissions_for(venue.guild.me)


def _permissions_of_bot(interaction: discord.Interaction[Any], venue: Venue) -> discord.Permissions:
    # An interaction contains the permissions for its own channel; elsewhere they follow from roles and overwrites.
    return interaction.app_permissions if interaction.channel_id == venue.id else permissions_in(venue)


def _forum_permission_names(names: Iterable[str]) -> Iterable[str]:
    return (CREATE_POSTS_NAME if name == "Send Messages" else name for name in names)
