"""Moves of standing orders in a position, and the end of each order."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.core.events import (
    Event,
    Formed,
    MadeObsolete,
    MinorStarted,
    Parred,
    PresidentChanged,
    Privatized,
    Rusted,
    SharesExchanged,
    SharesSold,
)
from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, PlayerId
from engine.core.offers import Cursor, Offer
from engine.core.state import Draft, Merger, Operating, Round, Stock
from engine.game import Game
from engine.orders.auction_orders import bid_up_to, bid_up_to_ends, seal, seal_ends
from engine.orders.automatic_moves import Move
from engine.orders.order_kinds import (
    BidUpTo,
    BuyShares,
    DoneAfter,
    Order,
    PassMerger,
    PassStock,
    RunBest,
    Seal,
    SkipStep,
    Standing,
)
from engine.play.steps.dividend import DividendStep
from engine.play.steps.run_trains import RunStep
from engine.seat import SeatedPlayer


@dataclass(frozen=True, slots=True)
class Stopped:
    """An order that ends, by its number, and why."""

    order: int
    why: Fact


def would_do(game: Game, player: PlayerId, orders: Sequence[Standing]) -> Move | Stopped | None:
    """The next move by a player's orders (of all those of the game): whatever does something comes before a pass.

    An order that cannot continue stops; of several the earlier one counts. None: the player decides.
    """
    if game.proposal is not None or player not in game.actors():
        return None
    here = SeatedPlayer(game, player)
    mine = sorted(order for order in orders if order.player == player)
    outcomes = [_outcome(here, order, orders) for order in mine]
    moves = [outcome for outcome in outcomes if isinstance(outcome, Move)]
    acts = (move for move in moves if move.walk.offer.kind != "pass")
    stops = (outcome for outcome in outcomes if isinstance(outcome, Stopped))
    return next(acts, None) or next(stops, None) or next(iter(moves), None)


def stopped(game: Game, orders: Iterable[Standing], events: Sequence[Event]) -> tuple[Stopped, ...]:
    """The orders that end with what has just happened, no matter who acts now."""
    ended = (
        (order.number, end_of(SeatedPlayer(game, order.player), order.order, events)) for order in orders
    )
    return tuple(Stopped(number, why) for number, why in ended if why is not None)


def end_of(here: SeatedPlayer, order: Order, events: Sequence[Event]) -> Fact | None:
    """Why an order ends with what has just happened; None: it stands."""
    match order:
        case PassStock():
            return pass_stock_ends(here, order, events)
        case BuyShares():
            return buy_shares_ends(here, order, events)
        case BidUpTo():
            return bid_up_to_ends(here, order, events)
        case Seal():
            return seal_ends(here, events)
        case RunBest():
            return run_best_ends(here, order, events)
        case SkipStep():
            return skip_step_ends(here, order)
        case PassMerger():
            return pass_merger_ends(here, order)
        case DoneAfter():
            return done_after_ends(here, order)


def _outcome(here: SeatedPlayer, one: Standing, orders: Sequence[Standing]) -> Move | Stopped | None:
    outcome = _does(here, one, orders)
    if outcome is None:
        return None
    return Stopped(one.number, outcome) if isinstance(outcome, Fact) else Move(outcome, one.number)


def _does(here: SeatedPlayer, one: Standing, orders: Sequence[Standing]) -> Cursor | Fact | None:
    match one.order:
        case PassStock() as order:
            return pass_stock(here, order)
        case BuyShares() as order:
            return buy_shares(here, order)
        case BidUpTo() as order:
            return bid_up_to(here, one, order, orders)
        case Seal():
            return seal(here, one, orders)
        case RunBest() as order:
            return run_best(here, order)
        case SkipStep() as order:
            return skip_step(here, order)
        case PassMerger() as order:
            return pass_merger(here, order)
        case DoneAfter() as order:
            return here.decline() if here.game.seq > one.since else None


def pass_stock(here: SeatedPlayer, order: PassStock) -> Cursor | Fact | None:
    """Pass in the round of the order; a player who must sell decides.

    So does who fights for a private, or is asked something else than what they do in their turn: the order stands.
    """
    now = here.table.state.round
    fights = here.table.selling_privates and here.table.auction.contested is not None
    if not isinstance(now, Stock) or now.number != order.round or fights:
        return None
    must_sell = here.offered("sell_shares") is not None
    return here.decline() or (fact("order.cannot_pass") if must_sell else None)


def pass_stock_ends(here: SeatedPlayer, order: PassStock, events: Sequence[Event]) -> Fact | None:
    """The round is over, or something concerns the player who has not said that they pass whatever happens."""
    if round_key(here.table.state.round) > (order.round, 0):
        return fact("order.round_over")
    reasons = concerns(here, events) if order.until == "concerned" else iter(())
    return next((why for _, why in reasons), None)


def buy_shares(here: SeatedPlayer, order: BuyShares) -> Cursor | Fact | None:
    """Buy one share in a turn, and pass the rest of it; the rule that stops the purchase ends the order."""
    now = here.table.state.round
    if not isinstance(now, Stock) or now.number != order.round or not _trades(here, now):
        return None
    if now.bought is not None:
        return here.decline() or fact("order.cannot_pass")
    return here.walk("buy_share", {"company": order.company, "source": order.source})


def buy_shares_ends(here: SeatedPlayer, order: BuyShares, events: Sequence[Event]) -> Fact | None:
    """End of the order: it is fulfilled, the round is over, or something has happened in the company."""
    company = here.table.state.companies[order.company]
    now = here.table.state.round
    if round_key(now) > (order.round, 0):
        return fact("order.round_over")
    # What is left of the turn is still passed by the order that has bought.
    buying = isinstance(now, Stock) and now.bought == order.company and _on_turn(here, now)
    if order.shares is None and company.floated and not buying:
        return fact("order.floated", company=company.id)
    if order.shares is not None and here.shares(company.id) >= order.shares and not buying:
        return fact("order.has_shares", company=company.id, shares=order.shares)
    reasons = concerns(here, events)
    return next((why for about, why in reasons if about == company.id or why.name == "order.started"), None)


def pass_merger(here: SeatedPlayer, order: PassMerger) -> Cursor | Fact | None:
    """Pass in the merger round; about a company just formed the player decides, and the order stands."""
    now = here.table.state.round
    passes = isinstance(now, Merger) and round_key(now) == _round(order) and now.formed is None
    return here.decline() if passes else None


def pass_merger_ends(here: SeatedPlayer, order: PassMerger) -> Fact | None:
    """The merger round is over."""
    return fact("order.round_over") if round_key(here.table.state.round) > _round(order) else None


def done_after_ends(here: SeatedPlayer, order: DoneAfter) -> Fact | None:
    """The step is over, or the order has ended it."""
    step = here.game.step()
    stands = step is not None and step.name == order.step
    stands = stands and any(offer.entity == order.entity for offer in here.asked)
    return None if stands else fact("order.step_over")


def _on_turn(here: SeatedPlayer, now: Stock) -> bool:
    return here.table.state.players[now.turn].id == here.player


def _trades(here: SeatedPlayer, now: Stock) -> bool:
    """True on the player's turn to trade: privates are sold before, and tokens bought in between."""
    return _on_turn(here, now) and not here.table.selling_privates and now.tokens_due is None


