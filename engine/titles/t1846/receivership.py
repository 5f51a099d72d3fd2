"""Receivership: companies without a president, whose certificate lies in the market (3, 5)."""

from collections.abc import Iterator
from typing import Any

from engine.core.events import LeftReceivership, ShareBought, WentIntoReceivership
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, MARKET, HolderId, PlayerId
from engine.core.offers import Offer
from engine.core.state import Company
from engine.play.shares.holdings import companies_held, give_certificate, give_shares
from engine.play.shares.stock_turn import player_on_turn
from engine.play.steps.trade import TradeStep
from engine.play.table import Table


class ReceivershipTradeStep(TradeStep):
    """Trading; a player who holds enough of a company in receivership becomes its president.

    Rules: R-1846-030, R-1846-033, R-1846-039, R-1846-130, D-1846-3.
    """

    def offers(self, t: Table) -> Iterator[Offer]:
        """Trades; in a log also the pass of a player who could sell only shares of a company in receivership."""
        offers_found = list(super().offers(t))
        yield from offers_found
        player = player_on_turn(t)
        asked = t.rules.flag("asks_when_nothing_is_legal") and not (offers_found or t.stock.acted)
        if asked and any(company.in_receivership for company in companies_held(t, player)):
            yield t.offer("pass", player, fact("offer.pass_stock_turn"))

    def source_obstacle(self, t: Table, player: PlayerId, company: Company, source: Any) -> Fact | None:
        refusal = super().source_obstacle(t, player, company, source)
        if refusal or not _sells_certificate(company, source) or company.shares.get(player):
            return refusal
        return fact("midwest.certificate_for_a_share", company=company.id, player=player)

    def label(self, t: Table, player: PlayerId, company: Company, source: HolderId) -> Fact:
        if _sells_certificate(company, source):
            return fact("choice.certificate_for_a_share", company=company.id, price=t.price(company))
        return super().label(t, player, company, source)

    def buy_share(self, t: Table, player: PlayerId, company: Company, source: HolderId) -> None:
        if _sells_certificate(company, source):
            price = t.price(company)
            t.emit(ShareBought(player, company.id, company.share, price, source, 0))
            t.pay(player, BANK, price)
            _take_certificate(t, company, player, company.certificate - company.share)
            return
        super().buy_share(t, player, company, source)
        if company.in_receivership and company.percent(player) >= company.certificate:
            _take_certificate(t, company, player, company.certificate)


def _sells_certificate(company: Company, source: HolderId) -> bool:
    """True if all that the market has of a company is its president's certificate."""
    return source == MARKET and company.in_receivership and not company.shares.get(MARKET)


def surrender_certificate(t: Table, company: Company) -> None:
    """Put the president's certificate into the market, since nobody can take it."""
    give_certificate(company, MARKET)
    t.emit(WentIntoReceivership(company.id))


def _take_certificate(t: Table, company: Company, player: PlayerId, percent: int) -> None:
    """Exchange ordinary shares of the player, in percent, for the president's certificate in the market."""
    give_shares(company, player, MARKET, percent)
    give_certificate(company, player)
    t.emit(LeftReceivership(company.id, player))
