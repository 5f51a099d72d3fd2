"""1830: the sequence of play, and its options."""

from collections.abc import Mapping
from typing import ClassVar, Final

from engine.core.spec import TitleSpec
from engine.play.rounds import AuctionRound, OperatingRound, Round, StockRound
from engine.play.steps.bid import BidStep, SetParStep
from engine.play.steps.buy_trains import TrainsStep
from engine.play.steps.choose_home import HomeChoiceStep
from engine.play.steps.dividend import DividendStep
from engine.play.steps.end_of_turn import LateActionsStep
from engine.play.steps.exchange_private import ExchangeStep
from engine.play.steps.forced_sales import BankruptcyStep, ForcedPurchaseStep
from engine.play.steps.lay_track import ExtraLayStep, TrackStep
from engine.play.steps.place_token import FreeTokenStep, TokenStep
from engine.play.steps.run_trains import RunStep
from engine.play.steps.trade import TradeStep
from engine.titles.standard import BUY_PRIVATE_STEP, StandardRules, read_flags_and_options

EXCHANGE: Final = ExchangeStep()
"""Exchange of MH for a share of NYC, at any moment of stock and operating rounds (5): R-1830-053."""
EXTRA_LAY: Final = ExtraLayStep()
"""The lay of CS's tile, at any moment of its company's turn (5): R-1830-051."""
MORE_SIXES: Final = 3
"""Number of 6-trains with the option `optional_6_train` (7)."""

ROUNDS_BY_KIND: Final[Mapping[str, Round]] = {
    "auction": AuctionRound(SetParStep(), BidStep()),
    "stock": StockRound(TradeStep(), anytime=(EXCHANGE,)),
    "operating": OperatingRound(
        TrackStep(),
        TokenStep(),
        RunStep(),
        DividendStep(),
        TrainsStep(),
        LateActionsStep(BUY_PRIVATE_STEP, EXTRA_LAY),
        anytime=(BUY_PRIVATE_STEP, EXTRA_LAY, BankruptcyStep(), EXCHANGE),
        at_once=(HomeChoiceStep(), FreeTokenStep(), ForcedPurchaseStep()),
    ),
}
"""The auction (2), then alternating stock rounds (3) and operating rounds (4).

Rules: R-1830-030, R-1830-037, R-1830-039, R-1830-060, R-1830-061, R-1830-062, R-1830-063, R-1830-065, D-1830-7.
"""


class ClassicRules(StandardRules):
    """The rules of 1830 that are not in its data: its options (7)."""

    FLAGS, OPTIONS = read_flags_and_options("engine.titles", "engine.titles.t1830")
    ROUNDS: ClassVar = ROUNDS_BY_KIND

    def adapted_spec(self, spec: TitleSpec) -> TitleSpec:
        """The spec with the changes of the options.

        Rules: R-1830-070, R-1830-071.
        """
        spec, changes = super().adapted_spec(spec), dict[str, object]()
        if self.option("multiple_brown_from_ipo"):
            changes["several_from_market"] = False
        if self.option("optional_6_train"):
            changes["trains"] = tuple(
                train.model_copy(update={"count": MORE_SIXES}) if train.name == "6" else train
                for train in spec.trains
            )
        return spec.model_copy(update=changes)
