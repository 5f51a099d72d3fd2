"""1830: its rounds, steps and options."""

from collections.abc import Mapping
from typing import ClassVar, Final

from engine.core.spec import TitleSpec
from engine.play.rounds import AuctionRound, OperatingRound, Round, StockRound
from engine.play.steps.bid import BidStep, SetParStep
from engine.play.steps.buy_trains import TrainsStep
from engine.play.steps.choose_home import HomeChoiceStep
from engine.play.steps.dividend import DividendStep
from engine.play.steps.end_of_turn import EndOfCompanyTurnStep
from engine.play.steps.exchange_private import ExchangeStep
from engine.play.steps.forced_sales import BankruptcyStep, ForcedPurchaseStep
from engine.play.steps.lay_track import AnytimePrivateLayStep, TrackStep
from engine.play.steps.place_token import FreeTokenStep, TokenStep
from engine.play.steps.run_trains import RunStep
from engine.play.steps.trade import TradeStep
from engine.titles.standard import BUY_PRIVATE_STEP, StandardRules, read_flags_and_options

MH_EXCHANGE_STEP: Final = ExchangeStep()
"""Step for the MH private: exchange it for an NYC share at any time in stock and operating rounds (§5, R-1830-053)."""
CS_EXTRA_LAY_STEP: Final = AnytimePrivateLayStep()
"""Step for the CS private: lay its extra tile at any time in its company's turn (§5, R-1830-051)."""
OPTIONAL_6_TRAIN_COUNT: Final = 3
"""Number of 6-trains in a game with the option `optional_6_train` (§7)."""

ROUNDS_BY_KIND: Final[Mapping[str, Round]] = {
    "auction": AuctionRound(SetParStep(), BidStep()),
    "stock": StockRound(TradeStep(), anytime_steps=(MH_EXCHANGE_STEP,)),
    "operating": OperatingRound(
        TrackStep(),
        TokenStep(),
        RunStep(),
        DividendStep(),
        TrainsStep(),
        EndOfCompanyTurnStep(BUY_PRIVATE_STEP, CS_EXTRA_LAY_STEP),
        anytime_steps=(BUY_PRIVATE_STEP, CS_EXTRA_LAY_STEP, BankruptcyStep(), MH_EXCHANGE_STEP),
        urgent_steps=(HomeChoiceStep(), FreeTokenStep(), ForcedPurchaseStep()),
    ),
}
"""1830's rounds by kind, with steps: private auction (§2), stock round (§3) and operating round (§4).

Rules: R-1830-030, R-1830-037, R-1830-039, R-1830-060, R-1830-061, R-1830-062, R-1830-063, R-1830-065, D-1830-7.
"""


class RulesOf1830(StandardRules):
    """Rules of 1830: the standard rules plus its options (§7)."""

    FLAGS, OPTIONS = read_flags_and_options("engine.titles", "engine.titles.t1830")
    ROUNDS: ClassVar = ROUNDS_BY_KIND

    def adapted_spec(self, spec: TitleSpec) -> TitleSpec:
        """1830's data as changed by the game's options.

        Rules: R-1830-070, R-1830-071.
        """
        spec, changes = super().adapted_spec(spec), dict[str, object]()
        if self.has_option("multiple_brown_from_ipo"):
            changes["further_buys_from_market"] = False
        if self.has_option("optional_6_train"):
            changes["trains"] = tuple(
                train.model_copy(update={"count": OPTIONAL_6_TRAIN_COUNT}) if train.name == "6" else train
                for train in spec.trains
            )
        return spec.model_copy(update=changes)
