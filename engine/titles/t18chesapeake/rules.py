"""18Chesapeake: its rounds and steps, and the two-player variant of section 14."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from engine.core.events import ShareRemoved
from engine.core.facts import Fact, fact
from engine.core.ids import MARKET, OFFERING, REMOVED, CompanyId, HolderId, PlayerId
from engine.core.state import Company
from engine.play.rounds import Round, StockRound
from engine.play.shares.holdings import give_shares
from engine.play.steps.trade import TradeStep
from engine.play.table import Table
from engine.titles.standard import StandardRules, read_flags_and_options


class TwoPlayerTradeStep(TradeStep):
    """Stock turn. In a two-player game, a purchase by the player who is not president also removes a market share."""

    def source_obstacle(self, t: Table, player: PlayerId, company: Company, source: Any) -> Fact | None:
        """The reason why the player cannot buy a share from this source; None if they can.

        In a two-player game, buying the last market share only removes it and costs nothing (§14.3).
        """
        if _must_remove_market_share(t, player, company):
            if t.rules.has_flag("two_player_named_share"):
                source = MARKET if source == REMOVED else source
            elif source == MARKET and company.shares[MARKET] == company.share:
                return None
        return super().source_obstacle(t, player, company, source)

    def label(self, t: Table, player: PlayerId, company: Company, source: HolderId) -> Fact:
        """Menu label of a share purchase. In a two-player game, it says if a market share is removed (§14.3)."""
        if source == OFFERING or not _must_remove_market_share(t, player, company):
            return super().label(t, player, company, source)
        if source == REMOVED:
            return fact("choice.share_named", company=company.id)
        if company.shares[MARKET] == company.share:
            return fact("choice.share_removed_only", company=company.id)
        return fact("choice.share_and_one_removed", share=super().label(t, player, company, source))

    def buy_share(self, t: Table, player: PlayerId, company: Company, source: HolderId) -> None:
        """Buy a share. In a two-player game, remove a market share unless the buyer is the president (§14.3).

        Rules: R-CH-242, R-CH-244, R-CH-308.
        """
        removes_on_offering_purchase = t.rules.has_flag("two_player_removal_on_offering_purchase")
        if _must_remove_market_share(t, player, company) and (
            source != OFFERING or removes_on_offering_purchase
        ):
            give_shares(company, MARKET, REMOVED, company.share)
            t.emit(ShareRemoved(company.id))
            if source == REMOVED or not company.shares.get(source):
                return
        super().buy_share(t, player, company, source)


def _must_remove_market_share(t: Table, player: PlayerId, company: Company) -> bool:
    is_two_player = len(t.state.players) == 2
    return is_two_player and company.president != player and bool(company.shares.get(MARKET))


TWO_PLAYER_CERTIFICATE_PERCENTS: Final = (30, 10, 10, 10, 10, 10, 10, 10)
"""Certificates of a company in a two-player game, in percent. The company linked to P6 has others (§14.1)."""

ROUNDS_BY_KIND: Final[Mapping[str, Round]] = {
    **StandardRules.ROUNDS,
    "stock": StockRound(TwoPlayerTradeStep()),
}
"""18Chesapeake's rounds by kind, with steps: private auction (§9), stock round (§10) and operating round (§11).

Rules: R-CH-082.
"""


class ChesapeakeRules(StandardRules):
    """Rules of 18Chesapeake. They differ from the standard rules only in a two-player game."""

    ROUNDS: ClassVar = ROUNDS_BY_KIND

    FLAGS, OPTIONS = read_flags_and_options("engine.titles", "engine.titles.t18chesapeake")

    def _has_two_players(self, t: Table) -> bool:
        return len(t.state.players) == 2

    def certificates(
        self, company: CompanyId, linked_company: CompanyId | None, player_count: int
    ) -> tuple[int, ...]:
        """The company's certificates in percent; the president's certificate comes first.

        In a two-player game only the company linked to P6 keeps its 20 % certificate (§14.1).

        Rules: R-CH-240.
        """
        if player_count == 2 and company != linked_company:
            return TWO_PLAYER_CERTIFICATE_PERCENTS
        return super().certificates(company, linked_company, player_count)

    def on_float(self, t: Table, company: Company) -> int:
        """In a two-player game, move all IPO shares to the market. Returns the percentage moved (§14.2).

        Rules: R-CH-241, R-CH-308.
        """
        offering_percent = company.shares.get(OFFERING, 0)
        if not self._has_two_players(t) or not offering_percent:
            return 0
        give_shares(company, OFFERING, MARKET, offering_percent)
        return offering_percent

    def is_sold_out(self, t: Table, company: Company) -> bool:
        """True if the company is sold out. With two players: it has floated and has no market shares (§14.4).

        Rules: R-CH-243.
        """
        if self._has_two_players(t):
            return company.floated and not company.percent(MARKET)
        return super().is_sold_out(t, company)
