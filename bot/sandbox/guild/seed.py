"""The initial guild; its ids never change, so that a stored game finds its table."""

from __future__ import annotations

from typing import Final

from bot.sandbox.guild import permissions
from bot.sandbox.model import Channel, ChannelKind, Guild, Role, User

DUMMY_TOKEN: Final = "sandbox.not-a-secret.token"


GUILD_ID = 100_000_000_000_000_000
GUILD_NAME = "Sandbox"
EVERYWHERE = 0
"""The scope of commands for all servers; the others are ids of servers."""
TABLE_ID = 100_000_000_000_000_001
SECOND_ID = 100_000_000_000_000_002
BOT_ID = 100_000_000_000_000_100
APPLICATION_ID = BOT_ID
OWNER_ID = 100_000_000_000_000_011
PEOPLE_NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve", "Fay")
INVITED = 2_252_109_051_448_320
"""Permissions that the bot's invitation asks for (docs/discord.md, permissions); a role of its own holds it."""
EVERYONE = (
    permissions.VIEW_CHANNEL
    | permissions.SEND_MESSAGES
    | permissions.EMBED_LINKS
    | permissions.ATTACH_FILES
    | permissions.READ_HISTORY
    | permissions.CREATE_THREADS
    | permissions.SEND_IN_THREADS
)
"""Permissions of everyone, the bot, too: nothing that it is not invited with."""
PLAYERS = permissions.ADD_REACTIONS | permissions.USE_COMMANDS
"""Permissions that a members' role adds."""
BOT_ROLE, PLAYERS_ROLE = 1_001, 1_002
"""Roles of a guild: their ids are so much larger than its own."""


def seeded_users() -> list[User]:
    """The bot and six people; Ann owns the guild."""
    people = [User(OWNER_ID + i, name) for i, name in enumerate(PEOPLE_NAMES)]
    return [User(BOT_ID, "Stationmaster", bot=True), *people]


def guild(ident: int, name: str, owner_id: int, people: list[int]) -> Guild:
    """A guild into which the bot was invited."""
    roles = [
        Role(ident, "@everyone", EVERYONE),
        Role(ident + BOT_ROLE, "Stationmaster", INVITED, managed=True),
        Role(ident + PLAYERS_ROLE, "Players", PLAYERS),
    ]
    members = {BOT_ID: [ident + BOT_ROLE]} | {person: [ident + PLAYERS_ROLE] for person in people}
    return Guild(ident, name, owner_id, {role.id: role for role in roles}, members)


def seeded_guilds() -> list[Guild]:
    """One guild, in which all six people are."""
    people = [user.id for user in seeded_users() if not user.bot]
    return [guild(GUILD_ID, GUILD_NAME, OWNER_ID, people)]


def seeded_channels() -> list[Channel]:
    return [
        Channel(TABLE_ID, ChannelKind.TEXT, "table", GUILD_ID, topic="Games are opened here"),
        Channel(SECOND_ID, ChannelKind.TEXT, "second-table", GUILD_ID),
    ]
