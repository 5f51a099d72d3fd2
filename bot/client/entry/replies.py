"""Private replies, immediate or deferred.

Until a click is acknowledged, Discord shows it as pending and blocks other clicks. If a click takes long, the bot
acknowledges it with a short message.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final

import discord

from bot.client.entry.renamed_commands import new_command_name_line
from bot.client.game_texts import message_pieces
from bot.client.requests.permission_problems import DISCORD_ERRORS, describe_refusal
from bot.table.errors import OutcomeNotKnown, Refused, StoredButFailed, error_sentence
from bot.table.games.confirmed_writes import CHECK_LOG_HINT
from bot.table.orders.ended_orders import mark_not_notified, take_ended_orders
from bot.table.tables import Tables
from storage import StorageError

_log = logging.getLogger("stationmaster.replies")

ACK_AFTER_SECONDS: Final = 1.5
"""Seconds until a click without a response is acknowledged; Discord allows three."""
SLOW_CLICK_TEXT: Final = "Got it. One moment."
"""The message that acknowledges a slow click."""
ALREADY_ANSWERED_CODE: Final = 40060
"""Discord's error code if an interaction already has a first response."""
_PENDING_ACK_KEY: Final = "pending_ack"


class _PendingAck:
    """An interaction that is acknowledged automatically if no response is sent within ACK_AFTER_SECONDS."""

    def __init__(self, interaction: discord.Interaction[Any]) -> None:
        self._interaction = interaction
        self._wait_message: discord.WebhookMessage | None = None
        self._task: asyncio.Task[None] | None = None
        self._timer = asyncio.get_running_loop().call_later(ACK_AFTER_SECONDS, self._start)

    async def stop_waiting(self) -> None:
        self._timer.cancel()
        if self._task is not None:
            await asyncio.wait({self._task})

    async def delete_message(self) -> None:
        await self.stop_waiting()
        if self._wait_message is not None:
            await self._wait_message.delete()

    def _start(self) -> None:
        self._task = asyncio.create_task(self._ack_slow_click())

    async def _ack_slow_click(self) -> None:
        try:
            if self._interaction.type is discord.InteractionType.application_command:
                await self._interaction.response.defer(ephemeral=True)
                return
            await self._interaction.response.defer()
            self._wait_message = await self._interaction.followup.send(
                SLOW_CLICK_TEXT, ephemeral=True, wait=True
            )
        except DISCORD_ERRORS as error:
            _log.warning("cannot acknowledge a slow click: %r", error)


def ack_later(interaction: discord.Interaction[Any]) -> None:
    """Acknowledge an interaction after ACK_AFTER_SECONDS, unless a response is sent earlier."""
    if _PENDING_ACK_KEY not in interaction.extras:
        interaction.extras[_PENDING_ACK_KEY] = _PendingAck(interaction)


async def cancel_automatic_ack(interaction: discord.Interaction[Any]) -> None:
    """Cancel the automatic acknowledgement. Must be called before each response, or the two could collide."""
    pending_ack = interaction.extras.get(_PENDING_ACK_KEY)
    if pending_ack is not None:
        await pending_ack.stop_waiting()


async def ack(interaction: discord.Interaction[Any]) -> None:
    """Acknowledge a click that got no response. Discord's errors are logged, not raised."""
    # Interaction and acknowledgement refer to each other; apart, both are freed without garbage collection.
    pending_ack = interaction.extras.pop(_PENDING_ACK_KEY, None)
    if pending_ack is None:
        return
    try:
        await pending_ack.delete_message()
        if not interaction.response.is_done():
            await interaction.response.defer()
    except DISCORD_ERRORS as error:
        _log.info("cannot acknowledge a click: %r", error)


def is_private(interaction: discord.Interaction[Any]) -> bool:
    """True if the clicked component is in a message that only this user sees."""
    return interaction.message is not None and interaction.message.flags.ephemeral


async def open_form(interaction: discord.Interaction[Any], form: discord.ui.Modal) -> None:
    """Open a modal, which must be the first response. Raises Refused if a response was already sent."""
    await cancel_automatic_ack(interaction)
    if interaction.response.is_done():
        raise Refused("That took too long. Please press again.")
    await interaction.response.send_modal(form)


async def edit_clicked_message(interaction: discord.Interaction[Any], **parts: Any) -> None:
    """Respond to a click by editing the message that has the clicked component; raises Discord's errors."""
    await cancel_automatic_ack(interaction)
    if not interaction.response.is_done():
        try:
            await interaction.response.edit_message(**parts)
            return
        except discord.HTTPException as error:
            # Discord may have accepted an attempt although the connection broke; then there is a first response.
            if error.code != ALREADY_ANSWERED_CODE:
                raise
    await interaction.edit_original_response(**parts)


