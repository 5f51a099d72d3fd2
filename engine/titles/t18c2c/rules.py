"""18C2C: what its house rules change in the table, and its sequence of play."""

from collections.abc import Mapping
from typing import ClassVar, Final

from engine.core.state import Company
from engine.play.rounds.auction import AuctionRound
from engine.play.rounds.base import Round
from engine.play.rounds.operating import OperatingRound
from engine.play.rounds.stock import StockRound
from engine.play.steps.bankruptcy import BankruptcyStep
from engine.play.steps.bid import BidStep
from engine.play.steps.companies import BuyPrivateStep
from engine.play.steps.dividend import DividendStep
from engine.play.steps.forced_sale import DealStep
from engine.play.steps.last_chance import LastChanceStep
from engine.play.steps.par_due import ParDueStep
from engine.play.steps.run import RunStep
from engine.play.steps.token import TokenStep
from engine.play.steps.track import TrackStep
from engine.play.steps.trade import TradeStep
from engine.play.steps.trains import TrainsStep
from engine.play.table import Table
from engine.titles.standard import Standard

BUY_PRIVATE: Final = BuyPrivateStep()

SEQUENCE: Final[Mapping[str, Round]] = {
    "auction": AuctionRound(ParDueStep(), BidStep()),
    "stock": StockRound(TradeStep()),
    "operating": OperatingRound(
        TrackStep(),
        TokenStep(),
        RunStep(),
        DividendStep(),
        TrainsStep(),
        LastChanceStep(BUY_PRIVATE),
        anytime=(BUY_PRIVATE, BankruptcyStep()),
        at_once=(DealStep(),),
    ),
}
"""The packet, then stock rounds and operating rounds in turn."""


class CoastToCoastRules(Standard):
    """Overrides of 18C2C."""

    ROUNDS: ClassVar = SEQUENCE

    def on_phase(self, t: Table) -> None:
        """Red places get further spaces for stations (R-C2C-00A)."""
        t.map.open_spaces(t.state.phase)

    def may_start(self, t: Table, company: Company) -> bool:
        """Nationals come by themselves (R-C2C-240)."""
        return t.kind(company) == "single"
