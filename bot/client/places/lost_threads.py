"""New threads for games whose thread was deleted, with board, last lines and turn."""

from typing import Final

import discord

from bot.client.places.threads import Threads
from bot.client.requests.permission_problems import PLACE, UNKNOWN_CHANNEL, DeliveryProblems
from bot.table.game_cache import Locks
from bot.table.outbox import notices
from bot.table.outbox.notices import Line, ThreadPing, TurnChange
from bot.table.tables import Tables
from storage import CARETAKER, GameRow, games, log, outbox, proposals, seats

LAST: Final = 10
"""This many of the newest lines are posted again in another thread."""
ROOM: Final = 1500
"""Characters that these lines may have; a message has 2000."""


class LostThreads:
    """Ensures that each running game has a thread."""

    def __init__(
        self, client: discord.Client, tables: Tables, threads: Threads, problems: DeliveryProblems
    ) -> None:
        self._client = client
        self._tables = tables
        self._threads = threads
        self._problems = problems
        self._locks = Locks()
        self._doubted: set[int] = set()

    def doubt(self, game_id: int) -> None:
        """Mark a thread as doubtful after a refusal, to be checked before the next post."""
        self._doubted.add(game_id)

    async def ensure_thread(self, row: GameRow) -> GameRow | None:
        """The game, after ensuring that it has an open thread, a new one if necessary.

        `row` was read just now. Raises what Discord refuses.
        """
        is_moving = row.id in self._locks
        async with self._locks.of(row.id):
            if is_moving:
                row = await games.get_game(self._tables.db, row.id)
            # Before the board post the thread is only being made; after the end it is archived on purpose.
            if row.board_message_id is None or row.thread_id is None:
                return row
            if await self._is_there(row, row.thread_id):
                return row
            await self._make_new_thread(
                row, row.channel_id, "The old thread of this game was deleted; the game continues here."
            )
            return None

    async def move_to_new_thread(self, row: GameRow, channel_id: int, why: str) -> int:
        """Make a new thread for a game in a channel; returns its id. Raises Discord's refusals."""
        async with self._locks.of(row.id):
            return await self._make_new_thread(row, channel_id, why)

    def post_advice(self, row: GameRow) -> None:
        """Post advice in a game's channel about its deleted thread."""
        self._tables.places.lose(row.id, row.channel_id)
        in_forum = isinstance(self._client.get_channel(row.channel_id), discord.ForumChannel)
        self._problems.record(
            row.id, PLACE, missing_post_advice(row.id) if in_forum else missing_thread_advice(row.id)
        )

    def log_missing_channel(self, row: GameRow) -> None:
        """Log that a game's channel is deleted, too; it waits for a moderator."""
        self._tables.places.find(row.id)
        self._problems.record(row.id, PLACE, missing_channel_advice(row.id))

    async def _is_there(self, row: GameRow, thread_id: int) -> bool:
        if row.status != "running" and row.id not in self._doubted:
            return True
        look = self._threads.ask_discord if row.id in self._doubted else self._threads.open_if_there
        there = await look(thread_id)
        self._doubted.discard(row.id)
        return there

    async def _make_new_thread(self, row: GameRow, channel_id: int, why: str) -> int:
        try:
            thread_id = await self._threads.repost(row, channel_id)
        except discord.NotFound as error:
            if error.code == UNKNOWN_CHANNEL:
                self.log_missing_channel(row)
            raise
        now = self._tables.clock()
        call = ThreadPing(await self._players(row.id, now), await self._newest_lines(row.id, why))
        # What the table was asked in the old thread and has not settled is asked again.
        asked = [
            notices.proposal_notice(one.number)
            for one in await proposals.open_proposals(self._tables.db, row.id, now)
        ]
        moved = await log.move_to_thread(
            self._tables.db,
            row,
            channel_id=channel_id,
            thread_id=thread_id,
            notices=[call.notice(), *asked, TurnChange((), None).notice(), notices.board_notice()],
            now=now,
        )
        if moved:
            await self._note_thread(row, thread_id)
        return thread_id

    async def _note_thread(self, row: GameRow, thread_id: int) -> None:
        if row.thread_id is not None:
            self._tables.places.leave(row.thread_id)
        await self._tables.show_in(row.id, thread_id)
        self._tables.places.find(row.id)
        self._problems.clear(row.id, PLACE)
        self._tables.on_notice(row.id)

    async def _players(self, game_id: int, now: str) -> tuple[int, ...]:
        """All users who hold or play a seat."""
        taken = await seats.seats(self._tables.db, game_id)
        people = [seat.user_id for seat in taken if seat.user_id != CARETAKER]
        playing = seats.substitutes(await seats.seat_entries(self._tables.db, game_id), now)
        return tuple(dict.fromkeys([*people, *(player.user_id for player in playing.values())]))

    async def _newest_lines(self, game_id: int, why: str) -> str:
        """The reason for the new thread, and the old one's newest lines."""
        rows = [
            row
            for row in await outbox.notices_of_kind(self._tables.db, game_id, notices.LINE, 0)
            if row.message_id
        ]
        kept: list[str] = []
        lines = [line for row in rows if not (line := Line.read(row.payload)).silent]
        for text in [line.text for line in reversed(lines[-LAST:])]:
            if sum(map(len, kept)) + len(text) > ROOM:
                break
            kept.insert(0, text)
        return "\n".join([why, *(["What happened last:"] if kept else []), *kept])


def missing_thread_advice(game_id: int) -> str:
    """Advice about a deleted thread."""
    return (
        f"The thread of this game was deleted. `/game repair number:{game_id}` makes a new one. So "
        "does the next move: type it as a command in this channel."
    )


def missing_post_advice(game_id: int) -> str:
    """Advice about a deleted forum post."""
    return f"The post of this game was deleted. `/game repair number:{game_id}` makes a new one."


def missing_channel_advice(game_id: int) -> str:
    """Advice about a deleted channel."""
    return (
        "The channel of this game was deleted. A member who may manage threads can move it: use "
        f"`/game move-here number:{game_id}` in another channel."
    )
