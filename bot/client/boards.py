"""The board post of each game: the first in its thread, edited after every move."""

import logging
from typing import Final

import discord

from bot.client.pictures import Pictures
from bot.client.posts import board_of
from bot.client.texts import board_title
from bot.client.threads import Threads
from bot.table.recent import Recent
from bot.table.service import Tables
from bot.table.shelf import Locks
from storage import games

_log = logging.getLogger("stationmaster.announce")


SHOWN: Final = 1_000
"""Of how many games it is known what their board post shows; another one is edited once more."""


class Boards:
    """Shows the position of each game in one post."""

    def __init__(self, tables: Tables, threads: Threads, pictures: Pictures) -> None:
        self._tables = tables
        self._threads = threads
        self._pictures = pictures
        self._shown: Recent[int, int] = Recent(SHOWN)
        """The last move that the board post shows, by game."""
        self._locks = Locks()

    async def open(self, game_id: int, unsure: bool) -> None:
        """Make the thread with its board post, if it is not there: whichever row comes first after the start."""
        async with self._locks.of(game_id):
            row = await games.get_game(self._tables.db, game_id)
            if row.board_message_id is None:
                await self._begin(row, unsure)

    async def show(self, game_id: int) -> None:
        """Bring the board post up to date; one that is gone is posted anew."""
        async with self._locks.of(game_id):
            thread, live = await self._threads.of(game_id)
            if self._shown.get(game_id) != live.seq:
                await self._edit(thread, game_id, live.row.board_message_id)

    async def _begin(self, row: games.Game, unsure: bool) -> None:
        thread, title = await self._threads.make(row), board_title(row)
        posted = (
            await self._threads.own(thread, lambda m: any(e.title == title for e in m.embeds))
            if unsure
            else None
        )
        if posted is None:
            await self._post(thread, row.id)
        else:
            await self._note(row.id, posted)

    async def _edit(self, thread: discord.PartialMessageable, game_id: int, message_id: int | None) -> None:
        assert message_id is not None
        board = await board_of(self._tables, self._pictures, game_id)
        try:
            await thread.get_partial_message(message_id).edit(embeds=board.embeds, attachments=board.files)
        except discord.NotFound:
            await self._post(thread, game_id)  # somebody deleted the board post: a new one takes its place
        else:
            self._shown[game_id] = board.seq

    async def _post(self, thread: discord.PartialMessageable, game_id: int) -> None:
        board = await board_of(self._tables, self._pictures, game_id)
        message = await thread.send(embeds=board.embeds, files=board.files, silent=True)
        self._shown[game_id] = board.seq
        await self._note(game_id, message)

    async def _note(self, game_id: int, message: discord.Message) -> None:
        await self._tables.posted(game_id, board=message.id)
        try:
            await message.pin()
        except discord.Forbidden:
            where = message.channel.id
            _log.warning("the board post in %s is not pinned: the permission to pin is missing", where)
