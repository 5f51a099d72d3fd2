"""Answering one person privately: at once, or after a while of thinking."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import discord

from bot.client.entry.acknowledging import ANSWERED, ack_later, before_responding
from bot.client.game_texts import pieces
from bot.client.requests.permission_problems import Problem, in_words
from bot.table.errors import NotKnown, Refused, Stored, error_sentence
from bot.table.games.storing import SEE_LOG
from bot.table.pings.ended_orders import ended_since
from bot.table.tables import Tables
from storage.errors import StorageError
from storage.tables import orders

_log = logging.getLogger("stationmaster.replies")


async def say(
    interaction: discord.Interaction,
    text: str,
    *,
    view: discord.ui.View | None = None,
    files: Sequence[discord.File] = (),
    embeds: Sequence[discord.Embed] = (),
) -> bool:
    """Tell the person privately: as the first answer, or as a follow-up to it; False where it came too late."""
    try:
        cut = pieces(text)
        for piece in cut[:-1]:
            await _reply(interaction, content=piece)
        extras: dict[str, Any] = {"files": list(files), "embeds": list(embeds)}
        if view is not None:
            extras["view"] = view
        await _reply(interaction, content=cut[-1] or None, **extras)
    except discord.NotFound:
        # Discord forgets an interaction that was not answered within three seconds.
        _log.warning("an answer came too late: %s", text)
        return False
    return True


@contextmanager
def after(done: str, then: str = "") -> Iterator[None]:
    """What comes after something was stored, and may fail; raises Stored.

    `done` says what is stored, `then` when that is seen nevertheless.
    """
    try:
        yield
    except Stored:
        raise
    except Exception as error:
        raise Stored(done, then) from error


@asynccontextmanager
async def unless_stopped(interaction: discord.Interaction[Any]) -> AsyncIterator[None]:
    """While something is stored: the user is notified, should the bot be stopped meanwhile."""
    try:
        yield
    except asyncio.CancelledError:
        await report_error(interaction, NotKnown(SEE_LOG, "the bot was stopped meanwhile"))
        raise


async def tell_ended_orders(interaction: discord.Interaction[Any], game_id: int) -> None:
    """Tell the user privately, and once, which of their orders have ended since, and why."""
    if interaction.response.type is discord.InteractionResponseType.modal:
        return
    tables: Tables = interaction.client.tables
    try:
        text, numbers = await ended_since(tables, game_id, interaction.user.id)
    except (Refused, StorageError) as error:
        # What was asked for is done and answered; a game that cannot be read tells of that where it is asked for.
        _log.info("game %s: ended orders could not be reported: %s", game_id, error)
        return
    if not text:
        return
    try:
        heard = await say(interaction, text)
    except Problem as error:
        _log.info("game %s: ended orders will be reported with the next answer: %r", game_id, error)
        heard = False
    if not heard:
        await orders.mark_not_notified(tables.db, game_id, numbers)


async def report_error(interaction: discord.Interaction[Any], error: BaseException) -> None:
    """Tell the person what went wrong, and whether what was asked for is done; raises nothing."""
    text = _sentences(interaction.client, error)
    try:
        await say(interaction, text)
    except Problem as problem:
        _log.warning("this could not be said: %s (%r)", text, problem)


def _sentences(client: discord.Client, error: BaseException) -> str:
    if isinstance(error, Stored):
        cause = error.__cause__ or error
        why = in_words(client, cause) if isinstance(cause, Problem) else error_sentence(cause)
        return f"{error} This is done, but not all of it could be shown: {why} {error.then}".rstrip()
    return in_words(client, error) if isinstance(error, Problem) else error_sentence(error)


async def _reply(interaction: discord.Interaction, **parts: Any) -> None:
    await before_responding(interaction)
    if not interaction.response.is_done():
        try:
            await interaction.response.send_message(ephemeral=True, **parts)
            return
        except discord.HTTPException as error:
            # It may have been taken although the connection broke: then there is a first answer.
            if error.code != ANSWERED:
                raise
    await interaction.followup.send(ephemeral=True, **parts)


async def think(interaction: discord.Interaction) -> None:
    """Defer the answer, privately; a click is acknowledged later, since Discord shows for a while that it was taken."""
    if interaction.type in (discord.InteractionType.component, discord.InteractionType.modal_submit):
        ack_later(interaction)
    else:
        await interaction.response.defer(ephemeral=True)
