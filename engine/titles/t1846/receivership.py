"""Receivership: companies without a president, whose certificate lies in the market (3, 5)."""

from engine.core.events import LeftReceivership, WentIntoReceivership
from engine.core.ids import MARKET, HolderId, PlayerId
from engine.core.state import Company
from engine.play.shares.holdings import give_certificate, give_shares
from engine.play.steps.trade import TradeStep
from engine.play.table import Table


class ReceivershipTradeStep(TradeStep):
    """Trading; whoever holds enough of a company in receivership becomes its president.

    Rules: R-1846-030, R-1846-033, R-1846-039.
    """

    def buy_share(self, t: Table, player: PlayerId, company: Company, source: HolderId) -> None:
        super().buy_share(t, player, company, source)
        if company.in_receivership and company.percent(player) >= company.certificate:
            _take_certificate(t, company, player)


def surrender_certificate(t: Table, company: Company) -> None:
    """Put the president's certificate into the market, since nobody can take it."""
    give_certificate(company, MARKET)
    t.emit(WentIntoReceivership(company.id))


def _take_certificate(t: Table, company: Company, player: PlayerId) -> None:
    """Exchange ordinary shares of the player for the president's certificate in the market."""
    give_shares(company, player, MARKET, company.certificate)
    give_certificate(company, player)
    t.emit(LeftReceivership(company.id, player))
