"""What the bot may do, and the refusal of what it may not (docs/discord.md, permissions)."""

from __future__ import annotations

from typing import Final

from bot.sandbox import seed
from bot.sandbox.model import Channel
from bot.sandbox.refusal import Refusal
from bot.sandbox.world import World

VIEW_CHANNEL: Final = 1 << 10
SEND_MESSAGES: Final = 1 << 11
EMBED_LINKS: Final = 1 << 14
ATTACH_FILES: Final = 1 << 15
READ_HISTORY: Final = 1 << 16
MANAGE_THREADS: Final = 1 << 34
CREATE_THREADS: Final = 1 << 35
SEND_IN_THREADS: Final = 1 << 38
PIN_MESSAGES: Final = 1 << 51


def of_bot(world: World) -> int:
    """The bot's permissions in every channel: everybody's, but for those that are withheld from it."""
    return seed.EVERYONE & ~world.withheld


def require(world: World, *needed: int) -> None:
    """Refuse what needs permissions that the bot does not have: 50001 for a channel it cannot see, else 50013."""
    held = of_bot(world)
    if not held & VIEW_CHANNEL:
        raise Refusal(403, 50001, "Missing Access")
    if any(not held & permission for permission in needed):
        raise Refusal(403, 50013, "Missing Permissions")


def require_to_post(world: World, channel: Channel, *, embeds: bool, files: bool) -> None:
    """Refuse a message of the bot that needs more than it may."""
    if channel.locked and not channel.archived and not of_bot(world) & MANAGE_THREADS:
        # A locked thread counts as if the right to send were missing (docs/discord.md, threads).
        raise Refusal(403, 50013, "Missing Permissions")
    require(world, SEND_IN_THREADS if channel.is_thread else SEND_MESSAGES)
    require(world, *[EMBED_LINKS] * embeds, *[ATTACH_FILES] * files)
