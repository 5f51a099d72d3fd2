"""Posting of the outbox: thread, lines, board, turn and end of each game."""

import logging
from collections.abc import Mapping, Sequence
from typing import Final

import discord

from bot.client.bot_client import BotClient
from bot.client.features import lobby_messages, proposals
from bot.client.requests.permission_problems import POSTS, UNKNOWN_CHANNEL, Problem, describe_refusal
from bot.client.thread.board_post import Boards
from bot.client.thread.desired import (
    END,
    LINE,
    PAPERS,
    PING,
    PROPOSAL,
    ROUND,
    TURN,
    Post,
    WaitingRows,
    line_posts,
    round_post,
)
from bot.client.thread.doubts import DoubtfulMessages, look_for_messages
from bot.client.thread.final_posts import FinalFiles, farewell, fate, heading_of_papers, once_more, papers
from bot.client.thread.pictures_of_posts import SCORES, Picture
from bot.client.thread.preparations import Preparations
from bot.client.thread.turn_lines import belongs_to_turn
from bot.table.outbox import notices
from bot.table.outbox.notices import ThreadPing
from bot.table.outbox.sender import MarkSent
from storage import GameRow, Posting, games, messages, outbox, parse_timestamp, seats

_log = logging.getLogger("stationmaster.announce")

LINES: Final = frozenset({notices.PING, notices.LINE})
"""Rows that need no position, so that they are posted of a damaged game, too."""
WORDS: Final = LINES | {notices.PROPOSAL, notices.TABLE, notices.TURN, notices.END}
"""Rows that become messages of their own."""


IN_WORDS: Final = (PING, LINE, PROPOSAL, ROUND, TURN, END)
"""The roles of the messages that these become."""


