"""Answering one person privately, whatever happens; no request stays without an answer."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import discord

from bot.client.texts import pieces
from bot.table.errors import Refused, told

if TYPE_CHECKING:
    from bot.client.app import Stationmaster

_log = logging.getLogger("stationmaster.replies")

Asked: TypeAlias = "discord.Interaction[Stationmaster]"
"""A slash command, a press or a choice, with our client behind it."""


def asked(interaction: discord.Interaction[Any]) -> Asked:
    """The interaction, known to come from our client."""
    return cast("Asked", interaction)


async def guarded(interaction: discord.Interaction[Any], act: Callable[[Asked], Awaitable[None]]) -> None:
    """Run `act`; tell the person of any problem, privately."""
    try:
        await act(asked(interaction))
    except Exception as error:  # noqa: BLE001 - discord.py would swallow it, and the person would hear nothing
        await say(interaction, told(error))


async def say(
    interaction: discord.Interaction[Any],
    text: str,
    *,
    view: discord.ui.View | None = None,
    files: Sequence[discord.File] = (),
    embeds: Sequence[discord.Embed] = (),
) -> None:
    """Tell the person privately: as the first answer, or as a follow-up to it."""
    try:
        cut = pieces(text)
        for piece in cut[:-1]:
            await _say(interaction, content=piece)
        extras: dict[str, Any] = {"files": list(files), "embeds": list(embeds)}
        if view is not None:
            extras["view"] = view
        await _say(interaction, content=cut[-1] or None, **extras)
    except discord.NotFound:
        # Discord forgets an interaction that was not answered within three seconds.
        _log.warning("an answer came too late: %s", text)


async def _say(interaction: discord.Interaction[Any], **parts: Any) -> None:
    if interaction.response.is_done():
        await interaction.followup.send(ephemeral=True, **parts)
    else:
        await interaction.response.send_message(ephemeral=True, **parts)


async def think(interaction: discord.Interaction[Any]) -> None:
    """Say that the answer comes, privately; a press changes nothing on its message."""
    if interaction.type is discord.InteractionType.component:
        await interaction.response.defer()
    else:
        await interaction.response.defer(ephemeral=True, thinking=True)


def game_here(interaction: Asked) -> int:
    """The number of the game shown in this thread; raises Refused elsewhere."""
    channel_id = interaction.channel_id
    game_id = None if channel_id is None else interaction.client.tables.game_in(channel_id)
    if game_id is None:
        raise Refused(
            "This is not the thread of a game. `/mine` lists your games, `/game list` those of this server."
        )
    return game_id
