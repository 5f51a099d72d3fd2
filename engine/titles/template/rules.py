"""The template's sequence of play: no privates, so neither an auction nor the steps that belong to privates."""

from collections.abc import Mapping
from typing import ClassVar, Final

from engine.play.rounds import OperatingRound, Round, StockRound
from engine.play.steps.buy_trains import TrainsStep
from engine.play.steps.dividend import DividendStep
from engine.play.steps.forced_sales import BankruptcyStep, ForcedPurchaseStep
from engine.play.steps.lay_track import TrackStep
from engine.play.steps.place_token import TokenStep
from engine.play.steps.run_trains import RunStep
from engine.play.steps.trade import TradeStep
from engine.titles.standard import StandardRules

ROUNDS_BY_KIND: Final[Mapping[str, Round]] = {
    "stock": StockRound(TradeStep()),
    "operating": OperatingRound(
        TrackStep(),
        TokenStep(),
        RunStep(),
        DividendStep(),
        TrainsStep(),
        anytime=(BankruptcyStep(),),
        at_once=(ForcedPurchaseStep(),),
    ),
}
"""Stock rounds and sets of operating rounds in turn. Replace a step by one of your own, or change the order, here."""


class TemplateRules(StandardRules):
    """The standard rules; methods added here override hooks."""

    ROUNDS: ClassVar = ROUNDS_BY_KIND
