"""`/game import`: a game from a file, whose seats are claimed by buttons; the last one continues the game.

A user with a seat may leave the free ones to the computer; a moderator frees a seat by pressing it.

The message on which they are claimed becomes the game's: its thread is made from it, or it begins the game's post. So
it is known which message is a game already, and whatever is interrupted is done by pressing again.
"""

import io
import logging
from typing import Any, Final, TypeAlias

import discord

from bot.client.components import turn_buttons
from bot.client.components.buttons import cancel_button, claim_button, import_button, rest_button
from bot.client.entry.acknowledging import edit_pressed
from bot.client.entry.replies import after, say, think
from bot.client.entry.rights import moderates, server_here
from bot.client.places.forums import STATES, Forums
from bot.client.places.game_channels import Venue, for_new_game, require_place, suited
from bot.client.question_queue import question_of
from bot.table.errors import Refused
from bot.table.game_cache import Locks
from bot.table.games.imported import Imported, Place, add_imported, read_imported, taken_from
from bot.table.seats.seat_claims import REST, SURE, Claims
from bot.table.style import counted, sentence_list
from bot.table.tables import Tables
from engine.interchange.size_limits import LARGEST
from engine.titles import TITLES
from storage import games
from storage.games import Game
from storage.tables import seats

_log = logging.getLogger("stationmaster.imports")

FILE: Final = "imported.json"
"""The game in our own form, attached to the message on which its seats are claimed."""


People: TypeAlias = tuple[tuple[int, str], ...]
"""Number and name of everybody, in order of the seats."""


class Imports:
    """Opens tables for games from files."""

    def __init__(self, tables: Tables, forums: Forums) -> None:
        self._tables = tables
        self._forums = forums
        self._locks = Locks()

    async def offer(self, interaction: discord.Interaction[Any], file: discord.Attachment) -> None:
        """Read a game and let its seats be claimed, unless it is played here already: then ask first.

        Raises Refused with what cannot be read.
        """
        await think(interaction)
        venue = await self._venue(interaction)
        imported = await self._read(interaction, file)
        there = await taken_from(self._tables, imported, server_here(interaction))
        if there:
            # The question has the file, since a click on it brings nothing else along.
            view = turn_buttons.rows_of([import_button("Import it again"), cancel_button(0)])
            await say(interaction, _already(there), view=view, files=[_file(imported)])
            return
        done = await self._open(venue, imported)
        with after(done):
            await say(interaction, done)

    async def again(self, interaction: discord.Interaction[Any]) -> None:
        """The `yes` of a user who read that the game was imported already; raises Refused."""
        assert interaction.message is not None
        venue = await self._venue(interaction)
        imported = await self._read(interaction, interaction.message.attachments[0])
        done = await self._open(venue, imported)
        with after(done):
            await edit_pressed(interaction, content=done, view=None, attachments=[])

    async def claim(self, interaction: discord.Interaction[Any], number: int) -> None:
        """Take a seat, or give it back; when all are taken, continue the game."""
        assert interaction.message is not None
        message = interaction.message
        async with self._locks.of(message.id):
            # Another press may have changed the message since this one was made.
            now = await message.channel.fetch_message(message.id)
            before = Claims.read(now.content)
            if number > len(before.seats) and number != SURE:
                raise Refused("There is no such seat.")
            row = await self._stored(interaction, now)
            if row is None:
                claims = await _pressed(interaction, before, number)
                people = claims.people()
                if people is None:
                    kept, view = now.attachments, _buttons(claims, asked=number == REST)
                    await edit_pressed(interaction, content=claims.text(), view=view, attachments=kept)
                    return
                row = await self._open_table(interaction, now, people)
            with after(f"Game {row.id} continues."):
                await edit_pressed(interaction, content=await self._continues(row), view=None, attachments=[])

    async def _venue(self, interaction: discord.Interaction[Any]) -> Venue:
        venue = await for_new_game(interaction, self._tables.db)
        require_place(interaction, venue, "The game was not imported.")
        return venue

    async def _open(self, venue: Venue, imported: Imported) -> str:
        """Post the message on which the seats of a game are claimed; what is done then."""
        name, moves = TITLES[imported.head.title].name, imported.moves
        claims = Claims.of(name, moves, [player for _, player in imported.head.players])
        message: dict[str, Any] = {
            "content": claims.text(),
            "view": _buttons(claims),
            "file": _file(imported),
        }
        if isinstance(venue, discord.ForumChannel):
            await self._forums.ready(venue, name)
            thread_title = f"{name}, imported after {counted(moves, 'move')}"
            place = await self._forums.open(venue, thread_title, (name, STATES["lobby"]), **message)
        else:
            place = (await venue.send(**message)).channel.id
        return f"The game is read, and waits in <#{place}> until every seat is claimed."

    async def _stored(self, interaction: discord.Interaction[Any], message: discord.Message) -> Game | None:
        """The game that a message has become, where only the message does not say so yet."""
        rows = await games.list_games(self._tables.db, server_here(interaction))
        return next((row for row in rows if row.thread_id == message.id), None)

    async def _open_table(
        self, interaction: discord.Interaction[Any], message: discord.Message, people: People
    ) -> Game:
        """Store the game as a table of these people, which is shown where its seats were claimed."""
        imported = await self._read(interaction, message.attachments[0])
        channel = suited(interaction.channel).id
        place = Place(server_here(interaction), channel, people, thread_id=message.id)
        return await games.get_game(self._tables.db, await add_imported(self._tables, imported, place))

    async def _continues(self, row: Game) -> str:
        names = sentence_list(seat.display_name for seat in await seats.seats(self._tables.db, row.id))
        continues = "continues with" if row.status == "running" else "is shown as it ended, with"
        return f"Game {row.id}, {row.name}, {continues} {names}."

    async def _read(self, interaction: discord.Interaction[Any], file: discord.Attachment) -> Imported:
        """The game in a file, every action checked; raises Refused with the action that could not be read."""
        if file.size > LARGEST:
            raise Refused(f"The file is larger than {LARGEST:,} bytes, which no game is.")
        data = await file.read()
        return await self._tables.workers.run(question_of(interaction), read_imported, data)


async def _pressed(interaction: discord.Interaction[Any], claims: Claims, number: int) -> Claims:
    """After a click on a seat; a moderator frees that of somebody else, who may have left. Raises Refused, NotYours."""
    user = interaction.user
    if claims.is_anothers(number, user.id) and await moderates(interaction):
        return claims.freed(number)
    return claims.pressed(number, user.id, user.display_name)


def _file(imported: Imported) -> discord.File:
    return discord.File(io.BytesIO(imported.text.encode()), FILE)


def _already(there: list[Game]) -> str:
    where = sentence_list(
        f"game {row.id}" + (f" (<#{row.thread_id}>)" if row.thread_id else "") for row in there
    )
    return f"This very game, after the same moves, was imported here already: it is {where}. Import it again?"


def _buttons(claims: Claims, *, asked: bool = False) -> discord.ui.View:
    shown = [claim_button(number, seat.was) for number, seat in enumerate(claims.seats, 1)]
    free = sum(seat.by is None for seat in claims.seats)
    if free < len(claims.seats):
        more = counted(free, "computer player")
        shown.append(
            rest_button(SURE, f"Yes, with {more}") if asked else rest_button(REST, f"Continue with {more}")
        )
    return turn_buttons.rows_of(shown)
