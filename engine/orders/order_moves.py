"""Carries out standing orders: the move that an order makes in a position, and the reason why an order ends."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.core.events import (
    Event,
    MajorFormed,
    MinorStarted,
    Parred,
    PresidentChanged,
    Privatized,
    SharesExchanged,
    SharesSold,
    TrainsMadeObsolete,
    TrainsRusted,
)
from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, PlayerId
from engine.core.offers import Offer, OfferCursor
from engine.core.state import Draft, Merger, Operating, Round, Stock
from engine.game import Game
from engine.orders.auction_orders import (
    bid_up_to_end_reason,
    maximum_bid_move,
    seal_end_reason,
    sealed_bid_move,
)
from engine.orders.automatic_moves import AutomaticMove
from engine.orders.order_kinds import (
    BidUpTo,
    BuyShares,
    DoneAfter,
    Order,
    PassMerger,
    PassStock,
    RunBest,
    SealBids,
    SkipStep,
    StandingOrder,
)
from engine.play.steps.dividend import DividendStep
from engine.play.steps.run_trains import RunStep
from engine.seat import SeatedPlayer


@dataclass(frozen=True, slots=True)
class StoppedOrder:
    """The number of an order that has ended, and the reason."""

    order_number: int
    reason: Fact


def next_order_move(
    game: Game, player: PlayerId, orders: Sequence[StandingOrder]
) -> AutomaticMove | StoppedOrder | None:
    """The next move that the player's orders make; a StoppedOrder if one must end first, None if the player decides.

    `orders` are the orders of all players. Moves other than passes come first, then an order that must end, then
    passes. Among several of these, the oldest order counts.
    """
    if game.proposal is not None or player not in game.actors():
        return None
    seat = SeatedPlayer(game, player)
    own_orders = sorted(order for order in orders if order.player == player)
    outcomes = [_order_outcome(seat, order, orders) for order in own_orders]
    moves = [outcome for outcome in outcomes if isinstance(outcome, AutomaticMove)]
    active_moves = (move for move in moves if move.cursor.offer.kind != "pass")
    ended_orders = (outcome for outcome in outcomes if isinstance(outcome, StoppedOrder))
    return next(active_moves, None) or next(ended_orders, None) or next(iter(moves), None)


def stopped_orders(
    game: Game, orders: Iterable[StandingOrder], events: Sequence[Event]
) -> tuple[StoppedOrder, ...]:
    """Orders, of any player, that end because of these events."""
    end_reasons = (
        (order.number, order_end_reason(SeatedPlayer(game, order.player), order.order, events))
        for order in orders
    )
    return tuple(StoppedOrder(number, reason) for number, reason in end_reasons if reason is not None)


def order_end_reason(seat: SeatedPlayer, order: Order, events: Sequence[Event]) -> Fact | None:
    """The reason why these events end an order; None if it continues."""
    match order:
        case PassStock():
            return pass_stock_end_reason(seat, order, events)
        case BuyShares():
            return buy_shares_end_reason(seat, order, events)
        case BidUpTo():
            return bid_up_to_end_reason(seat, order, events)
        case SealBids():
            return seal_end_reason(seat, events)
        case RunBest():
            return run_best_end_reason(seat, order, events)
        case SkipStep():
            return skip_step_end_reason(seat, order)
        case PassMerger():
            return pass_merger_end_reason(seat, order)
        case DoneAfter():
            return done_after_end_reason(seat, order)


def _order_outcome(
    seat: SeatedPlayer, standing_order: StandingOrder, orders: Sequence[StandingOrder]
) -> AutomaticMove | StoppedOrder | None:
    outcome = _move_of_order(seat, standing_order, orders)
    if outcome is None:
        return None
    return (
        StoppedOrder(standing_order.number, outcome)
        if isinstance(outcome, Fact)
        else AutomaticMove(outcome, standing_order.number)
    )


def _move_of_order(
    seat: SeatedPlayer, standing_order: StandingOrder, orders: Sequence[StandingOrder]
) -> OfferCursor | Fact | None:
    match standing_order.order:
        case PassStock() as order:
            return pass_stock_move(seat, order)
        case BuyShares() as order:
            return buy_shares_move(seat, order)
        case BidUpTo() as order:
            return maximum_bid_move(seat, standing_order, order, orders)
        case SealBids():
            return sealed_bid_move(seat, standing_order, orders)
        case RunBest() as order:
            return run_best_move(seat, order)
        case SkipStep() as order:
            return skip_step_move(seat, order)
        case PassMerger() as order:
            return pass_merger_move(seat, order)
        case DoneAfter() as order:
            return seat.pass_move() if seat.game.seq > standing_order.given_after_move else None


def pass_stock_move(seat: SeatedPlayer, order: PassStock) -> OfferCursor | Fact | None:
    """The next move of a pass order; None if the player decides, a Fact if the order ends.

    It ends if the player must sell shares. During a contest for a private, the player decides and the order continues.
    """
    current_round = seat.table.state.round
    is_contested = seat.table.is_selling_privates and seat.table.auction.contested is not None
    if not isinstance(current_round, Stock) or current_round.number != order.round or is_contested:
        return None
    must_sell_shares = seat.offer_of_kind("sell_shares") is not None
    return seat.pass_move() or (fact("order.cannot_pass") if must_sell_shares else None)


def pass_stock_end_reason(seat: SeatedPlayer, order: PassStock, events: Sequence[Event]) -> Fact | None:
    """The reason why a pass order ends; None if it continues.

    It ends with its round or, if the player chose so, at an event that affects them.
    """
    if round_key(seat.table.state.round) > (order.round, 0):
        return fact("order.round_over")
    reasons = events_concerning_player(seat, events) if order.until == "concerned" else iter(())
    return next((reason for _, reason in reasons), None)


def buy_shares_move(seat: SeatedPlayer, order: BuyShares) -> OfferCursor | Fact | None:
    """The next move of a share order: buy a share, or pass after buying. A Fact with the reason if the order ends."""
    current_round = seat.table.state.round
    if (
        not isinstance(current_round, Stock)
        or current_round.number != order.round
        or not _is_trading(seat, current_round)
    ):
        return None
    if current_round.bought is not None:
        return seat.pass_move() or fact("order.cannot_pass")
    return seat.cursor_for("buy_share", {"company": order.company, "source": order.source})


def buy_shares_end_reason(seat: SeatedPlayer, order: BuyShares, events: Sequence[Event]) -> Fact | None:
    """The reason why a share order ends: fulfilled, round over, or an event about its company. None if it continues."""
    company = seat.table.state.companies[order.company]
    current_round = seat.table.state.round
    if round_key(current_round) > (order.round, 0):
        return fact("order.round_over")
    # after the purchase, the order still passes the rest of the turn
    is_still_buying = (
        isinstance(current_round, Stock)
        and current_round.bought == order.company
        and _is_own_turn(seat, current_round)
    )
    if order.shares is None and company.floated and not is_still_buying:
        return fact("order.floated", company=company.id)
    if order.shares is not None and seat.shares(company.id) >= order.shares and not is_still_buying:
        return fact("order.has_shares", company=company.id, shares=order.shares)
    reasons = events_concerning_player(seat, events)
    return next(
        (
            reason
            for company_id, reason in reasons
            if company_id == company.id or reason.name == "order.started"
        ),
        None,
    )


def pass_merger_move(seat: SeatedPlayer, order: PassMerger) -> OfferCursor | Fact | None:
    """The pass that a merger order makes; None outside its round, or while a new company's decisions are pending."""
    current_round = seat.table.state.round
    is_in_merger_round = (
        isinstance(current_round, Merger)
        and round_key(current_round) == _merger_round_key(order)
        and current_round.formed is None
    )
    return seat.pass_move() if is_in_merger_round else None


