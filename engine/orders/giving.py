"""Giving orders: from what a player wants to an order that makes sense where the game is."""

from collections.abc import Mapping
from typing import Literal

from engine.core.errors import IllegalAction
from engine.core.facts import fact
from engine.core.ids import MARKET, OFFERING, REISSUED, REMOVED, PlayerId
from engine.core.state import Merger, Stock
from engine.game import Game
from engine.orders.kinds import (
    BidUpTo,
    BuyShares,
    DoneAfter,
    Order,
    PassMerger,
    PassStock,
    RunBest,
    Seal,
    Skipped,
    SkipStep,
)
from engine.orders.order_moves import when
from engine.orders.sealing import sellable
from engine.orders.standing import end_of
from engine.seat import Seat


def pass_stock(game: Game, until: Literal["concerned", "over"]) -> PassStock:
    """To pass in the current stock round, or else in the next one."""
    return PassStock(round=_stock_round(game), until=until)


def buy_shares(game: Game, company: str, source: str, shares: int | None) -> BuyShares:
    """To buy in the current stock round, or else in the next one.

    Raises IllegalAction for no such company, or for a place from which no shares are ever had.
    """
    if company not in game.table.state.companies:
        raise IllegalAction(fact("choice.no_company", company=company))
    places = (OFFERING, MARKET, REISSUED, REMOVED, game.table.state.companies[company].treasury)
    found = next((place for place in places if place.casefold() == source.strip().casefold()), None)
    if found is None:
        raise IllegalAction(fact("buying.not_from_there", company=company, source=source))
    return BuyShares(round=_stock_round(game), company=company, source=found, shares=shares)


def bid_up_to(game: Game, private: str, most: int, then: Literal["pass", "ask"]) -> BidUpTo:
    """To bid on a private; raises IllegalAction for no such private."""
    if private not in game.table.state.privates:
        raise IllegalAction(fact("choice.no_private", private=private))
    return BidUpTo(private=private, most=most, then=then)


def seal(game: Game, maxima: Mapping[str, int]) -> Seal:
    """To bid on all privates at once; raises IllegalAction where none is bid on now, or for no such private."""
    there = sellable(game.table)
    if not there:
        raise IllegalAction(fact("order.no_auction"))
    for private in maxima:
        if private not in there:
            raise IllegalAction(fact("auction.not_up", private=private))
    return Seal(maxima={private: maxima.get(private, 0) for private in there})


def run_best(game: Game, company: str, dividend: Literal["pay", "withhold", "half"]) -> RunBest:
    """To run a company; raises IllegalAction for no such company, or what no company does with its income here."""
    if company not in game.table.state.companies:
        raise IllegalAction(fact("choice.no_company", company=company))
    if dividend not in game.rules.spec.dividends:
        raise IllegalAction(fact("dividend.no_such_option", company=company, option=dividend))
    return RunBest(company=company, dividend=dividend)


def skip_step(game: Game, company: str, step: Skipped, until: Literal["withdrawn", "phase"]) -> SkipStep:
    """To skip the track or the tokens of a company; raises IllegalAction for no such company."""
    if company not in game.table.state.companies:
        raise IllegalAction(fact("choice.no_company", company=company))
    phase = game.table.phase.name if until == "phase" else None
    return SkipStep(company=company, step=step, phase=phase)


def pass_merger(game: Game) -> PassMerger:
    """To pass in the current merger round, or in the next one; raises IllegalAction where there are none."""
    now, spec = game.table.state.round, game.rules.spec
    set_, number = when(now)
    if isinstance(now, Merger):
        return PassMerger(set=set_, number=number)
    if spec.unions is not None:
        return PassMerger(set=set_ + (number > 0), number=0)
    if spec.mergers is not None:
        return PassMerger(set=set_, number=max(number, 1))
    raise IllegalAction(fact("order.no_mergers"))


def done_after(game: Game, player: PlayerId) -> DoneAfter:
    """To be done with the current step after the next move; raises IllegalAction unless it waits for the player."""
    step, ending = game.step(), Seat(game, player).offered("pass")
    if step is None or ending is None:
        raise IllegalAction(fact("order.nothing_to_end"))
    return DoneAfter(step=step.name, entity=ending.entity)


def require_lasting(game: Game, player: PlayerId, order: Order) -> None:
    """Raise IllegalAction where an order would end at once."""
    why = end_of(Seat(game, player), order, ())
    if why is not None:
        raise IllegalAction(why)


def _stock_round(game: Game) -> int:
    now = game.table.state.round
    return when(now)[0] + (not isinstance(now, Stock))
