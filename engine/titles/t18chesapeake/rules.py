"""18Chesapeake: the two-player variant of section 14, and what its profiles switch on."""

from typing import ClassVar

from engine.events import ShareRemoved
from engine.ids import MARKET, OFFERING, REMOVED, HolderId, PlayerId
from engine.market.shares import give
from engine.rules import Rules
from engine.state import Company
from engine.table import Table

TWO_PLAYER_CERTIFICATE = 30
"""Percent of the president's certificate with two players, except for the company of P6 (14.1)."""


class ChesapeakeRules(Rules):
    """Overrides for two players; everything else is what most titles do."""

    FLAGS: ClassVar = {
        "asks_when_nothing_is_legal": "Steps ask although nothing legal may be left to do.",
        "bank_breaks_below_zero": "The bank is broken only when a payment takes it below $0.",
        "bankruptcy_in_any_step": "Bankruptcy may be declared in any step of a company's turn.",
        "bid_cap_counts_own_losing_bid": "An outbid bid still counts as money for the same private.",
        "buys_at_the_limit_beside_a_trade_in": (
            "At the train limit any train may be bought where a trade-in is possible; the excess is discarded."
        ),
        "consent_is_implied": "Sales of trains and privates between players are taken as agreed.",
        "discards_in_list_order": "Companies discard in the order of the company list.",
        "face_price_unchecked": "The cheapest private may be bought at any price.",
        "one_vote_ends": "One player may end the game.",
        "power_pair_may_be_single": "Of two tiles a private lays together, the second may be left out.",
        "president_helps_although_bank_train_affordable": (
            "For another company's train the president may pay although the treasury can pay a bank train."
        ),
        "sells_for_the_cheapest_train_only": "Forced sales go up to the price of the cheapest train.",
        "sells_in_any_train_step": "A president may sell in a train step that forces nothing.",
        "trade_ins_buy_from_the_pool": "A train may be handed in for one in the bank pool, too.",
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

    def _removes(self, t: Table, player: PlayerId, company: Company) -> bool:
        return self._two_players(t) and company.president != player and bool(company.shares.get(MARKET))

    def sold_out(self, t: Table, company: Company) -> bool:
        """With two players: floated and nothing in the market (14.4)."""
        if self._two_players(t):
            return company.floated and not company.percent(MARKET)
        return super().sold_out(t, company)
