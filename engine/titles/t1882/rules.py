"""1882: the sequence of play, and what differs from most titles."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, Final

from engine.core.ids import Coord
from engine.core.state import Company
from engine.play.rounds import AuctionRound, OperatingRound, Round, StockRound
from engine.play.steps.bid import BidStep, SetParStep
from engine.play.steps.buy_trains import TrainsStep
from engine.play.steps.choose_home import HomeChoiceStep
from engine.play.steps.dividend import DividendStep
from engine.play.steps.end_of_turn import LateActionsStep
from engine.play.steps.forced_sales import BankruptcyStep, ForcedPurchaseStep
from engine.play.steps.lay_track import TrackStep
from engine.play.steps.run_trains import RunStep
from engine.play.table import Table
from engine.routes.revenue_rules import Bonus, RouteRules
from engine.titles.standard import StandardRules
from engine.titles.t1882.found_company import (
    SC,
    BuyPrivateOnceStep,
    FoundingHomeStep,
    FoundingTradeStep,
    close_unfounded,
)
from engine.titles.t1882.move_station import MoveStationStep, TakeStationStep
from engine.titles.t1882.neutral_tokens import CN, NeutralTokenStep
from engine.titles.t1882.rebellion import rebel, reward_lay

BUY_PRIVATE: Final = BuyPrivateOnceStep()
TAKE_STATION: Final = TakeStationStep()

ROUNDS_BY_KIND: Final[Mapping[str, Round]] = {
    "auction": AuctionRound(SetParStep(), BidStep()),
    "stock": StockRound(FoundingHomeStep(), FoundingTradeStep()),
    "operating": OperatingRound(
        TrackStep(),
        NeutralTokenStep(),
        RunStep(),
        DividendStep(),
        TrainsStep(),
        LateActionsStep(BUY_PRIVATE, TAKE_STATION),
        anytime=(BUY_PRIVATE, TAKE_STATION, BankruptcyStep()),
        at_once=(HomeChoiceStep(), MoveStationStep(), ForcedPurchaseStep()),
    ),
}
"""The auction (2), then stock rounds (3) and operating rounds (4) in turn.

Rules: R-1882-041, R-1882-070, R-1882-072.
"""

HUDSON_BAY: Final = tuple(
    Bonus("Hudson Bay", frozenset({"B12", western_area}), 100, for_each=True) for western_area in ("B2", "I1")
)
"""Dollars more for every train that joins Hudson Bay to the west (4): R-1882-038."""


class AssiniboiaRules(StandardRules):
    """The rules of 1882 that differ from its data."""

    ROUNDS: ClassVar = ROUNDS_BY_KIND

    def may_start(self, t: Table, company: Company) -> bool:
        """True unless it is the SC, or the CN before a neutral token lies on the map.

        Rules: R-1882-021, R-1882-025.
        """
        return company.id != SC and (company.id != CN or bool(t.map.tokens_of(CN)))

    def on_phase(self, t: Table) -> None:
        """Take the SC out of the game if its private has closed unused."""
        super().on_phase(t)
        close_unfounded(t)

    def on_tile_laid(self, t: Table, coord: Coord, paid_borders: int) -> None:
        """Pay what the tile earns."""
        reward_lay(t, coord, paid_borders)

    def on_event_train(self, t: Table) -> None:
        """The rebellion."""
        rebel(t)

    def route_rules(self, t: Table) -> RouteRules:
        """The usual terms, with the bonus of Hudson Bay."""
        route_rules = super().route_rules(t)
        return replace(route_rules, bonuses=(*route_rules.bonuses, *HUDSON_BAY))