def _round(order: PassMerger) -> tuple[int, int]:
    return order.set, order.number


def round_key(round_: Round) -> tuple[int, int]:
    """Set and number of a round: stock rounds have 0, a draft is the first of them, and an auction comes before it."""
    if isinstance(round_, Operating | Merger):
        return round_.set, round_.number
    return (round_.number if isinstance(round_, Stock) else int(isinstance(round_, Draft))), 0


BEST: Final = "choice.best_run"
"""The name of a suggested run that is proven best."""
TRAINS_GO: Final = frozenset({"order.rusted", "order.obsolete"})
"""Reasons that concern a president whose trains are affected."""


def run_best(here: SeatedPlayer, order: RunBest) -> Cursor | Fact | None:
    """Run the best routes, and pay or keep the revenue.

    Anything but the ordinary run, or that may be done in addition to it, is the president's decision.
    """
    step = here.game.step()
    if step is None or [offer.entity for offer in here.asked] != [order.company]:
        return None
    if step.name == RunStep.name:
        return _best(here.asked[0])
    return here.walk("dividend", {"option": order.dividend}) if step.name == DividendStep.name else None


def run_best_ends(here: SeatedPlayer, order: RunBest, events: Sequence[Event]) -> Fact | None:
    """The company has another president or is no more, or trains of it have rusted."""
    if not here.presides(order.company):
        return fact("order.not_president", company=order.company)
    reasons = concerns(here, events)
    return next((why for about, why in reasons if about == order.company and why.name in TRAINS_GO), None)


def skip_step(here: SeatedPlayer, order: SkipStep) -> Cursor | None:
    """Decline the step; the president decides while they have a private that was bought for this turn's track."""
    step = here.game.step()
    if step is None or step.name != order.step or here.table.turn.company != order.company:
        return None
    return None if here.table.turn.at_once else here.decline()


def skip_step_ends(here: SeatedPlayer, order: SkipStep) -> Fact | None:
    """The company has another president or is no more, or the phase is over that the order was given for."""
    if not here.presides(order.company):
        return fact("order.not_president", company=order.company)
    over = order.phase not in (None, here.table.phase.name)
    return fact("order.phase_over", phase=order.phase) if over else None


def _best(offer: Offer) -> Cursor | Fact:
    suggestion = next((suggestion for suggestion in offer.suggest() if suggestion.label.name == BEST), None)
    if suggestion is None:
        return fact("order.not_proven", company=offer.entity)
    return Cursor(offer).take(suggestion.chosen)


def concerns(here: SeatedPlayer, events: Sequence[Event]) -> Iterator[tuple[CompanyId, Fact]]:
    """Events that concern a player, each with the company that it is about.

    A sale of shares in a company they have shares of, a change of presidency there, their shares being taken or
    exchanged, a new company, and trains of a company they preside over that rust.
    """
    for event in events:
        yield from _concern(here, event)


def _concern(here: SeatedPlayer, event: Event) -> Iterator[tuple[CompanyId, Fact]]:
    match event:
        case SharesSold(player=seller, company=company) if seller != here.player and here.shares(company):
            yield company, fact("order.sold", player=seller, company=company)
        case PresidentChanged(company=company, new=new) if here.shares(company):
            yield company, fact("order.new_president", player=new, company=company)
        case Privatized(player=taker, company=company, seller=here.player):
            yield company, fact("order.taken", player=taker, company=company)
        case SharesExchanged(company=company, players=players) if here.player in [who for who, *_ in players]:
            yield company, fact("order.exchanged", company=company)
        case Parred() | MinorStarted() | Formed() if event.player != here.player:
            yield event.company, fact("order.started", player=event.player, company=event.company)
        case Rusted(train=train, owners=owners):
            for company, _ in owners:
                yield from _loses(here, company, fact("order.rusted", company=company, train=train))
        case MadeObsolete(train=train, kept=kept, lost=lost):
            for company in (*kept, *lost):
                yield from _loses(here, company, fact("order.obsolete", company=company, train=train))


def _loses(here: SeatedPlayer, company: CompanyId, why: Fact) -> Iterator[tuple[CompanyId, Fact]]:
    if here.presides(company):
        yield company, why
