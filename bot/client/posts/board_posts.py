"""The board post of each game: the first in its thread, pinned, edited after every move."""

import logging
from typing import Final, NamedTuple, Self

import discord

from bot.client.pictures import Pictures
from bot.client.places.messages import Board, board_of
from bot.client.places.threads import Threads
from bot.client.requests.old_edits import OldEdits
from bot.client.requests.permission_problems import UNKNOWN_CHANNEL
from bot.client.texts.game_texts import board_title
from bot.table.bounded import BoundedDict
from bot.table.game_cache import Locks
from bot.table.tables import Tables
from storage import games

_log = logging.getLogger("stationmaster.announce")

ARCHIVED: Final = 50083
"""Discord's code for what cannot be done in an archived thread."""
PINS_FULL: Final = 30003
"""Discord's code for a thread in which nothing more can be pinned."""
SHOWN: Final = 1_000
"""Of how many games it is known what their board post shows; another one is edited once more."""


class _Shown(NamedTuple):
    """What a board post shows: the position after which move, and fingerprints of its pictures."""

    seq: int
    pictures: tuple[int, int]

    @classmethod
    def of(cls, board: Board) -> Self:
        """What a post shows that was made of this."""
        on_map, on_market = board.pictures
        return cls(board.seq, (hash(on_map), hash(on_market)))


class Boards:
    """Shows the position of each game in one post; pictures are uploaded where one of them has changed."""

    def __init__(self, tables: Tables, threads: Threads, pictures: Pictures) -> None:
        self._tables = tables
        self._threads = threads
        self._pictures = pictures
        self._shown: BoundedDict[int, _Shown] = BoundedDict(SHOWN)
        """By game; those that this process has posted or edited, and pinned."""
        self._locks = Locks()
        self._old = OldEdits()

    async def open(self, row: games.Game, unsure: bool) -> None:
        """Make the thread with its board post, if it is not there: whichever row comes first after the start."""
        # Once it is there, no text waits for the lock: its holder may be drawing.
        if row.board_message_id is not None:
            return
        async with self._locks.of(row.id):
            found = await games.get_game(self._tables.db, row.id)
            if found.board_message_id is None:
                await self._begin(found, unsure)

    async def show(self, game_id: int, unsure: bool) -> None:
        """Bring the board post up to date; one that is gone is posted anew, one that was not pinned is pinned."""
        async with self._locks.of(game_id):
            thread = await self._threads.of(game_id)
            async with self._tables.reading(game_id) as live:
                row, seq = live.row, live.seq
            shown = self._shown.get(game_id)
        if shown is None or shown.seq != seq:
            await self._edit(thread, row, unsure)

    async def pin(self, game_id: int) -> None:
        """Pin the board post, unless this process has seen to it; it may be pinned already."""
        thread = await self._threads.of(game_id)
        row = await games.get_game(self._tables.db, game_id)
        if row.board_message_id is not None and game_id not in self._shown:
            await _pin(thread.get_partial_message(row.board_message_id))

    async def _begin(self, row: games.Game, unsure: bool) -> None:
        await self._post(await self._threads.make(row), row, unsure)

    async def _edit(self, thread: discord.PartialMessageable, row: games.Game, unsure: bool) -> None:
        assert row.board_message_id is not None
        post = thread.get_partial_message(row.board_message_id)
        try:
            edited, shown = await self._opened(thread, post, row.id)
        except discord.NotFound as error:
            if error.code == UNKNOWN_CHANNEL:
                raise
            # Somebody deleted the board post: a new one takes its place.
            await self._post(thread, row, unsure)
            return
        if row.id not in self._shown and not edited.pinned:
            await _pin(edited)  # a crash came between
        self._shown[row.id] = shown

    async def _opened(
        self, thread: discord.PartialMessageable, post: discord.PartialMessage, game_id: int
    ) -> tuple[discord.Message, _Shown]:
        """Edit the board post, also in a thread that is archived; after the end it archives itself again."""
        try:
            return await self._draw(post, game_id)
        except discord.HTTPException as error:
            if error.code != ARCHIVED:
                raise
        await self._threads.open(thread)
        return await self._draw(post, game_id)

    async def _draw(self, post: discord.PartialMessage, game_id: int) -> tuple[discord.Message, _Shown]:
        # First, so that of several moves that were made meanwhile the last is drawn, once.
        await self._old.wait(post.channel.id, post.id)
        board = await board_of(self._tables, self._pictures, game_id)
        before, shown = self._shown.get(game_id), _Shown.of(board)
        if before is not None and before.pictures == shown.pictures:
            # What an edit does not name stays as it is.
            return await post.edit(content=board.text), shown
        edited = await post.edit(content=board.text, embeds=board.embeds(), attachments=board.files())
        return edited, shown

    async def _post(self, thread: discord.PartialMessageable, row: games.Game, unsure: bool) -> None:
        """Post the board, unless that was done just before a crash."""
        posted = await self._threads.board(thread, board_title(row)) if unsure else None
        if posted is not None:
            await self._note(row.id, posted)
            return
        board = await board_of(self._tables, self._pictures, row.id)
        # Another post may take the place of one that is gone; each is posted once.
        nonce = f"b{row.board_message_id or row.id}"
        message = await thread.send(
            board.text, embeds=board.embeds(), files=board.files(), silent=True, nonce=nonce
        )
        await self._note(row.id, message)
        self._shown[row.id] = _Shown.of(board)

    async def _note(self, game_id: int, message: discord.Message) -> None:
        await self._tables.posted(game_id, board=message.id)
        await _pin(message)


async def _pin(message: discord.Message | discord.PartialMessage) -> None:
    where = message.channel.id
    try:
        await message.pin()
    except discord.Forbidden:
        _log.warning("the board post in %s is not pinned: the permission to pin is missing", where)
    except discord.HTTPException as error:
        if error.code != PINS_FULL:
            raise
        _log.warning("the board post in %s is not pinned: no more can be pinned there", where)
