"""The table: the one place where requests become stored moves. It knows nothing of Discord."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

from bot.table.board_links_and_sessions import BoardLinks, Followers
from bot.table.bounded_caches import BoundedDict
from bot.table.clocks import clocks_and_stops as clocks
from bot.table.errors import Damaged, MovedOn, NotYours, Refused
from bot.table.game_cache import DAMAGED, GameCache, Locks, Places
from bot.table.games import loading
from bot.table.games.confirmed_writes import SEE_LOG, confirm_write, evict_on_failure, stored_row
from bot.table.live import LiveGame, ask_worker
from bot.table.markdown import as_refusals, message_link
from bot.table.moves.moves import SEARCHED, OneClickMove, TypedMove, typed_move
from bot.table.orders import automatic
from bot.table.orders.sealed_auction import sealed_notices
from bot.table.outbox import notices
from bot.table.outbox.notices import Line
from bot.table.past.past_games import PastGames, positions_to_store
from bot.table.results_and_ratings import DecisionTimes, rating_changes, scored
from bot.table.warming import warm
from bot.workers.errors import NotDone
from bot.workers.workers import Workers
from engine import Cursor, Game, PlayerId
from storage import (
    WHOLE,
    Database,
    Entry,
    OutboxMessage,
    OutcomeUnknown,
    Row,
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

MoveBuilder: TypeAlias = Callable[[Game, PlayerId], Cursor]
"""The whole walk to the move a person means, in the position of the moment; raises IllegalAction or Refused."""
GENTLY: Final = 0.01
"""Seconds between two games that are looked at when nobody asked."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A stored move: its number, and public lines about its effects."""

    seq: int
    lines: tuple[str, ...]
    first: int | None = None
    """The number of the move itself, where others have followed it."""

    def answer_text(self) -> str:
        """The answer to the player who moved."""
        return f"Done, move {self.first or self.seq}: " + "\n".join(self.lines)

    def stored_text(self) -> str:
        """The text that the move is stored, whatever may be shown."""
        return f"Your move is stored (number {self.seq})."


def utc_now() -> str:
    return format_timestamp(datetime.now(UTC))


