"""Orders that are common in a position, offered by one click."""

from collections.abc import Iterator, Sequence

from engine.core.actions import BuyShare
from engine.core.ids import CompanyId, PlayerId, PrivateId
from engine.core.offers import Cursor
from engine.core.state import Operating, Stock
from engine.game import Game
from engine.orders import giving, maxima, sealing
from engine.orders.kinds import SKIPPED, Order, SkipStep, Standing
from engine.seat import Seat


def common(game: Game, player: PlayerId, last: BuyShare | None) -> tuple[Order, ...]:
    """What a player on turn often orders here; `last` is what they bought last, if anything."""
    here = Seat(game, player)
    return (*_runs(here), *_in_stock(here, last))


def biddable(game: Game) -> tuple[PrivateId, ...]:
    """The privates that are bid on from now on; none once the game is over."""
    return () if game.over else tuple(sealing.sellable(game.table))


def everybody_has_sealed(game: Game, orders: Sequence[Standing]) -> bool:
    """Whether everybody has sealed, of all orders of the game, so that seals do their work."""
    return maxima.all_sealed(game.table, orders)


def presided(game: Game, player: PlayerId) -> tuple[CompanyId, ...]:
    """The companies that a player may let run from now on."""
    if not isinstance(game.table.state.round, Operating | Stock):
        return ()
    companies = game.table.state.companies.values()
    return tuple(company.id for company in companies if company.president == player)


def skippable(game: Game, player: PlayerId) -> tuple[SkipStep, ...]:
    """The track and the tokens of the companies that a player presides over, each as it may be skipped from now on."""
    companies = presided(game, player)
    return tuple(
        giving.skip_step(game, company, step, "withdrawn") for company in companies for step in SKIPPED
    )


def _runs(here: Seat) -> Iterator[Order]:
    run = here.offered("run_routes")
    if run is not None:
        yield giving.run_best(here.game, run.entity, "pay")


def _in_stock(here: Seat, last: BuyShare | None) -> Iterator[Order]:
    now = here.table.state.round
    if not isinstance(now, Stock) or here.table.selling_privates:
        return  # in a draft a pass may give back what was reserved: that is no habit
    if last is not None and _again(here, now, last):
        yield giving.buy_shares(here.game, last.company, last.source, None)
    if here.decline() is not None and not now.acted:
        yield giving.pass_stock(here.game, "concerned")


def _again(here: Seat, now: Stock, last: BuyShare) -> bool:
    """Whether the same purchase was just made, or is possible again, of a company that has not floated."""
    if here.table.state.companies[last.company].floated:
        return False
    walk = here.walk("buy_share", {"company": last.company, "source": last.source})
    return now.bought == last.company or isinstance(walk, Cursor)
