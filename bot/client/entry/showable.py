"""Whether a move could be shown where it is asked for: one that nobody would see is not made."""

from typing import Any, Final

import discord

from bot.client.requests.permission_problems import lacking, missing
from bot.table.errors import Refused
from storage.games import Game

NEEDED: Final = (
    "view_channel",
    "send_messages_in_threads",
    "embed_links",
    "attach_files",
    "read_message_history",
)
"""What a game needs in its thread."""
LOCKED: Final = (
    "This thread is locked, so nothing was changed: the table could not see it. A member who may manage threads "
    "unlocks it, or moves the game by `/game move-here` in another channel."
)


def require_showable(interaction: discord.Interaction[Any]) -> None:
    """Raise Refused where Discord would refuse to show what a move does; nothing is asked of Discord."""
    if interaction.guild_id is None:
        return  # the thread is elsewhere, and what can be shown there is found out when it is
    _require(interaction.channel, interaction.app_permissions)


def require_shown(client: discord.Client, row: Game) -> None:
    """The same for what is asked for elsewhere, such as at the board page: by the thread as Discord last described it.

    It describes threads that are not archived; what it refuses in others is found out when it does.
    """
    thread = client.get_channel(row.thread_id or 0)
    if isinstance(thread, discord.Thread) and thread.parent is not None:
        _require(thread, thread.permissions_for(thread.guild.me))


def _require(channel: object, held: discord.Permissions) -> None:
    if isinstance(channel, discord.Thread) and channel.locked and not held.manage_threads:
        raise Refused(LOCKED)
    absent = lacking(held, NEEDED) if isinstance(channel, discord.Thread) else lacking(held)
    if absent:
        raise Refused(f"Nothing was changed, because the table could not see it. {missing(absent, None)}")
