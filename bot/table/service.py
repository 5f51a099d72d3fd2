"""The table: the one place where a person's request becomes a stored move. It knows nothing of Discord."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final, TypeAlias

from bot.table import loading, notices
from bot.table.errors import Damaged, MovedOn, NotStored, NotYours, Refused, Untouched
from bot.table.history import accept_line
from bot.table.live import Live, played, undoable
from bot.table.notices import Line
from bot.table.places import Places
from bot.table.recent import Recent
from bot.table.shelf import Locks, Shelf
from bot.table.storing import SEE_LOG, TOLD, certainly, stored_row
from bot.table.style import in_words, strong
from engine.core.cursor import Cursor
from engine.core.errors import IllegalAction
from engine.core.ids import PlayerId
from engine.game import Game
from engine.play.rules import RULES_VERSION
from storage import Database, games, log, outbox, sittings
from storage.errors import StaleSequence, StorageError
from storage.leases import WHOLE, Share
from storage.log import Entry, Row
from storage.outbox import Notice

_log = logging.getLogger("stationmaster.service")

Compose: TypeAlias = Callable[[Game, PlayerId], Cursor]
"""The whole walk to the move a person means, in the position of the moment; raises IllegalAction or Refused."""
GENTLY: Final = 0.01
"""Seconds between two games that are looked at when nobody asked."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A stored move: its number in the log, and what it did in public words."""

    seq: int
    lines: tuple[str, ...]


