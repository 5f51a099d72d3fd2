"""Automatic moves: by standing orders, by caretakers (computer players), or because only one move is legal."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Self

from bot.table.live import LiveGame, ask_worker, standing_orders
from bot.table.markdown import plain_teller
from bot.table.move_lines import DescribedMove, with_bid_line
from bot.table.moves.moves import RUN_TRAINS_KIND, cursor_of_action
from engine import Action, Event, Game, OfferCursor, PlayerId, Request, Unreadable, caretaker
from engine import orders as order_rules
from storage import CARETAKER_USER, Database, NewLogRow, Order, Seat, orders

_log = logging.getLogger("stationmaster.service")

MAX_AUTOMATIC_MOVES: Final = 1_000
"""Maximum number of automatic moves that follow one move. If more are due, they follow the next move."""
MAX_CARETAKER_MOVES: Final = 20
"""Maximum number of caretaker (computer) moves after one move, since each takes part of a second to find."""
AUTOMATIC_MARK: Final = "*(automatic)*"
"""Mark (text) after the line of an automatic move."""
CARETAKER_MARK: Final = "*(caretaker)*"
"""Mark (text) after the line of a caretaker's (computer player's) move."""
SEAT_CHANGED_HANDS_REASON: Final = "Another player plays the seat."
"""Reason shown when orders end because another user now plays the seat."""
ORDER_UNDONE_REASON: Final = "You undid its move."
"""Reason shown when an order ends because its owner undid its move."""
ORDER_REPLACED_REASON: Final = "You gave a newer order for the same thing."
"""Reason stored for an order that an undo would restore, if its owner has replaced it with a newer one."""
SEALED_BID_TOO_LOW_REASON: Final = (
    "A higher bid beat it and was then undone. If the order stayed, others could find its limit with "
    "lower bids."
)
"""Reason shown when a sealed bid ends because a higher bid, later undone, has shown that it is too low."""
REASONS_WITHOUT_NOTIFICATION: Final = frozenset({"order.step_over"})
"""Expected reasons for the end of a standing order (a one-time order is done). Its owner is not notified."""
REASONS_NEEDING_DECISION: Final = frozenset({"order.beyond"})
"""Reasons for the end of a standing order after which its owner must move by hand: no other order applies."""
ORDER_UNREADABLE_REASON: Final = "The bot can no longer read it."
"""Reason shown when an order ends because this version of the bot cannot read it."""


@dataclass(slots=True)
class AutomaticRun:
    """A series of automatic moves and their effects. `entries`, `lines`, `order_numbers` have an item for each move."""

    entries: list[NewLogRow] = field(default_factory=list)
    lines: list[tuple[str, ...]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    ended_orders: list[orders.EndedOrder] = field(default_factory=list)
    order_numbers: list[int | None] = field(default_factory=list)
    """For each move, the number of its standing order; None for a forced move or a computer player's move."""

    def add_move(self, made_move: DescribedMove, order_number: int | None) -> None:
        """Add a move; `order_number` is the standing order that made it (None: no order)."""
        self.entries.append(made_move.entry)
        self.lines.append(made_move.lines)
        self.events.extend(made_move.events)
        self.order_numbers.append(order_number)

    def order_changes(
        self, first_seq: int, new_orders: Sequence[Order] = (), replaced_order_numbers: Sequence[int] = ()
    ) -> orders.OrderChanges:
        """Changes of standing orders to store with these moves; `first_seq` is the log row of the first move."""
        seqs_and_order_numbers = tuple(enumerate(self.order_numbers, start=first_seq))
        return orders.OrderChanges(
            tuple(new_orders), tuple(replaced_order_numbers), tuple(self.ended_orders), seqs_and_order_numbers
        )


@dataclass(frozen=True, slots=True)
class FoundAutomaticMove:
    """An automatic move that a worker found, and the number of its standing order (None: no order)."""

    action: Action
    order_number: int | None

    @classmethod
    def of(cls, move: order_rules.AutomaticMove) -> Self:
        """The automatic move in a form that a worker can send back to the bot."""
        return cls(move.cursor.action(), move.order_number)

    def move(self, game: Game) -> order_rules.AutomaticMove:
        """The automatic move in the form that can be made in this game."""
        return order_rules.AutomaticMove(cursor_of_action(game, self.action), self.order_number)


