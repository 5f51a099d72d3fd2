"""Says if a thread could show a move: a move that nobody would see is not made, and clocks stand meanwhile."""

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


class Showable:
    """Knows which games' threads could show a move, by what Discord last said of them."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._locked: BoundedDict[int, bool] = BoundedDict(ARCHIVED)
        """Archived threads, which Discord does not list, and if they are locked."""

    def note(self, thread: Mapping[str, Any]) -> None:
        """Discord tells of a thread that has changed; an archived one changes no more until it is opened."""
        number, metadata = int(thread["id"]), thread["thread_metadata"]
        self._locked.pop(number, None)
        if metadata["archived"]:
            self._locked[number] = bool(metadata.get("locked"))

    def require(self, row: GameRow) -> None:
        """Raise Refused where the thread of a game could not show a move, as far as Discord has said."""
        _require(self._obstacle(row))

    async def shows(self, row: GameRow) -> bool:
        """Return whether the thread could show a move; of one that is not listed Discord is asked, once."""
        if row.thread_id is not None and self._listed(row) is None and row.thread_id not in self._locked:
            try:
                channel = await self._client.fetch_channel(row.thread_id)
                self._locked[row.thread_id] = isinstance(channel, discord.Thread) and channel.locked
            except discord.NotFound:
                self._locked[row.thread_id] = False  # its channel stands for it
            except Problem:
                return False
        return self._obstacle(row) is None

    def _listed(self, row: GameRow) -> discord.Thread | None:
        guild = self._client.get_guild(row.guild_id)
        return None if guild is None else guild.get_thread(row.thread_id or 0)

    def _obstacle(self, row: GameRow) -> str | None:
        guild, thread = self._client.get_guild(row.guild_id), self._listed(row)
        channel = None if guild is None else guild.get_channel(row.channel_id)
        if channel is None:
            return None  # moderators hear of it elsewhere
        locked = self._locked.get(row.thread_id or 0, False) if thread is None else thread.locked
        return _in_thread(channel.permissions_for(channel.guild.me), locked=locked)


def require_showable(interaction: discord.Interaction[Any]) -> None:
    """Raise Refused where Discord would refuse to show what a move does; nothing is asked of Discord."""
    if interaction.guild_id is None:
        return  # the thread is elsewhere, and what can be shown there is found out when it is
    channel, held = interaction.channel, interaction.app_permissions
    if isinstance(channel, discord.Thread):
        _require(_in_thread(held, locked=channel.locked))
    else:
        _require(_unseen(lacking(held)))


def _in_thread(held: discord.Permissions, *, locked: bool) -> str | None:
    """Why a thread shows no move of ours; None where it does."""
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
