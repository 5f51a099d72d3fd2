"""The rules of 18Chesapeake: the two-player variant of section 14, and profiles."""

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
    """Trading; with two players, a share in the market leaves the game when the other player buys."""

    def source_obstacle(self, t: Table, player: PlayerId, company: Company, source: Any) -> Fact | None:
        """The rule that forbids a source; the last share in the market can be removed without payment (14.3)."""
        if _removes_market_share(t, player, company):
            if t.rules.flag("two_player_named_share"):
                source = MARKET if source == REMOVED else source
            elif source == MARKET and company.shares[MARKET] == company.share:
                return None
        return super().source_obstacle(t, player, company, source)

    def label(self, t: Table, player: PlayerId, company: Company, source: HolderId) -> Fact:
        """The label of a purchase, mentioning the removal of a share from the market (14.3)."""
        if source == OFFERING or not _removes_market_share(t, player, company):
            return super().label(t, player, company, source)
        if source == REMOVED:
            return fact("choice.share_named", company=company.id)
        if company.shares[MARKET] == company.share:
            return fact("choice.share_removed_only", company=company.id)
        return fact("choice.share_and_one_removed", share=super().label(t, player, company, source))

    def buy_share(self, t: Table, player: PlayerId, company: Company, source: HolderId) -> None:
        """Buy a share; if a player other than the president buys, a share in the market leaves the game (14.3).

        Rules: R-CH-242, R-CH-244, R-CH-308.
        """
        removes_at_offering = t.rules.flag("two_player_removal_on_offering_purchase")
        if _removes_market_share(t, player, company) and (source != OFFERING or removes_at_offering):
            give_shares(company, MARKET, REMOVED, company.share)
            t.emit(ShareRemoved(company.id))
            if source == REMOVED or not company.shares.get(source):
                return
        super().buy_share(t, player, company, source)


def _removes_market_share(t: Table, player: PlayerId, company: Company) -> bool:
    is_two_player = len(t.state.players) == 2
    return is_two_player and company.president != player and bool(company.shares.get(MARKET))


TWO_PLAYER_CERTIFICATE_PERCENTS: Final = (30, 10, 10, 10, 10, 10, 10, 10)
"""Percent of the certificates with two players, except for the company that comes with P6 (14.1)."""

ROUNDS_BY_KIND: Final[Mapping[str, Round]] = {
    **StandardRules.ROUNDS,
    "stock": StockRound(TwoPlayerTradeStep()),
}
"""The auction (9), then alternating stock rounds (10) and operating rounds (11); C&OC can place a token at once (7.1).

Rules: R-CH-082.
"""


class ChesapeakeRules(StandardRules):
    """The rules of 18Chesapeake for two players; otherwise the standard rules."""

    ROUNDS: ClassVar = ROUNDS_BY_KIND

    FLAGS, OPTIONS = read_flags_and_options("engine.titles", "engine.titles.t18chesapeake")

    def _has_two_players(self, t: Table) -> bool:
        return len(t.state.players) == 2

    def certificates(
        self, company: CompanyId, linked_company: CompanyId | None, players: int
    ) -> tuple[int, ...]:
        """The company's certificates; with two players, only the company that comes with P6 keeps the 20 % certificate
        (14.1).

        Rules: R-CH-240.
        """
        if players == 2 and company != linked_company:
            return TWO_PLAYER_CERTIFICATE_PERCENTS
        return super().certificates(company, linked_company, players)

    def on_float(self, t: Table, company: Company) -> int:
        """With two players, move the rest of the offering to the market (14.2).

        Rules: R-CH-241, R-CH-308.
        """
        rest_percent = company.shares.get(OFFERING, 0)
        if not self._has_two_players(t) or not rest_percent:
            return 0
        give_shares(company, OFFERING, MARKET, rest_percent)
        return rest_percent

    def is_sold_out(self, t: Table, company: Company) -> bool:
        """With two players, True if the company has floated and the market has none of its shares (14.4).

        Rules: R-CH-243.
        """
        if self._has_two_players(t):
            return company.floated and not company.percent(MARKET)
        return super().is_sold_out(t, company)
