"""18GA: its rounds and steps, and the options of section 6."""

from collections.abc import Mapping
from typing import ClassVar, Final

from engine.core.spec import CompanySpec, HexSpec, HomeSpec, LaySpec, TitleSpec
from engine.play.rounds import AuctionRound, OperatingRound, Round, StockRound
from engine.play.steps.bid import BidStep
from engine.play.steps.buy_trains import TrainsStep
from engine.play.steps.choose_home import HomeChoiceStep
from engine.play.steps.discard import RetireObsoleteTrainsStep
from engine.play.steps.dividend import DividendStep
from engine.play.steps.end_of_turn import EndOfCompanyTurnStep
from engine.play.steps.forced_sales import BankruptcyStep, ForcedPurchaseStep
from engine.play.steps.lay_track import TrackStep
from engine.play.steps.place_token import TokenStep
from engine.play.steps.run_trains import RunStep
from engine.play.steps.trade import TradeStep
from engine.play.table import Table
from engine.titles.standard import BUY_PRIVATE_STEP, StandardRules, read_flags_and_options

ROUNDS_BY_KIND: Final[Mapping[str, Round]] = {
    "auction": AuctionRound(BidStep()),
    "stock": StockRound(TradeStep()),
    "operating": OperatingRound(
        TrackStep(),
        TokenStep(),
        RunStep(),
        DividendStep(),
        RetireObsoleteTrainsStep(),
        TrainsStep(),
        EndOfCompanyTurnStep(BUY_PRIVATE_STEP),
        anytime_steps=(BUY_PRIVATE_STEP, BankruptcyStep()),
        urgent_steps=(HomeChoiceStep(), ForcedPurchaseStep()),
    ),
}
"""18GA's rounds by kind, with steps: private auction (§2), stock round (§3) and operating round (§4).

Rules: R-GA-041.
"""

COLUMBUS_HOME: Final = HomeSpec(hex="G3")
CHARLESTON_HOME: Final = HomeSpec(hex="E15")
COTTON_PORT_HEXES: Final = {
    "E13": HexSpec(),
    "F14": HexSpec(cost=20, terrain=("water",)),
    "E15": HexSpec(colour="red", name="Charleston", stops=("city 30/60",), track="0-a 1-a"),
    "G13": HexSpec(colour="gray", name="Savannah", stops=("city 30/60 x2",), track="0-a 1-a 2-a 3-a"),
}
"""Hexes that the option `cotton_port` changes (§6, R-GA-114)."""


class GeorgiaRules(StandardRules):
    """Rules of 18GA: the standard rules plus its options."""

    FLAGS, OPTIONS = read_flags_and_options("engine.titles", "engine.titles.t18ga")
    ROUNDS: ClassVar = ROUNDS_BY_KIND

    def adapted_spec(self, spec: TitleSpec) -> TitleSpec:
        """18GA's data as changed by the game's options (§6).

        Rules: R-GA-111, R-GA-112, R-GA-113, R-GA-114.
        """
        spec = super().adapted_spec(spec)
        if self.has_option("new_georgia_florida_home"):
            spec = _with_company(spec, "G&F", home=COLUMBUS_HOME)
        if self.has_option("remove_cog_token"):
            spec = _with_company(spec, "CoG", token_prices=(0, 40, 100))
        if self.has_option("soft_rust_4t"):
            trains = [
                train.model_copy(update={"rusts_on": None, "obsolete_on": "8"})
                if train.name == "4"
                else train
                for train in spec.trains
            ]
            spec = spec.model_copy(update={"trains": tuple(trains)})
        if self.has_option("cotton_port"):
            spec = _with_company(spec, "GA", more_homes=(CHARLESTON_HOME,), token_prices=(0, 0, 40, 100))
            spec = spec.model_copy(
                update={"map": spec.map.with_hexes({**spec.map.hexes, **COTTON_PORT_HEXES})}
            )
        return spec

    def lays(self, t: Table) -> tuple[LaySpec, ...]:
        """Tile lays of a turn: one. By option, a company lays two yellow tiles in its first turn (§6).

        Rules: R-GA-050, R-GA-110.
        """
        if self.has_option("double_yellow_first_or") and t.turn.first:
            return (LaySpec(), LaySpec(may_upgrade=False, may_follow_upgrade=False))
        return super().lays(t)


def _with_company(spec: TitleSpec, name: str, **changes: object) -> TitleSpec:
    company: CompanySpec = spec.companies[name].model_copy(update=changes)
    return spec.model_copy(update={"companies": {**spec.companies, name: company}})
