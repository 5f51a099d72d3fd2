"""Checks if players can see a move in a game's thread. If they cannot, moves are refused and clocks stop."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import discord

from bot.client.requests.permission_problems import DISCORD_ERRORS, missing_permissions_text
from bot.client.requests.permissions_and_invitation import missing_permissions
from bot.table.bounded_caches import BoundedDict
from bot.table.errors import Refused
from storage import GameRow

PERMISSIONS_TO_SHOW_MOVES: Final = (
    "view_channel",
    "send_messages_in_threads",
    "embed_links",
    "attach_files",
    "read_message_history",
)
"""Permissions that the bot needs in a game's thread to show moves."""
LOCKED_THREAD_TEXT: Final = (
    "Nothing was changed, because this thread is locked and the players could not see the change. A "
    "member who may manage threads can unlock it, or use `/game move-here` in another channel."
)
MAX_ARCHIVED_THREADS: Final = 10_000
"""Number of archived threads remembered; Discord is asked about others."""


class ThreadVisibility:
    """Uses Discord's events to know in which games' threads the bot can show moves."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._is_locked_by_thread: BoundedDict[int, bool] = BoundedDict(MAX_ARCHIVED_THREADS)
        """By id of an archived thread: True if it is locked. Discord does not list archived threads."""

    def record_thread(self, thread: Mapping[str, Any]) -> None:
        """Record whether a thread is archived or locked, as reported by a Discord event."""
        thread_id, metadata = int(thread["id"]), thread["thread_metadata"]
        self._is_locked_by_thread.pop(thread_id, None)
        if metadata["archived"]:
            self._is_locked_by_thread[thread_id] = bool(metadata.get("locked"))

    def require_can_show_moves(self, row: GameRow) -> None:
        """Raise Refused if the bot cannot show a move in a game's thread; makes no request to Discord."""
        _require_no_obstacle(self._obstacle_to_showing(row))

    async def can_show_moves(self, row: GameRow) -> bool:
        """True if the bot can show a move in a game's thread. Discord is asked only about unknown archived threads."""
        if (
            row.thread_id is not None
            and self._listed_thread(row) is None
            and row.thread_id not in self._is_locked_by_thread
        ):
            try:
                channel = await self._client.fetch_channel(row.thread_id)
                self._is_locked_by_thread[row.thread_id] = (
                    isinstance(channel, discord.Thread) and channel.locked
                )
            except discord.NotFound:
                self._is_locked_by_thread[row.thread_id] = (
                    False  # the thread is gone, so only its channel counts
                )
            except DISCORD_ERRORS:
                return False
        return self._obstacle_to_showing(row) is None

    def _listed_thread(self, row: GameRow) -> discord.Thread | None:
        guild = self._client.get_guild(row.guild_id)
        return None if guild is None else guild.get_thread(row.thread_id or 0)

    def _obstacle_to_showing(self, row: GameRow) -> str | None:
        guild, thread = self._client.get_guild(row.guild_id), self._listed_thread(row)
        channel = None if guild is None else guild.get_channel(row.channel_id)
        if channel is None:
            return None  # the missing channel is reported elsewhere
        is_locked = (
            self._is_locked_by_thread.get(row.thread_id or 0, False) if thread is None else thread.locked
        )
        return _thread_obstacle(channel.permissions_for(channel.guild.me), is_locked=is_locked)


def require_moves_showable_here(interaction: discord.Interaction[Any]) -> None:
    """Raise Refused if the bot cannot show a move in this thread or channel; makes no request to Discord."""
    if interaction.guild_id is None:
        return  # a direct message: the game's thread is checked elsewhere
    channel, permissions = interaction.channel, interaction.app_permissions
    if isinstance(channel, discord.Thread):
        _require_no_obstacle(_thread_obstacle(permissions, is_locked=channel.locked))
    else:
        _require_no_obstacle(_permission_obstacle(missing_permissions(permissions)))


def _thread_obstacle(permissions: discord.Permissions, *, is_locked: bool) -> str | None:
    return (
        LOCKED_THREAD_TEXT
        if is_locked and not permissions.manage_threads
        else _permission_obstacle(missing_permissions(permissions, PERMISSIONS_TO_SHOW_MOVES))
    )


def _permission_obstacle(names: Sequence[str]) -> str | None:
    return (
        f"Nothing was changed, because the players could not see it. {missing_permissions_text(names, None)}"
        if names
        else None
    )


def _require_no_obstacle(obstacle: str | None) -> None:
    if obstacle is not None:
        raise Refused(obstacle)
