"""Automatic moves by orders, caretakers, or force, stored with the move before them."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Self

from bot.table.live import LiveGame, ask_worker, standing_orders
from bot.table.markdown import plain_teller
from bot.table.move_lines import MadeMove, as_bid
from bot.table.moves.moves import SEARCHED, checked_walk
from engine import Action, Cursor, Event, Game, PlayerId, Request, Unreadable, caretaker
from engine import orders as order_rules
from storage import CARETAKER, Database, Entry, Order, Seat, orders

_log = logging.getLogger("stationmaster.service")

MOST: Final = 1_000
"""The most automatic moves at once; the rest follows the next move."""
AT_ONCE: Final = 20
"""The most moves of caretakers among them: each takes a part of a second."""
MARK: Final = "*(automatic)*"
"""Mark behind a move that nobody made by hand."""
CARED: Final = "*(caretaker)*"
"""Mark behind a move of a caretaker."""
CHANGED_HANDS: Final = "Another player plays the seat."
"""Why the orders of a seat's former holder end."""
TAKEN_BACK: Final = "You have undone what it did."
"""Why an order ends when its owner undoes its move."""
OUTDATED: Final = "You gave a newer order for the same thing."
"""Why an order ends that an undo would give back, although its owner has ordered otherwise since."""
NOT_ENOUGH: Final = "It was too low for a bid that was then undone, so others could test it with lower bids."
"""Why a sealed bid that has asked its owner does not stand again."""
EXPECTED: Final = frozenset({"order.step_over"})
"""Why one-time orders end without a notification of their owners."""
ASKS: Final = frozenset({"order.beyond"})
"""Why orders end that ask their owners: no other order passes then before they have been asked."""
UNREADABLE: Final = "The bot can no longer read it."
"""Why an order ends that another version has stored."""


