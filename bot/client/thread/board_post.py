"""The board post of each game: first in its thread, pinned, and edited on changes."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import discord

from bot.client import game_texts
from bot.client.pictures import Pictures
from bot.client.places.messages import picture_file
from bot.client.places.threads import Threads
from bot.client.thread.apply import Applier, MessageGone
from bot.client.thread.desired import BOARD, Post
from bot.client.thread.doubts import look_for_messages
from bot.client.thread.pictures_of_posts import Picture, digest
from bot.client.thread.preparations import Preparations
from bot.table.outbox.notices import may_be_deleted
from bot.table.settings.game_rules import chosen_rules
from bot.table.tables import Tables
from engine.views import map_part_in_play, map_view, market_view, turn_view
from storage import GameRow, Posting, games, messages

_log = logging.getLogger("stationmaster.announce")

PINNED: Final = "pinned"
"""The key of a board post that is pinned, or cannot be."""
PINS_FULL: Final = 30003
"""Discord's code for a thread in which nothing more can be pinned."""


class DrawnBoard(NamedTuple):
    """A drawn board with the outbox rows that it covers."""

    post: Post
    rows: Sequence[Posting]


class Boards:
    """Shows each game's position in one post; only changed pictures are uploaded."""

    def __init__(self, tables: Tables, threads: Threads, pictures: Pictures, applier: Applier) -> None:
        self._tables, self._threads, self._pictures = tables, threads, pictures
        self._applier = applier
        self._drawn = Preparations[DrawnBoard]()

    async def ensure_board(self, row: GameRow) -> None:
        """Make the thread with its board post, if missing."""
        if row.board_message_id is None:
            await self._threads.make(row)
            await self._post(row.id, await board_post(self._tables, self._pictures, row.id))

    def start_drawing(self, game_id: int, rows: Sequence[Posting]) -> None:
        """Start to draw the board for outbox rows."""
        self._drawn.start_making(game_id, lambda: self._draw(game_id, rows))

    async def show(self, game_id: int, rows: Sequence[Posting] = ()) -> Sequence[Posting]:
        """Update the board post with the drawn board, and return the rows it covers.

        A post that is gone is made anew, one that was not pinned is pinned. That is noticed where it must
        be edited, or a row asks for everything again. Raises NotYet.
        """
        self.start_drawing(game_id, rows)
        drawn = await self._drawn.take_part(game_id)
        there = await messages.newest_of_role(self._tables.db, game_id, BOARD)
        if there is None:
            await self._post(game_id, drawn.post)
            return drawn.rows
        again = any(may_be_deleted(row.payload) for row in drawn.rows)
        known = None if again else self._applier.current_row(there)
        at = replace(known or replace(there, shows="", files="[]"), key=there.key)
        try:
            await self._applier.edit(game_id, replace(drawn.post, key=there.key, message=at))
        except MessageGone:
            # Somebody deleted the board post: a new one takes its place.
            await self._post(game_id, drawn.post)
            return drawn.rows
        if there.key != PINNED:
            await self.pin(game_id)
        return drawn.rows

    async def pin(self, game_id: int) -> None:
        """Pin the board post, if it is not pinned."""
        there = await messages.newest_of_role(self._tables.db, game_id, BOARD)
        if there is None or there.key == PINNED:
            return
        thread = await self._threads.thread_of(game_id)
        try:
            await thread.get_partial_message(there.message_id or 0).pin()
        except discord.Forbidden:
            _log.warning("cannot pin the board post in %s: the permission to pin is missing", thread.id)
        except discord.HTTPException as error:
            if error.code != PINS_FULL:
                raise
            _log.warning("cannot pin the board post in %s: the channel has too many pins", thread.id)
        await messages.record_changes(self._tables.db, replace(there, key=PINNED))

    async def _draw(self, game_id: int, rows: Sequence[Posting]) -> DrawnBoard:
        return DrawnBoard(await board_post(self._tables, self._pictures, game_id), rows)

    async def _post(self, game_id: int, post: Post) -> None:
        """Post the board, unless that was done before a crash, and pin it."""
        game = await games.get_game(self._tables.db, game_id)
        doubts = await look_for_messages(self._tables, self._threads, game, [BOARD])
        if await messages.newest_of_role(self._tables.db, game_id, BOARD) is None:
            await self._applier.send(game_id, post, doubts, _mark_nothing)
        await self.pin(game_id)


async def board_post(tables: Tables, pictures: Pictures, game_id: int) -> Post:
    """The desired board post; it changes with round and turn, not with every move."""
    async with tables.reading(game_id) as live:
        view = turn_view(live.game)
        says = game_texts.position_text(live, view)
        text = f"{says} {game_texts.as_of(live, view)}\n{chosen_rules(live.row)}"
        title = game_texts.board_title(live.row)
        views = map_part_in_play(live.game, map_view(live.game)), market_view(live.game)
        pictures = pictures.in_server(live.row.guild_id)
    on_map, on_market = await pictures.board(*views)
    embeds = (
        discord.Embed(title=title).set_image(url="attachment://map.png"),
        discord.Embed().set_image(url="attachment://market.png"),
    )
    shown = (
        _board_picture(on_map, "map.png", "The map"),
        _board_picture(on_market, "market.png", "The stock market"),
    )
    return Post(BOARD, text, embeds=embeds, pictures=shown, appearance=says)


def files_of_board(board: Post) -> list[discord.File]:
    """The pictures of the board, to be uploaded once."""
    return [file for picture in board.pictures or () if picture.made is not None for file in picture.made()]


def _board_picture(picture: bytes, name: str, words: str) -> Picture:
    def files() -> list[discord.File]:
        return [picture_file(picture, name, words)]

    return Picture(f"{name}:{digest(picture)}", made=files)


async def _mark_nothing(postings: Sequence[object], *_: object) -> None:
    """Mark nothing as sent: boards have no outbox rows of their own."""
