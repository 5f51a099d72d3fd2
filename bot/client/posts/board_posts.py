"""The board post of each game: the first in its thread, pinned, edited where map, market, round or turn has changed."""

import logging
from typing import Final, NamedTuple, Self, TypeAlias

import discord

from bot.client.game_texts import board_title
from bot.client.pictures import Pictures
from bot.client.places.messages import Board, KeptFile, board_of, files_shown, listed
from bot.client.places.threads import Threads
from bot.client.requests.problems import UNKNOWN_CHANNEL
from bot.client.requests.request_limits import OldEdits, is_old
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
    """What a board post shows: the position after which move, what it says of round and turn, and its pictures."""

    seq: int
    says: str
    pictures: tuple[int, ...]
    """Their fingerprints."""
    files: tuple[KeptFile | None, ...]
    """Their files, as far as they are known."""

    @classmethod
    def of(cls, board: Board, message: discord.Message) -> Self:
        """What a post shows that was made of this."""
        return cls(board.seq, board.says, _prints(board), tuple(files_shown(message)))

    def shows(self, board: Board) -> bool:
        """Whether nothing else would be seen of this."""
        return (self.says, self.pictures) == (board.says, _prints(board))


_Edited: TypeAlias = tuple[discord.Message | None, _Shown]
"""The post as it was edited, None where that was not needed, and what it shows."""


class Boards:
    """Shows the position of each game in one post; a picture is uploaded where it has changed."""

    def __init__(self, tables: Tables, threads: Threads, pictures: Pictures, old_edits: OldEdits) -> None:
        self._tables = tables
        self._threads = threads
        self._pictures = pictures
        self._shown: BoundedDict[int, _Shown] = BoundedDict(SHOWN)
        """By game; those that this process has posted or edited, and pinned."""
        self._locks = Locks()
        self._old = old_edits

    async def open(self, row: games.Game, unsure: bool) -> None:
        """Make the thread with its board post, if it is not there: whichever row comes first after the start."""
        # Once it is there, no text waits for the lock: its holder may be drawing.
        if row.board_message_id is not None:
            return
        async with self._locks.of(row.id):
            found = await games.get_game(self._tables.db, row.id)
            if found.board_message_id is None:
                await self._post(await self._threads.make(found), found, unsure)

    async def show(self, game_id: int, unsure: bool, *, again: bool = False) -> None:
        """Bring the board post up to date; one that is gone is posted anew, one that was not pinned is pinned.

        That is noticed where it must be edited, or everything is to be shown `again`.
        """
        async with self._locks.of(game_id):
            thread = await self._threads.of(game_id)
            async with self._tables.reading(game_id) as live:
                row, seq = live.row, live.seq
            if again:
                self._shown.pop(game_id, None)
            shown = self._shown.get(game_id)
        if shown is None or shown.seq != seq:
            await self._edit(thread, row, unsure)

    async def pin(self, game_id: int) -> None:
        """Pin the board post, unless this process has seen to it; it may be pinned already."""
        thread = await self._threads.of(game_id)
        row = await games.get_game(self._tables.db, game_id)
        if row.board_message_id is not None and game_id not in self._shown:
            await _pin(thread.get_partial_message(row.board_message_id))

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
        if row.id not in self._shown and edited is not None and not edited.pinned:
            await _pin(edited)  # a crash came between
        self._shown[row.id] = shown

    async def _opened(
        self, thread: discord.PartialMessageable, post: discord.PartialMessage, game_id: int
    ) -> _Edited:
        """Edit the board post, also in a thread that is archived; after the end it archives itself again."""
        try:
            return await self._draw(post, game_id)
        except discord.HTTPException as error:
            if error.code != ARCHIVED:
                raise
        await self._threads.open(thread)
        return await self._draw(post, game_id)

    async def _draw(self, post: discord.PartialMessage, game_id: int) -> _Edited:
        """Edit the board post where something else is to be seen."""
        before = self._shown.get(game_id)
        board = await board_of(self._tables, self._pictures, game_id)
        if before is not None and before.shows(board):
            return None, before._replace(seq=board.seq)
        if not is_old(post.id):
            return await self._shown_in(post, board, before)
        async with self._old.place(post.channel.id, post.id):
            # It may have had to wait: of several moves that were made meanwhile the last is shown, once.
            board = await board_of(self._tables, self._pictures, game_id)
            return await self._shown_in(post, board, before)

    async def _shown_in(self, post: discord.PartialMessage, board: Board, before: _Shown | None) -> _Edited:
        if before is None:
            return await _uploaded(post, board)
        if before.pictures != _prints(board):
            return await _changed(post, board, before) or await _uploaded(post, board)
        # What an edit does not name stays as it is.
        edited = await post.edit(content=board.text)
        return edited, before._replace(seq=board.seq, says=board.says)

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
        self._shown[row.id] = _Shown.of(board, message)

    async def _note(self, game_id: int, message: discord.Message) -> None:
        await self._tables.posted(game_id, board=message.id)
        await _pin(message)


async def _uploaded(post: discord.PartialMessage, board: Board) -> _Edited:
    edited = await post.edit(content=board.text, embeds=board.embeds(), attachments=board.files())
    return edited, _Shown.of(board, edited)


def _prints(board: Board) -> tuple[int, ...]:
    return tuple(map(hash, board.pictures))


async def _changed(post: discord.PartialMessage, board: Board, before: _Shown) -> _Edited | None:
    """Upload only the picture that has changed; None where the other file is not known, or was not kept."""
    prints = _prints(board)
    if len(before.files) != len(prints):
        return None
    kept = [file for file, was in zip(before.files, before.pictures, strict=True) if was in prints]
    if not kept or None in kept:
        return None
    files = [file for file, now in zip(board.files(), prints, strict=True) if now not in before.pictures]
    edited = await post.edit(
        content=board.text, embeds=board.embeds(), attachments=listed([*filter(None, kept), *files])
    )
    shown = _Shown.of(board, edited)
    return (edited, shown) if kept[0] in shown.files and None not in shown.files else None


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
