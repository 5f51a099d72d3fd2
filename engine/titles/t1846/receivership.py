"""Receivership in 1846: companies without a president. Their president's certificate is in the market (§3, §5)."""

from collections.abc import Iterator
from typing import Any

from engine.core.events import LeftReceivership, ShareBought, WentIntoReceivership
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, MARKET, HolderId, PlayerId
from engine.core.offers import Offer
from engine.core.state import Company
from engine.play.shares.holdings import companies_held_by, give_presidents_certificate, give_shares
from engine.play.shares.stock_turn import current_stock_player
from engine.play.steps.trade import TradeStep
from engine.play.table import Table


class ReceivershipTradeStep(TradeStep):
    """Stock turn. A player who buys enough shares of a company in receivership becomes its president.

    Rules: R-1846-030, R-1846-033, R-1846-039, R-1846-130, D-1846-3.
    """

    def offers(self, t: Table) -> Iterator[Offer]:
        """Sales and purchases of the stock turn.

        In an 18xx.games log, a player with shares of a company in receivership can pass even if nothing else is legal.
        """
        offers_found = list(super().offers(t))
        yield from offers_found
        player = current_stock_player(t)
        may_only_pass = t.rules.has_flag("asks_when_nothing_is_legal") and not (
            offers_found or t.stock_round.acted
        )
        if may_only_pass and any(company.is_in_receivership for company in companies_held_by(t, player)):
            yield t.offer("pass", player, fact("offer.pass_stock_turn"))

    def source_obstacle(self, t: Table, player: PlayerId, company: Company, source: Any) -> Fact | None:
        refusal = super().source_obstacle(t, player, company, source)
        if refusal or not _has_only_presidents_certificate(company, source) or company.shares.get(player):
            return refusal
        return fact("midwest.certificate_for_a_share", company=company.id, player=player)

    def label(self, t: Table, player: PlayerId, company: Company, source: HolderId) -> Fact:
        if _has_only_presidents_certificate(company, source):
            return fact("choice.certificate_for_a_share", company=company.id, price=t.price(company))
        return super().label(t, player, company, source)

    def buy_share(self, t: Table, player: PlayerId, company: Company, source: HolderId) -> None:
        if _has_only_presidents_certificate(company, source):
            price = t.price(company)
            t.emit(ShareBought(player, company.id, company.share, price, source, 0))
            t.pay(player, BANK, price)
            _exchange_shares_for_certificate(t, company, player, company.certificate - company.share)
            return
        super().buy_share(t, player, company, source)
        if company.is_in_receivership and company.percent(player) >= company.certificate:
            _exchange_shares_for_certificate(t, company, player, company.certificate)


def _has_only_presidents_certificate(company: Company, source: HolderId) -> bool:
    """True if `source` is the market and has no certificate of the company except the president's."""
    return source == MARKET and company.is_in_receivership and not company.shares.get(MARKET)


def surrender_certificate(t: Table, company: Company) -> None:
    """Put the company into receivership by moving its president's certificate to the market."""
    give_presidents_certificate(company, MARKET)
    t.emit(WentIntoReceivership(company.id))


def _exchange_shares_for_certificate(t: Table, company: Company, player: PlayerId, percent: int) -> None:
    """Make the player president. They exchange `percent` of ordinary shares for the president's certificate."""
    give_shares(company, player, MARKET, percent)
    give_presidents_certificate(company, player)
    t.emit(LeftReceivership(company.id, player))
