"""The template's sequence of play: no privates, so neither an auction nor the steps that belong to privates."""

from collections.abc import Mapping
from typing import ClassVar, Final

from engine.play.rounds.base import Round
from engine.play.rounds.operating_round import OperatingRound
from engine.play.rounds.stock_round import StockRound
from engine.play.steps.revenue.dividend import DividendStep
from engine.play.steps.revenue.run_trains import RunStep
from engine.play.steps.stock.trade import TradeStep
from engine.play.steps.tokens.token import TokenStep
from engine.play.steps.track.lay_track import TrackStep
from engine.play.steps.trains.buy_trains import TrainsStep
from engine.play.steps.trains.forced_purchase import BankruptcyStep, ForcedPurchaseStep
from engine.titles.standard import Standard

SEQUENCE: Final[Mapping[str, Round]] = {
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


class TemplateRules(Standard):
    """Everything as most titles have it; hooks that your title answers otherwise become methods here."""

    ROUNDS: ClassVar = SEQUENCE