def may_search_routes(game: Game, player: PlayerId) -> bool:
    """True if an automatic move of this player may need a route search, since they can run trains."""
    return any(offer.kind == RUN_TRAINS_KIND for offer in game.offers(player))


def move_by_order(
    game: Game, player: PlayerId, standing_orders: Sequence[order_rules.StandingOrder]
) -> FoundAutomaticMove | order_rules.StoppedOrder | None:
    """The next move by a player's standing orders, or the order that must end; None if no order applies now.

    Run by a worker.
    """
    order_outcome = order_rules.next_order_move(game, player, standing_orders)
    return (
        FoundAutomaticMove.of(order_outcome)
        if isinstance(order_outcome, order_rules.AutomaticMove)
        else order_outcome
    )


def caretaker_move(game: Game, player: PlayerId, strength: str) -> Action:
    """The move that a computer player of this strength chooses for this player."""
    return caretaker.choose_move(game, player, game.seed, strength)


def caretaker_strength(seat: Seat) -> str | None:
    """The strength of the computer player in a seat, read from its name; None for a user or if the name has none."""
    # Earlier versions used the strength as name, with a number for further ones.
    name_parts = seat.display_name.removesuffix(")").split(" (") if seat.user_id == CARETAKER_USER else []
    return next((part for part in name_parts if part in caretaker.STRENGTHS), None)


async def run_automatic_moves(
    db: Database,
    live: LiveGame,
    events: Sequence[Event],
    by_user: int | None = None,
    last_mover: PlayerId | None = None,
    further_actions: Sequence[Action] = (),
) -> AutomaticRun:
    """Make the automatic moves that follow a move in a locked game.

    `events` are the events of the move, `by_user` is the user who made it, and `last_mover` is the player for whom it
    was made (each None if no user or player made a move). `further_actions` were chosen together with the move and are
    made first.
    """
    return await AutomaticMoves(live, await standing_orders(db, live), by_user, last_mover).follow_move(
        events, further_actions
    )


async def withdraw_offer(db: Database, live: LiveGame, cursor: OfferCursor) -> AutomaticRun:
    """Withdraw a computer player's offer to another player, and make the automatic moves that follow."""
    automatic_moves = AutomaticMoves(live, await standing_orders(db, live))
    return await automatic_moves.start_with_move(order_rules.AutomaticMove(cursor))


async def orders_after_undo(
    db: Database, live: LiveGame, game: Game, player: PlayerId | None, target_seq: int
) -> orders.OrderChanges:
    """Changes of standing orders after an undo to log row `target_seq` by `player`.

    `game` is the position after that row. The undo restores earlier orders, with three exceptions. It ends orders of
    `player` that would repeat undone moves. It ends other players' sealed bids that were too low, since new lower bids
    could reveal them. It does not restore orders that their owners have replaced.
    """
    orders_before_undo = await orders.orders_standing_after(db, live.id, target_seq)
    automatic_moves = AutomaticMoves(live, orders_before_undo)
    for number in order_rules.replaced_order_numbers(automatic_moves.standing_orders):
        automatic_moves.end_order(number, ORDER_REPLACED_REASON, is_owner_notified=True)
    if player is not None:
        automatic_moves.end_insufficient_bids(player)
        while (order_number := await automatic_moves.order_number_of_next_move(game, player)) is not None:
            automatic_moves.end_order(order_number, ORDER_UNDONE_REASON)
    return orders.OrderChanges(
        ended_orders=tuple(automatic_moves.result.ended_orders), undo_target_seq=target_seq
    )


def caretaker_players(live: LiveGame, by_user: int | None = None) -> frozenset[PlayerId]:
    """Players for whom a computer player moves. The player for whom the user `by_user` acts is left out.

    Empty if computer players hold all seats, since no move is automatic in such a game.
    """
    has_only_caretakers = {seat.player_id for seat in live.seats} <= live.caretaker_players
    return (
        frozenset()
        if has_only_caretakers
        else frozenset(p for p in live.caretaker_players if live.holder_of(p) != by_user)
    )


