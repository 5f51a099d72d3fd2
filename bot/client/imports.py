"""`/game import`: a game from a file, whose seats are claimed by buttons; with the last one it goes on."""

import io
import logging
from typing import Any, Final, TypeAlias

import discord

from bot.client import panel
from bot.client.buttons import claim_button
from bot.client.holding import edit_pressed
from bot.client.replies import after, say, think
from bot.client.venues import for_new_game, require_place
from bot.client.workbench import Line, Rank, Workbench
from bot.table.claims import Claims
from bot.table.errors import Refused
from bot.table.recorded import Place, add_recorded
from bot.table.service import Tables
from bot.table.shelf import Locks
from engine.core.errors import EngineError
from engine.record import Record, load_record, write_record
from engine.tell.failing import failure
from engine.titles import TITLES

_log = logging.getLogger("stationmaster.imports")

LARGEST: Final = 2_000_000
"""Bytes of a file that is read; the longest game that was ever recorded has less than half."""
FILE: Final = "imported.json"
"""The game in our own form, beside the message on which its seats are claimed."""


People: TypeAlias = tuple[tuple[int, str], ...]
"""Number and name of everybody, in order of the seats."""


class Imports:
    """Opens tables for games from files."""

    def __init__(self, tables: Tables, bench: Workbench) -> None:
        self._tables = tables
        self._bench = bench
        self._locks = Locks()

    async def offer(self, interaction: discord.Interaction[Any], file: discord.Attachment) -> None:
        """Read a game and let its seats be claimed; raises Refused with what cannot be read."""
        await think(interaction)
        venue = await for_new_game(interaction, self._tables.db)
        if not isinstance(venue, discord.TextChannel):
            raise Refused("A game is imported into a text channel, not into a forum.")
        require_place(interaction, venue, "The game was not imported.")
        if file.size > LARGEST:
            raise Refused(f"The file is larger than {LARGEST:,} bytes, which no game is.")
        record = await self._read(interaction, await file.read())
        claims = Claims.of(
            TITLES[record.title].name, len(record.actions), [name for _, name in record.players]
        )
        kept = discord.File(io.BytesIO(write_record(record).encode()), FILE)
        await venue.send(claims.text(), view=_buttons(claims), file=kept)
        done = f"The game is read, and waits in <#{venue.id}> until every seat is claimed."
        with after(done):
            await say(interaction, done)

    async def claim(self, interaction: discord.Interaction[Any], number: int) -> None:
        """Take a seat, or give it back; when all are taken, let the game go on."""
        await think(interaction)
        assert interaction.message is not None
        message = interaction.message
        async with self._locks.of(message.id):
            # Another press may have changed the message since this one was made.
            now = await message.channel.fetch_message(message.id)
            before = Claims.read(now.content)
            if number > len(before.seats):
                raise Refused("There is no such seat.")
            claims = before.pressed(number, interaction.user.id, interaction.user.display_name)
            people = claims.people()
            # Whoever is last takes the buttons away first, so that the game cannot go on at two tables.
            view = None if people else _buttons(claims)
            await edit_pressed(interaction, content=claims.text(), view=view, attachments=now.attachments)
            if people is None:
                return
            try:
                await self._go_on(interaction, now, people)
            except Exception:
                await now.edit(content=before.text(), view=_buttons(before))
                raise

    async def _go_on(
        self, interaction: discord.Interaction[Any], message: discord.Message, people: People
    ) -> None:
        """Store the game as a table of these people; its message says which it is."""
        record = await self._read(interaction, await message.attachments[0].read())
        place = Place(interaction.guild_id or 0, message.channel.id, people)
        game_id = await add_recorded(self._tables, record, place)
        names = ", ".join(name for _, name in people)
        goes_on = "goes on with" if record.scores is None else "is shown as it ended, with"
        text = f"Game {game_id}, {TITLES[record.title].name}, {goes_on} {names}."
        try:
            await message.edit(content=text, attachments=[])
        except discord.HTTPException as error:
            _log.info("the message of game %s could not say that it goes on: %s", game_id, error)

    async def _read(self, interaction: discord.Interaction[Any], data: bytes) -> Record:
        """The game in a file, every action checked; raises Refused with the action that could not be read."""
        line = Line(Rank.QUESTION, interaction.guild_id or 0)
        try:
            return await self._bench.do(line, lambda: _checked(data))
        except EngineError as problem:
            raise Refused(f"The game cannot be read: {failure(problem)}") from problem


def _checked(data: bytes) -> Record:
    """Raises EngineError; a game that was begun by other rules is one only if today's lead through it."""
    record = load_record(data)
    record.begin().apply_all(record.actions)
    return record


def _buttons(claims: Claims) -> discord.ui.View:
    seats = enumerate(claims.seats, 1)
    return panel.rows_of([claim_button(number, seat.was) for number, seat in seats])
