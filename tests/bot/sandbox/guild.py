"""The seeded server, with changes by its manager."""

from __future__ import annotations

from collections.abc import Awaitable

import discord
import pytest

from bot.sandbox.guild import seed
from bot.sandbox.guild.world import World
from bot.sandbox.model import Guild
from tests.bot.support import changes

BOT_ROLE = seed.GUILD_ID + seed.BOT_ROLE_OFFSET


def guild(world: World) -> Guild:
    """The server that every sandbox begins with."""
    return world.guilds[seed.GUILD_ID]


def grant(world: World, permissions: int) -> None:
    """Give the bot's own role more than its invitation did."""
    held = guild(world).roles[BOT_ROLE].permissions
    changes.permit(world, guild(world), BOT_ROLE, held | permissions)


def take(world: World, permissions: int) -> None:
    """Take permissions away from everyone and from the bot's own role."""
    for role in (seed.GUILD_ID, BOT_ROLE):
        changes.permit(world, guild(world), role, guild(world).roles[role].permissions & ~permissions)


def send_away(world: World, user_id: int) -> None:
    """Somebody is no member any more."""
    changes.leave(world, guild(world), user_id)


def let_back(world: World, user_id: int) -> None:
    """Somebody is a member again."""
    changes.join(world, guild(world), user_id)


async def code_of(call: Awaitable[object]) -> int:
    """The code with which Discord refuses a call."""
    with pytest.raises(discord.HTTPException) as refused:
        await call
    return refused.value.code
