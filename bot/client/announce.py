"""Posting: the thread, the lines, the board post, the turn message and the end of each game."""

import io
from collections.abc import Mapping, Sequence
from typing import Final

import discord

from bot.client import texts
from bot.client.boards import Boards
from bot.client.pictures import Pictures
from bot.client.posts import picture_file
from bot.client.threads import Threads
from bot.client.turns import Turns
from bot.table import notices
from bot.table.history import recorded
from bot.table.live import Live
from bot.table.notices import Line
from bot.table.sender import Mark
from bot.table.service import Tables
from bot.table.style import sentence_list, strong
from engine.record import write_record
from engine.tell.viewing import map_view, score_view
from render import scores_csv, scores_text
from storage.outbox import Posting

WORDS: Final = frozenset({notices.LINE, notices.TURN, notices.END})
"""Rows that become messages of their own."""


class Poster:
    """Brings what the outbox holds into a game's thread; told twice, it posts once."""

    def __init__(self, client: discord.Client, tables: Tables, pictures: Pictures) -> None:
        self._tables = tables
        self._pictures = pictures
        self._threads = Threads(client, tables)
        self._boards = Boards(tables, self._threads, pictures)
        self._turns = Turns(tables, self._threads)

    async def deliver(self, game_id: int, postings: Sequence[Posting], mark: Mark, *, unsure: bool) -> None:
        """Post rows of one game: its thread, lines in order, then the newest turn, the end, and the board."""
        kinds: dict[str, list[Posting]] = {}
        for posting in postings:
            kinds.setdefault(posting.kind, []).append(posting)
        await self._boards.open(game_id, unsure)
        if notices.OPEN in kinds:
            if unsure:
                await self._boards.pin(game_id)
            await mark(kinds[notices.OPEN])
        if kinds.keys() & WORDS:
            # What may have been posted before a crash is not posted again, however much was written since.
            found = await self._threads.since(game_id, postings) if unsure else []
            await self._words(game_id, kinds, mark, found)
        if notices.BOARD in kinds:
            await self._boards.show(game_id, unsure)
            await mark(kinds[notices.BOARD])

    async def _words(
        self, game_id: int, kinds: Mapping[str, list[Posting]], mark: Mark, found: Sequence[discord.Message]
    ) -> None:
        for posting in kinds.get(notices.LINE, []):
            await self._line(game_id, posting, found)
            await mark([posting])
        turns = kinds.get(notices.TURN)
        # When the game has moved on meanwhile, these rows wait for the next one, and are told with it.
        if turns and await self._turns.show(game_id, turns, found):
            await mark(turns)
        if notices.END in kinds:
            await self._end(game_id, found)
            await mark(kinds[notices.END])

    async def _line(self, game_id: int, posting: Posting, found: Sequence[discord.Message]) -> None:
        line = Line.read(posting.payload)
        thread = await self._threads.of(game_id)
        cut = texts.pieces(line.text)
        for number, piece in enumerate(cut):
            if _among(found, piece):
                continue
            files = await self._close_up(game_id, line) if number == len(cut) - 1 else []
            await thread.send(piece, files=files, silent=True, nonce=f"{posting.id}.{number}")

    async def _close_up(self, game_id: int, line: Line) -> list[discord.File]:
        if not line.hexes:
            return []
        async with self._tables.reading(game_id) as live:
            view = map_view(live.game)
        picture = await self._pictures.map(view, line.hexes)
        return [picture_file(picture, "closeup.png", f"The map around {', '.join(line.hexes)}")]

    async def _end(self, game_id: int, found: Sequence[discord.Message]) -> None:
        thread = await self._threads.of(game_id)
        async with self._tables.reading(game_id) as live:
            over, text = live.game.over, _farewell(live)
        if not over:
            return  # the last move was taken back before this was posted
        told = _among(found, text)
        if told and await self._threads.closed(thread):
            return  # all was done, but for ticking it off
        if not told:
            await thread.send(text, files=await self._papers(live), nonce=f"end.{game_id}.{live.seq}")
        # An archived thread takes no edits: the last position is shown before.
        await self._boards.show(game_id, bool(found))
        await self._threads.close(thread)

    async def _papers(self, live: Live) -> list[discord.File]:
        """The score sheet as picture and table, and the whole game."""
        view, whole = score_view(live.game), write_record(recorded(live))
        return [
            picture_file(await self._pictures.scores(view), "scores.png", "The score sheet"),
            discord.File(io.BytesIO(scores_csv(view).encode()), "scores.csv"),
            discord.File(io.BytesIO(whole.encode()), f"game-{live.id}.json"),
        ]


def _farewell(live: Live) -> str:
    view = score_view(live.game)
    names = sentence_list(seat.display_name for seat in live.seats)
    text = f"{strong(view.ending)}\n```\n{scores_text(view)}\n```\nThank you for the game, {names}!"
    if any(row.kind == "accept" for row in live.counting):
        text += (
            "\n-# The rules have changed meanwhile: the file tells every move, but cannot be played again."
        )
    return text


def _among(found: Sequence[discord.Message], text: str) -> bool:
    """Whether one of these says this; Discord trims what it is given."""
    return any(message.content == text.strip() for message in found)
