"""The board post of a game (map and market): first in its thread, pinned, and edited after moves."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import discord

from bot.client import game_texts
from bot.client.pictures import Pictures
from bot.client.places.messages import picture_file
from bot.client.places.threads import Threads
from bot.client.thread.apply import Applier, MessageDeleted
from bot.client.thread.desired import BOARD_ROLE, Post
from bot.client.thread.doubts import find_unconfirmed_messages
from bot.client.thread.pictures_of_posts import Picture, digest
from bot.client.thread.preparations import Preparations
from bot.table.outbox.notices import post_may_be_deleted
from bot.table.settings.game_rules import chosen_rules
from bot.table.tables import Tables
from engine.views import map_part_in_play, map_view, market_view, turn_view
from storage import GameRow, Posting, games, messages

_log = logging.getLogger("stationmaster.announce")

PINNED_KEY: Final = "pinned"
"""Stored key of a board post that is pinned, or that the bot cannot pin."""
PINS_FULL_CODE: Final = 30003
"""Discord's error code if a channel already has as many pins as it can have."""


class DrawnBoard(NamedTuple):
    """A board post with its pictures, and the outbox rows that asked for this update."""

    post: Post
    rows: Sequence[Posting]


class BoardPosts:
    """Keeps each game's board post up to date. Only changed pictures are uploaded."""

    def __init__(self, tables: Tables, threads: Threads, pictures: Pictures, applier: Applier) -> None:
        self._tables, self._threads, self._pictures = tables, threads, pictures
        self._applier = applier
        self._board_preparations = Preparations[DrawnBoard]()

    async def ensure_board(self, row: GameRow) -> None:
        """Make a game's thread and board post if they do not exist yet."""
        if row.board_message_id is None:
            await self._threads.make_thread(row)
            await self._post_board(row.id, await board_post(self._tables, self._pictures, row.id))

    def start_drawing(self, game_id: int, rows: Sequence[Posting]) -> None:
        """Start to draw a game's board in the background. `rows` are the outbox rows that ask for it."""
        self._board_preparations.start_making(game_id, lambda: self._draw(game_id, rows))

    async def show(self, game_id: int, rows: Sequence[Posting] = ()) -> Sequence[Posting]:
        """Update a game's board post once it is drawn. Returns the outbox rows that are done.

        A post that turns out to be deleted is posted again. Raises PostLater while the board is being drawn.
        """
        self.start_drawing(game_id, rows)
        drawn_board = await self._board_preparations.take_finished(game_id)
        board_row = await messages.newest_message_of_role(self._tables.db, game_id, BOARD_ROLE)
        if board_row is None:
            await self._post_board(game_id, drawn_board.post)
            return drawn_board.rows
        must_check = any(post_may_be_deleted(row.payload) for row in drawn_board.rows)
        known_content = None if must_check else self._applier.current_content(board_row)
        shown_row = replace(known_content or replace(board_row, shows="", files="[]"), key=board_row.key)
        try:
            await self._applier.edit(game_id, replace(drawn_board.post, key=board_row.key, message=shown_row))
        except MessageDeleted:
            # The board post was deleted.
            await self._post_board(game_id, drawn_board.post)
            return drawn_board.rows
        if board_row.key != PINNED_KEY:
            await self.pin(game_id)
        return drawn_board.rows

    async def pin(self, game_id: int) -> None:
        """Pin a game's board post, unless it is pinned already or cannot be pinned."""
        board_row = await messages.newest_message_of_role(self._tables.db, game_id, BOARD_ROLE)
        if board_row is None or board_row.key == PINNED_KEY:
            return
        thread = await self._threads.thread_of(game_id)
        try:
            await thread.get_partial_message(board_row.message_id or 0).pin()
        except discord.Forbidden:
            _log.warning("cannot pin the board post in %s: the permission to pin is missing", thread.id)
        except discord.HTTPException as error:
            if error.code != PINS_FULL_CODE:
                raise
            _log.warning("cannot pin the board post in %s: the channel has too many pins", thread.id)
        await messages.record_message_changes(self._tables.db, replace(board_row, key=PINNED_KEY))

    async def _draw(self, game_id: int, rows: Sequence[Posting]) -> DrawnBoard:
        return DrawnBoard(await board_post(self._tables, self._pictures, game_id), rows)

    async def _post_board(self, game_id: int, post: Post) -> None:
        """Post and pin a game's board, unless it was posted before a crash."""
        game = await games.get_game(self._tables.db, game_id)
        unconfirmed = await find_unconfirmed_messages(self._tables, self._threads, game, [BOARD_ROLE])
        if await messages.newest_message_of_role(self._tables.db, game_id, BOARD_ROLE) is None:
            await self._applier.send(game_id, post, unconfirmed, _mark_no_rows)
        await self.pin(game_id)


async def board_post(tables: Tables, pictures: Pictures, game_id: int) -> Post:
    """The desired board post of a game. A new turn, round or phase changes its text; other moves only its pictures."""
    async with tables.reading(game_id) as live:
        view = live.view(turn_view)
        position = game_texts.position_text(live, view)
        text = f"{position} {game_texts.bank_text(live, view)}\n{chosen_rules(live.row)}"
        title = game_texts.board_title(live.row)
        shown_map, market = map_part_in_play(live.game, live.view(map_view)), live.view(market_view)
        pictures = pictures.for_server(live.row.guild_id)
    map_picture, market_picture = await pictures.board(shown_map, market)
    embeds = (
        discord.Embed(title=title).set_image(url="attachment://map.png"),
        discord.Embed().set_image(url="attachment://market.png"),
    )
    board_pictures = (
        _board_picture(map_picture, "map.png", "The map"),
        _board_picture(market_picture, "market.png", "The stock market"),
    )
    return Post(BOARD_ROLE, text, embeds=embeds, pictures=board_pictures, appearance=position)


def board_files(board: Post) -> list[discord.File]:
    """The pictures of a board post as files."""
    return [
        file
        for picture in board.pictures or ()
        if picture.drawn_files is not None
        for file in picture.drawn_files()
    ]


def _board_picture(picture: bytes, name: str, alt_text: str) -> Picture:
    def files() -> list[discord.File]:
        return [picture_file(picture, name, alt_text)]

    return Picture(f"{name}:{digest(picture)}", drawn_files=files)


async def _mark_no_rows(postings: Sequence[object], *_: object) -> None:
    """Do nothing. Used in place of `mark_sent` for a new board post, which has no outbox rows to mark."""
