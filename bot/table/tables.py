"""The games of this process: loading, locking, changing and storing them. Independent of Discord."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

from bot.table.board_links_and_sessions import BoardLinks, GameFollowers
from bot.table.bounded_caches import BoundedDict
from bot.table.clocks import clocks_and_stops as clocks
from bot.table.errors import GameDamaged, GameMovedOn, NotPermitted, Refused
from bot.table.game_cache import MAX_DAMAGED_GAMES, GameCache, GameLocks, GameThreads
from bot.table.games import loading
from bot.table.games.confirmed_writes import (
    CHECK_LOG_HINT,
    confirm_write,
    find_stored_row,
    forget_game_on_failure,
)
from bot.table.live import LiveGame, ask_worker
from bot.table.markdown import message_link, refusing_illegal_actions
from bot.table.moves.moves import RUN_TRAINS_KIND, OneClickMove, TypedMove, one_click_move_of
from bot.table.orders import automatic
from bot.table.orders.sealed_auction import notices_while_sealing
from bot.table.outbox import notices
from bot.table.outbox.notices import Line
from bot.table.past.past_games import GameReplayer, positions_to_store
from bot.table.results_and_ratings import ThinkingTimeCache, game_results, rating_changes
from bot.table.settings.themes import Themes
from bot.table.warming import fill_title_caches
from bot.workers.errors import NotDone
from bot.workers.workers import Workers
from engine import Game, OfferCursor, PlayerId
from storage import (
    ALL_SHARDS,
    Database,
    LogRow,
    NewLogRow,
    OutboxMessage,
    OutcomeUnknown,
    ShardSet,
    StorageError,
    StoredProposal,
    format_timestamp,
    games,
    log,
    orders,
    outbox,
    seats,
)

_log = logging.getLogger("stationmaster.service")

MoveBuilder: TypeAlias = Callable[[Game, PlayerId], OfferCursor]
"""A function that returns a player's complete move in this position.

Raises IllegalAction or Refused.
"""
SECONDS_BETWEEN_CHECKS: Final = 0.01
"""Pause after each game when all running games are checked at the start of the process."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a stored move or undo: the number of its log row, and public lines about its effects."""

    seq: int
    """The number of the last log row, which may be an automatic move."""
    lines: tuple[str, ...]
    move_seq: int | None = None
    """The number of the log row of the user's own move; None if it is the last row."""

    def answer_text(self) -> str:
        """The reply to the user who moved."""
        return f"Done, move {self.move_seq or self.seq}: " + "\n".join(self.lines)

    def stored_text(self) -> str:
        """A shorter reply, if the move is stored but its effects cannot be shown."""
        return f"Your move is stored (number {self.seq})."


def utc_now() -> str:
    return format_timestamp(datetime.now(UTC))


