"""The template's sequence of play: the auction of privates, stock rounds, operating rounds."""

from collections.abc import Mapping
from typing import ClassVar, Final

from engine.play.rounds import AuctionRound, OperatingRound, Round, StockRound
from engine.play.steps.bid import BidStep, SetParStep
from engine.play.steps.buy_trains import TrainsStep
from engine.play.steps.dividend import DividendStep
from engine.play.steps.end_of_turn import LateActionsStep
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
        LateActionsStep(BUY_PRIVATE_STEP),
        anytime=(BUY_PRIVATE_STEP, BankruptcyStep()),
        at_once=(FreeTokenStep(), ForcedPurchaseStep()),
    ),
}
"""The auction, then alternating stock rounds and sets of operating rounds.

Here you can replace a step with your own, or change the order.
"""


class TemplateRules(StandardRules):
    """The standard rules; add methods here to override hooks."""

    ROUNDS: ClassVar = ROUNDS_BY_KIND
