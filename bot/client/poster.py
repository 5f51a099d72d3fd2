"""Posting: the thread, the lines, the board post, the turn message and the end of each game."""

import logging
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import discord

from bot.client.bot_client import BotClient
from bot.client.features import lobby_messages, proposals
from bot.client.posts import line_posts
from bot.client.posts.board_posts import Boards
from bot.client.posts.final_posts import farewell, fate, heading_of_papers, once_more, papers, sheet
from bot.client.posts.turn_records import TurnRows, is_of_turn
from bot.client.requests.problems import UNKNOWN_CHANNEL, Problem, in_words
from bot.table.outbox import notices
from bot.table.outbox.notices import ThreadPing, TurnChange
from bot.table.outbox.sender import MarkSent
from storage import Game, Posting, games, outbox, parse_timestamp, seats

_log = logging.getLogger("stationmaster.announce")

LINES: Final = frozenset({notices.PING, notices.LINE})
"""Rows that need no position, so that they are posted of a damaged game, too."""
WORDS: Final = LINES | {notices.PROPOSAL, notices.TABLE, notices.TURN, notices.END}
"""Rows that become messages of their own."""


class Poster:
    """Posts the outbox into a game's thread; run twice, it posts once."""

    def __init__(self, client: BotClient) -> None:
        self._client = client
        self._tables, self._threads, self._pictures = client.tables, client.threads, client.pictures
        self._boards = Boards(client.tables, client.threads, client.pictures, client.old_edits)

    async def deliver(
        self, game_id: int, postings: Sequence[Posting], mark: MarkSent, *, unsure: bool
    ) -> None:
        """Post rows of one game: its thread, lines in order, then the newest turn, the end, and the board."""
        kinds: dict[str, list[Posting]] = {}
        for posting in postings:
            kinds.setdefault(posting.kind, []).append(posting)
        queue = notices.queue_name(postings[0].kind)
        try:
            row = await self._client.lost_threads.ensure_thread(game_id)
            if row is None:
                return  # there is another thread now, and what it needs is in the outbox as well
            shown = True
            if await self._is_shown(row):
                shown = await self._deliver(row, kinds, mark, unsure)
            else:
                await self._tell_only(row, kinds, mark, unsure)
            await self._threads.show_tags(row)
        except discord.HTTPException as error:
            if error.code == UNKNOWN_CHANNEL:
                self._client.lost_threads.doubt(game_id)
            await self._note(game_id, queue, in_words(self._client, error))
            raise
        if shown and self._client.delivery_problems.clear(game_id, queue) and row.status == "running":
            await self._say_of_lobby(game_id, "has started")

    async def _deliver(
        self, row: Game, kinds: Mapping[str, list[Posting]], mark: MarkSent, unsure: bool
    ) -> bool:
        """Post these; False where some wait for the next, because the game has moved on meanwhile."""
        game_id, shown = row.id, True
        await self._boards.open(row, unsure)
        if notices.OPEN in kinds:
            if unsure:
                await self._boards.pin(game_id)
            await mark(kinds[notices.OPEN])
        if notices.PAPERS in kinds:
            await self._papers(game_id, await self._found(game_id, kinds, unsure))
            await mark(kinds[notices.PAPERS])
        if kinds.keys() & WORDS:
            shown = await self._words(game_id, kinds, mark, await self._found(game_id, kinds, unsure))
        if notices.BOARD in kinds:
            again = any(notices.is_asked_again(row.payload) for row in kinds[notices.BOARD])
            await self._boards.show(game_id, unsure, again=again)
            await mark(kinds[notices.BOARD])
        return shown

    async def _is_shown(self, row: Game) -> bool:
        """Whether a game has a position worth a turn message and a board."""
        return row.status != "abandoned" and await self._tables.damage(row.id) is None

    async def _tell_only(
        self, row: Game, kinds: Mapping[str, list[Posting]], mark: MarkSent, unsure: bool
    ) -> None:
        """Of a game that cannot be taken up, or was abandoned, nothing but lines is shown; its buttons go."""
        game_id = row.id
        if row.board_message_id is None:
            await self._threads.make(row)
        found = await self._found(game_id, kinds, unsure)
        await self._lines(game_id, kinds, mark, found)
        if notices.TURN in kinds:
            await self._client.turns.remove(game_id)
        if row.status == "abandoned":
            await self._threads.end(await self._threads.of(game_id))
            await self._edit_lobby(row, "was abandoned")
        rest = [p for kind, rows in kinds.items() if kind not in LINES for p in rows]
        if rest:
            await mark(rest)

    async def _found(
        self, game_id: int, kinds: Mapping[str, list[Posting]], unsure: bool
    ) -> list[discord.Message]:
        """What may have been posted before a crash is not posted again, however much was written since."""
        return (
            await self._threads.since(game_id, [p for rows in kinds.values() for p in rows]) if unsure else []
        )

    async def _note(self, game_id: int, queue: str, why: str) -> None:
        """Keep why something cannot be posted; where there is no thread yet, the lobby message says so."""
        if self._client.delivery_problems.note(game_id, queue, why):
            await self._say_of_lobby(game_id, f"has started, but its thread cannot be made yet. {why}")

    async def _say_of_lobby(self, game_id: int, fate: str) -> None:
        row = await games.get_game(self._tables.db, game_id)
        if row.board_message_id is not None and fate != "has started":
            return  # there is a thread
        await self._edit_lobby(row, fate)

    async def _edit_lobby(self, row: Game, fate: str) -> None:
        """Let the lobby message say what has become of the game."""
        people = [seat.display_name for seat in await seats.seats(self._tables.db, row.id)]
        try:
            await lobby_messages.close(self._client, row, people, fate)
        except Problem as error:
            _log.warning("game %s: its lobby message cannot say that it %s: %r", row.id, fate, error)

    async def _words(
        self,
        game_id: int,
        kinds: Mapping[str, list[Posting]],
        mark: MarkSent,
        found: Sequence[discord.Message],
    ) -> bool:
        turns, lines = kinds.get(notices.TURN), kinds.get(notices.LINE, [])
        tables = kinds.get(notices.TABLE, [])
        moves = [row for row in lines if turns and is_of_turn(row.payload)]
        await self._lines(
            game_id, {**kinds, notices.LINE: [row for row in lines if row not in moves]}, mark, found
        )
        for posting in kinds.get(notices.PROPOSAL, []):
            await proposals.post(self._client, game_id, posting, found)
            await mark([posting])
        if tables and not turns:
            draw = partial(line_posts.table_pictures, self._tables, self._pictures, game_id)
            await line_posts.post_round(await self._threads.of(game_id), tables, found, draw)
            await mark(tables)
        # When the game has moved on meanwhile, these rows wait for the next one, and are posted with it.
        shown = not turns or await self._client.turns.show(
            game_id, TurnRows(turns, moves, tables, mark, found)
        )
        if turns and shown:
            fresh = [player for turn in turns for player in TurnChange.read(turn.payload).fresh]
            await self._client.departed_members.look(game_id, fresh)
            await mark(turns)
        if notices.END in kinds:
            await self._end(game_id, found)
            await mark(kinds[notices.END])
        return shown

    async def _lines(
        self,
        game_id: int,
        kinds: Mapping[str, list[Posting]],
        mark: MarkSent,
        found: Sequence[discord.Message],
    ) -> None:
        for posting in kinds.get(notices.PING, []):
            await self._ping(game_id, posting, found)
            await mark([posting])
        lines = kinds.get(notices.LINE, [])
        if lines:
            draw = partial(line_posts.close_up, self._tables, self._pictures, game_id)
            thread, now = await self._threads.of(game_id), parse_timestamp(self._tables.clock())
            await line_posts.post_lines(thread, lines, mark, found, draw, now)

    async def _ping(self, game_id: int, posting: Posting, found: Sequence[discord.Message]) -> None:
        ping = ThreadPing.read(posting.payload)
        if _saying(found, ping.says()) is None:
            thread = await self._threads.of(game_id)
            mentions = discord.AllowedMentions(
                users=[discord.Object(user) for user in ping.users],
                roles=[] if ping.role is None else [discord.Object(ping.role)],
            )
            await thread.send(ping.says(), allowed_mentions=mentions, nonce=f"call.{posting.id}")

    async def _end(self, game_id: int, found: Sequence[discord.Message]) -> None:
        thread = await self._threads.of(game_id)
        async with self._tables.reading(game_id) as live:
            over, text = live.game.over, farewell(live)
            people = [discord.Object(user_id) for user_id in live.people]
            in_channel = fate(live)
        if not over:
            await self._threads.keep_open(thread)
            await self._edit_lobby(await games.get_game(self._tables.db, game_id), in_channel)
            return
        posted = _saying(found, text) is not None
        if not posted:
            await thread.send(
                text,
                files=[await sheet(live, self._pictures)],
                view=once_more(live),
                allowed_mentions=discord.AllowedMentions(users=people),
                nonce=f"end.{game_id}.{live.seq}",
            )
        if not posted or not await self._threads.ended(thread):
            # An archived thread takes no edits: the last position is shown before.
            await self._boards.show(game_id, bool(found))
            await self._threads.end(thread)
        await self._edit_lobby(await games.get_game(self._tables.db, game_id), in_channel)
        db, now = self._tables.db, self._tables.clock()
        if await outbox.add_once(db, game_id, live.seq, notices.PAPERS_NOTICE, now):
            self._tables.on_notice(game_id)

    async def _papers(self, game_id: int, found: Sequence[discord.Message]) -> None:
        """Post what takes long to make, below the result, which is there already."""
        async with self._tables.reading(game_id) as live:
            over = live.game.over
        text = heading_of_papers(live.seq)
        if over and _saying(found, text) is None:
            pictures = self._pictures.asked().in_server(live.row.guild_id)
            last = await papers(live, self._tables, pictures)
            thread, nonce = await self._threads.of(game_id), f"papers.{game_id}.{live.seq}"
            await thread.send(text, files=last.files, embeds=last.embeds, silent=True, nonce=nonce)


def _saying(found: Sequence[discord.Message], text: str) -> discord.Message | None:
    """The first of these that says this; Discord trims what it is given."""
    return next((message for message in found if message.content == text.strip()), None)
