"""The template title's rounds and steps: private auction, stock rounds and operating rounds."""

from collections.abc import Mapping
from typing import ClassVar, Final

from engine.play.rounds import AuctionRound, OperatingRound, Round, StockRound
from engine.play.steps.bid import BidStep, SetParStep
from engine.play.steps.buy_trains import TrainsStep
from engine.play.steps.dividend import DividendStep
from engine.play.steps.end_of_turn import EndOfCompanyTurnStep
from engine.play.steps.forced_sales import BankruptcyStep, ForcedPurchaseStep
from engine.play.steps.lay_track import TrackStep
from engine.play.steps.place_token import FreeTokenStep, TokenStep
from engine.play.steps.run_trains import RunStep
from engine.play.steps.trade import TradeStep
from engine.titles.standard import BUY_PRIVATE_STEP, StandardRules

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
"""The template's rounds by kind, with their steps: private auction, stock round and operating round.

If your title plays in another order, replace or reorder these steps.
"""


class TemplateRules(StandardRules):
    """The standard rules. To change a rule, override its method of StandardRules here."""

    ROUNDS: ClassVar = ROUNDS_BY_KIND
