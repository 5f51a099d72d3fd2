"""Channels for games: text channels with threads, and forums with tagged posts.

The tags of a post say the title and the progress.
"""

import logging
from collections.abc import Iterable
from typing import Any, Final, TypeAlias

import discord

from bot.client.requests.permission_problems import missing
from bot.client.requests.permissions_and_invitation import TABLE, lacking
from bot.table.errors import Refused
from bot.table.settings.server_settings import server_settings
from storage import Database, GameRow

_log = logging.getLogger("stationmaster.forums")

Venue: TypeAlias = discord.TextChannel | discord.ForumChannel
IN_A_FORUM: Final = tuple(name for name in TABLE if name != "create_public_threads")
"""Permissions that a game needs in a forum: a user who may post there opens a post."""
CREATE_POSTS: Final = "Create Posts"
"""The name of the permission to send messages in the settings of a forum."""
OPEN_IN: Final = "Open it in a text channel or a forum post"
_KINDS: Final[tuple[tuple[type[object], str], ...]] = (
    (
        discord.VoiceChannel,
        f"A game needs its own thread, and the chat of a voice channel has no threads. {OPEN_IN}.",
    ),
    (
        discord.StageChannel,
        f"A game needs its own thread, and the chat of a stage has no threads. {OPEN_IN}.",
    ),
    (discord.CategoryChannel, f"A category cannot hold messages. {OPEN_IN}."),
    (
        discord.Thread,
        "A game needs its own thread, and Discord allows no thread inside a thread. Open it in the "
        "channel above.",
    ),
)
_ANNOUNCING: Final = (
    f"Other servers can follow an announcement channel, so games are not allowed here. {OPEN_IN}."
)
_NO_SERVER: Final = "Open a game on a server, in a channel that all players can see."


def suited(channel: object) -> Venue:
    """The channel, or a post's forum, if suitable for games; raises Refused with the reason."""
    if isinstance(channel, discord.Thread) and isinstance(channel.parent, discord.ForumChannel):
        channel = channel.parent
    if isinstance(channel, discord.TextChannel) and channel.is_news():
        raise Refused(_ANNOUNCING)
    if isinstance(channel, discord.TextChannel | discord.ForumChannel):
        return channel
    raise Refused(next((why for kind, why in _KINDS if isinstance(channel, kind)), _NO_SERVER))


async def for_new_game(interaction: discord.Interaction[Any], db: Database) -> Venue:
    """The channel for a new game: the server's channel for games, else this one; raises Refused."""
    if interaction.guild is None:
        raise Refused(_NO_SERVER)
    chosen = (await server_settings(db, interaction.guild.id)).channel
    if chosen is None:
        return suited(interaction.channel)
    channel = interaction.guild.get_channel(chosen)
    if channel is None:
        raise Refused(
            "The channel for games was deleted, or I may not see it. A member who manages this "
            "server can choose another with `/setup channel:`, or none with `/setup back:`."
        )
    return suited(channel)


async def for_another(interaction: discord.Interaction[Any], db: Database, row: GameRow) -> Venue:
    """The channel for a rematch: the server's channel for games, else the old game's.

    Raises Refused.
    """
    assert interaction.guild is not None, "games belong to a server"
    if (await server_settings(db, interaction.guild.id)).channel is not None:
        return await for_new_game(interaction, db)
    channel = interaction.guild.get_channel(row.channel_id)
    if channel is None:
        raise Refused(
            "The channel of this game was deleted, or I may not see it. `/game new` opens another game."
        )
    return suited(channel)


def require_place(interaction: discord.Interaction[Any], venue: Venue, refused: str) -> None:
    """Raise Refused, starting with this text, unless we have all permissions for games in a channel."""
    absent = absent_in(venue, _permissions(interaction, venue))
    if absent:
        raise Refused(f"{refused} {missing(absent, venue.id)}")


def require_place_of(interaction: discord.Interaction[Any], row: GameRow, refused: str) -> None:
    """Raise Refused, starting with this text, unless an open game can be played in its channel."""
    channel = interaction.guild and interaction.guild.get_channel(row.channel_id)
    if channel is None:
        raise Refused(
            f"{refused} Its channel was deleted, or I may not see it. `/game new` opens another game."
        )
    require_place(interaction, suited(channel), refused)


def absent_in(venue: Venue, held: discord.Permissions) -> list[str]:
    """Missing permissions for games in a channel, in the words of Discord's settings."""
    if isinstance(venue, discord.ForumChannel):
        return list(_as_in_forums(lacking(held, IN_A_FORUM)))
    return lacking(held)


def permissions_in(venue: Venue) -> discord.Permissions:
    """Our permissions in a channel."""
    return venue.permissions_for(venue.guild.me)


def _permissions(interaction: discord.Interaction[Any], venue: Venue) -> discord.Permissions:
    # Discord says what we may do where something is asked for; elsewhere roles and overwrites tell.
    return interaction.app_permissions if interaction.channel_id == venue.id else permissions_in(venue)


def _as_in_forums(names: Iterable[str]) -> Iterable[str]:
    return (CREATE_POSTS if name == "Send Messages" else name for name in names)
