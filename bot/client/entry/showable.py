"""Visibility of moves: none is made that its thread cannot show, and clocks stop meanwhile."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import discord

from bot.client.requests.permission_problems import Problem, missing
from bot.client.requests.permissions_and_invitation import lacking
from bot.table.bounded_caches import BoundedDict
from bot.table.errors import Refused
from storage import GameRow

NEEDED: Final = (
    "view_channel",
    "send_messages_in_threads",
    "embed_links",
    "attach_files",
    "read_message_history",
)
"""Permissions that a game needs in its thread."""
LOCKED: Final = (
    "This thread is locked and the players could not see a change, so nothing was changed. A "
    "member who may manage threads can unlock it, or use `/game move-here` in another channel."
)
ARCHIVED: Final = 10_000
"""At most this many archived threads are remembered; another is asked for."""


class ThreadVisibility:
    """Knows which games' threads can show a move, by Discord's last events."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._locked: BoundedDict[int, bool] = BoundedDict(ARCHIVED)
        """Archived threads, which Discord does not list, and if they are locked."""

    def record_thread(self, thread: Mapping[str, Any]) -> None:
        """Record a changed thread."""
        number, metadata = int(thread["id"]), thread["thread_metadata"]
        self._locked.pop(number, None)
        if metadata["archived"]:
            self._locked[number] = bool(metadata.get("locked"))

    def require(self, row: GameRow) -> None:
        """Raise Refused if a game's thread cannot show a move, as far as known."""
        _require(self._obstacle(row))

    async def can_show(self, row: GameRow) -> bool:
        """True if the thread can show a move; Discord is asked once about an unlisted one."""
        if (
            row.thread_id is not None
            and self._listed_thread(row) is None
            and row.thread_id not in self._locked
        ):
            try:
                channel = await self._client.fetch_channel(row.thread_id)
                self._locked[row.thread_id] = isinstance(channel, discord.Thread) and channel.locked
            except discord.NotFound:
                self._locked[row.thread_id] = False  # its channel stands for it
            except Problem:
                return False
        return self._obstacle(row) is None

    def _listed_thread(self, row: GameRow) -> discord.Thread | None:
        guild = self._client.get_guild(row.guild_id)
        return None if guild is None else guild.get_thread(row.thread_id or 0)

    def _obstacle(self, row: GameRow) -> str | None:
        guild, thread = self._client.get_guild(row.guild_id), self._listed_thread(row)
        channel = None if guild is None else guild.get_channel(row.channel_id)
        if channel is None:
            return None  # moderators hear of it elsewhere
        locked = self._locked.get(row.thread_id or 0, False) if thread is None else thread.locked
        return _in_thread(channel.permissions_for(channel.guild.me), locked=locked)


def require_showable(interaction: discord.Interaction[Any]) -> None:
    """Raise Refused where Discord would refuse to show a move; makes no request."""
    if interaction.guild_id is None:
        return  # the thread is elsewhere, and what can be shown there is found out when it is
    channel, held = interaction.channel, interaction.app_permissions
    if isinstance(channel, discord.Thread):
        _require(_in_thread(held, locked=channel.locked))
    else:
        _require(_unseen(lacking(held)))


def _in_thread(held: discord.Permissions, *, locked: bool) -> str | None:
    """The reason why a thread cannot show our moves; None if it can."""
    return LOCKED if locked and not held.manage_threads else _unseen(lacking(held, NEEDED))


def _unseen(absent: Sequence[str]) -> str | None:
    return (
        f"Nothing was changed, because the players could not see it. {missing(absent, None)}"
        if absent
        else None
    )


def _require(obstacle: str | None) -> None:
    if obstacle is not None:
        raise Refused(obstacle)