class Poster:
    """Posts outbox rows into a game's thread; repeatable without doubles."""

    def __init__(self, client: BotClient) -> None:
        self._client = client
        self._tables, self._threads, self._pictures = client.tables, client.threads, client.pictures
        self._applier = client.applier
        self._boards = Boards(client.tables, client.threads, client.pictures, client.applier)
        self._prepared = Preparations[FinalFiles]()

    async def deliver(self, game: GameRow, postings: Sequence[Posting], mark_sent: MarkSent) -> None:
        """Post rows of one game: its thread, lines in order, newest turn, end, and board.

        Rows that become no message of their own are ticked off together, at the end.
        """
        kinds: dict[str, list[Posting]] = {}
        done = list[Posting]()
        for posting in postings:
            kinds.setdefault(posting.kind, []).append(posting)
        try:
            row = await self._client.lost_threads.ensure_thread(game)
            if row is None:
                return  # there is another thread now, and what it needs is in the outbox as well
            shown = True
            if await self._is_shown(row):
                shown = await self._deliver(row, kinds, mark_sent, done)
            else:
                await self._tell_only(row, kinds, mark_sent)
                done += [posting for posting in postings if posting.kind not in LINES]
            await self._threads.forums.show_tags(row)
        except discord.HTTPException as error:
            if error.code == UNKNOWN_CHANNEL:
                self._client.lost_threads.doubt(game.id)
            await self._record_problem(game.id, describe_refusal(self._client, error))
            raise
        finally:
            if done:
                await mark_sent(done, None, ())
        if shown and self._client.delivery_problems.clear(game.id, POSTS) and row.status == "running":
            await self._say_of_lobby(game.id, "has started")

    async def _deliver(
        self,
        row: GameRow,
        kinds: Mapping[str, list[Posting]],
        mark_sent: MarkSent,
        done_postings: list[Posting],
    ) -> bool:
        """Post these rows; False if some must wait, since the game has moved on."""
        game_id, shown = row.id, True
        await self._boards.ensure_board(row)
        if notices.OPEN in kinds:
            await self._boards.pin(game_id)
            done_postings += kinds[notices.OPEN]
        boards = kinds.get(notices.BOARD, [])
        if boards:
            self._boards.start_drawing(game_id, boards)
        if kinds.keys() & WORDS:
            shown = await self._post_words(row, kinds, mark_sent, done_postings)
        while boards:
            done_postings += await self._boards.show(game_id, boards)
            boards = [posting for posting in boards if posting not in done_postings]
        if notices.PAPERS in kinds:
            await self._post_files(row, mark_sent)
            done_postings += kinds[notices.PAPERS]
        return shown

    async def _is_shown(self, row: GameRow) -> bool:
        """True if a game has a position for a turn message and a board."""
        return row.status != "abandoned" and await self._tables.damage(row.id) is None

    async def _tell_only(self, row: GameRow, kinds: Mapping[str, list[Posting]], mark_sent: MarkSent) -> None:
        """Post only the lines of an abandoned or unloadable game, and remove its buttons."""
        game_id = row.id
        if row.board_message_id is None:
            await self._threads.make(row)
        await self._post_lines(game_id, kinds, await self._doubts(row), mark_sent)
        if notices.TURN in kinds:
            await self._client.turns.remove(game_id)
        if row.status == "abandoned":
            await self._threads.archive_soon(await self._threads.thread_of(game_id))
            await self._edit_lobby(row, "was abandoned")

    async def _doubts(self, row: GameRow, roles: Sequence[str] = IN_WORDS) -> DoubtfulMessages:
        return await look_for_messages(self._tables, self._threads, row, roles)

    async def _record_problem(self, game_id: int, why: str) -> None:
        """Record a delivery problem; without a thread, show it on the lobby message."""
        if self._client.delivery_problems.record(game_id, POSTS, why):
            await self._say_of_lobby(game_id, f"has started, but I cannot create its thread yet. {why}")

    async def _say_of_lobby(self, game_id: int, fate: str) -> None:
        row = await games.get_game(self._tables.db, game_id)
        if row.board_message_id is not None and fate != "has started":
            return  # there is a thread
        await self._edit_lobby(row, fate)

    async def _edit_lobby(self, row: GameRow, fate: str) -> None:
        """Show the game's outcome on the lobby message."""
        people = [seat.display_name for seat in await seats.seats(self._tables.db, row.id)]
        try:
            await lobby_messages.close_message(self._client, row, people, fate)
        except Problem as error:
            _log.warning("game %s: cannot update its lobby message (it %s): %r", row.id, fate, error)

    async def _post_words(
        self,
        row: GameRow,
        kinds: Mapping[str, list[Posting]],
        mark_sent: MarkSent,
        done_postings: list[Posting],
    ) -> bool:
        game_id, doubts = row.id, await self._doubts(row)
        turns, lines = kinds.get(notices.TURN), kinds.get(notices.LINE, [])
        rounds = kinds.get(notices.TABLE, [])
        moves = [row for row in lines if turns and belongs_to_turn(row.payload)]
        alone = {**kinds, notices.LINE: [row for row in lines if row not in moves]}
        await self._post_lines(game_id, alone, doubts, mark_sent)
        for posting in kinds.get(notices.PROPOSAL, []):
            await proposals.post(self._client, game_id, posting, doubts, mark_sent)
        if rounds and not turns:
            await self._applier.send(game_id, round_post(rounds), doubts, mark_sent)
        waiting = WaitingRows(turns or [], moves, rounds, doubts.line_keys)
        # When the game has moved on meanwhile, these rows wait for the next one, and are posted with it.
        left = await self._client.turns.show(game_id, waiting, doubts, mark_sent) if turns else []
        if turns and left is not None:
            await self._client.departed_members.check_pinged(game_id, waiting.newly_on_turn)
            done_postings += left
        if notices.END in kinds:
            await self._post_end(game_id, doubts, mark_sent)
            done_postings += kinds[notices.END]
        return left is not None

    async def _post_lines(
        self, game_id: int, kinds: Mapping[str, list[Posting]], doubts: DoubtfulMessages, mark_sent: MarkSent
    ) -> None:
        now = parse_timestamp(self._tables.clock())
        pings = [_ping_post(posting) for posting in kinds.get(notices.PING, [])]
        for post in [*pings, *line_posts(kinds.get(notices.LINE, []), doubts.line_keys, now)]:
            await self._applier.send(game_id, post, doubts, mark_sent)

    async def _post_end(self, game_id: int, doubts: DoubtfulMessages, mark_sent: MarkSent) -> None:
        thread = await self._threads.thread_of(game_id)
        async with self._tables.reading(game_id) as live:
            over, text, seq = live.game.over, farewell(live), live.seq
            people, in_channel = tuple(live.people), fate(live)
        if not over:
            await self._threads.keep_open(thread)
            await self._edit_lobby(await games.get_game(self._tables.db, game_id), in_channel)
            return
        db, key = self._tables.db, str(seq)
        there = await messages.newest_of_role(db, game_id, END, key)
        if there is None:
            view, sheet = once_more(live), (SCORES,)
            result = Post(END, text, key, view, pictures=sheet, users=people, silent=False)
            await self._applier.send(game_id, result, doubts, mark_sent)
        if there is None or not await self._threads.is_ended(thread):
            # An archived thread takes no edits: the last position is shown before.
            await self._boards.show(game_id)
            await self._threads.archive_soon(thread)
        await self._edit_lobby(await games.get_game(db, game_id), in_channel)
        if await outbox.add_once(db, game_id, seq, notices.PAPERS_NOTICE, self._tables.clock()):
            self._tables.on_notice(game_id)

    async def _post_files(self, row: GameRow, mark_sent: MarkSent) -> None:
        """Post slow files below the result, which is posted already."""
        async with self._tables.reading(row.id) as live:
            over, key = live.game.over, str(live.seq)
        doubts = await self._doubts(row, [PAPERS])
        if over and await messages.newest_of_role(self._tables.db, row.id, PAPERS, key) is None:
            last = FinalFiles([], [])
            if not doubts.has(PAPERS, key):
                pictures = self._pictures.for_questions().in_server(row.guild_id)
                self._prepared.start_making((row.id, key), lambda: papers(live, self._tables, pictures))
                last = await self._prepared.take_part((row.id, key))
            files, text = Picture(PAPERS, made=lambda: last.files), heading_of_papers(int(key))
            post = Post(PAPERS, text, key, embeds=tuple(last.embeds), pictures=(files,))
            await self._applier.send(row.id, post, doubts, mark_sent)


def _ping_post(posting: Posting) -> Post:
    ping = ThreadPing.read(posting.payload)
    roles = () if ping.role is None else (ping.role,)
    key, rows = str(posting.id), [posting]
    return Post(PING, ping.says(), key, users=ping.users, roles=roles, rows=rows, silent=False)
