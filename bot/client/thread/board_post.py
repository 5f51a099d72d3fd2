"""The board post of each game: the first in its thread, pinned, edited where map, market, round or turn has changed."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import discord

from bot.client import game_texts
from bot.client.pictures import Pictures
from bot.client.places.messages import picture_file
from bot.client.places.threads import Threads
from bot.client.thread.apply import Applier, MessageGone
from bot.client.thread.desired import BOARD, Post
from bot.client.thread.doubts import looked_into
from bot.client.thread.pictures_of_posts import Picture, digest
from bot.table.game_cache import Locks
from bot.table.settings.game_rules import chosen_rules
from bot.table.tables import Tables
from engine.views import map_part_in_play, map_view, market_view
from storage import GameRow, games, messages

_log = logging.getLogger("stationmaster.announce")

PINNED: Final = "pinned"
"""The key of a board post that is pinned, or cannot be."""
PINS_FULL: Final = 30003
"""Discord's code for a thread in which nothing more can be pinned."""


class Boards:
    """Shows the position of each game in one post; a picture is uploaded where it has changed."""

    def __init__(self, tables: Tables, threads: Threads, pictures: Pictures, applier: Applier) -> None:
        self._tables, self._threads, self._pictures = tables, threads, pictures
        self._applier = applier
        self._locks = Locks()

    async def open(self, row: GameRow) -> None:
        """Make the thread with its board post, if it is not there: whichever row comes first after the start."""
        # Once it is there, no text waits for the lock: its holder may be drawing.
        if row.board_message_id is not None:
            return
        async with self._locks.of(row.id):
            found = await games.get_game(self._tables.db, row.id)
            if found.board_message_id is None:
                await self._threads.make(found)
                await self._post(await games.get_game(self._tables.db, row.id))

    async def show(self, game_id: int, *, again: bool = False) -> None:
        """Bring the board post up to date; one that is gone is posted anew, one that was not pinned is pinned.

        That is noticed where it must be edited, or everything is to be shown `again`.
        """
        async with self._locks.of(game_id):
            there = await messages.of_role(self._tables.db, game_id, BOARD)
            if there is None:
                await self._post(await games.get_game(self._tables.db, game_id))
                return
            at = replace(there, shows="", files="[]") if again else there
            make = partial(board_post, self._tables, self._pictures, game_id, there.key)
            try:
                shown = await self._applier.edit(game_id, replace(await make(), at=at), make)
            except MessageGone:
                # Somebody deleted the board post: a new one takes its place.
                await self._post(await games.get_game(self._tables.db, game_id))
                return
            if shown != there:
                await messages.note(self._tables.db, shown)
            if there.key != PINNED:
                await self.pin(game_id)

    async def pin(self, game_id: int) -> None:
        """Pin the board post, unless that was done."""
        there = await messages.of_role(self._tables.db, game_id, BOARD)
        if there is None or there.key == PINNED:
            return
        thread = await self._threads.of(game_id)
        try:
            await thread.get_partial_message(there.message_id or 0).pin()
        except discord.Forbidden:
            _log.warning("the board post in %s is not pinned: the permission to pin is missing", thread.id)
        except discord.HTTPException as error:
            if error.code != PINS_FULL:
                raise
            _log.warning("the board post in %s is not pinned: no more can be pinned there", thread.id)
        await messages.note(self._tables.db, replace(there, key=PINNED))

    async def _post(self, game: GameRow) -> None:
        """Post the board, unless that was done just before a crash; and pin it."""
        doubts = await looked_into(self._tables, self._threads, game, [BOARD])
        if await messages.of_role(self._tables.db, game.id, BOARD) is None:
            post = await board_post(self._tables, self._pictures, game.id)
            await self._applier.send(game.id, post, doubts, _nothing)
        await self.pin(game.id)


async def board_post(tables: Tables, pictures: Pictures, game_id: int, key: str = "") -> Post:
    """The position of a game, drawn: what it says of round and turn counts, not after which move it stood so."""
    async with tables.reading(game_id) as live:
        says = game_texts.position_text(live)
        text = f"{says} {game_texts.as_of(live)}\n{chosen_rules(live.row)}"
        title = game_texts.board_title(live.row)
        views = map_part_in_play(live.game, map_view(live.game)), market_view(live.game)
        pictures = pictures.in_server(live.row.guild_id)
    on_map, on_market = await pictures.board(*views)
    embeds = (
        discord.Embed(title=title).set_image(url="attachment://map.png"),
        discord.Embed().set_image(url="attachment://market.png"),
    )
    shown = (_drawn(on_map, "map.png", "The map"), _drawn(on_market, "market.png", "The stock market"))
    return Post(BOARD, text, key, embeds=embeds, pictures=shown, looks=says)


def files_of_board(board: Post) -> list[discord.File]:
    """The pictures of the board, to be uploaded once."""
    return [file for picture in board.pictures or () if picture.made is not None for file in picture.made()]


def _drawn(picture: bytes, name: str, words: str) -> Picture:
    def files() -> list[discord.File]:
        return [picture_file(picture, name, words)]

    return Picture(f"{name}:{digest(picture)}", made=files)


async def _nothing(postings: Sequence[object], *_: object) -> None:
    """Nothing is ticked off with a board."""
