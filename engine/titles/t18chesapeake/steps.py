"""18Chesapeake's trading with two players: market shares leave the game (14.3)."""

from engine.core.events import ShareRemoved
from engine.core.facts import Fact, fact
from engine.core.ids import MARKET, OFFERING, REMOVED, HolderId, PlayerId
from engine.core.state import Company
from engine.play.shares.holdings import give
from engine.play.steps.stock.trade import TradeStep
from engine.play.table import Table


class TwoPlayerTradeStep(TradeStep):
    """As usual; with two players a market share leaves the game when another than the president buys."""

    def sources(self, t: Table, player: PlayerId, company: Company) -> list[HolderId]:
        """A single market share can be taken out of the game without paying for it (14.3)."""
        found = super().sources(t, player, company)
        if not _removes(t, player, company):
            return found
        if t.rules.flag("two_player_named_share"):
            return [*found, REMOVED] if MARKET in found else found
        return [*found, MARKET] if company.shares[MARKET] == company.share and MARKET not in found else found

    def label(self, t: Table, player: PlayerId, company: Company, source: HolderId) -> Fact:
        """Says that a market share leaves the game, and when nothing is bought for it (14.3)."""
        if source == OFFERING or not _removes(t, player, company):
            return super().label(t, player, company, source)
        if source == REMOVED:
            return fact("choice.share_named", company=company.id)
        if company.shares[MARKET] == company.share:
            return fact("choice.share_removed_only", company=company.id)
        return fact("choice.share_and_one_removed", share=super().label(t, player, company, source))

    def buy(self, t: Table, player: PlayerId, company: Company, source: HolderId) -> None:
        """A market share leaves the game when another than the president buys from the market (14.3).

        Rules: R-CH-242, R-CH-244, R-CH-308.
        """
        wide = t.rules.flag("two_player_removal_on_offering_purchase")
        if _removes(t, player, company) and (source != OFFERING or wide):
            give(company, MARKET, REMOVED, company.share)
            t.emit(ShareRemoved(company.id))
            if source == REMOVED or not company.shares.get(source):
                return
        super().buy(t, player, company, source)


def _removes(t: Table, player: PlayerId, company: Company) -> bool:
    two = len(t.state.players) == 2
    return two and company.president != player and bool(company.shares.get(MARKET))
