"""Additional stock actions in 18C2C: redeem a share, reissue redeemed shares, or privatize.

To privatize is to take a share of one's own company from another player.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from engine.core.actions import Privatize, RedeemShare, Reissue
from engine.core.events import Privatized
from engine.core.facts import Fact, fact
from engine.core.ids import MARKET, CompanyId, HolderId, PlayerId
from engine.core.offers import Choice, Choices, FilteredChoices, Offer, PickedValues, Slot, Suggestion
from engine.core.state import Company
from engine.play.shares import holdings, stock_turn
from engine.play.shares.certificate_and_holding_limits import certificate_limit_obstacle, sale_obligation
from engine.play.shares.own_shares import outstanding_percent, redeem_shares, reissue_price, reissue_shares
from engine.play.shares.selling import next_president
from engine.play.steps.agreements import propose
from engine.play.steps.base import AnytimeStep, Request
from engine.play.table import Table


class RedeemShareStep(AnytimeStep):
    """A president makes the company redeem one share. The player can still buy and sell shares in this turn.

    Rules: R-C2C-080.
    """

    name = "redeem_share"
    kinds = frozenset({"redeem_share"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """The offer to redeem a share from the market. If the market has none, a player who agrees sells one."""
        companies = FilteredChoices(_companies_of_current_player(t), partial(_redemption_obstacle, t))
        if not companies:
            return
        yield t.offer(
            "redeem_share",
            _current_player(t),
            fact("offer.redeem_share"),
            Slot("company", lambda _: companies),
            Slot("source", partial(_redemption_source_choices, t)),
            suggest=lambda: [
                Suggestion(
                    fact("choice.redeem_share", share=choice.label), {"company": name, "source": choice.value}
                )
                for name in companies.values()
                for choice in _redemption_source_choices(t, {"company": name}).choices()
            ],
            blocking=False,
        )

    def apply(self, t: Table, action: RedeemShare) -> None:
        if action.source in (MARKET, action.actor) or t.rules.has_flag("consent_is_implied"):
            self.carry_out_proposal(t, action)
        else:
            propose(t, action, action.source)

    def carry_out_proposal(self, t: Table, action: RedeemShare) -> None:
        _record_trade(t, action.company)
        redeem_shares(t, t.state.companies[action.company], 1, action.source)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        return _redemption_obstacle(t, _requested_company(t, request))


class ReissueStep(AnytimeStep):
    """A president puts all redeemed shares of a company on sale again. The player can still buy and sell in this turn.

    Rules: R-C2C-081.
    """

    name = "reissue"
    kinds = frozenset({"reissue"})

    def offers(self, t: Table) -> Iterator[Offer]:
        companies = FilteredChoices(
            _companies_of_current_player(t), partial(_reissue_obstacle, t), partial(_reissue_label, t)
        )
        if not companies:
            return
        yield t.offer(
            "reissue",
            _current_player(t),
            fact("offer.reissue"),
            Slot("company", lambda _: companies),
            suggest=lambda: [
                Suggestion(fact("choice.reissue", shares=choice.label), {"company": choice.value})
                for choice in companies.choices()
            ],
            blocking=False,
        )

    def apply(self, t: Table, action: Reissue) -> None:
        _record_trade(t, action.company)
        reissue_shares(t, t.state.companies[action.company])

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        return _reissue_obstacle(t, _requested_company(t, request))


def _current_player(t: Table) -> PlayerId:
    return t.state.players[t.stock_round.turn].id


def _companies_of_current_player(t: Table) -> list[CompanyId]:
    return [company.id for company in t.state.companies.values() if company.president == _current_player(t)]


def _requested_company(t: Table, request: Request) -> CompanyId | None:
    """The company that the request names. If it names none, the first company of the player."""
    company_id: CompanyId | None = request.given_values.get(
        "company", next(iter(_companies_of_current_player(t)), None)
    )
    return company_id


def _record_trade(t: Table, company: CompanyId) -> None:
    t.stock_round.own_shares.append(company)
    t.stock_round.acted = True


def _own_shares_obstacle(t: Table, name: Any) -> Fact | None:
    """The reason why the current player cannot redeem or reissue the company's shares; None if they can.

    The player must be the president, and a company does this only once a round.
    """
    player = _current_player(t)
    if name is None:
        return fact("own_shares.no_company", player=player)
    if name not in t.state.companies:
        return fact("choice.no_company", company=name)
    if t.state.companies[name].president != player:
        return fact("own_shares.not_president", player=player, company=name)
    return fact("own_shares.once_a_round", company=name) if name in t.stock_round.own_shares else None


def _reissue_obstacle(t: Table, name: Any) -> Fact | None:
    if reason := _own_shares_obstacle(t, name):
        return reason
    company = t.state.companies[name]
    return None if company.percent(company.treasury) else fact("own_shares.none_redeemed", company=name)


def _redemption_obstacle(t: Table, name: Any) -> Fact | None:
    """The reason why the company cannot redeem a share now; None if it can.

    Rules: R-C2C-080.
    """
    if reason := _own_shares_obstacle(t, name):
        return reason
    assert t.spec.own_shares is not None
    company = t.state.companies[name]
    price, min_percent_left = t.price(company), t.spec.own_shares.min_percent_left
    if not company.floated:
        return fact("own_shares.not_floated", company=name)
    if company.cash < price:
        return fact("own_shares.too_dear", company=name, price=price, cash=company.cash)
    if outstanding_percent(t, company) - company.share < min_percent_left:
        return fact("own_shares.too_few_left", company=name, left=min_percent_left)
    return None


def _redemption_source_choices(t: Table, chosen: PickedValues) -> Choices:
    """Holders from whom the company can redeem a share: the market, or players if the market has no share."""
    company = t.state.companies[chosen["company"]]
    market_percent = company.shares.get(MARKET)
    sources = [MARKET] if market_percent else _players_with_shares(t, company)

    def obstacle(source: Any) -> Fact:
        if market_percent:
            return fact("own_shares.market_first", company=company.id)
        return fact("own_shares.holds_none", company=company.id, source=source)

    return Choices([Choice(source, _redemption_label(t, company, source)) for source in sources], obstacle)


def _redemption_label(t: Table, company: Company, source: HolderId) -> Fact:
    name = "choice.share_of_market" if source == MARKET else "choice.share_of_player"
    sale_fact = fact(name, company=company.id, seller=source, price=t.price(company))
    new_president = next_president(t, company, company.share) if source == company.president else None
    return (
        sale_fact
        if new_president is None
        else fact("choice.sale_of_presidency", sale=sale_fact, player=new_president.id)
    )


def _reissue_label(t: Table, name: CompanyId) -> Fact:
    company = t.state.companies[name]
    count = company.percent(company.treasury) // company.share
    return fact("choice.reissued_shares", company=name, count=count, price=reissue_price(t, company))


class PrivatizeStep(AnytimeStep):
    """A president takes a share of the company from another player, who need not agree, for more than its market price.

    Rules: R-C2C-082.
    """

    name = "privatize"
    kinds = frozenset({"privatize"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """The offer to take one share of a company whose president the player is, if the player can pay for it."""
        player = _current_player(t)
        companies = FilteredChoices(
            _companies_of_current_player(t), partial(_privatizing_obstacle, t, player)
        )
        if not companies:
            return
        yield t.offer(
            "privatize",
            player,
            fact("offer.privatize"),
            Slot("company", lambda _: companies),
            Slot("seller", partial(_seller_choices, t, player)),
            suggest=lambda: [
                Suggestion(
                    fact("choice.privatize", share=choice.label), {"company": name, "seller": choice.value}
                )
                for name in companies.values()
                for choice in _seller_choices(t, player, {"company": name}).choices()
            ],
            blocking=False,
        )

    def apply(self, t: Table, action: Privatize) -> None:
        stock_turn.record_purchase(t, "privatized")
        _privatize_share(t, action.actor, action.company, action.seller)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        player, name = request.actor, request.given_values.get("company")
        if name is not None:
            return _privatizing_obstacle(t, player, name)
        no_company_refusal = fact(
            "privatizing.of_no_company", player=player, least=t.spec.privatize_min_percent
        )
        return _obstacle_to_privatizing_any(t, player) or no_company_refusal


def _obstacle_to_privatizing_any(t: Table, player: PlayerId) -> Fact | None:
    """The reason why the player cannot privatize a share of any company now; None if they can."""
    if t.phase.privatize_price_percent is None:
        return fact("privatizing.never")
    if refusal := stock_turn.purchase_made_obstacle(t):
        return refusal
    # A player above a limit cannot take a share if no sale can follow, because the turn could then end above the limit.
    return None if stock_turn.may_sell_after_purchase(t) else sale_obligation(t, player)


def _privatizing_obstacle(t: Table, player: PlayerId, name: Any) -> Fact | None:
    company, least_percent = t.state.companies.get(name), t.spec.privatize_min_percent
    if company is None:
        return fact("choice.no_company", company=name)
    if reason := _obstacle_to_privatizing_any(t, player):
        return reason
    values = {"player": player, "company": name}
    if company.president != player or company.percent(player) < least_percent:
        return fact("privatizing.holds_too_little", least=least_percent, **values)
    if not _players_with_shares(t, company, player):
        return fact("privatizing.nobody_else", **values)
    if t.cash(player) < _privatization_price(t, company):
        return fact(
            "privatizing.too_dear", price=_privatization_price(t, company), cash=t.cash(player), **values
        )
    return certificate_limit_obstacle(t, player) if holdings.counts_for_limit(t, company) else None


def _seller_choices(t: Table, player: PlayerId, chosen: PickedValues) -> Choices:
    company = t.state.companies[chosen["company"]]
    name, price = company.id, _privatization_price(t, company)
    return Choices(
        [
            Choice(seller, fact("choice.share_of_player", company=name, seller=seller, price=price))
            for seller in _players_with_shares(t, company, player)
        ],
        lambda seller: fact("privatizing.not_from", company=name, seller=seller),
    )


def _privatization_price(t: Table, company: Company) -> int:
    """Dollars for taking one share: the phase's percentage of the share price, rounded up.

    Rules: R-C2C-082.
    """
    assert t.phase.privatize_price_percent is not None
    return -(-t.price(company) * t.phase.privatize_price_percent // 100)


def _privatize_share(t: Table, player: PlayerId, company: CompanyId, seller: PlayerId) -> None:
    """Take an ordinary share from the seller and pay for it. The share price does not change."""
    share_company, price = t.state.companies[company], _privatization_price(t, t.state.companies[company])
    t.pay(player, seller, price)
    holdings.give_shares(share_company, seller, player, share_company.share)
    t.emit(Privatized(player, company, seller, share_company.share, price))


def _players_with_shares(
    t: Table, company: Company, excluded_player: PlayerId | None = None
) -> list[PlayerId]:
    return [
        seat.id
        for seat in t.state.players_in_game()
        if seat.id != excluded_player and company.shares.get(seat.id)
    ]
