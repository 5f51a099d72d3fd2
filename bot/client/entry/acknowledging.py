"""Acknowledging a click: Discord shows that it was taken and takes no second; after a while the bot says so."""

import asyncio
import logging
from typing import Any, Final

import discord

from bot.client.requests.permission_problems import Problem
from bot.table.errors import Refused

_log = logging.getLogger("stationmaster.replies")

ACK_AFTER: Final = 1.5
"""Seconds that the first answer may take; Discord waits three, and shows meanwhile that it waits."""
TAKEN: Final = "Got it. One moment."
"""What the user reads when it takes longer."""
ANSWERED: Final = 40060
"""Discord's code for a first answer where there is one already."""
_KEY: Final = "pending_ack"


class _PendingAck:
    """A click whose first response is still to come."""

    def __init__(self, interaction: discord.Interaction[Any]) -> None:
        self._interaction = interaction
        self._slow = False
        self._words: discord.WebhookMessage | None = None
        self._task = asyncio.create_task(self._after_a_while())

    async def over(self) -> None:
        """The answer comes now: from here on nothing is said here any more."""
        if not self._slow:
            self._task.cancel()
        await asyncio.wait({self._task})

    async def cleared(self) -> None:
        """The answer has come: what was said meanwhile is taken away."""
        await self.over()
        if self._words is not None:
            await self._words.delete()

    async def _after_a_while(self) -> None:
        await asyncio.sleep(ACK_AFTER)
        self._slow = True
        try:
            await self._interaction.response.defer()
            self._words = await self._interaction.followup.send(TAKEN, ephemeral=True, wait=True)
        except Problem as error:
            _log.warning("a click that takes long could not be acknowledged: %r", error)


def ack_later(interaction: discord.Interaction[Any]) -> None:
    """Acknowledge a click, or a submitted modal, after a while, unless it is answered before."""
    if _KEY not in interaction.extras:
        interaction.extras[_KEY] = _PendingAck(interaction)


async def before_responding(interaction: discord.Interaction[Any]) -> None:
    """Run this before any response, so that there are never two first ones."""
    pending = interaction.extras.get(_KEY)
    if pending is not None:
        await pending.over()


async def ack(interaction: discord.Interaction[Any]) -> None:
    """Acknowledge a click whose work is done, unless it was answered. Raises nothing."""
    # Click and acknowledgement refer to each other: parted, they go without a collection of garbage.
    pending = interaction.extras.pop(_KEY, None)
    if pending is None:
        return
    try:
        await pending.cleared()
        if not interaction.response.is_done():
            await interaction.response.defer()
    except Problem as error:
        _log.info("a click could not be acknowledged: %r", error)


def is_private(interaction: discord.Interaction[Any]) -> bool:
    """Whether what was clicked stands in a message that only this user sees."""
    return interaction.message is not None and interaction.message.flags.ephemeral


async def open_form(interaction: discord.Interaction[Any], form: discord.ui.Modal) -> None:
    """Open a form, which is the first response or none; raises Refused when Discord was asked to wait already."""
    await before_responding(interaction)
    if interaction.response.is_done():
        raise Refused("That took too long. Please press again.")
    await interaction.response.send_modal(form)


async def edit_pressed(interaction: discord.Interaction[Any], **parts: Any) -> None:
    """Edit the message with the clicked button, as the response; raises what Discord refuses."""
    await before_responding(interaction)
    if not interaction.response.is_done():
        try:
            await interaction.response.edit_message(**parts)
            return
        except discord.HTTPException as error:
            # It may have been taken although the connection broke: then there is a first answer.
            if error.code != ANSWERED:
                raise
    await interaction.edit_original_response(**parts)