class Tables:
    """The games of this process's shards, each with a lock and at most one LiveGame in memory.

    All moves are stored through this class.
    """

    def __init__(
        self,
        db: Database,
        clock: Callable[[], str] = utc_now,
        shards: ShardSet = ALL_SHARDS,
        workers: Workers | None = None,
    ) -> None:
        self.db = db
        self.workers = Workers() if workers is None else workers
        self.shards = shards
        self.clock = clock
        self.on_notice: Callable[[int], None] = lambda game_id: None
        self._locks = GameLocks()
        self.lock = self._locks.lock_of
        """A function that returns the lock of the game with this id."""
        self.drain = self._locks.drain
        """A function that waits until no game is being changed."""
        self._game_cache = GameCache(self._locks)
        self.find_cached = self._game_cache.find
        """A function that returns the game with this id if it is in memory, else None.

        Autocomplete uses it, since it must not wait for the database.
        """
        self.game_threads = GameThreads()
        self.game_shown_in = self.game_threads.game_shown_in
        """A function that returns the id of the game that a thread shows; None if it shows none.

        For a channel, the id of the game whose thread was deleted there, if there is exactly one.
        """
        self.replayer = GameReplayer(db, self.workers)
        self.thinking_time_cache = ThinkingTimeCache(db)
        self.themes = Themes(db)
        self.board_links = BoardLinks(db, lambda: self.clock())
        self.followers = GameFollowers()
        self._damage_by_game: BoundedDict[int, str] = BoundedDict(MAX_DAMAGED_GAMES)
        self.are_games_checked = False
        """True once all running games have been checked for damage after the start of the process."""

    async def open(self) -> None:
        """Load the index from threads to games, so that autocomplete needs no database."""
        # A thread may have shown several games; the running one is recorded last and replaces the others.
        statuses: tuple[games.Status, ...] = ("abandoned", "finished", "running", "lobby")
        for status in statuses:
            for row in await games.games_with_status(self.db, status, self.shards):
                if row.thread_id is not None:
                    self.game_threads.record_thread(row.thread_id, row.id)

    async def record_thread_of_game(self, game_id: int, thread_id: int) -> None:
        """Store the id of the thread that shows a game.

        Before the game starts, this is the id of the lobby's message.
        """
        await games.set_thread(self.db, game_id, thread_id)
        self.game_threads.record_thread(thread_id, game_id)
        await self.reread(game_id)

    def record_message(self, game_id: int, role: str, message_id: int) -> None:
        """Update the id of a game's board or turn message in memory; `role` is `board` or `turn`."""
        live = self._game_cache.find(game_id)
        if live is not None:
            message_fields: Any = {f"{role}_message_id": message_id}
            live.row = replace(live.row, **message_fields)

    def cached_game(self, game_id: int) -> LiveGame | None:
        """The game if it is in memory and no other process can change it; else None."""
        live = self._game_cache.find(game_id)
        return live if live is not None and self.db.owns(live.row.guild_id) else None

    @property
    def live_game_count(self) -> int:
        """The number of games in memory."""
        return len(self._game_cache)

    @asynccontextmanager
    async def reading(self, game_id: int) -> AsyncIterator[LiveGame]:
        """Lock a game and yield it to a caller that makes no moves.

        Raises NoSuchGame, and Refused if the game has not started. An IllegalAction becomes Refused. After
        OutcomeUnknown, the game is dropped from memory, and loaded again for the next request.
        """
        async with self.lock(game_id):
            live = await self._load(game_id)
            try:
                with refusing_illegal_actions(live.game):
                    yield live
            except OutcomeUnknown:
                self.forget(game_id)
                raise

    @asynccontextmanager
    async def writing(self, game_id: int) -> AsyncIterator[LiveGame]:
        """Lock a game and yield it for changes.

        After most errors, the game is dropped from memory, and loaded again for the next request.
        """
        async with self.lock(game_id), forget_game_on_failure(lambda: self.forget(game_id)):
            live = await self._load(game_id)
            with refusing_illegal_actions(live.game):
                yield live

    async def submit(
        self, game_id: int, user_id: int, build_move: MoveBuilder, expected_seq: int | None = None
    ) -> Outcome:
        """Make the move that a user submits for their seat and store it, with its notices, in one transaction.

        Raises Refused, which changes nothing; GameMovedOn if log rows were added after `expected_seq`.
        """
        async with self.writing(game_id) as live:
            self.require_seq(live, expected_seq)
            self.require_playable(live)
            number = live.seq + 1
            lines = await self.make_move(live, self.seat_of(live, user_id), user_id, build_move)
        self.on_notice(game_id)
        return Outcome(live.seq, lines, number)

    async def make_move(
        self,
        live: LiveGame,
        player: PlayerId,
        user_id: int,
        build_move: MoveBuilder,
        extra_lines: tuple[str, ...] = (),
        proposal: StoredProposal | None = None,
    ) -> tuple[str, ...]:
        """Make a player's move in a locked game and store it; returns its public lines.

        `user_id` is the user who acts. `extra_lines` are added to the move's lines. `proposal` is the proposal that led
        to the move (None: no proposal); it is marked as accepted.
        """
        cursor = await self._complete_cursor(live, player, build_move)
        if cursor.offer.actor != player:
            raise NotPermitted(f"Only {live.name_of(cursor.offer.actor)} can decide this, not you.")
        position_before = notices.PositionBeforeMove.of(live.game)
        made_move = live.make_move(cursor, user_id)
        lines = (*made_move.lines, *extra_lines)
        mover_on_turn = player if cursor.offer.blocking else None
        further_actions = build_move.further_actions if isinstance(build_move, OneClickMove) else ()
        automatic_run = await automatic.run_automatic_moves(
            self.db, live, made_move.events, user_id, mover_on_turn, further_actions
        )
        # If another user moved for the player, the player may not have noticed, so their ping stays.
        mover = player if user_id in live.users_to_ping(player) else None
        pending_notices = notices.move_notices(
            live,
            mover,
            (*made_move.events, *automatic_run.events),
            (lines, *automatic_run.lines),
            position_before,
        )
        entries, order_changes = (
            [made_move.entry, *automatic_run.entries],
            automatic_run.order_changes(live.seq + 2),
        )
        await self.commit(live, entries, pending_notices, live.effective_rows, proposal, order_changes)
        return (*lines, *(line for later_lines in automatic_run.lines for line in later_lines))

    async def _complete_cursor(
        self, live: LiveGame, player: PlayerId, build_move: MoveBuilder
    ) -> OfferCursor:
        if isinstance(build_move, TypedMove) and build_move.kind == RUN_TRAINS_KIND:
            build_move = await ask_worker(live, live.game, one_click_move_of, player, build_move)
        return build_move(live.game, player)

    async def check_running_games(self) -> None:
        """Load each running game once, to find damage.

        If a game is damaged or needs a moderator's decision, this is posted in its thread.
        """
        running_rows = _one_game_of_each_title_first(
            await games.games_with_status(self.db, "running", self.shards)
        )
        await asyncio.to_thread(fill_title_caches, {row.title for row in running_rows})
        for row in running_rows:
            try:
                async with self.lock(row.id):
                    if self.find_cached(row.id) is None:
                        await self._load_or_report(row)
            except (NotDone, Refused, StorageError) as error:
                _log.warning("game %s: %s", row.id, error)
            await asyncio.sleep(SECONDS_BETWEEN_CHECKS)
        self.are_games_checked = True

    def known_damage(self, game_id: int) -> str | None:
        """The damage found when the game was last loaded; None if no damage was found."""
        return self._damage_by_game.get(game_id)

    async def damage(self, game_id: int) -> str | None:
        """The damage because of which a stored game cannot be loaded, as a sentence; None if it loads."""
        if self.cached_game(game_id) is not None:
            return None
        try:
            async with self.reading(game_id):
                return None
        except Refused as error:
            return str(error)

    def seat_of(self, live: LiveGame, user_id: int) -> PlayerId:
        """The player for whom a user plays; raises NotPermitted for a spectator."""
        player = live.player_of(user_id)
        if player is None:
            names = ", ".join(seat.display_name for seat in live.seats)
            raise NotPermitted(f"You have no seat in game {live.id}. Its players are {names}.")
        return player

    def require_seq(self, live: LiveGame, expected_seq: int | None) -> None:
        """Raise GameMovedOn if the last log row does not have the number `expected_seq` (None: any number will do)."""
        if expected_seq is not None and expected_seq != live.seq:
            turn_message_id = live.row.turn_message_id
            raise GameMovedOn("" if turn_message_id is None else message_link(live.row, turn_message_id))

    def forget(self, game_id: int) -> None:
        """Drop a game from memory. The next request loads it again."""
        self._game_cache.forget(game_id)
        self._damage_by_game.pop(game_id, None)

    def reload_and_post(self, game_id: int) -> None:
        """Drop a game from memory, and post its waiting notices."""
        self.forget(game_id)
        self.on_notice(game_id)

    def require_playable(self, live: LiveGame) -> None:
        """Raise Refused if no move is possible now: the game is abandoned, paused, or waits for a moderator."""
        obstacle = live.move_obstacle(self.clock())
        if obstacle is not None:
            raise Refused(obstacle)

    async def commit(
        self,
        live: LiveGame,
        entries: Sequence[NewLogRow],
        pending_notices: Sequence[OutboxMessage],
        kept_rows: list[LogRow],
        proposal: StoredProposal | None = None,
        order_changes: orders.OrderChanges = orders.NO_ORDER_CHANGES,
    ) -> None:
        """Store moves, an undo, or an accept row (stored when a moderator accepts a position) in a locked game.

        `pending_notices` are the notices to post. `kept_rows` are the earlier log rows that still count. `proposal` is
        the proposal that led to this (None: no proposal); it is marked as accepted.
        """
        now, state = self.clock(), live.game.dump()
        pending_notices = await notices_while_sealing(self.db, live, pending_notices, order_changes)
        status: log.PlayedStatus = "finished" if live.game.is_over else "running"
        results = game_results(live.game)
        commit = log.commit_move(
            *(self.db, live.id, live.seq, entries, pending_notices),
            now=now,
            status=status,
            state=state,
            proposal=proposal,
            changes=log.CombinedEffects(
                (
                    await clocks.clock_and_order_changes(
                        self.db, self.shards, live, entries, order_changes, now
                    ),
                    positions_to_store(kept_rows, entries, state),
                    rating_changes(live, entries, results, now),
                )
            ),
            results_of_game=results,
        )
        last_entry = entries[-1]
        seq = await confirm_write(
            commit, lambda: find_stored_row(self.db, live.id, live.seq, last_entry, now), CHECK_LOG_HINT
        )
        _log.info("stored %s", last_entry.kind, extra={"game": live.id, "seq": seq})
        if live.row.status != status:
            live.row = replace(live.row, status=status)
        live.automatic_rows |= order_changes.automatic_moves
        self._set_effective_rows(live, kept_rows, live.rows_of(entries, now))
        live.seq = seq
        if order_changes != orders.OrderChanges(automatic_moves=order_changes.automatic_moves):
            live.cached_rows, live.orders_may_have_ended = None, True
        live.remember_position(state)
        self.workers.end_questions(live.id)

    @staticmethod
    def _set_effective_rows(live: LiveGame, kept_rows: list[LogRow], added_rows: Sequence[LogRow]) -> None:
        if added_rows[-1].kind == "undo":
            live.undo_history.record_undo(added_rows[-1], live.effective_rows[len(kept_rows) :])
            live.effective_rows = kept_rows
            return
        for row in added_rows:
            live.undo_history.record_row(row)
        live.effective_rows = [*kept_rows, *added_rows]

    async def _load(self, game_id: int) -> LiveGame:
        live = self._game_cache.find(game_id)
        if live is not None and not await self._is_current(live):
            live = None
        if live is None:
            row = await games.get_game(self.db, game_id)
            await loading.require_started(self.db, row)
            live = await self._load_or_report(row)
        live.substitutes = seats.substitutes(live.seat_history, self.clock()) if live.seat_history else {}
        self._game_cache.add(live)
        return live

    async def _is_current(self, live: LiveGame) -> bool:
        """True if a game in memory is up to date. If another process owns it, that process may have changed it."""
        if self.db.owns(live.row.guild_id):
            return True
        is_own_shard = self.shards.holds(live.row.guild_id)
        return await loading.is_current(self.db, live) and (
            is_own_shard or await loading.has_stored_seats(self.db, live)
        )

    async def _load_or_report(self, row: games.GameRow) -> LiveGame:
        """Load a game. If it is damaged or needs a moderator's decision, this is posted once in its thread.

        Raises GameDamaged.
        """
        if row.id in self._damage_by_game:
            raise GameDamaged(self._damage_by_game[row.id])
        try:
            live = await loading.load(self.db, row.id, self.workers)
        except GameDamaged as error:
            await self._post_line_once(row, await log.last_seq(self.db, row.id), str(error))
            self._damage_by_game[row.id] = str(error)
            raise
        await self._post_line_once(row, live.seq, live.hold_reason)
        live.workers = self.workers
        return live

    async def _post_line_once(self, row: games.GameRow, seq: int, text: str | None) -> None:
        if text is None or row.status != "running" or not self.shards.holds(row.guild_id):
            return
        if await outbox.add_notice_once(self.db, row.id, seq, Line(text).notice(), self.clock()):
            self.on_notice(row.id)

    async def reread(self, game_id: int) -> None:
        """Read the database row of a game in memory again, for example after the game got a new thread."""
        live = self._game_cache.find(game_id)
        if live is not None:
            live.row = loading.row_with_rules_of_log(await games.get_game(self.db, game_id), live.game)


def _one_game_of_each_title_first(rows: Sequence[games.GameRow]) -> list[games.GameRow]:
    first_id_by_title = {row.title: row.id for row in reversed(rows)}
    return sorted(rows, key=lambda row: row.id != first_id_by_title[row.title])
