"""The initial server and users. Their ids never change, so that stored games find their channels."""

from __future__ import annotations

from typing import Final

from bot.sandbox.guild import permissions
from bot.sandbox.model import Channel, ChannelKind, Guild, Role, User

DUMMY_TOKEN: Final = "sandbox.not-a-secret.token"


GUILD_ID = 100_000_000_000_000_000
GUILD_NAME = "Sandbox"
GLOBAL_SCOPE = 0
"""The scope of global commands; any other scope is a server's id."""
TABLE_CHANNEL_ID = 100_000_000_000_000_001
SECOND_CHANNEL_ID = 100_000_000_000_000_002
BOT_ID = 100_000_000_000_000_100
APPLICATION_ID = BOT_ID
OWNER_ID = 100_000_000_000_000_011
PEOPLE_NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve", "Fay")
INVITED_PERMISSIONS = 2_252_109_051_448_320
"""Permission bits that the bot's invitation asks for, and that its role has (docs/discord.md, permissions)."""
EVERYONE_PERMISSIONS = (
    permissions.VIEW_CHANNEL
    | permissions.SEND_MESSAGES
    | permissions.EMBED_LINKS
    | permissions.ATTACH_FILES
    | permissions.READ_HISTORY
    | permissions.CREATE_THREADS
    | permissions.SEND_IN_THREADS
)
"""Permission bits of every member. The bot's invitation asks for them, too."""
PLAYERS_PERMISSIONS = permissions.ADD_REACTIONS | permissions.USE_COMMANDS
"""Permission bits that the players' role adds."""
BOT_ROLE_OFFSET, PLAYERS_ROLE_OFFSET = 1_001, 1_002
"""Added to a server's id, these give the ids of its bot role and its players' role."""


def seeded_users() -> list[User]:
    """The bot and six users. Ann owns the server."""
    users = [User(OWNER_ID + i, name) for i, name in enumerate(PEOPLE_NAMES)]
    return [User(BOT_ID, "Stationmaster", bot=True), *users]


def new_guild(guild_id: int, name: str, owner_id: int, member_ids: list[int]) -> Guild:
    """A server with these members, which the bot has joined."""
    roles = [
        Role(guild_id, "@everyone", EVERYONE_PERMISSIONS),
        Role(guild_id + BOT_ROLE_OFFSET, "Stationmaster", INVITED_PERMISSIONS, managed=True),
        Role(guild_id + PLAYERS_ROLE_OFFSET, "Players", PLAYERS_PERMISSIONS),
    ]
    members = {BOT_ID: [guild_id + BOT_ROLE_OFFSET]} | {
        member_id: [guild_id + PLAYERS_ROLE_OFFSET] for member_id in member_ids
    }
    return Guild(guild_id, name, owner_id, {role.id: role for role in roles}, members)


def seeded_guilds() -> list[Guild]:
    """The initial server, with the bot and all six users."""
    member_ids = [user.id for user in seeded_users() if not user.bot]
    return [new_guild(GUILD_ID, GUILD_NAME, OWNER_ID, member_ids)]


def seeded_channels() -> list[Channel]:
    return [
        Channel(TABLE_CHANNEL_ID, ChannelKind.TEXT, "table", GUILD_ID, topic="Games are opened here"),
        Channel(SECOND_CHANNEL_ID, ChannelKind.TEXT, "second-table", GUILD_ID),
    ]