@dataclass(slots=True)
class AutomaticRun:
    """A series of automatic moves: rows, lines by row, events, and changes of orders."""

    entries: list[Entry] = field(default_factory=list)
    lines: list[tuple[str, ...]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    ended: list[orders.EndedOrder] = field(default_factory=list)
    order_numbers: list[int | None] = field(default_factory=list)
    """The order that made each row; None: nothing else was possible, or a caretaker made it."""

    def add(self, made_move: MadeMove, order: int | None) -> None:
        """Add a move with its order."""
        self.entries.append(made_move.entry)
        self.lines.append(made_move.lines)
        self.events.extend(made_move.events)
        self.order_numbers.append(order)

    def changes(
        self, first: int, given: Sequence[Order] = (), replaced: Sequence[int] = ()
    ) -> orders.OrderChanges:
        """The changes of orders, given the number of the first row."""
        made = tuple(enumerate(self.order_numbers, start=first))
        return orders.OrderChanges(tuple(given), tuple(replaced), tuple(self.ended), made)


@dataclass(frozen=True, slots=True)
class FoundMove:
    """An automatic move from a worker, with the number of its order, if any."""

    action: Action
    order: int | None

    @classmethod
    def of(cls, move: order_rules.AutomaticMove) -> Self:
        """A worker's result for a move."""
        return cls(move.walk.action(), move.order)

    def move(self, game: Game) -> order_rules.AutomaticMove:
        """The move in this game."""
        return order_rules.AutomaticMove(checked_walk(game, self.action), self.order)


def may_search_routes(game: Game, player: PlayerId) -> bool:
    """True if a player's automatic move may need a search for routes."""
    return any(offer.kind == SEARCHED for offer in game.offers(player))


def ordered_move(
    game: Game, player: PlayerId, standing: Sequence[order_rules.Standing]
) -> FoundMove | order_rules.StoppedOrder | None:
    """The move of a player's orders, or the order that stops."""
    outcome = order_rules.next_order_move(game, player, standing)
    return FoundMove.of(outcome) if isinstance(outcome, order_rules.AutomaticMove) else outcome


def caretaker_move(game: Game, player: PlayerId, strength: str) -> Action:
    """The move of a caretaker of this strength for a player."""
    return caretaker.choose(game, player, game.seed, strength)


def strength_of(seat: Seat) -> str | None:
    """The strength of a seat's computer player, by its name; None: not chosen, or a person's seat."""
    # Earlier versions named them by their strength alone, with a number behind the second.
    parts = seat.display_name.removesuffix(")").split(" (") if seat.user_id == CARETAKER else []
    return next((part for part in parts if part in caretaker.STRENGTHS), None)


async def run_automatic_moves(
    db: Database,
    live: LiveGame,
    events: Sequence[Event],
    by_user: int | None = None,
    moved: PlayerId | None = None,
    along: Sequence[Action] = (),
) -> AutomaticRun:
    """Make the automatic moves after a move by user `by_user`, in a locked game.

    `moved` is the player whose step it was; None where the move was made outside the step. The moves
    `along` were chosen with it.
    """
    return await AutomaticMoves(live, await standing_orders(db, live), by_user, moved).follow_move(
        events, along
    )


async def withdraw_offer(db: Database, live: LiveGame, cursor: Cursor) -> AutomaticRun:
    """Withdraw a caretaker's proposal, and make the automatic moves after it."""
    following = AutomaticMoves(live, await standing_orders(db, live))
    return await following.start_with(order_rules.AutomaticMove(cursor))


async def orders_after_undo(
    db: Database, live: LiveGame, game: Game, player: PlayerId | None, to: int
) -> orders.OrderChanges:
    """Changes of orders by an undo: those that would repeat it for `player` end.

    So do others' maximums that were not enough, since a later lower bid would reveal them, and those that
    others of the same owner have taken the place of since.
    """
    there = await orders.standing_after(db, live.id, to)
    following = AutomaticMoves(live, there)
    for number in order_rules.outdated(following.standing):
        following.end_order(number, OUTDATED, notified=True)
    if player is not None:
        following.end_outbid(player)
        while (order := await following.own_order_move(game, player)) is not None:
            following.end_order(order, TAKEN_BACK)
    return orders.OrderChanges(ended=tuple(following.result.ended), back_to=to)


def caretaker_players(live: LiveGame, by_user: int | None = None) -> frozenset[PlayerId]:
    """The players for whom a caretaker moves while a person plays a seat; not for `by_user`, who acts themselves."""
    all_of_them = {seat.player_id for seat in live.seats} <= live.by_caretaker
    return (
        frozenset()
        if all_of_them
        else frozenset(p for p in live.by_caretaker if live.holder_of(p) != by_user)
    )


class AutomaticMoves:
    """Makes automatic moves in a locked game."""

    def __init__(
        self,
        live: LiveGame,
        stored_orders: Sequence[Order],
        by_user: int | None = None,
        moved: PlayerId | None = None,
    ) -> None:
        self.result = AutomaticRun()
        self._live = live
        self._moved = moved
        self._cared = caretaker_players(live, by_user)
        self._caretaker_moves = 0
        self._standing: dict[int, order_rules.Standing] = {}
        for order in stored_orders:
            self._add_order(order)

    @property
    def standing(self) -> tuple[order_rules.Standing, ...]:
        return tuple(self._standing.values())

    async def follow_move(self, events: Sequence[Event], along: Sequence[Action] = ()) -> AutomaticRun:
        """Make these moves, then automatic ones until somebody must decide; raises IllegalAction."""
        self._stop(events)
        for action in along:
            made = self._live.make_move(self._live.game.walk(Request.of_action(action)), None)
            self.result.add(made, None)
            self._stop(made.events)
        return await self._run_on()

    async def _run_on(self) -> AutomaticRun:
        while len(self.result.entries) < MOST and (move := await self._next_move()) is not None:
            self._make_move(move)
        return self.result

    async def start_with(self, move: order_rules.AutomaticMove) -> AutomaticRun:
        """Make a move, then automatic ones until somebody must decide."""
        self._make_move(move)
        return await self._run_on()

    async def start_order(self, order: Order) -> AutomaticRun:
        """Make the moves after a new order, if it or its owner can act now.

        What waits for others since an undo keeps waiting; the last seal starts everybody's.
        """
        move = await self._ordered(self._moved_by(order))
        return self.result if move is None else await self.start_with(move)

    def all_sealed(self) -> bool:
        """True if everybody has sealed, so that seals do their work."""
        return order_rules.everybody_has_sealed(self._live.game, self.standing)

    async def retrace(self, events: Sequence[Event]) -> None:
        """End the orders that end with a redone move, without making moves."""
        self._stop(events)
        await self._ordered(self._live.game.actors())

    async def own_order_move(self, game: Game, player: PlayerId) -> int | None:
        """A player's order that would act now."""
        move = await self._ordered_move_of(game, player)
        return move.order if isinstance(move, order_rules.AutomaticMove) else None

    def end_outbid(self, player: PlayerId) -> None:
        """End other players' sealed maxima that are too low now."""
        game = self._live.game
        bids = {
            number: one
            for number, one in self._standing.items()
            if isinstance(one.order, order_rules.BidUpTo | order_rules.Seal)
        }
        for other in (actor for actor in game.actors() if actor != player):
            while isinstance(
                outcome := order_rules.next_order_move(game, other, tuple(bids.values())),
                order_rules.StoppedOrder,
            ):
                self.end_order(outcome.order, NOT_ENOUGH)
                del bids[outcome.order]

    def end_order(self, number: int, why: str, *, notified: bool = False) -> None:
        """End an order; its owner is notified, unless they know."""
        self._standing.pop(number, None)
        self.result.ended.append(orders.EndedOrder(number, why, notified))

    def _add_order(self, order: Order) -> None:
        live = self._live
        others = live.by_group | live.by_caretaker
        if order.player_id in others or live.user_of(order.player_id) != order.user_id:
            self.end_order(order.number, CHANGED_HANDS)
            return
        try:
            wanted = order_rules.read_order(order.payload)
        except Unreadable:
            self.end_order(order.number, UNREADABLE)
            return
        self._standing[order.number] = order_rules.Standing(
            order.number, order.player_id, wanted, order.since
        )

    def _stop(self, events: Sequence[Event]) -> None:
        game = self._live.game
        for one in order_rules.stopped_orders(game, self.standing, events):
            self._end_stopped(one)

    def _end_stopped(self, one: order_rules.StoppedOrder) -> None:
        self.end_order(
            one.order, f"{plain_teller(self._live.game).say(one.why)}.", notified=one.why.name in EXPECTED
        )

    async def _next_move(self) -> order_rules.AutomaticMove | None:
        """The next move: ordered, else a caretaker's, else forced."""
        game = self._live.game
        move = await self._ordered(game.actors())
        if move is not None:
            return move
        mine = next((player for player in game.actors() if player in self._cared), None)
        return order_rules.forced_move(game) if mine is None else await self._caretaker_move(game, mine)

    def _moved_by(self, order: Order) -> Sequence[PlayerId]:
        given = self._standing.get(order.number)
        seals = given is not None and isinstance(given.order, order_rules.Seal) and self.all_sealed()
        return self._live.game.actors() if seals else (order.player_id,)

    async def _ordered(self, players: Sequence[PlayerId]) -> order_rules.AutomaticMove | None:
        """The next move by one of these orders, after ending those that cannot continue."""
        for player in players:
            while (move := await self._ordered_move_of(self._live.game, player)) is not None:
                if isinstance(move, order_rules.AutomaticMove):
                    return move
                self._end_stopped(move)
                if move.why.name in ASKS:
                    return None
        return None

    async def _caretaker_move(self, game: Game, player: PlayerId) -> order_rules.AutomaticMove | None:
        """The caretaker's move for this player; a worker computes it while the game is locked."""
        if self._caretaker_moves == AT_ONCE:
            return None
        self._caretaker_moves += 1
        try:
            seat = next(seat for seat in self._live.seats if seat.player_id == player)
            strength = strength_of(seat) or caretaker.STRONGEST
            move = await ask_worker(self._live, game, caretaker_move, player, strength)
            return order_rules.AutomaticMove(checked_walk(game, move))
        except Exception:  # noqa: BLE001 - whatever it is, the move that led here stands
            _log.exception("game %s: the caretaker found no move for %s", self._live.id, player)
            return None

    async def _ordered_move_of(
        self, game: Game, player: PlayerId
    ) -> order_rules.AutomaticMove | order_rules.StoppedOrder | None:
        """The move of a player's orders; a worker searches for routes while the game is locked.

        A player is done with a step after a move of their own in it, and after no other.
        """
        ready = [
            standing
            for standing in self.standing
            if player == self._moved or not isinstance(standing.order, order_rules.DoneAfter)
        ]
        if all(standing.player != player for standing in ready):
            return None
        if not may_search_routes(game, player):
            return order_rules.next_order_move(game, player, ready)
        outcome = await ask_worker(self._live, game, ordered_move, player, ready)
        return outcome.move(game) if isinstance(outcome, FoundMove) else outcome

    def _make_move(self, move: order_rules.AutomaticMove) -> None:
        live, actor, done = self._live, move.walk.offer.actor, self.result
        self._moved = actor
        person = None if move.order is None else live.user_of(actor)
        mark = CARED if actor in self._cared else MARK
        bids = bool(self._cared) and any(live.game.offers(actor, "bid"))
        made = live.make_move(move.walk, person, mark)
        done.add(as_bid(made, live.name_of(actor), mark) if bids else made, move.order)
        self._stop(made.events)
