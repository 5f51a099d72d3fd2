"""Default rules for all titles: flags, options, rules hooks, and the usual sequence of rounds and steps.

A title's rules class inherits these rules and overrides some of them; it never inherits another title's rules.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from importlib.resources import files
from typing import ClassVar, Final

from engine.core.ids import PhaseName
from engine.core.spec import TitleSpec
from engine.core.state import Auction, Company, Ending, Merger, Operating, Stock
from engine.core.state import Round as RoundState
from engine.play.end_and_scores import end_if_bank_is_broken, operating_rounds_in_set, trigger_end
from engine.play.private_markers import add_marker_bonuses
from engine.play.privates.auction import reduce_private_prices
from engine.play.rounds import AuctionRound, OperatingRound, Round, StockRound
from engine.play.rules import Flag, Option, Rules
from engine.play.steps.bid import BidStep, SetParStep
from engine.play.steps.buy_trains import TrainsStep
from engine.play.steps.dividend import DividendStep
from engine.play.steps.end_of_turn import EndOfCompanyTurnStep
from engine.play.steps.forced_sales import BankruptcyStep, ForcedPurchaseStep
from engine.play.steps.lay_track import TrackStep
from engine.play.steps.place_token import FreeTokenStep, TokenStep
from engine.play.steps.private_sales import BuyPrivateStep
from engine.play.steps.run_trains import RunStep
from engine.play.steps.trade import TradeStep
from engine.play.table import Table
from engine.routes.revenue_rules import RouteRules


def read_flags_and_options(*packages: str) -> tuple[Mapping[str, Flag], Mapping[str, Option]]:
    """Flags and options from the `options_and_flags.toml` of these Python packages."""
    flags: dict[str, Flag] = {}
    options: dict[str, Option] = {}
    for package in packages:
        table = tomllib.loads(files(package).joinpath("options_and_flags.toml").read_text("utf-8"))
        flags |= {name: Flag(**flag_fields) for name, flag_fields in table.get("flags", {}).items()}
        options |= {name: Option(**option) for name, option in table.get("options", {}).items()}
    return flags, options


COMMON_FLAGS, COMMON_OPTIONS = read_flags_and_options("engine.titles")
"""Flags (deviations from the printed rules) and player options common to all titles, by name."""

BUY_PRIVATE_STEP: Final = BuyPrivateStep()

ROUNDS_BY_KIND: Final[Mapping[str, Round]] = {
    "auction": AuctionRound(SetParStep(), BidStep()),
    "stock": StockRound(TradeStep()),
    "operating": OperatingRound(
        TrackStep(),
        TokenStep(),
        RunStep(),
        DividendStep(),
        TrainsStep(),
        EndOfCompanyTurnStep(BUY_PRIVATE_STEP),
        anytime_steps=(BUY_PRIVATE_STEP, BankruptcyStep()),
        urgent_steps=(FreeTokenStep(), ForcedPurchaseStep()),
    ),
}
"""The usual rounds by kind, with their steps: private auction, stock round and operating round."""


def _route_rules_by_phase(spec: TitleSpec) -> Mapping[PhaseName, RouteRules]:
    return {phase.name: RouteRules.from_spec(spec, phase.name) for phase in spec.phases}


class StandardRules(Rules):
    """Default rules of a title; each title's rules class overrides only what differs."""

    FLAGS: ClassVar[Mapping[str, Flag]] = COMMON_FLAGS
    OPTIONS: ClassVar[Mapping[str, Option]] = COMMON_OPTIONS
    ROUNDS: ClassVar[Mapping[str, Round]] = ROUNDS_BY_KIND

    def adapted_spec(self, spec: TitleSpec) -> TitleSpec:
        """The title's data as changed by the game's flags and house rules."""
        auction_changes: dict[str, object] = {}
        if self.has_flag("separate_auction_round"):
            auction_changes["in_stock_rounds"] = False
        if self.has_flag("auction_lowest_bidder_acts"):
            auction_changes["contest"] = "lowest_bidder"
        changes: dict[str, object] = {
            "auction": spec.auction.model_copy(update=auction_changes),
            "house": {name: rule.under_options(self.options) for name, rule in spec.house.items()},
        }
        if self.has_flag("president_pays_other_companies"):
            changes["president_pays_companies"] = True
        if self.has_flag("new_track_counts_as_a_whole"):
            changes["map"] = spec.map.model_copy(update={"any_new_track_may_connect": False})
        return spec.model_copy(update=changes)

    def first_round(self) -> RoundState:
        """The private auction, or the first stock round if the title has no separate auction."""
        auction = self.spec.auction
        return Stock() if auction.in_stock_rounds or auction.is_dealt or not self.spec.privates else Auction()

    def next_round(self, t: Table) -> RoundState:
        """The round that follows the current one.

        A stock round follows the private auction and each set of operating rounds. The phase in which a stock round
        ends decides how many operating rounds the next set has.

        Rules: R-AL-008, R-C2C-011, R-CH-009, R-TN-006.
        """
        ended_round = t.state.round
        if isinstance(ended_round, Auction):
            return Stock()
        if isinstance(ended_round, Stock):
            return Operating(set=ended_round.number, of=operating_rounds_in_set(t))
        assert isinstance(ended_round, Operating | Merger)
        if ended_round.number < ended_round.of:
            return Operating(set=ended_round.set, number=ended_round.number + 1, of=ended_round.of)
        return Stock(number=ended_round.set + 1)

    def on_round(self, t: Table) -> None:
        """Lower the prices of unsold privates when a stock round starts.

        When the last set of operating rounds starts, the end of the game is announced.

        Rules: R-MS-003, R-MS-080.
        """
        current_round, last_set = t.state.round, t.spec.game_end.last_set
        if isinstance(current_round, Stock):
            reduce_private_prices(t)
        if isinstance(current_round, Operating) and (current_round.set, current_round.number) == (
            last_set,
            1,
        ):
            trigger_end(t, Ending("last_round"))

    def route_rules(self, t: Table) -> RouteRules:
        """Route rules of the phase, with the bonuses of the operating company's tokens and markers (18Chesapeake 11.5).

        Rules: R-C2C-012.
        """
        route_rules = self.spec.cached(_route_rules_by_phase)[t.state.phase]
        current_round = t.state.round
        if not isinstance(current_round, Operating) or current_round.turn is None:
            return route_rules
        route_rules = add_marker_bonuses(route_rules.for_trains(t.company.runnable_trains), t, t.company)
        return (
            replace(route_rules, may_pass_full_cities=True)
            if self.has_flag("runs_through_full_cities")
            else route_rules
        )

    def on_bank_paid(self, t: Table) -> None:
        """Trigger the end of the game if the bank is broken."""
        end_if_bank_is_broken(t)

    def on_price_moved(self, t: Table, company: Company) -> None:
        """Trigger the end of the game if the share price has reached a market cell that ends the game.

        Rules: R-AL-211, R-CH-307, R-NE-131, R-TN-211.
        """
        if company.cell is not None and t.grid.ends_game(company.cell):
            trigger_end(t, Ending("price", company.id))