def pass_merger_end_reason(seat: SeatedPlayer, order: PassMerger) -> Fact | None:
    """The reason why a merger order ends: its merger round is over. None if it continues."""
    return fact("order.round_over") if round_key(seat.table.state.round) > _merger_round_key(order) else None


def done_after_end_reason(seat: SeatedPlayer, order: DoneAfter) -> Fact | None:
    """The reason why a DoneAfter order ends: its step is over. None if it continues."""
    step = seat.game.step()
    is_step_waiting = step is not None and step.name == order.step
    is_step_waiting = is_step_waiting and any(offer.entity == order.entity for offer in seat.offers_of_step)
    return None if is_step_waiting else fact("order.step_over")


def _is_own_turn(seat: SeatedPlayer, stock: Stock) -> bool:
    return seat.table.state.players[stock.turn].id == seat.player


def _is_trading(seat: SeatedPlayer, stock: Stock) -> bool:
    """True if the player can trade shares: it is their turn, no privates are on sale, and no extra tokens are due."""
    return _is_own_turn(seat, stock) and not seat.table.is_selling_privates and stock.tokens_due is None


def _merger_round_key(order: PassMerger) -> tuple[int, int]:
    return order.set, order.number


def round_key(round_: Round) -> tuple[int, int]:
    """Sort key of a round: set number, and number within the set (0 for its stock round). Auctions sort first."""
    if isinstance(round_, Operating | Merger):
        return round_.set, round_.number
    return (round_.number if isinstance(round_, Stock) else int(isinstance(round_, Draft))), 0