class Tables:
    """All games of a process's shards: a lock and at most one live game each; the only writer of moves."""

    def __init__(
        self,
        db: Database,
        clock: Callable[[], str] = utc_now,
        shards: ShardSet = WHOLE,
        workers: Workers | None = None,
    ) -> None:
        self.db = db
        self.workers = Workers() if workers is None else workers
        self.share = shards
        self.clock = clock
        self.on_notice: Callable[[int], None] = lambda game_id: None
        self._locks = Locks()
        self.lock = self._locks.of
        """The lock of one game."""
        self.drain = self._locks.drain
        """Waits until no game is being changed."""
        self._live = GameCache(self._locks)
        self.cached = self._live.find
        """The live game if it is in memory; for autocomplete, which has no time to read."""
        self.places = Places()
        self.game_in = self.places.game_in
        """The number of the game shown here (or that has lost its thread, in its channel); None elsewhere."""
        self.past = PastGames(db, self.workers)
        self.decision_times = DecisionTimes(db)
        self.board = BoardLinks(db, lambda: self.clock())
        self.followers = Followers()
        self._damaged: BoundedDict[int, str] = BoundedDict(DAMAGED)
        self.reviewed = False
        """True if all running games were looked at since the start, so that it is known which are damaged."""

    async def open(self) -> None:
        """Load which threads show which games, for autocomplete without the database."""
        # A thread may hold several games one after the other: the one in play counts.
        statuses: tuple[games.Status, ...] = ("abandoned", "finished", "running", "lobby")
        for status in statuses:
            for row in await games.games_in(self.db, status, self.share):
                if row.thread_id is not None:
                    self.places.show(row.thread_id, row.id)

    async def show_in(self, game_id: int, thread_id: int) -> None:
        """Record the thread (or, in the lobby, the message) that shows a game."""
        await games.show_in(self.db, game_id, thread_id)
        self.places.show(thread_id, game_id)
        await self.reread(game_id)

    def record_message(self, game_id: int, role: str, message_id: int) -> None:
        """Record another message for a game's board or turn."""
        live = self._live.find(game_id)
        if live is not None:
            shows: Any = {f"{role}_message_id": message_id}
            live.row = replace(live.row, **shows)

    def cached_game(self, game_id: int) -> LiveGame | None:
        """The live game, if in memory and written only by this process."""
        live = self._live.find(game_id)
        return live if live is not None and self.db.owns(live.row.guild_id) else None

    @property
    def live_games(self) -> int:
        """The number of games in memory."""
        return len(self._live)

    @asynccontextmanager
    async def reading(self, game_id: int) -> AsyncIterator[LiveGame]:
        """The live game, locked and unchanged within; raises NoSuchGame, Refused before it has started.

        A refusal by the rules is raised as Refused, in words. Where something else is stored, and nobody
        knows whether it was, the game is read again.
        """
        async with self.lock(game_id):
            live = await self._load(game_id)
            try:
                with as_refusals(live.game):
                    yield live
            except OutcomeUnknown:
                self.forget(game_id)
                raise
            finally:
                live.cached_rows = None

    @asynccontextmanager
    async def writing(self, game_id: int) -> AsyncIterator[LiveGame]:
        """The live game, locked for changes; forgotten on errors after a change."""
        async with self.lock(game_id), evict_on_failure(lambda: self.forget(game_id)):
            live = await self._load(game_id)
            try:
                with as_refusals(live.game):
                    yield live
            finally:
                live.cached_rows = None

    async def submit(
        self, game_id: int, user_id: int, build_move: MoveBuilder, expected_seq: int | None = None
    ) -> Outcome:
        """Make a move for the user's own seat and store it with its notices, in one transaction.

        Raises Refused (MovedOn when `expected_seq` has passed); nothing changes then.
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
        beside: tuple[str, ...] = (),
        proposal: StoredProposal | None = None,
    ) -> tuple[str, ...]:
        """Make a player's move in a locked game; returns its public lines.

        `user_id` is the user; lines `beside` say for whom, and a proposal that led to it is accepted.
        """
        walk = await self._walked(live, player, build_move)
        if walk.offer.actor != player:
            raise NotYours(f"Only {live.name_of(walk.offer.actor)} can decide this, not you.")
        before = notices.PositionBefore.of(live.game)
        made = live.make_move(walk, user_id)
        lines = (*made.lines, *beside)
        moved = player if walk.offer.blocking else None
        along = build_move.along if isinstance(build_move, OneClickMove) else ()
        then = await automatic.run_automatic_moves(self.db, live, made.events, user_id, moved, along)
        # A player for whom another has moved knows nothing of it, and stays pinged.
        mover = player if user_id in live.people_of(player) else None
        pending = notices.move_notices(
            live, mover, (*made.events, *then.events), (lines, *then.lines), before
        )
        entries, changes = [made.entry, *then.entries], then.changes(live.seq + 2)
        await self.commit(live, entries, pending, live.counting, proposal, changes)
        return (*lines, *(line for later in then.lines for line in later))

    async def _walked(self, live: LiveGame, player: PlayerId, build_move: MoveBuilder) -> Cursor:
        if isinstance(build_move, TypedMove) and build_move.kind == SEARCHED:
            build_move = await ask_worker(live, live.game, typed_move, player, build_move)
        return build_move(live.game, player)

    async def review(self) -> None:
        """Check all running games; damaged ones and those on hold say so in their threads."""
        running = _titles_first(await games.games_in(self.db, "running", self.share))
        await asyncio.to_thread(warm, {row.title for row in running})
        for row in running:
            try:
                async with self.lock(row.id):
                    if self.cached(row.id) is None:
                        await self._load_or_report(row)
            except (NotDone, Refused, StorageError) as error:
                _log.warning("game %s: %s", row.id, error)
            await asyncio.sleep(GENTLY)
        self.reviewed = True

    def known_damage(self, game_id: int) -> str | None:
        """The damage of a game noticed at its last use; None if none."""
        return self._damaged.get(game_id)

    async def damage(self, game_id: int) -> str | None:
        """The damage of a stored game; None if it can be played."""
        if self.cached_game(game_id) is not None:
            return None
        try:
            async with self.reading(game_id):
                return None
        except Refused as error:
            return str(error)

    def seat_of(self, live: LiveGame, user_id: int) -> PlayerId:
        """The player of this user; raises NotYours for a spectator."""
        player = live.player_of(user_id)
        if player is None:
            names = ", ".join(seat.display_name for seat in live.seats)
            raise NotYours(f"You have no seat in game {live.id}. Its players are {names}.")
        return player

    def require_seq(self, live: LiveGame, expected_seq: int | None) -> None:
        """Raise MovedOn unless the log ends at `expected_seq` (None: anywhere)."""
        if expected_seq is not None and expected_seq != live.seq:
            newest = live.row.turn_message_id
            raise MovedOn("" if newest is None else message_link(live.row, newest))

    def forget(self, game_id: int) -> None:
        """Drop the live game; the next request reads it again."""
        self._live.forget(game_id)
        self._damaged.pop(game_id, None)

    def changed(self, game_id: int) -> None:
        """Reload a game after changes beyond its log, and post its rows."""
        self.forget(game_id)
        self.on_notice(game_id)

    def require_playable(self, live: LiveGame) -> None:
        """Raise Refused while a game accepts no moves."""
        why = live.move_obstacle(self.clock())
        if why is not None:
            raise Refused(why)

    async def commit(
        self,
        live: LiveGame,
        entries: Sequence[Entry],
        pending: Sequence[OutboxMessage],
        counting: list[Row],
        proposal: StoredProposal | None = None,
        changes: orders.OrderChanges = orders.NONE,
    ) -> None:
        """Store an undo, an accept or moves of a locked game, after the effective rows."""
        now, state = self.clock(), live.game.dump()
        pending = await sealed_notices(self.db, live, pending, changes)
        status: log.Played = "finished" if live.game.over else "running"
        results = scored(live.game)
        commit = log.commit_move(
            *(self.db, live.id, live.seq, entries, pending),
            now=now,
            status=status,
            state=state,
            proposal=proposal,
            changes=log.AllOf(
                (
                    await clocks.side_effects(self.db, self.share, live, entries, changes, now),
                    positions_to_store(counting, entries, state),
                    rating_changes(live, entries, results, now),
                )
            ),
            scored=results,
        )
        last = entries[-1]
        seq = await confirm_write(commit, lambda: stored_row(self.db, live.id, live.seq, last, now), SEE_LOG)
        _log.info("stored %s", last.kind, extra={"game": live.id, "seq": seq})
        live.row = replace(live.row, status=status)
        live.automatic |= changes.automatic
        self._set_effective_rows(live, counting, live.rows_of(entries, now))
        live.seq = seq
        live.cached_rows = None
        live.remember_position(state)
        self.workers.end_questions(live.id)

    @staticmethod
    def _set_effective_rows(live: LiveGame, kept: list[Row], added: Sequence[Row]) -> None:
        """Set the effective rows: kept ones and added ones, unless they are an undo."""
        if added[-1].kind == "undo":
            live.undo_history.record_undo(added[-1], live.counting[len(kept) :])
            live.counting = kept
            return
        for row in added:
            live.undo_history.record_row(row)
        live.counting = [*kept, *added]

    async def _load(self, game_id: int) -> LiveGame:
        live = self._live.find(game_id)
        if live is not None and not await self._is_current(live):
            live = None
        if live is None:
            row = await games.get_game(self.db, game_id)
            await loading.require_started(self.db, row)
            live = await self._load_or_report(row)
        live.substitutes = seats.substitutes(live.seat_history, self.clock())
        self._live.keep(live)
        return live

    async def _is_current(self, live: LiveGame) -> bool:
        """True if a live game equals the stored one, which other processes may change."""
        if self.db.owns(live.row.guild_id):
            return True
        ours = self.share.holds(live.row.guild_id)
        return await loading.is_current(self.db, live) and (
            ours or await loading.is_seated_as_stored(self.db, live)
        )

    async def _load_or_report(self, row: games.GameRow) -> LiveGame:
        """Load a game; if damaged or on hold, its thread says so, once. Raises Damaged."""
        if row.id in self._damaged:
            raise Damaged(self._damaged[row.id])
        try:
            live = await loading.load(self.db, row.id, self.workers)
        except Damaged as error:
            await self._post_once(row, await log.last_seq(self.db, row.id), str(error))
            self._damaged[row.id] = str(error)
            raise
        await self._post_once(row, live.seq, live.hold_reason)
        live.workers = self.workers
        return live

    async def _post_once(self, row: games.GameRow, seq: int, text: str | None) -> None:
        """Post a text without a move in a running table, once."""
        if text is None or row.status != "running" or not self.share.holds(row.guild_id):
            return
        if await outbox.add_once(self.db, row.id, seq, Line(text).notice(), self.clock()):
            self.on_notice(row.id)

    async def reread(self, game_id: int) -> None:
        """Reload a game after a change of its place."""
        live = self._live.find(game_id)
        if live is not None:
            live.row = loading.as_played(await games.get_game(self.db, game_id), live.game)


def _titles_first(rows: Sequence[games.GameRow]) -> list[games.GameRow]:
    """The games, one of each title first, to warm caches."""
    first = {row.title: row.id for row in reversed(rows)}
    return sorted(rows, key=lambda row: row.id != first[row.title])
