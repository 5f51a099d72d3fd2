"""Posting: the thread, the lines, the board post, the turn message and the end of each game."""

import io
from collections.abc import Sequence

import discord

from bot.client import texts
from bot.client.boards import Boards
from bot.client.pictures import Pictures
from bot.client.posts import picture_file
from bot.client.threads import Threads
from bot.client.turns import Turns
from bot.table import notices
from bot.table.history import recorded
from bot.table.notices import Line
from bot.table.sender import Mark
from bot.table.service import Tables
from bot.table.style import sentence_list, strong
from engine.record import write_record
from engine.tell.viewing import map_view, score_view
from render import scores_csv, scores_text
from storage.outbox import Posting


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
        await mark(kinds.get(notices.OPEN, []))
        for posting in kinds.get(notices.LINE, []):
            await self._line(game_id, posting, unsure)
            await mark([posting])
        turns = kinds.get(notices.TURN)
        # When the game has moved on meanwhile, these rows wait for the next one, and are told with it.
        if turns and await self._turns.show(game_id, turns, unsure):
            await mark(turns)
        if notices.END in kinds:
            await self._end(game_id, unsure)
            await mark(kinds[notices.END])
        if notices.BOARD in kinds:
            await self._boards.show(game_id)
            await mark(kinds[notices.BOARD])

    async def _line(self, game_id: int, posting: Posting, unsure: bool) -> None:
        line = Line.read(posting.payload)
        thread, _ = await self._threads.of(game_id)
        cut = texts.pieces(line.text)
        for number, piece in enumerate(cut):
            if unsure and await self._threads.own(thread, lambda m, piece=piece: m.content == piece):  # type: ignore[misc]
                continue
            files = await self._close_up(game_id, line) if number == len(cut) - 1 else []
            await thread.send(piece, files=files, silent=True, nonce=f"{posting.id}.{number}")

    async def _close_up(self, game_id: int, line: Line) -> list[discord.File]:
        if not line.hexes:
            return []
        async with self._tables.reading(game_id) as live:
            view, pictures = map_view(live.game), self._pictures.in_server(live.row.guild_id)
        picture = await pictures.map(view, line.hexes)
        return [picture_file(picture, "closeup.png", f"The map around {', '.join(line.hexes)}")]

    async def _end(self, game_id: int, unsure: bool) -> None:
        thread, live = await self._threads.of(game_id)
        if not live.game.over:
            return  # the last move was taken back before this was posted
        view, whole = score_view(live.game), write_record(recorded(live))
        names = sentence_list(seat.display_name for seat in live.seats)
        text = f"{strong(view.ending)}\n```\n{scores_text(view)}\n```\nThank you for the game, {names}!"
        if any(row.kind == "accept" for row in live.counting):
            text += "\n-# The rules have changed meanwhile: the file tells every move, but cannot be played again."
        if not (unsure and await self._threads.own(thread, lambda m: m.content == text)):
            files = [
                picture_file(await self._pictures.scores(view), "scores.png", "The score sheet"),
                discord.File(io.BytesIO(scores_csv(view).encode()), "scores.csv"),
                discord.File(io.BytesIO(whole.encode()), f"game-{game_id}.json"),
            ]
            await thread.send(text, files=files)
        # An archived thread takes no edits: the last position is shown before.
        await self._boards.show(game_id)
        await self._threads.archive(thread)