PROVEN_RUN_LABEL: Final = "choice.best_run"
"""Label of a suggested run that the route search has proven to be the best."""
TRAIN_LOSS_REASONS: Final = frozenset({"order.rusted", "order.obsolete"})
"""Reasons for ending a run order: the company's trains rusted or became obsolete."""


def run_best_move(seat: SeatedPlayer, order: RunBest) -> OfferCursor | Fact | None:
    """The next move of a run order: the proven best run, or the ordered dividend.

    None if another decision is due; a Fact if no run is proven to be the best, which ends the order.
    """
    step = seat.game.step()
    if step is None or [offer.entity for offer in seat.offers_of_step] != [order.company]:
        return None
    if step.name == RunStep.name:
        return _proven_best_run(seat.offers_of_step[0])
    return seat.cursor_for("dividend", {"option": order.dividend}) if step.name == DividendStep.name else None


def run_best_end_reason(seat: SeatedPlayer, order: RunBest, events: Sequence[Event]) -> Fact | None:
    """The reason why a run order ends: new president, company closed, or trains lost. None if it continues."""
    if not seat.is_president_of(order.company):
        return fact("order.not_president", company=order.company)
    reasons = events_concerning_player(seat, events)
    return next(
        (
            reason
            for company_id, reason in reasons
            if company_id == order.company and reason.name in TRAIN_LOSS_REASONS
        ),
        None,
    )


def skip_step_move(seat: SeatedPlayer, order: SkipStep) -> OfferCursor | None:
    """The pass that a skip order makes.

    None outside its step, or if the company has just bought a private that allows a tile lay this turn.
    """
    step = seat.game.step()
    if step is None or step.name != order.step or seat.table.turn.company != order.company:
        return None
    return None if seat.table.turn.at_once else seat.pass_move()


def skip_step_end_reason(seat: SeatedPlayer, order: SkipStep) -> Fact | None:
    """The reason why a skip order ends: new president, company closed, or its phase over. None if it continues."""
    if not seat.is_president_of(order.company):
        return fact("order.not_president", company=order.company)
    is_phase_over = order.phase not in (None, seat.table.phase.name)
    return fact("order.phase_over", phase=order.phase) if is_phase_over else None


def _proven_best_run(offer: Offer) -> OfferCursor | Fact:
    suggestion = next(
        (suggestion for suggestion in offer.suggest() if suggestion.label.name == PROVEN_RUN_LABEL), None
    )
    if suggestion is None:
        return fact("order.not_proven", company=offer.entity)
    return OfferCursor(offer).pick_all(suggestion.chosen)


def events_concerning_player(seat: SeatedPlayer, events: Sequence[Event]) -> Iterator[tuple[CompanyId, Fact]]:
    """Events that affect a player, as (company, reason).

    For a company whose shares the player owns: sales of its shares, a new president, and shares exchanged or taken from
    the player. For a company whose president the player is: trains that rust or become obsolete. Also each company that
    another player starts.
    """
    for event in events:
        yield from _company_and_reason(seat, event)


def _company_and_reason(seat: SeatedPlayer, event: Event) -> Iterator[tuple[CompanyId, Fact]]:
    match event:
        case SharesSold(player=seller, company=company) if seller != seat.player and seat.shares(company):
            yield company, fact("order.sold", player=seller, company=company)
        case PresidentChanged(company=company, new_president=new) if seat.shares(company):
            yield company, fact("order.new_president", player=new, company=company)
        case Privatized(player=new_owner, company=company, seller=seat.player):
            yield company, fact("order.taken", player=new_owner, company=company)
        case SharesExchanged(company=company, players=players) if seat.player in [
            player for player, *_ in players
        ]:
            yield company, fact("order.exchanged", company=company)
        case Parred() | MinorStarted() | MajorFormed() if event.player != seat.player:
            yield event.company, fact("order.started", player=event.player, company=event.company)
        case TrainsRusted(train=train, owners=owners):
            for company, _ in owners:
                yield from _loss_for_president(
                    seat, company, fact("order.rusted", company=company, train=train)
                )
        case TrainsMadeObsolete(train=train, kept_by=kept, lost_by=lost):
            for company in (*kept, *lost):
                yield from _loss_for_president(
                    seat, company, fact("order.obsolete", company=company, train=train)
                )


def _loss_for_president(
    seat: SeatedPlayer, company: CompanyId, reason: Fact
) -> Iterator[tuple[CompanyId, Fact]]:
    if seat.is_president_of(company):
        yield company, reason
