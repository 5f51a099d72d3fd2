"""New orders: from what a player wants to an order that makes sense where the game is, and the quick ones."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from engine.core.actions import Action, BuyShare
from engine.core.errors import IllegalAction
from engine.core.facts import fact
from engine.core.ids import MARKET, OFFERING, REISSUED, REMOVED, CompanyId, PlayerId, PrivateId
from engine.core.offers import Cursor
from engine.core.state import Merger, Operating, Stock
from engine.game import Game
from engine.orders.auction_orders import all_sealed, sellable
from engine.orders.order_kinds import (
    SKIPPED,
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
    Standing,
)
from engine.orders.order_moves import end_of, round_key
from engine.seat import SeatedPlayer


def usual_orders(game: Game, player: PlayerId, made: Iterable[Action]) -> tuple[Order, ...]:
    """Orders that a player on turn often gives here; `made` are their actions, the last one first."""
    here = SeatedPlayer(game, player)
    return (*_runs(here), *_in_stock(here, made))


def pass_stock(game: Game, until: Literal["concerned", "over"]) -> PassStock:
    """An order to pass in the current stock round, or else in the next one."""
    return PassStock(round=_stock_round(game), until=until)


def buy_shares(game: Game, company: str, source: str, shares: int | None) -> BuyShares:
    """An order to buy in the current stock round, or else in the next one.

    Raises IllegalAction for no such company, or for a place from which no shares are ever had.
    """
    _require_company(game, company)
    places = (OFFERING, MARKET, REISSUED, REMOVED, game.table.state.companies[company].treasury)
    found = next((place for place in places if place.casefold() == source.strip().casefold()), None)
    if found is None:
        raise IllegalAction(fact("buying.not_from_there", company=company, source=source))
    return BuyShares(round=_stock_round(game), company=company, source=found, shares=shares)


def bid_up_to(game: Game, private: str, most: int, then: Literal["pass", "ask"]) -> BidUpTo:
    """An order to bid on a private; raises IllegalAction for no such private."""
    if private not in game.table.state.privates:
        raise IllegalAction(fact("choice.no_private", private=private))
    return BidUpTo(private=private, most=most, then=then)


def seal(game: Game, maxima: Mapping[str, int]) -> Seal:
    """An order to bid on all privates at once; raises IllegalAction where none is bid on now, or for no such
    private.
    """
    there = sellable(game.table)
    if not there:
        raise IllegalAction(fact("order.no_auction"))
    for private in maxima:
        if private not in there:
            raise IllegalAction(fact("auction.not_up", private=private))
    return Seal(maxima={private: maxima.get(private, 0) for private in there})


def run_best(game: Game, company: str, dividend: Literal["pay", "withhold", "half"]) -> RunBest:
    """An order to run a company; raises IllegalAction for no such company, or a use of income that none here has."""
    _require_company(game, company)
    if dividend not in game.rules.spec.dividends:
        raise IllegalAction(fact("dividend.no_such_option", company=company, option=dividend))
    return RunBest(company=company, dividend=dividend)


def skip_step(game: Game, company: str, step: Skipped, until: Literal["withdrawn", "phase"]) -> SkipStep:
    """An order to skip the track or the tokens of a company; raises IllegalAction for no such company."""
    _require_company(game, company)
    phase = game.table.phase.name if until == "phase" else None
    return SkipStep(company=company, step=step, phase=phase)


def pass_merger(game: Game) -> PassMerger:
    """An order to pass in the current merger round, or in the next one; raises IllegalAction where there are none."""
    now, spec = game.table.state.round, game.rules.spec
    set_, number = round_key(now)
    if isinstance(now, Merger):
        return PassMerger(set=set_, number=number)
    if spec.unions is not None:
        return PassMerger(set=set_ + (number > 0), number=0)
    if spec.mergers is not None:
        return PassMerger(set=set_, number=max(number, 1))
    raise IllegalAction(fact("order.no_mergers"))


def done_after(game: Game, player: PlayerId) -> DoneAfter:
    """An order to end the current step after the next move; raises IllegalAction unless it waits for the player."""
    step, ending = game.step(), SeatedPlayer(game, player).offered("pass")
    if step is None or ending is None:
        raise IllegalAction(fact("order.nothing_to_end"))
    return DoneAfter(step=step.name, entity=ending.entity)


def require_lasting(game: Game, player: PlayerId, order: Order) -> None:
    """Raise IllegalAction where an order would end at once."""
    why = end_of(SeatedPlayer(game, player), order, ())
    if why is not None:
        raise IllegalAction(why)


def biddable(game: Game) -> tuple[PrivateId, ...]:
    """The privates that are bid on from now on; none once the game is over."""
    return () if game.over else tuple(sellable(game.table))


def everybody_has_sealed(game: Game, orders: Sequence[Standing]) -> bool:
    """True once every player has a sealed order among all orders of the game."""
    return all_sealed(game.table, orders)


def presided(game: Game, player: PlayerId) -> tuple[CompanyId, ...]:
    """The companies that a player may let run from now on."""
    if not isinstance(game.table.state.round, Operating | Stock):
        return ()
    companies = game.table.state.companies.values()
    return tuple(company.id for company in companies if company.president == player)


def skippable(game: Game, player: PlayerId) -> tuple[SkipStep, ...]:
    """The track and the tokens of the companies that a player presides over, each as it may be skipped from now on."""
    companies = presided(game, player)
    return tuple(skip_step(game, company, step, "withdrawn") for company in companies for step in SKIPPED)


def _runs(here: SeatedPlayer) -> Iterator[Order]:
    run = here.offered("run_routes")
    if run is not None:
        yield run_best(here.game, run.entity, "pay")


def _in_stock(here: SeatedPlayer, made: Iterable[Action]) -> Iterator[Order]:
    now = here.table.state.round
    if not isinstance(now, Stock) or here.table.selling_privates:
        return  # in a draft a pass may give back what was reserved: that is no habit
    last = next((action for action in made if isinstance(action, BuyShare)), None)
    if last is not None and _again(here, now, last):
        yield buy_shares(here.game, last.company, last.source, None)
    if here.decline() is not None and not now.acted:
        yield pass_stock(here.game, "concerned")


def _again(here: SeatedPlayer, now: Stock, last: BuyShare) -> bool:
    """True if the same purchase was just made, or is possible again, of a company that has not floated."""
    if here.table.state.companies[last.company].floated:
        return False
    walk = here.walk("buy_share", {"company": last.company, "source": last.source})
    return now.bought == last.company or isinstance(walk, Cursor)


def _require_company(game: Game, company: str) -> None:
    if company not in game.table.state.companies:
        raise IllegalAction(fact("choice.no_company", company=company))


def _stock_round(game: Game) -> int:
    now = game.table.state.round
    return round_key(now)[0] + (not isinstance(now, Stock))


def same_subject(one: Order, other: Order) -> bool:
    """True if two orders of a player are about the same thing: the later one takes the earlier one's place."""
    return _subject(one) == _subject(other)


def _subject(order: Order) -> tuple[str, ...]:
    match order:
        case BuyShares(company=what) | RunBest(company=what):
            return order.kind, what
        case SkipStep(company=what, step=step):
            return order.kind, what, step
        case BidUpTo(private=what):
            return order.kind, what
        case _:
            return (order.kind,)


def outdated(orders: Sequence[Standing]) -> list[int]:
    """The numbers of those that a later order of the same player takes the place of."""
    last = {
        (order.player, _subject(order.order)): order.number
        for order in sorted(orders, key=lambda order: order.number)
    }
    return [order.number for order in orders if order.number < last[order.player, _subject(order.order)]]
