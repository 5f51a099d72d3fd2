"""Moves made by themselves, as ordered, by caretakers, or as the only possible ones, stored with what leads there."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.table.live import Live, played
from bot.table.style import plain
from engine.caretaker import choose
from engine.core.errors import Unreadable
from engine.core.events import Event
from engine.core.ids import PlayerId
from engine.game import Game
from engine.orders import Move, Standing, Stopped, forced_move, read_order, stopped, would_do
from engine.play.steps.base import Wish
from storage import Database, orders
from storage.log import Entry
from storage.orders import Changes, Ended, Order

_log = logging.getLogger("stationmaster.service")

MOST: Final = 1_000
"""How many moves follow by themselves at once, at most; what is left follows the next move."""
AT_ONCE: Final = 20
"""How many moves of caretakers there are among them, at most: each takes a part of a second."""
MARK: Final = "*(automatic)*"
"""What stands behind a move that nobody made by hand."""
CARED: Final = "*(caretaker)*"
"""What stands behind a move of a caretaker."""
CHANGED_HANDS: Final = "The seat is played by somebody else."
"""Why the orders of whoever had it end."""
TAKEN_BACK: Final = "You have taken back what it did."
"""Why an order ends when its owner undoes its move."""
EXPECTED: Final = frozenset({"order.step_over"})
"""Why orders end that do what they were given for just once: their owners need not be told."""
UNREADABLE: Final = "It is not readable any more."
"""Why an order ends that another version has stored."""


@dataclass(slots=True)
class Followed:
    """What has followed a move: rows for the log, their public lines row by row, events, and what became of orders."""

    entries: list[Entry] = field(default_factory=list)
    lines: list[tuple[str, ...]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    ended: list[Ended] = field(default_factory=list)
    by: list[int | None] = field(default_factory=list)
    """The order that made each row; None: nothing else was possible, or a caretaker made it."""

    def changes(self, first: int, given: Sequence[Order] = (), replaced: Sequence[int] = ()) -> Changes:
        """What is stored of it, where its first row gets this number in the log."""
        made = tuple(enumerate(self.by, start=first))
        return Changes(tuple(given), tuple(replaced), tuple(self.ended), made)


async def follow(db: Database, live: Live, events: Sequence[Event], by: int | None = None) -> Followed:
    """Let follow what follows a move, made by whom, in a game that is being written."""
    return await Following(live, await orders.standing(db, live.id), by).after(events)


async def taken_back(db: Database, live: Live, game: Game, player: PlayerId | None, to: int) -> Changes:
    """What becomes of orders when the game goes back to a row: those that would do it again for `player` end."""
    there = await orders.standing_after(db, live.id, to)
    following = Following(live, there)
    while player is not None and (found := await following.own(game, player)) is not None:
        following.end(found, TAKEN_BACK)
    return Changes(ended=tuple(following.followed.ended), back_to=to)


def cared(live: Live, by: int | None = None) -> frozenset[PlayerId]:
    """The players for whom a caretaker moves, as long as a person plays a seat; not for `by`, who acts himself."""
    all_of_them = {seat.player_id for seat in live.seats} <= live.by_caretaker
    return frozenset() if all_of_them else frozenset(p for p in live.by_caretaker if live.holder_of(p) != by)


class Following:
    """The orders of a game that is being written, and what has followed so far."""

    def __init__(self, live: Live, kept: Sequence[Order], by: int | None = None) -> None:
        self.followed = Followed()
        self._live = live
        self._cared = cared(live, by)
        self._thought = 0
        self._standing: dict[int, Standing] = {}
        for order in kept:
            self._take(order)

    @property
    def standing(self) -> tuple[Standing, ...]:
        """The orders that stand."""
        return tuple(self._standing.values())

    def let_caretakers_wait(self) -> None:
        """Their moves are made later, if at all."""
        self._cared = frozenset()

    async def after(self, events: Sequence[Event]) -> Followed:
        """Make one move after the other, until somebody has to decide."""
        self._stop(events)
        while len(self.followed.entries) < MOST and (move := await self._next()) is not None:
            self._make(move)
        return self.followed

    async def retrace(self, events: Sequence[Event]) -> None:
        """Let end what ends with a move that is made once more, and what cannot go on after it; nothing is done."""
        self._stop(events)
        await self._ordered()

    async def own(self, game: Game, player: PlayerId) -> int | None:
        """The order that would act now for a player."""
        found = await self._found(game, player)
        return found.order if isinstance(found, Move) else None

    def end(self, number: int, why: str, *, told: bool = False) -> None:
        """End an order; its owner is told, unless he knows."""
        self._standing.pop(number, None)
        self.followed.ended.append(Ended(number, why, told))

    def _take(self, order: Order) -> None:
        live = self._live
        others = live.by_table | live.by_caretaker
        if order.player_id in others or live.user_of(order.player_id) != order.user_id:
            self.end(order.number, CHANGED_HANDS)
            return
        try:
            wanted = read_order(order.payload)
        except Unreadable:
            self.end(order.number, UNREADABLE)
            return
        self._standing[order.number] = Standing(order.number, order.player_id, wanted, order.since)

    def _stop(self, events: Sequence[Event]) -> None:
        game = self._live.game
        for one in stopped(game, self.standing, events):
            self._tell(one)

    def _tell(self, one: Stopped) -> None:
        self.end(one.order, f"{plain(self._live.game).say(one.why)}.", told=one.why.name in EXPECTED)

    async def _next(self) -> Move | None:
        """The next move: one that was ordered, else a caretaker's, else one that leaves nothing to choose."""
        game, found = self._live.game, await self._ordered()
        if found is not None:
            return found
        mine = next((player for player in game.actors() if player in self._cared), None)
        return forced_move(game) if mine is None else await self._thought_of(game, mine)

    async def _ordered(self) -> Move | None:
        """The next move that was ordered, after the orders have ended that cannot go on."""
        game = self._live.game
        for player in game.actors():
            while (found := await self._found(game, player)) is not None:
                if isinstance(found, Move):
                    return found
                self._tell(found)
        return None

    async def _thought_of(self, game: Game, player: PlayerId) -> Move | None:
        """What a caretaker does for this player, or not yet. It takes a while: the event loop goes on meanwhile.

        Nobody changes the game meanwhile, whose lock is held.
        """
        if self._thought == AT_ONCE:
            return None
        self._thought += 1
        try:
            return Move(game.walk(Wish.of(await asyncio.to_thread(choose, game, player, game.seed))))
        except Exception:  # noqa: BLE001 - whatever it is, the move that led here stands
            _log.exception("game %s: the caretaker finds no move for %s", self._live.id, player)
            return None

    async def _found(self, game: Game, player: PlayerId) -> Move | Stopped | None:
        """What a player's orders do. Best routes may be searched: the event loop goes on meanwhile.

        Nobody changes the game meanwhile, whose lock is held.
        """
        if all(one.player != player for one in self._standing.values()):
            return None
        return await asyncio.to_thread(would_do, game, player, self.standing)

    def _make(self, move: Move) -> None:
        live, actor, done = self._live, move.walk.offer.actor, self.followed
        events, lines = played(live.game, move.walk)
        person = None if move.order is None else live.user_of(actor)
        payload = move.walk.action().model_dump_json()
        mark = CARED if actor in self._cared else MARK
        done.entries.append(Entry("action", payload, live.game.digest(), actor, person))
        done.lines.append((*lines[:-1], f"{lines[-1]} {mark}"))
        done.events.extend(events)
        done.by.append(move.order)
        self._stop(events)
