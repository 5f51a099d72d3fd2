"""The guild every sandbox starts with; its snowflakes never change, so that a saved game finds its table again."""

from __future__ import annotations

from bot.sandbox.model import Channel, ChannelKind, User

GUILD_ID = 100_000_000_000_000_000
GUILD_NAME = "Sandbox"
TABLE_ID = 100_000_000_000_000_001
SECOND_ID = 100_000_000_000_000_002
BOT_ID = 100_000_000_000_000_100
APPLICATION_ID = BOT_ID
OWNER_ID = 100_000_000_000_000_011
PEOPLE_NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve", "Fay")
DUMMY_TOKEN = "sandbox.not-a-secret.token"
OFFICERS = (1 << 53) - 1
"""Permissions of the guild's owner: all."""
EVERYONE = 2_252_109_051_448_320 | 1 << 6 | 1 << 31 | 1 << 11 | 1 << 16
"""Permissions of everyone: those a table needs (docs/discord.md, permissions), reactions and application commands."""


def seeded_users() -> list[User]:
    """The bot and six people; Ann owns the guild."""
    people = [User(OWNER_ID + i, name) for i, name in enumerate(PEOPLE_NAMES)]
    return [User(BOT_ID, "Stationmaster", bot=True), *people]


def seeded_channels() -> list[Channel]:
    """Two text channels."""
    return [
        Channel(TABLE_ID, ChannelKind.TEXT, "table", topic="Games are opened here"),
        Channel(SECOND_ID, ChannelKind.TEXT, "second-table"),
    ]
