"""Trading: sales and purchases of shares in a stock round (18Chesapeake 10)."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from engine.core.actions import BuyPrivate, BuyShare, Par, Pass, SellPrivate, SellShares
from engine.core.events import ShareBought
from engine.core.facts import Fact, fact
from engine.core.ids import REISSUED, HolderId, PlayerId
from engine.core.offers import Offer
from engine.core.state import Company
from engine.play.end_of_stock_round import pass_stock_turn
from engine.play.shares import holdings, selling, stock_turn
from engine.play.shares import starting_and_floating as founding
from engine.play.shares.certificate_and_holding_limits import must_sell_first, sale_obligation
from engine.play.shares.selling import sale_obstacle, sale_offer, sell_shares
from engine.play.shares.share_purchases import (
    no_share_reason,
    purchase_offer,
    share_obstacle,
    share_price_from_source,
    share_source_obstacle,
)
from engine.play.shares.starting_and_floating import company_income, float_if_sold, pay_for_shares
from engine.play.shares.stock_turn import current_stock_player, sales_closed_obstacle
from engine.play.steps.base import Request, Step
from engine.play.steps.private_sales import (
    acceptance_obstacle,
    carry_out_trade,
    private_purchase_obstacle,
    private_purchase_offer,
    private_sale_obstacle,
    private_sale_offer,
    trade_private,
)
from engine.play.table import Table


class TradeStep(Step):
    """A player's share trading in a stock turn: any number of sales and one purchase, in the order the title allows.

    Rules: R-AL-041, R-C2C-030, R-CH-040, R-NE-040, R-TN-040.
    """

    name = "trade"
    kinds = frozenset({"sell_shares", "buy_share", "par", "buy_private", "sell_private", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """Legal trades of the current player.

        A player above a limit must sell before the turn ends and before some purchases.
        """
        player, has_offer = current_stock_player(t), False
        for offer in self._trade_offers(t, player):
            if offer is not None:
                has_offer = True
                yield offer
        if has_offer and sale_obligation(t, player) is None:
            yield self._end_turn_offer(t, player)

    def _trade_offers(self, t: Table, player: PlayerId) -> Iterator[Offer | None]:
        yield sale_offer(t, player)
        if not (must_sell_first(t) and sale_obligation(t, player)):
            yield from self.purchase_offers(t, player)
        yield private_sale_offer(t, player)

    def end_step_offer(self, t: Table) -> Offer | None:
        """The legal action of ending the turn; None if the player is above a limit and must sell."""
        player = current_stock_player(t)
        return self._end_turn_offer(t, player) if sale_obligation(t, player) is None else None

    def _end_turn_offer(self, t: Table, player: PlayerId) -> Offer:
        label = fact("offer.end_stock_turn" if t.stock_round.acted else "offer.pass_stock_turn")
        return t.offer("pass", player, label)

    def apply(self, t: Table, action: SellShares | BuyShare | BuyPrivate | SellPrivate | Par | Pass) -> None:
        """Carry out a purchase or sale, or end the turn."""
        if action.kind == "sell_shares":
            sell_shares(t, action.actor, t.state.companies[action.company], action.shares)
            stock_turn.record_share_sale(t, t.state.companies[action.company])
        elif action.kind == "buy_private" or action.kind == "sell_private":
            trade_private(t, action)
        elif action.kind == "buy_share":
            stock_turn.record_purchase(t, action.company, action.source)
            self.buy_share(t, action.actor, t.state.companies[action.company], action.source)
        elif action.kind == "par":
            stock_turn.record_purchase(t, "par")
            founding.start_company(t, action)
        else:
            pass_stock_turn(t)

    def source_obstacle(self, t: Table, player: PlayerId, company: Company, source: Any) -> Fact | None:
        """The rule that forbids buying a share from this source; None if there is none.

        A price above the player's cash also counts.
        """
        if refusal := share_source_obstacle(t, company, source):
            return refusal
        price, cash = share_price_from_source(t, company, source), t.cash(player)
        if price <= cash:
            return None
        values = {"company": company.id, "source": source}
        return fact("buying.share_too_dear", player=player, price=price, cash=cash, **values)

    def label(self, t: Table, player: PlayerId, company: Company, source: HolderId) -> Fact:
        """Menu label of a share: where it is bought and its price."""
        price = share_price_from_source(t, company, source)
        if source == company.treasury:
            return fact("choice.treasury_share", company=company.id, price=price)
        if source == REISSUED:
            return fact("choice.reissued_share", company=company.id, price=price)
        return fact("choice.share", company=company.id, source=source, price=price)

    def buy_share(self, t: Table, player: PlayerId, company: Company, source: HolderId) -> None:
        """Buy one share for the player; the company may float."""
        price = share_price_from_source(t, company, source)
        company_dollars = company_income(t, company, source, price, company.share)
        t.emit(ShareBought(player, company.id, company.share, price, source, company_dollars))
        pay_for_shares(t, player, company, source, price, company.share)
        holdings.give_shares(company, source, player, company.share)
        if source == REISSUED:
            del company.reissue_prices[0]
        selling.update_president(t, company)
        float_if_sold(t, company)

    def carry_out_proposal(self, t: Table, action: BuyPrivate | SellPrivate) -> None:
        carry_out_trade(t, action)

    def acceptance_obstacle(self, t: Table, action: BuyPrivate | SellPrivate) -> Fact | None:
        """The reason why the asked player cannot accept a private's trade, such as too little cash; None if they
        can.
        """
        return acceptance_obstacle(t, action)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        """The reason why a purchase or sale is not possible, for the named company or, if none is named, for any."""
        if any(offer.kind == request.kind for offer in self.offers(t)):
            return None
        player = current_stock_player(t)
        named_company = request.given_values.get("company")
        if request.kind == "sell_shares":
            refusal = sales_closed_obstacle(t) or (
                sale_obstacle(t, player, named_company) if named_company else None
            )
            return refusal or fact("selling.nothing", player=player)
        if request.kind == "sell_private":
            return private_sale_obstacle(t, player)
        obligation = sale_obligation(t, player)
        if obligation is not None and (request.kind == "pass" or must_sell_first(t)):
            return obligation
        match request.kind:
            case "buy_share":
                source_obstacle = partial(self.source_obstacle, t, player)
                return (
                    share_obstacle(t, player, named_company, source_obstacle)
                    if named_company
                    else no_share_reason(t, player, source_obstacle)
                )
            case "par":
                return (
                    founding.start_obstacle(t, player, named_company)
                    if named_company
                    else founding.no_start_reason(t, player)
                )
            case "buy_private":
                return private_purchase_obstacle(t, player)
        return fact("stock.what_is_possible")

    def purchase_offers(self, t: Table, player: PlayerId) -> Iterator[Offer | None]:
        """The player's legal purchases this turn, one for each kind; None in place of an impossible kind."""
        yield purchase_offer(
            t, player, partial(self.source_obstacle, t, player), partial(self.label, t, player)
        )
        yield founding.par_offer(t, player)
        yield private_purchase_offer(t, player)
