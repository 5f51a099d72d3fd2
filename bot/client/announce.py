"""Posting: the thread, the lines, the board post, the turn message and the end of each game."""

import asyncio
import io
import logging
from collections.abc import Sequence
from typing import Final

import discord

from bot.client import panel, texts
from bot.client.pictures import Pictures
from bot.client.posts import Test, board_embeds, delete, picture_file, thread_from, turn_of
from bot.table import notices
from bot.table.history import recorded
from bot.table.live import Live
from bot.table.notices import HandOver, Line
from bot.table.offered import offered
from bot.table.sender import Mark
from bot.table.service import Tables
from bot.table.style import sentence_list, strong
from engine.core.ids import PlayerId
from engine.record import write_record
from engine.tell.viewing import map_view, market_view, score_view
from render import scores_csv, scores_text
from storage import games, seats
from storage.outbox import Posting

_log = logging.getLogger("stationmaster.announce")

LOOK_BACK: Final = 50
"""Messages looked through for what was posted just before a crash."""


class Poster:
    """Brings what the outbox holds into a game's thread; told twice, it posts once."""

    def __init__(self, client: discord.Client, tables: Tables, pictures: Pictures) -> None:
        self._client = client
        self._tables = tables
        self._pictures = pictures
        self._shown: dict[int, int] = {}
        self._boards: dict[int, asyncio.Lock] = {}
        self._doubtful: set[int] = set()
        """Games whose thread may hold a turn message that was not written down."""

    async def deliver(self, game_id: int, postings: Sequence[Posting], mark: Mark, *, unsure: bool) -> None:
        """Post rows of one game: its thread, lines in order, then the newest turn, the end, and the board."""
        kinds: dict[str, list[Posting]] = {}
        for posting in postings:
            kinds.setdefault(posting.kind, []).append(posting)
        await self._open(game_id, unsure)
        await mark(kinds.get(notices.OPEN, []))
        for posting in kinds.get(notices.LINE, []):
            await self._line(game_id, posting, unsure)
            await mark([posting])
        turns = kinds.get(notices.TURN)
        # When the game has moved on meanwhile, these rows wait for the next one, and are told with it.
        if turns and await self._turn(game_id, turns, unsure):
            await mark(turns)
        if notices.END in kinds:
            await self._end(game_id, unsure)
            await mark(kinds[notices.END])
        if notices.BOARD in kinds:
            await self._board(game_id)
            await mark(kinds[notices.BOARD])

    async def _open(self, game_id: int, unsure: bool) -> None:
        """Make the thread with its board post, if it is not there: whichever row comes first after the start."""
        async with self._board_lock(game_id):
            row = await games.get_game(self._tables.db, game_id)
            if row.board_message_id is None:
                await self._make_thread(row, unsure)

    def _board_lock(self, game_id: int) -> asyncio.Lock:
        return self._boards.setdefault(game_id, asyncio.Lock())

    async def _make_thread(self, row: games.Game, unsure: bool) -> None:
        game_id = row.id
        people = [seat.display_name for seat in await seats.seats(self._tables.db, game_id)]
        name = texts.thread_name(game_id, row.name, people)
        thread_id = await self._thread(row, name)
        await self._tables.show_in(game_id, thread_id)
        thread = self._messageable(thread_id, row.guild_id)
        title = f"{row.name}, game {game_id}"
        message = (
            await self._own(thread, lambda m: any(e.title == title for e in m.embeds)) if unsure else None
        )
        if message is None:
            embeds, files, seq = await self._board_parts(game_id)
            message = await thread.send(embeds=embeds, files=files, silent=True)
            self._shown[game_id] = seq
        await self._tables.posted(game_id, board=message.id)
        await self._pin(message)

    async def _thread(self, row: games.Game, name: str) -> int:
        channel = self._messageable(row.channel_id, row.guild_id)
        if row.thread_id is not None:
            try:
                return await thread_from(channel.get_partial_message(row.thread_id), name)
            except discord.NotFound:
                _log.info("game %s: the lobby message is gone; the thread gets another", row.id)
        opener = await channel.send(texts.game_title(row), silent=True)
        await self._tables.show_in(row.id, opener.id)
        return await thread_from(channel.get_partial_message(opener.id), name)

    async def _line(self, game_id: int, posting: Posting, unsure: bool) -> None:
        line = Line.read(posting.payload)
        thread, _ = await self._place(game_id)
        cut = texts.pieces(line.text)
        for number, piece in enumerate(cut):
            if unsure and await self._own(thread, lambda m, piece=piece: m.content == piece):  # type: ignore[misc]
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

    async def _board(self, game_id: int) -> None:
        async with self._board_lock(game_id):
            await self._show_board(game_id)

    async def _show_board(self, game_id: int) -> None:
        async with self._tables.reading(game_id) as live:
            if self._shown.get(game_id) == live.seq:
                return
        thread, live = await self._place(game_id)
        embeds, files, seq = await self._board_parts(game_id)
        assert live.row.board_message_id is not None
        board = thread.get_partial_message(live.row.board_message_id)
        try:
            await board.edit(embeds=embeds, attachments=files)
        except discord.NotFound:
            # Somebody deleted the board post: a new one takes its place.
            embeds, files, seq = await self._board_parts(game_id)
            message = await thread.send(embeds=embeds, files=files, silent=True)
            await self._tables.posted(game_id, board=message.id)
            await self._pin(message)
        self._shown[game_id] = seq

    async def _board_parts(self, game_id: int) -> tuple[list[discord.Embed], list[discord.File], int]:
        async with self._tables.reading(game_id) as live:
            seq = live.seq
            on_map, on_market = map_view(live.game), market_view(live.game)
            embeds = board_embeds(live)
        files = [
            picture_file(await self._pictures.map(on_map), "map.png", "The map"),
            picture_file(await self._pictures.market(on_market), "market.png", "The stock market"),
        ]
        return embeds, files, seq

    async def _turn(self, game_id: int, postings: Sequence[Posting], unsure: bool) -> bool:
        overs = [HandOver.read(posting.payload) for posting in postings]
        if unsure:
            self._doubtful.add(game_id)
        async with self._tables.reading(game_id) as live:
            if live.seq != postings[-1].seq:
                return False
            old = live.row.turn_message_id
            acting = live.game.actors()
            pinged = notices.still_to_ping(overs, acting)
            content = texts.turn_text(live, pinged)
            # The best routes are worked out here; the event loop must go on meanwhile.
            entries = () if live.game.over else await asyncio.to_thread(offered, live)
            view = panel.turn_panel(live, entries)
            same, over = turn_of(live, content), live.game.over
        thread, _ = await self._place(game_id)
        if not over:
            sent = await self._own(thread, same) if game_id in self._doubtful else None
            if sent is None:
                sent = await self._send_turn(thread, content, live, pinged, view)
            await self._tables.posted(game_id, turn=sent.id)
            old = None if old == sent.id else old
        if old is not None:
            await delete(thread.get_partial_message(old))
        if game_id in self._doubtful:
            await self._sweep(thread, game_id)
            self._doubtful.discard(game_id)
        return True

    async def _sweep(self, thread: discord.PartialMessageable, game_id: int) -> None:
        """Delete a turn message that was posted, but not written down before a crash."""
        async with self._tables.reading(game_id) as live:
            kept = live.row.turn_message_id
        me = self._client.user
        stale = [
            message
            async for message in thread.history(limit=LOOK_BACK)
            if me is not None and message.author.id == me.id and message.id != kept and message.components
        ]
        for message in stale:
            await delete(message)

    async def _send_turn(
        self,
        thread: discord.PartialMessageable,
        content: str,
        live: Live,
        pinged: Sequence[PlayerId],
        view: discord.ui.View,
    ) -> discord.Message:
        people = [discord.Object(live.user_of(player)) for player in pinged]
        allowed = discord.AllowedMentions(everyone=False, roles=False, users=people, replied_user=False)
        return await thread.send(content, view=view, allowed_mentions=allowed, silent=not pinged)

    async def _end(self, game_id: int, unsure: bool) -> None:
        thread, live = await self._place(game_id)
        if not live.game.over:
            return  # the last move was taken back before this was posted
        view, whole = score_view(live.game), write_record(recorded(live))
        names = sentence_list(seat.display_name for seat in live.seats)
        text = f"{strong(view.ending)}\n```\n{scores_text(view)}\n```\nThank you for the game, {names}!"
        if any(row.kind == "accept" for row in live.counting):
            text += "\n-# The rules have changed meanwhile: the file tells every move, but cannot be played again."
        if not (unsure and await self._own(thread, lambda m: m.content == text)):
            files = [
                picture_file(await self._pictures.scores(view), "scores.png", "The score sheet"),
                discord.File(io.BytesIO(scores_csv(view).encode()), "scores.csv"),
                discord.File(io.BytesIO(whole.encode()), f"game-{game_id}.json"),
            ]
            await thread.send(text, files=files)
        # An archived thread takes no edits: the last position is shown before.
        await self._board(game_id)
        channel = self._client.get_channel(thread.id) or await self._client.fetch_channel(thread.id)
        if isinstance(channel, discord.Thread):
            await channel.edit(archived=True)

    async def _place(self, game_id: int) -> tuple[discord.PartialMessageable, Live]:
        async with self._tables.reading(game_id) as live:
            assert live.row.thread_id is not None
            return self._messageable(live.row.thread_id, live.row.guild_id), live

    def _messageable(self, channel_id: int, guild_id: int) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel_id, guild_id=guild_id)

    async def _own(self, thread: discord.PartialMessageable, same: Test) -> discord.Message | None:
        me = self._client.user
        async for message in thread.history(limit=LOOK_BACK):
            if me is not None and message.author.id == me.id and same(message):
                return message
        return None

    async def _pin(self, message: discord.Message) -> None:
        try:
            await message.pin()
        except discord.Forbidden:
            _log.warning(
                "the board post in %s is not pinned: the permission to pin is missing", message.channel.id
            )