async def reply(
    interaction: discord.Interaction,
    text: str,
    *,
    view: discord.ui.View | None = None,
    files: Sequence[discord.File] = (),
    embeds: Sequence[discord.Embed] = (),
) -> bool:
    """Reply privately, as first response or follow-up. False if the interaction has expired."""
    try:
        pieces = message_pieces(f"{text}\n{new_command_name_line(interaction)}".rstrip("\n"))
        for piece in pieces[:-1]:
            await _send(interaction, content=piece)
        extras: dict[str, Any] = {"files": list(files), "embeds": list(embeds)}
        if view is not None:
            extras["view"] = view
        await _send(interaction, content=pieces[-1] or None, **extras)
    except discord.NotFound:
        # Discord forgets an interaction without a response after three seconds.
        _log.warning("an answer was too late: %s", text)
        return False
    return True


@contextmanager
def wrap_as_stored_but_failed(stored_text: str, when_visible_text: str = "") -> Iterator[None]:
    """Context manager for code that shows a stored change: turns errors into StoredButFailed.

    `stored_text` says what was stored, `when_visible_text` when it will be visible.
    """
    try:
        yield
    except StoredButFailed:
        raise
    except Exception as error:
        raise StoredButFailed(stored_text, when_visible_text) from error


async def reply_after_storing(interaction: discord.Interaction, stored_text: str) -> None:
    """Reply privately with a text about a stored change; raises StoredButFailed if the reply fails."""
    with wrap_as_stored_but_failed(stored_text):
        await reply(interaction, stored_text)


@asynccontextmanager
async def report_if_cancelled(interaction: discord.Interaction[Any]) -> AsyncIterator[None]:
    """Context manager around a write. If the bot is stopped during the write, the user is told to check the log."""
    try:
        yield
    except asyncio.CancelledError:
        await report_error(interaction, OutcomeNotKnown(CHECK_LOG_HINT, "it stopped in the meantime"))
        raise


async def tell_about_ended_orders(interaction: discord.Interaction[Any], game_id: int) -> None:
    """Tell the user privately, once, which of their standing orders in a game have ended and why."""
    if interaction.response.type is discord.InteractionResponseType.modal:
        return
    tables: Tables = interaction.client.tables
    try:
        text, order_numbers = await take_ended_orders(tables, game_id, interaction.user.id)
    except (Refused, StorageError) as error:
        # The request itself was answered; a game that cannot be read is reported when it is needed.
        _log.info("game %s: cannot report ended orders: %s", game_id, error)
        return
    if not text:
        return
    try:
        was_delivered = await reply(interaction, text)
    except DISCORD_ERRORS as error:
        _log.info("game %s: ended orders will be reported with the next answer: %r", game_id, error)
        was_delivered = False
    if not was_delivered:
        await mark_not_notified(tables, game_id, order_numbers)


async def report_error(interaction: discord.Interaction[Any], error: BaseException) -> None:
    """Tell the user privately what went wrong and whether anything was stored; never raises."""
    text = _error_text(interaction.client, error)
    try:
        await reply(interaction, text)
    except DISCORD_ERRORS as problem:
        _log.warning("could not send this: %s (%r)", text, problem)


def _error_text(client: discord.Client, error: BaseException) -> str:
    if isinstance(error, StoredButFailed):
        cause = error.__cause__ or error
        reason = (
            describe_refusal(client, cause) if isinstance(cause, DISCORD_ERRORS) else error_sentence(cause)
        )
        return f"{error} However, I could not show all of it: {reason} {error.visibility_text}".rstrip()
    return describe_refusal(client, error) if isinstance(error, DISCORD_ERRORS) else error_sentence(error)


async def _send(interaction: discord.Interaction, **parts: Any) -> None:
    await cancel_automatic_ack(interaction)
    if not interaction.response.is_done():
        try:
            await interaction.response.send_message(ephemeral=True, **parts)
            return
        except discord.HTTPException as error:
            # Discord may have accepted an attempt although the connection broke; then there is a first response.
            if error.code != ALREADY_ANSWERED_CODE:
                raise
    await interaction.followup.send(ephemeral=True, **parts)


async def defer(interaction: discord.Interaction) -> None:
    """Defer the private reply to a command. A click is not deferred, but acknowledged if its reply takes long."""
    if interaction.type in (discord.InteractionType.component, discord.InteractionType.modal_submit):
        ack_later(interaction)
    elif _PENDING_ACK_KEY not in interaction.extras:
        await interaction.response.defer(ephemeral=True)
