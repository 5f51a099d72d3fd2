"""Posts the outbox's notices in games' threads: lines, boards, turns, proposals, results."""

import logging
from collections.abc import Mapping, Sequence
from typing import Final

import discord

from bot.client.bot_client import BotClient
from bot.client.features import lobby_messages, proposals
from bot.client.requests.permission_problems import (
    DISCORD_ERRORS,
    POSTS_PROBLEM,
    UNKNOWN_CHANNEL_CODE,
    describe_refusal,
)
from bot.client.thread.board_post import BoardPosts
from bot.client.thread.desired import (
    END_ROLE,
    FILES_ROLE,
    LINE_ROLE,
    PING_ROLE,
    PROPOSAL_ROLE,
    ROUND_ROLE,
    TURN_ROLE,
    Post,
    WaitingRows,
    line_posts,
    round_post,
)
from bot.client.thread.doubts import UnconfirmedMessages, find_unconfirmed_messages
from bot.client.thread.final_posts import (
    FinalFiles,
    files_heading,
    final_files,
    outcome_text,
    result_buttons,
    result_text,
)
from bot.client.thread.pictures_of_posts import SCORES_PICTURE, Picture
from bot.client.thread.preparations import Preparations
from bot.client.thread.turn_lines import line_belongs_to_turn
from bot.table.outbox import notices
from bot.table.outbox.notices import ThreadPing
from bot.table.outbox.sender import MarkSent
from storage import GameRow, Posting, games, messages, outbox, parse_timestamp, seats

_log = logging.getLogger("stationmaster.announce")

LINE_KINDS: Final = frozenset({notices.PING_KIND, notices.LINE_KIND})
"""Kinds of notices (outbox rows) that need no position, so that they are posted even if the game is damaged."""
MESSAGE_KINDS: Final = LINE_KINDS | {
    notices.PROPOSAL_KIND,
    notices.ROUND_START_KIND,
    notices.TURN_KIND,
    notices.END_KIND,
}
"""Kinds of notices (outbox rows) that are shown in messages of a game's thread other than the board."""


MESSAGE_ROLES: Final = (PING_ROLE, LINE_ROLE, PROPOSAL_ROLE, ROUND_ROLE, TURN_ROLE, END_ROLE)
"""Roles of the messages in which notices are shown, such as `turn` or `line`."""