def utc_now() -> str:
    """The time, ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


DAMAGED: Final = 1_000
"""How many games are known to be damaged without looking again."""


class Tables:
    """Every game of a share of the servers: one lock and at most one live game each; the only writer of moves."""

    def __init__(self, db: Database, clock: Callable[[], str] = utc_now, share: Share = WHOLE) -> None:
        self.db = db
        self.share = share
        self.clock = clock
        self.on_notice: Callable[[int], None] = lambda game_id: None
        self._locks = Locks()
        self._live = Shelf(self._locks)
        self.places = Places()
        self._damaged: Recent[int, str] = Recent(DAMAGED)

    async def open(self) -> None:
        """Learn which threads show which games, so that autocomplete needs no database."""
        # A thread may hold several games one after the other: the one in play counts.
        statuses: tuple[games.Status, ...] = ("abandoned", "finished", "running", "lobby")
        for status in statuses:
            for row in await games.games_in(self.db, status, self.share):
                if row.thread_id is not None:
                    self.places.show(row.thread_id, row.id)

    def game_in(self, thread_id: int | None) -> int | None:
        """The number of the game shown here (or that has lost its thread, in its channel); None elsewhere."""
        return None if thread_id is None else self.places.game_in(thread_id)

    async def show_in(self, game_id: int, thread_id: int) -> None:
        """Record the thread (or, in the lobby, the message) that shows a game."""
        await games.set_messages(self.db, game_id, thread_id=thread_id)
        self.places.show(thread_id, game_id)
        await self._reread(game_id)

    async def posted(self, game_id: int, *, board: int | None = None, turn: int | None = None) -> None:
        """Record which messages show the board and the turn."""
        await games.set_messages(self.db, game_id, board_message_id=board, turn_message_id=turn)
        await self._reread(game_id)

    @property
    def live_games(self) -> int:
        """How many games are in memory."""
        return len(self._live)

    def cached(self, game_id: int) -> Live | None:
        """The live game if it is in memory; for autocomplete, which has no time to read."""
        return self._live.find(game_id)

    @asynccontextmanager
    async def reading(self, game_id: int) -> AsyncIterator[Live]:
        """The live game, unchanging meanwhile; raises NoSuchGame, Refused before it has started.

        What the rules refuse meanwhile is raised as Refused, in words.
        """
        async with self.lock(game_id):
            live = await self._load(game_id)
            with in_words(live.game):
                yield live

    def lock(self, game_id: int) -> asyncio.Lock:
        """The lock of one game."""
        return self._locks.of(game_id)

    async def submit(
        self, game_id: int, user_id: int, compose: Compose, expected_seq: int | None = None
    ) -> Outcome:
        """Make a move for the person's own seat and store it with its notices, in one transaction.

        Raises Refused (MovedOn when `expected_seq` has passed); nothing changes then.
        """
        async with self.reading(game_id) as live, self._nothing_half(game_id):
            self.require_seq(live, expected_seq)
            player = self._playing(live, user_id)
            walk = compose(live.game, player)
            if walk.offer.actor != player:
                raise NotYours(f"That is for {live.name_of(walk.offer.actor)} to decide, not for you.")
            before = notices.Before.of(live.game)
            events, lines = played(live.game, walk)
            entry = Entry("action", walk.action().model_dump_json(), live.game.digest(), player, user_id)
            pending = notices.of_move(live, player, events, lines, before)
            await self._commit(live, entry, pending, live.counting)
        self.on_notice(game_id)
        return Outcome(live.seq, lines)

    async def undo(self, game_id: int, user_id: int, expected_seq: int | None = None) -> Outcome:
        """Take back the person's own last move while nobody else has acted since; raises Refused."""
        async with self.lock(game_id), self._nothing_half(game_id):
            live = await self._load(game_id)
            self.require_seq(live, expected_seq)
            player = self._playing(live, user_id)
            last = undoable(live, player)
            before = live.game.actors()
            kept = live.counting[:-1]
            earlier = await loading.back_to(live, kept)
            text = f"{strong(live.name_of(player))} takes back move {last.seq}."
            over = notices.hand_over(before, earlier.actors(), player)
            line = Line(f"`{live.seq + 1}` {text}")
            pending = [line.notice(), notices.board(), over.notice()]
            entry = Entry("undo", log.undo_payload(kept[-1].seq), earlier.digest(), player, user_id)
            live.game = earlier
            await self._commit(live, entry, pending, kept)
        self.on_notice(game_id)
        return Outcome(live.seq, (text,))

    async def accept(self, game_id: int, user_id: int) -> Outcome:
        """Let a game that waits go on from where it stands, for somebody who may; raises Refused."""
        async with self.reading(game_id) as live, self._nothing_half(game_id):
            if live.waits is None:
                raise Refused(f"Game {live.id} does not wait: there is nothing to accept.")
            payload = log.accept_payload(RULES_VERSION, live.game.dump())
            text = accept_line(live.seq + 1, RULES_VERSION, user_id)
            over = notices.hand_over((), live.game.actors(), None)
            pending = [Line(text).notice(), notices.board(), over.notice(), *notices.ending(live)]
            entry = Entry("accept", payload, live.game.digest(), "", user_id)
            await self._commit(live, entry, pending, live.counting)
            live.waits = None
        self.on_notice(game_id)
        return Outcome(live.seq, (text,))

    async def review(self) -> None:
        """Look at the running games: tables that are damaged, or have to wait, are told so."""
        for row in await games.games_in(self.db, "running", self.share):
            try:
                async with self.lock(row.id):
                    if self.cached(row.id) is None:
                        await self._taken_up(row)
            except (Refused, StorageError) as error:
                _log.warning("game %s: %s", row.id, error)
            await asyncio.sleep(GENTLY)

    async def damage(self, game_id: int) -> str | None:
        """Why nothing can be done with a game as it is stored; None where it can be played."""
        try:
            async with self.reading(game_id):
                return None
        except Refused as error:
            return str(error)

    def seat_of(self, live: Live, user_id: int) -> PlayerId:
        """The player this person plays; raises NotYours for an onlooker."""
        player = live.player_of(user_id)
        if player is None:
            names = ", ".join(seat.display_name for seat in live.seats)
            raise NotYours(f"You have no seat in game {live.id}; it is played by {names}.")
        return player

    def require_seq(self, live: Live, expected_seq: int | None) -> None:
        """Raise MovedOn unless the log still ends at `expected_seq` (None: wherever it ends)."""
        if expected_seq is not None and expected_seq != live.seq:
            raise MovedOn

    async def drain(self) -> None:
        """Wait until no game is being changed."""
        await self._locks.drain()

    def forget(self, game_id: int) -> None:
        """Drop the live game; the next request reads it again."""
        self._live.forget(game_id)
        self._damaged.pop(game_id, None)

    def _playing(self, live: Live, user_id: int) -> PlayerId:
        why = live.held_up(self.clock())
        if why is not None:
            raise Refused(why)
        return self.seat_of(live, user_id)

    async def _commit(self, live: Live, entry: Entry, pending: Sequence[Notice], counting: list[Row]) -> None:
        """Store a row; `counting` are the rows that count before it."""
        now, state = self.clock(), live.game.dump()
        over = live.game.over
        commit = log.commit_move(
            self.db,
            live.id,
            live.seq,
            [entry],
            pending,
            now=now,
            status="finished" if over else "running",
            state=state,
        )
        seq = await certainly(commit, lambda: stored_row(self.db, live.id, live.seq, entry, now), SEE_LOG)
        live.seq = seq
        _log.info("stored %s", entry.kind, extra={"game": live.id, "seq": seq})
        live.row = replace(live.row, status="finished" if over else "running")
        row = Row(live.id, seq, entry.kind, entry.payload, entry.digest, entry.actor, entry.user_id, now)
        live.counting = counting if entry.kind == "undo" else [*counting, row]
        live.remember(state)

    @asynccontextmanager
    async def _nothing_half(self, game_id: int) -> AsyncIterator[None]:
        """Keep no live game that may be ahead of the log; a refusal has changed nothing and keeps it."""
        try:
            yield
        except BaseException as error:
            if isinstance(error, NotStored) or not isinstance(error, IllegalAction | Refused):
                self.forget(game_id)
            if isinstance(error, StaleSequence):
                raise MovedOn from error
            if isinstance(error, TOLD) or not isinstance(error, Exception):
                raise
            raise Untouched from error  # once a row is stored, nothing is left that could fail

    async def _load(self, game_id: int) -> Live:
        live = self._live.find(game_id)
        if live is not None and self.db.shared and not await loading.is_current(self.db, live):
            live = None
        if live is None:
            row = await games.get_game(self.db, game_id)
            if row.status == "lobby":
                raise Refused(f"Game {game_id} has not started yet. `/game start` starts it.")
            if row.status == "abandoned" and await log.last_seq(self.db, game_id) == 0:
                raise Refused(f"Game {game_id} was abandoned before it started.")
            live = await self._taken_up(row)
        live.substitutes = sittings.substitutes(live.sittings, self.clock())
        self._live.keep(live)
        return live

    async def _taken_up(self, row: games.Game) -> Live:
        """Read a game; where it is damaged, or waits, the table is told, once. Raises Damaged."""
        if row.id in self._damaged:
            raise Damaged(self._damaged[row.id])
        try:
            live = await loading.load(self.db, row.id)
        except Damaged as error:
            await self._tell(row, await log.last_seq(self.db, row.id), str(error))
            self._damaged[row.id] = str(error)
            raise
        await self._tell(row, live.seq, live.waits)
        return live

    async def _tell(self, row: games.Game, seq: int, text: str | None) -> None:
        """Tell a running table something that belongs to no move, once; None is nothing."""
        if text is None or row.status != "running" or not self.share.holds(row.guild_id):
            return
        if await outbox.add_once(self.db, row.id, seq, Line(text).notice(), self.clock()):
            self.on_notice(row.id)

    async def _reread(self, game_id: int) -> None:
        live = self._live.find(game_id)
        if live is not None:
            live.row = loading.as_played(await games.get_game(self.db, game_id), live.game)
