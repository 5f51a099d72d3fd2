"""Answering one person privately: at once, or after a while of thinking."""

import logging
from collections.abc import Sequence
from typing import Any

import discord

from bot.client import panel
from bot.client.buttons import cancel_button, confirm_button
from bot.client.texts import pieces
from bot.table.moves import Quick
from bot.table.style import strong

_log = logging.getLogger("stationmaster.replies")


async def say(
    interaction: discord.Interaction,
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


async def ask_first(interaction: discord.Interaction, game_id: int, seq: int, quick: Quick) -> None:
    """Ask whether a move that cannot be taken back is really meant."""
    sure = [confirm_button(game_id, seq, quick.key, quick.label), cancel_button(game_id)]
    await say(
        interaction, f"Really: {strong(quick.label)}? This cannot be taken back.", view=panel.rows_of(sure)
    )


async def _say(interaction: discord.Interaction, **parts: Any) -> None:
    if interaction.response.is_done():
        await interaction.followup.send(ephemeral=True, **parts)
    else:
        await interaction.response.send_message(ephemeral=True, **parts)


async def think(interaction: discord.Interaction) -> None:
    """Say that the answer comes, privately; a press changes nothing on its message."""
    if interaction.type is discord.InteractionType.component:
        await interaction.response.defer()
    else:
        await interaction.response.defer(ephemeral=True, thinking=True)