class AutomaticMoves:
    """Finds and makes automatic moves in a locked game."""

    def __init__(
        self,
        live: LiveGame,
        stored_orders: Sequence[Order],
        by_user: int | None = None,
        last_mover: PlayerId | None = None,
    ) -> None:
        self.result = AutomaticRun()
        self._live = live
        self._last_mover = last_mover
        self._caretaker_players = caretaker_players(live, by_user)
        self._caretaker_move_count = 0
        self._standing_order_by_number: dict[int, order_rules.StandingOrder] = {}
        for order in stored_orders:
            self._add_order(order)

    @property
    def standing_orders(self) -> tuple[order_rules.StandingOrder, ...]:
        return tuple(self._standing_order_by_number.values())

    async def follow_move(
        self, events: Sequence[Event], further_actions: Sequence[Action] = ()
    ) -> AutomaticRun:
        """Make `further_actions`, and after them automatic moves until a user must decide; raises IllegalAction."""
        self._end_stopped_orders(events)
        for action in further_actions:
            made_move = self._live.make_move(self._live.game.cursor_for(Request.of_action(action)), None)
            self.result.add_move(made_move, None)
            self._end_stopped_orders(made_move.events)
        return await self._make_all_moves()

    async def _make_all_moves(self) -> AutomaticRun:
        while (
            len(self.result.entries) < MAX_AUTOMATIC_MOVES and (move := await self._next_move()) is not None
        ):
            self._make_move(move)
        return self.result

    async def start_with_move(self, move: order_rules.AutomaticMove) -> AutomaticRun:
        """Make this move, and after it automatic moves until a user must decide."""
        self._make_move(move)
        return await self._make_all_moves()

    async def start_order(self, order: Order) -> AutomaticRun:
        """Make the moves that a new standing order causes at once.

        After an undo, other players' automatic moves are not made. The last sealed bid is an exception: it starts the
        moves of all players.
        """
        move = await self._next_ordered_move(self._players_to_move(order))
        return self.result if move is None else await self.start_with_move(move)

    def have_all_sealed(self) -> bool:
        """True if all players have sealed bids, so that the auction can be resolved."""
        return order_rules.have_all_players_sealed(self._live.game, self.standing_orders)

    async def follow_redone_move(self, events: Sequence[Event]) -> None:
        """End standing orders that no longer apply after a redone move. No move is made."""
        self._end_stopped_orders(events)
        await self._next_ordered_move(self._live.game.actors())

    async def order_number_of_next_move(self, game: Game, player: PlayerId) -> int | None:
        """The number of the player's standing order that would make a move now; None if no order would."""
        move = await self._order_outcome(game, player)
        return move.order_number if isinstance(move, order_rules.AutomaticMove) else None

    def end_insufficient_bids(self, player: PlayerId) -> None:
        """End other players' sealed bids that are too low in the current position; those of `player` stay."""
        game = self._live.game
        bid_orders = {
            number: standing_order
            for number, standing_order in self._standing_order_by_number.items()
            if isinstance(standing_order.order, order_rules.BidUpTo | order_rules.SealBids)
        }
        for other_player in (actor for actor in game.actors() if actor != player):
            while isinstance(
                order_outcome := order_rules.next_order_move(game, other_player, tuple(bid_orders.values())),
                order_rules.StoppedOrder,
            ):
                self.end_order(order_outcome.order_number, SEALED_BID_TOO_LOW_REASON)
                del bid_orders[order_outcome.order_number]

    def end_order(self, number: int, reason: str, *, is_owner_notified: bool = False) -> None:
        """End a standing order for this reason. Its owner is notified later, unless `is_owner_notified` is true."""
        self._standing_order_by_number.pop(number, None)
        self.result.ended_orders.append(orders.EndedOrder(number, reason, is_owner_notified))

    def _add_order(self, order: Order) -> None:
        live = self._live
        players_without_user = live.group_players | live.caretaker_players
        if order.player_id in players_without_user or live.user_of(order.player_id) != order.user_id:
            self.end_order(order.number, SEAT_CHANGED_HANDS_REASON)
            return
        try:
            order_content = order_rules.read_order(order.payload)
        except Unreadable:
            self.end_order(order.number, ORDER_UNREADABLE_REASON)
            return
        self._standing_order_by_number[order.number] = order_rules.StandingOrder(
            order.number, order.player_id, order_content, order.since
        )

    def _end_stopped_orders(self, events: Sequence[Event]) -> None:
        game = self._live.game
        for stopped_order in order_rules.stopped_orders(game, self.standing_orders, events):
            self._end_stopped_order(stopped_order)

    def _end_stopped_order(self, stopped_order: order_rules.StoppedOrder) -> None:
        self.end_order(
            stopped_order.order_number,
            f"{plain_teller(self._live.game).say(stopped_order.reason)}.",
            is_owner_notified=stopped_order.reason.name in REASONS_WITHOUT_NOTIFICATION,
        )

    async def _next_move(self) -> order_rules.AutomaticMove | None:
        game = self._live.game
        move = await self._next_ordered_move(game.actors())
        if move is not None:
            return move
        caretaker_player = next(
            (player for player in game.actors() if player in self._caretaker_players), None
        )
        return (
            order_rules.forced_move(game)
            if caretaker_player is None
            else await self._caretaker_move(game, caretaker_player)
        )

    def _players_to_move(self, order: Order) -> Sequence[PlayerId]:
        standing_order = self._standing_order_by_number.get(order.number)
        resolves_auction = (
            standing_order is not None
            and isinstance(standing_order.order, order_rules.SealBids)
            and self.have_all_sealed()
        )
        return self._live.game.actors() if resolves_auction else (order.player_id,)

    async def _next_ordered_move(self, players: Sequence[PlayerId]) -> order_rules.AutomaticMove | None:
        for player in players:
            while (move := await self._order_outcome(self._live.game, player)) is not None:
                if isinstance(move, order_rules.AutomaticMove):
                    return move
                self._end_stopped_order(move)
                if move.reason.name in REASONS_NEEDING_DECISION:
                    return None
        return None

    async def _caretaker_move(self, game: Game, player: PlayerId) -> order_rules.AutomaticMove | None:
        if self._caretaker_move_count == MAX_CARETAKER_MOVES:
            return None
        self._caretaker_move_count += 1
        try:
            seat = next(seat for seat in self._live.seats if seat.player_id == player)
            strength = caretaker_strength(seat) or caretaker.DEFAULT_STRENGTH
            action = await ask_worker(self._live, game, caretaker_move, player, strength)
            return order_rules.AutomaticMove(cursor_of_action(game, action))
        except Exception:  # noqa: BLE001 - the move that led here is valid, so it must be stored
            _log.exception("game %s: the caretaker found no move for %s", self._live.id, player)
            return None

    async def _order_outcome(
        self, game: Game, player: PlayerId
    ) -> order_rules.AutomaticMove | order_rules.StoppedOrder | None:
        possible_orders = [
            standing_order
            for standing_order in self.standing_orders
            if player == self._last_mover or not isinstance(standing_order.order, order_rules.DoneAfter)
        ]
        if all(standing_order.player != player for standing_order in possible_orders):
            return None
        if not may_search_routes(game, player):
            return order_rules.next_order_move(game, player, possible_orders)
        order_outcome = await ask_worker(self._live, game, move_by_order, player, possible_orders)
        return order_outcome.move(game) if isinstance(order_outcome, FoundAutomaticMove) else order_outcome

    def _make_move(self, move: order_rules.AutomaticMove) -> None:
        live, actor, automatic_run = self._live, move.cursor.offer.actor, self.result
        self._last_mover = actor
        user_id = None if move.order_number is None else live.user_of(actor)
        mark = CARETAKER_MARK if actor in self._caretaker_players else AUTOMATIC_MARK
        may_be_bid = bool(self._caretaker_players) and any(live.game.offers(actor, "bid"))
        made_move = live.make_move(move.cursor, user_id, mark)
        automatic_run.add_move(
            with_bid_line(made_move, live.name_of(actor), mark) if may_be_bid else made_move,
            move.order_number,
        )
        self._end_stopped_orders(made_move.events)
