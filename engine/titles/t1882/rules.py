"""1882: its rounds and steps, and the rules that differ from the standard ones."""

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
from engine.play.steps.end_of_turn import EndOfCompanyTurnStep
from engine.play.steps.forced_sales import BankruptcyStep, ForcedPurchaseStep
from engine.play.steps.lay_track import TrackStep
from engine.play.steps.run_trains import RunStep
from engine.play.table import Table
from engine.routes.revenue_rules import Bonus, RouteRules
from engine.titles.standard import StandardRules
from engine.titles.t1882.found_company import (
    SC,
    BuyPrivateIn1882Step,
    FoundingHomeStep,
    FoundingTradeStep,
    remove_unfounded_company,
)
from engine.titles.t1882.move_station import PlaceMovedTokenStep, TakeTokenOffMapStep
from engine.titles.t1882.neutral_tokens import CN, NeutralTokenStep
from engine.titles.t1882.rebellion import pay_lay_rewards, start_rebellion

BUY_PRIVATE_STEP: Final = BuyPrivateIn1882Step()
TAKE_TOKEN_STEP: Final = TakeTokenOffMapStep()

ROUNDS_BY_KIND: Final[Mapping[str, Round]] = {
    "auction": AuctionRound(SetParStep(), BidStep()),
    "stock": StockRound(FoundingHomeStep(), FoundingTradeStep()),
    "operating": OperatingRound(
        TrackStep(),
        NeutralTokenStep(),
        RunStep(),
        DividendStep(),
        TrainsStep(),
        EndOfCompanyTurnStep(BUY_PRIVATE_STEP, TAKE_TOKEN_STEP),
        anytime_steps=(BUY_PRIVATE_STEP, TAKE_TOKEN_STEP, BankruptcyStep()),
        urgent_steps=(HomeChoiceStep(), PlaceMovedTokenStep(), ForcedPurchaseStep()),
    ),
}
"""1882's rounds by kind, with steps: private auction (§2), stock round (§3) and operating round (§4).

Rules: R-1882-041, R-1882-070, R-1882-072.
"""

HUDSON_BAY_BONUSES: Final = tuple(
    Bonus("Hudson Bay", frozenset({"B12", western_area}), 100, is_for_each_train=True)
    for western_area in ("B2", "I1")
)
"""Bonuses of $100 for a train that runs from Hudson Bay to one of two western off-board hexes (§4, R-1882-038)."""


class AssiniboiaRules(StandardRules):
    """Rules of 1882 that differ from the standard rules."""

    ROUNDS: ClassVar = ROUNDS_BY_KIND

    def may_start(self, t: Table, company: Company) -> bool:
        """True if players can start the company by setting its par price.

        The SC is founded instead, and the CN needs a neutral token on the map.

        Rules: R-1882-021, R-1882-025.
        """
        return company.id != SC and (company.id != CN or bool(t.map.token_stops_of(CN)))

    def on_phase(self, t: Table) -> None:
        """Start a phase. If the private that founds the SC has closed, the SC leaves the game."""
        super().on_phase(t)
        remove_unfounded_company(t)

    def on_tile_laid(self, t: Table, coord: Coord, paid_border_count: int) -> None:
        """Pay the company for a tile in a rebellion hex, and the TB's owner for crossed rivers."""
        pay_lay_rewards(t, coord, paid_border_count)

    def on_event_train(self, t: Table) -> None:
        """Start the North-West Rebellion when the train that triggers it is bought."""
        start_rebellion(t)

    def route_rules(self, t: Table) -> RouteRules:
        """The standard route rules, plus the Hudson Bay bonus."""
        route_rules = super().route_rules(t)
        return replace(route_rules, bonuses=(*route_rules.bonuses, *HUDSON_BAY_BONUSES))
