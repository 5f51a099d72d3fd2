"""Receivership: companies without a president, whose certificate lies in the market (3, 5)."""

from collections.abc import Iterator

from engine.core.events import LeftReceivership, WentIntoReceivership
from engine.core.facts import fact
from engine.core.ids import MARKET, HolderId, PlayerId
from engine.core.offers import Offer
from engine.core.state import Company
from engine.play.shares.holdings import companies_held, give_certificate, give_shares
from engine.play.shares.stock_turn import player_on_turn
from engine.play.steps.trade import TradeStep
from engine.play.table import Table


class ReceivershipTradeStep(TradeStep):
    """Trading; whoever holds enough of a company in receivership becomes its president.

    Rules: R-1846-030, R-1846-033, R-1846-039, R-1846-130, D-1846-3.
    """

    def offers(self, t: Table) -> Iterator[Offer]:
        """Trades; in a log also the pass of a player who could sell only shares of a company in receivership."""
        found = list(super().offers(t))
        yield from found
        player = player_on_turn(t)
        asked = t.rules.flag("asks_when_nothing_is_legal") and not (found or t.stock.acted)
        if asked and any(company.in_receivership for company in companies_held(t, player)):
            yield t.offer("pass", player, fact("offer.pass_stock_turn"))

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