class Poster:
    """Posts notices (outbox rows) in games' threads. Posting a notice again creates no second message."""

    def __init__(self, client: BotClient) -> None:
        self._client = client
        self._tables, self._threads, self._pictures = client.tables, client.threads, client.pictures
        self._applier = client.applier
        self._boards = BoardPosts(client.tables, client.threads, client.pictures, client.applier)
        self._file_preparations = Preparations[FinalFiles]()

    async def deliver(self, game: GameRow, postings: Sequence[Posting], mark_sent: MarkSent) -> None:
        """Post the waiting notices of one game in its thread. `mark_sent` is called for notices that are posted."""
        rows_by_kind: dict[str, list[Posting]] = {}
        done_postings = list[Posting]()
        for posting in postings:
            rows_by_kind.setdefault(posting.kind, []).append(posting)
        try:
            row = await self._client.lost_threads.ensure_thread(game)
            if row is None:
                return  # a new thread was made, and its posts are in the outbox
            is_all_posted = True
            if await self._is_playable(row):
                is_all_posted = await self._deliver(row, rows_by_kind, mark_sent, done_postings)
            else:
                await self._post_only_lines(row, rows_by_kind, mark_sent)
                done_postings += [posting for posting in postings if posting.kind not in LINE_KINDS]
            await self._threads.forums.show_tags(row)
        except discord.HTTPException as error:
            if error.code == UNKNOWN_CHANNEL_CODE:
                self._client.lost_threads.mark_thread_as_doubtful(game.id)
            await self._record_problem(game.id, describe_refusal(self._client, error))
            raise
        finally:
            if done_postings:
                await mark_sent(done_postings, None, ())
        if (
            is_all_posted
            and self._client.delivery_problems.clear(game.id, POSTS_PROBLEM)
            and row.status == "running"
        ):
            await self._show_outcome_on_lobby(game.id, "has started")

    async def _deliver(
        self,
        row: GameRow,
        rows_by_kind: Mapping[str, list[Posting]],
        mark_sent: MarkSent,
        done_postings: list[Posting],
    ) -> bool:
        """Post a playable game's notices; False if some must wait because another move was stored meanwhile."""
        game_id, is_all_posted = row.id, True
        await self._boards.ensure_board(row)
        if notices.CREATE_THREAD_KIND in rows_by_kind:
            await self._boards.pin(game_id)
            done_postings += rows_by_kind[notices.CREATE_THREAD_KIND]
        board_rows = rows_by_kind.get(notices.BOARD_KIND, [])
        if board_rows:
            self._boards.start_drawing(game_id, board_rows)
        if rows_by_kind.keys() & MESSAGE_KINDS:
            is_all_posted = await self._post_messages(row, rows_by_kind, mark_sent, done_postings)
        while board_rows:
            done_postings += await self._boards.show(game_id, board_rows)
            board_rows = [posting for posting in board_rows if posting not in done_postings]
        if notices.GAME_FILES_KIND in rows_by_kind:
            await self._post_files(row, mark_sent)
            done_postings += rows_by_kind[notices.GAME_FILES_KIND]
        return is_all_posted

    async def _is_playable(self, row: GameRow) -> bool:
        return row.status != "abandoned" and await self._tables.damage(row.id) is None

    async def _post_only_lines(
        self, row: GameRow, rows_by_kind: Mapping[str, list[Posting]], mark_sent: MarkSent
    ) -> None:
        game_id = row.id
        if row.board_message_id is None:
            await self._threads.make_thread(row)
        await self._post_lines(game_id, rows_by_kind, await self._find_unconfirmed(row), mark_sent)
        if notices.TURN_KIND in rows_by_kind:
            await self._client.turns.remove_buttons(game_id)
        if row.status == "abandoned":
            await self._threads.archive_after_hour(await self._threads.thread_of(game_id))
            await self._edit_lobby(row, "was abandoned")

    async def _find_unconfirmed(
        self, row: GameRow, roles: Sequence[str] = MESSAGE_ROLES
    ) -> UnconfirmedMessages:
        return await find_unconfirmed_messages(self._tables, self._threads, row, roles)

    async def _record_problem(self, game_id: int, why: str) -> None:
        """Record a delivery problem; if the game has no thread yet, show it in the lobby message."""
        if self._client.delivery_problems.record(game_id, POSTS_PROBLEM, why):
            await self._show_outcome_on_lobby(
                game_id, f"has started, but I cannot create its thread yet. {why}"
            )

    async def _show_outcome_on_lobby(self, game_id: int, outcome: str) -> None:
        row = await games.get_game(self._tables.db, game_id)
        if row.board_message_id is not None and outcome != "has started":
            return  # the thread exists
        await self._edit_lobby(row, outcome)

    async def _edit_lobby(self, row: GameRow, outcome: str) -> None:
        player_names = [seat.display_name for seat in await seats.seats(self._tables.db, row.id)]
        try:
            await lobby_messages.close_message(self._client, row, player_names, outcome)
        except DISCORD_ERRORS as error:
            _log.warning("game %s: cannot update its lobby message (it %s): %r", row.id, outcome, error)

    async def _post_messages(
        self,
        row: GameRow,
        rows_by_kind: Mapping[str, list[Posting]],
        mark_sent: MarkSent,
        done_postings: list[Posting],
    ) -> bool:
        game_id, unconfirmed = row.id, await self._find_unconfirmed(row)
        turn_rows, line_rows = rows_by_kind.get(notices.TURN_KIND), rows_by_kind.get(notices.LINE_KIND, [])
        round_rows = rows_by_kind.get(notices.ROUND_START_KIND, [])
        move_lines = [row for row in line_rows if turn_rows and line_belongs_to_turn(row.payload)]
        other_rows = {**rows_by_kind, notices.LINE_KIND: [row for row in line_rows if row not in move_lines]}
        await self._post_lines(game_id, other_rows, unconfirmed, mark_sent)
        for posting in rows_by_kind.get(notices.PROPOSAL_KIND, []):
            await proposals.post_proposal(self._client, game_id, posting, unconfirmed, mark_sent)
        if round_rows and not turn_rows:
            await self._applier.send(game_id, round_post(round_rows), unconfirmed, mark_sent)
        waiting_rows = WaitingRows(turn_rows or [], move_lines, round_rows, unconfirmed.line_keys)
        # If rows were added meanwhile, the turn is not shown, and these rows are posted with the next one.
        done_turn_rows = (
            await self._client.turns.show(game_id, waiting_rows, unconfirmed, mark_sent) if turn_rows else []
        )
        if turn_rows and done_turn_rows is not None:
            await self._client.departed_members.check_pinged_players(game_id, waiting_rows.newly_on_turn)
            done_postings += done_turn_rows
        if notices.END_KIND in rows_by_kind:
            await self._post_result(game_id, unconfirmed, mark_sent)
            done_postings += rows_by_kind[notices.END_KIND]
        return done_turn_rows is not None

    async def _post_lines(
        self,
        game_id: int,
        rows_by_kind: Mapping[str, list[Posting]],
        unconfirmed: UnconfirmedMessages,
        mark_sent: MarkSent,
    ) -> None:
        now = parse_timestamp(self._tables.clock())
        ping_posts = [_ping_post(posting) for posting in rows_by_kind.get(notices.PING_KIND, [])]
        for post in [
            *ping_posts,
            *line_posts(rows_by_kind.get(notices.LINE_KIND, []), unconfirmed.line_keys, now),
        ]:
            await self._applier.send(game_id, post, unconfirmed, mark_sent)

    async def _post_result(self, game_id: int, unconfirmed: UnconfirmedMessages, mark_sent: MarkSent) -> None:
        thread = await self._threads.thread_of(game_id)
        async with self._tables.reading(game_id) as live:
            is_over, text, seq = live.game.is_over, result_text(live), live.seq
            user_ids, lobby_outcome = tuple(live.users), outcome_text(live)
        if not is_over:
            await self._threads.archive_after_week(thread)
            await self._edit_lobby(await games.get_game(self._tables.db, game_id), lobby_outcome)
            return
        db, key = self._tables.db, str(seq)
        posted_result = await messages.newest_message_of_role(db, game_id, END_ROLE, key)
        if posted_result is None:
            board_links = self._tables.board_links
            result_url = None if board_links.address is None else await board_links.result_url(game_id)
            view, result_pictures = result_buttons(live, result_url), (SCORES_PICTURE,)
            result_post = Post(
                END_ROLE, text, key, view, pictures=result_pictures, users=user_ids, silent=False
            )
            await self._applier.send(game_id, result_post, unconfirmed, mark_sent)
        if posted_result is None or not await self._threads.is_ended(thread):
            # An archived thread allows no edits, so the board is updated before.
            await self._boards.show(game_id)
            await self._threads.archive_after_hour(thread)
        await self._edit_lobby(await games.get_game(db, game_id), lobby_outcome)
        if await outbox.add_notice_once(db, game_id, seq, notices.GAME_FILES_NOTICE, self._tables.clock()):
            self._tables.on_notice(game_id)

    async def _post_files(self, row: GameRow, mark_sent: MarkSent) -> None:
        async with self._tables.reading(row.id) as live:
            is_over, key = live.game.is_over, str(live.seq)
        unconfirmed = await self._find_unconfirmed(row, [FILES_ROLE])
        if (
            is_over
            and await messages.newest_message_of_role(self._tables.db, row.id, FILES_ROLE, key) is None
        ):
            prepared_files = FinalFiles([], [])
            if not unconfirmed.was_sent(FILES_ROLE, key):
                pictures = self._pictures.for_questions().for_server(row.guild_id)
                self._file_preparations.start_making(
                    (row.id, key), lambda: final_files(live, self._tables, pictures)
                )
                prepared_files = await self._file_preparations.take_finished((row.id, key))
            picture, text = (
                Picture(FILES_ROLE, drawn_files=lambda: prepared_files.files),
                files_heading(int(key)),
            )
            post = Post(FILES_ROLE, text, key, embeds=tuple(prepared_files.embeds), pictures=(picture,))
            await self._applier.send(row.id, post, unconfirmed, mark_sent)


def _ping_post(posting: Posting) -> Post:
    ping = ThreadPing.read(posting.payload)
    roles = () if ping.role is None else (ping.role,)
    key, rows = str(posting.id), [posting]
    text = ping.message_text()
    return Post(PING_ROLE, text, key, users=ping.users, roles=roles, rows=rows, silent=ping.silent)
