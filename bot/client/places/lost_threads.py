"""Makes new threads for games whose thread was deleted. They start with the old thread's last lines, and the turn."""

from typing import Final

import discord

from bot.client.places.threads import Threads
from bot.client.requests.permission_problems import THREAD_PROBLEM, UNKNOWN_CHANNEL_CODE, DeliveryProblems
from bot.table.game_cache import GameLocks
from bot.table.outbox import notices
from bot.table.outbox.notices import Line, ThreadPing, TurnChange
from bot.table.tables import Tables
from storage import CARETAKER_USER, GameRow, games, log, outbox, proposals, seats

MAX_REPEATED_LINES: Final = 10
"""Number of the old thread's lines that are repeated in the new thread."""
MAX_REPEATED_CHARACTERS: Final = 1500
"""Character limit for lines repeated from the old thread; Discord allows 2000 in a message."""


class LostThreads:
    """Replaces deleted threads, so that each running game has a thread."""

    def __init__(
        self, client: discord.Client, tables: Tables, threads: Threads, delivery_problems: DeliveryProblems
    ) -> None:
        self._client = client
        self._tables = tables
        self._threads = threads
        self._delivery_problems = delivery_problems
        self._locks = GameLocks()
        self._doubtful_games: set[int] = set()

    def mark_thread_as_doubtful(self, game_id: int) -> None:
        """Note that Discord did not find a game's thread. Before the next post, the bot checks if it exists."""
        self._doubtful_games.add(game_id)

    async def ensure_thread(self, row: GameRow) -> GameRow | None:
        """Make sure that a game's thread exists and is open.

        Returns the game, or None if a new thread was made. `row` must be up to date. Raises Discord's errors.
        """
        is_being_moved = row.id in self._locks
        async with self._locks.lock_of(row.id):
            if is_being_moved:
                row = await games.get_game(self._tables.db, row.id)
            # Before the first board post the thread is only being made; after the end it is archived on purpose.
            if row.board_message_id is None or row.thread_id is None:
                return row
            if await self._thread_exists(row, row.thread_id):
                return row
            await self._make_new_thread(
                row, row.channel_id, "The old thread of this game was deleted; the game continues here."
            )
            return None

    async def move_to_new_thread(self, row: GameRow, channel_id: int, why: str) -> int:
        """Make a new thread for a game in a channel; returns the thread's id. Raises Discord's errors."""
        async with self._locks.lock_of(row.id):
            return await self._make_new_thread(row, channel_id, why)

    def record_missing_thread(self, row: GameRow) -> None:
        """Record that a game's thread was deleted, and the advice to show to its players."""
        self._tables.game_threads.record_lost_thread(row.id, row.channel_id)
        is_in_forum = isinstance(self._client.get_channel(row.channel_id), discord.ForumChannel)
        self._delivery_problems.record(
            row.id,
            THREAD_PROBLEM,
            missing_post_advice(row.id) if is_in_forum else missing_thread_advice(row.id),
        )

    def record_missing_channel(self, row: GameRow) -> None:
        """Record that a game's channel was deleted. The game waits until a moderator moves it."""
        self._tables.game_threads.forget_lost_thread(row.id)
        self._delivery_problems.record(row.id, THREAD_PROBLEM, missing_channel_advice(row.id))

    async def _thread_exists(self, row: GameRow, thread_id: int) -> bool:
        if row.status != "running" and row.id not in self._doubtful_games:
            return True
        does_thread_exist = (
            self._threads.exists_on_discord
            if row.id in self._doubtful_games
            else self._threads.open_if_exists
        )
        exists = await does_thread_exist(thread_id)
        self._doubtful_games.discard(row.id)
        return exists

    async def _make_new_thread(self, row: GameRow, channel_id: int, why: str) -> int:
        try:
            thread_id = await self._threads.post_opening_message(row, channel_id)
        except discord.NotFound as error:
            if error.code == UNKNOWN_CHANNEL_CODE:
                self.record_missing_channel(row)
            raise
        now = self._tables.clock()
        thread_ping = ThreadPing(await self._player_ids(row.id, now), await self._newest_lines(row.id, why))
        # Open proposals are posted again.
        proposal_notices = [
            notices.proposal_notice(proposal.number)
            for proposal in await proposals.open_proposals(self._tables.db, row.id, now)
        ]
        was_moved = await log.move_to_thread(
            self._tables.db,
            row,
            channel_id=channel_id,
            thread_id=thread_id,
            notices=[
                thread_ping.notice(),
                *proposal_notices,
                TurnChange((), None).notice(),
                notices.board_notice(),
            ],
            now=now,
        )
        if was_moved:
            await self._record_thread(row, thread_id)
        return thread_id

    async def _record_thread(self, row: GameRow, thread_id: int) -> None:
        if row.thread_id is not None:
            self._tables.game_threads.forget_thread(row.thread_id)
        await self._tables.record_thread_of_game(row.id, thread_id)
        self._tables.game_threads.forget_lost_thread(row.id)
        self._delivery_problems.clear(row.id, THREAD_PROBLEM)
        self._tables.on_notice(row.id)

    async def _player_ids(self, game_id: int, now: str) -> tuple[int, ...]:
        """Ids of all users who play in a game, including substitutes."""
        seat_rows = await seats.seats(self._tables.db, game_id)
        user_ids = [seat.user_id for seat in seat_rows if seat.user_id != CARETAKER_USER]
        substitutes = seats.substitutes(await seats.seat_entries(self._tables.db, game_id), now)
        return tuple(dict.fromkeys([*user_ids, *(substitute.user_id for substitute in substitutes.values())]))

    async def _newest_lines(self, game_id: int, why: str) -> str:
        """The text of the first message in a new thread: the reason, and the old thread's newest lines."""
        rows = [
            row
            for row in await outbox.notices_of_kind(self._tables.db, game_id, notices.LINE_KIND, 0)
            if row.message_id
        ]
        kept_texts: list[str] = []
        lines = [line for row in rows if not (line := Line.read(row.payload)).is_silent]
        for text in [line.text for line in reversed(lines[-MAX_REPEATED_LINES:])]:
            if sum(map(len, kept_texts)) + len(text) > MAX_REPEATED_CHARACTERS:
                break
            kept_texts.insert(0, text)
        return "\n".join([why, *(["What happened last:"] if kept_texts else []), *kept_texts])


def missing_thread_advice(game_id: int) -> str:
    """Advice for players whose game's thread was deleted."""
    return (
        f"The thread of this game was deleted. `/game repair number:{game_id}` makes a new one. So "
        "does the next move: type it as a command in this channel."
    )


def missing_post_advice(game_id: int) -> str:
    """Advice for players whose game's forum post was deleted."""
    return f"The post of this game was deleted. `/game repair number:{game_id}` makes a new one."


def missing_channel_advice(game_id: int) -> str:
    """Advice for players whose game's channel was deleted."""
    return (
        "The channel of this game was deleted. A member who may manage threads can move it: use "
        f"`/game move-here number:{game_id}` in another channel."
    )
