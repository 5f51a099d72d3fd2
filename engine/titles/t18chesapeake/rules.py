"""18Chesapeake: the two-player variant of section 14, and what its profiles switch on."""

from typing import ClassVar

from engine.core.events import ShareRemoved
from engine.core.ids import MARKET, OFFERING, REMOVED, HolderId, PlayerId
from engine.core.state import Company
from engine.play.shares.holdings import give
from engine.play.table import Table
from engine.titles.standard import COMMON_FLAGS, Rules

TWO_PLAYER_CERTIFICATE = 30
"""Percent of the president's certificate with two players, except for the company of P6 (14.1)."""


class ChesapeakeRules(Rules):
    """Overrides for two players; everything else is what most titles do."""

    FLAGS: ClassVar = {
        **COMMON_FLAGS,
        "two_player_named_share": "A buyer may name the very share that leaves the game, and then pays nothing.",
        "two_player_removal_on_offering_purchase": "Buying from the offering removes a market share too.",
    }

    def _two_players(self, t: Table) -> bool:
        return len(t.state.players) == 2

    def certificate_percent(self, company: str, linked: str | None, players: int) -> int:
        """With two players only the company of P6 keeps the 20 % certificate (14.1)."""
        if players == 2 and company != linked:
            return TWO_PLAYER_CERTIFICATE
        return super().certificate_percent(company, linked, players)

    def after_float(self, t: Table, company: Company) -> int:
        """With two players the rest of the offering goes to the market at once (14.2)."""
        left = company.shares.get(OFFERING, 0)
        if not self._two_players(t) or not left:
            return 0
        give(company, OFFERING, MARKET, left)
        return left

    def sources(self, t: Table, player: PlayerId, company: Company, found: list[HolderId]) -> list[HolderId]:
        """A single market share can be taken out of the game without paying for it (14.3)."""
        if not self._removes(t, player, company):
            return found
        if self.flag("two_player_named_share"):
            return [*found, REMOVED] if MARKET in found else found
        return [*found, MARKET] if company.shares[MARKET] == 10 and MARKET not in found else found

    def before_purchase(self, t: Table, player: PlayerId, company: Company, source: HolderId) -> bool:
        """A market share leaves the game when another than the president buys from the market (14.3)."""
        wide = self.flag("two_player_removal_on_offering_purchase")
        if not self._removes(t, player, company) or (source == OFFERING and not wide):
            return True
        give(company, MARKET, REMOVED, 10)
        t.emit(ShareRemoved(company.id))
        return source != REMOVED and bool(company.shares.get(source))

    def purchase_words(
        self, t: Table, player: PlayerId, company: Company, source: HolderId, price: int
    ) -> str:
        """Says that a market share leaves the game, and when nothing is bought for it (14.3)."""
        usual = super().purchase_words(t, player, company, source, price)
        if source == OFFERING or not self._removes(t, player, company):
            return usual
        if source == REMOVED or company.shares[MARKET] == 10:
            return f"{company.id} from the market, $0: one share leaves the game, none is bought"
        return f"{usual}: another one leaves the game"

    def _removes(self, t: Table, player: PlayerId, company: Company) -> bool:
        return self._two_players(t) and company.president != player and bool(company.shares.get(MARKET))

    def sold_out(self, t: Table, company: Company) -> bool:
        """With two players: floated and nothing in the market (14.4)."""
        if self._two_players(t):
            return company.floated and not company.percent(MARKET)
        return super().sold_out(t, company)
