"""Train purchases in 1846: emergency share issues, bankruptcy of a president, and receivership (§4, §5)."""

from collections.abc import Iterator
from typing import Any

from engine.core.actions import BuyTrain, Issue
from engine.core.events import PlayerEliminated, SharesSurrendered, WentBankrupt
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, MARKET, PlayerId
from engine.core.offers import Offer
from engine.core.state import Company, Ending
from engine.play.closing_liquidation_bankruptcy import close_company
from engine.play.end_and_scores import finish_game
from engine.play.shares import selling
from engine.play.shares.holdings import companies_held_by, give_shares
from engine.play.steps.base import Request
from engine.play.steps.buy_trains import TrainsStep
from engine.play.table import Table
from engine.play.trains.apply_purchase import buy_train
from engine.play.trains.forced_purchase import blocks_keeping_presidencies, kept_presidencies
from engine.play.trains.phases import close_private
from engine.play.trains.train_prices import face_value_purchases
from engine.titles.t1846.independents import INDEPENDENTS, is_independent
from engine.titles.t1846.issues import emergency_issue_offer, emergency_issue_prices, issue_for_train
from engine.titles.t1846.receivership import surrender_certificate


class BuyTrainsIn1846Step(TrainsStep):
    """Buy trains. A company that must buy one issues shares before its president pays the rest.

    Rules: R-1846-110, R-1846-112, R-1846-120, R-1846-130.
    """

    kinds = TrainsStep.kinds | {"issue"}

    def offers(self, t: Table) -> Iterator[Offer]:
        company = t.company
        if is_independent(t, company) or company.is_in_receivership:
            return
        issue_offer = emergency_issue_offer(t)
        if issue_offer is not None:
            yield issue_offer
        yield from super().offers(t)

    def apply(self, t: Table, action: Any) -> None:
        if isinstance(action, Issue):
            issue_for_train(t, action.treasury)
        elif action.kind == "declare_bankruptcy":
            make_president_bankrupt(t, action.actor)
        else:
            super().apply(t, action)

    def skip(self, t: Table) -> None:
        """Close the step; a company in receivership first buys the cheapest train it can afford."""
        if t.company.is_in_receivership:
            buy_in_receivership(t)
            self.close(t)
        else:
            super().skip(t)

    def skip_reason(self, t: Table) -> Fact | None:
        return None if is_independent(t, t.company) else super().skip_reason(t)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        if request.kind == "issue":
            return fact("issue.not_for_train", company=t.company.id)
        return super().obstacle(t, request)


def buy_in_receivership(t: Table) -> None:
    """Buy the cheapest train from bank or pool, if the company has no train and can pay for it.

    Rules: R-1846-130.
    """
    company = t.company
    cheapest_purchase = min(face_value_purchases(t), key=lambda purchase: purchase.lowest_price, default=None)
    if company.trains or cheapest_purchase is None or cheapest_purchase.lowest_price > company.cash:
        return
    actor = t.president(company.id).id
    price = cheapest_purchase.lowest_price
    buy_train(
        t,
        BuyTrain(
            actor=actor,
            entity=company.id,
            train=cheapest_purchase.train,
            source=cheapest_purchase.source,
            price=price,
            trade_in="",
        ),
    )


# --- bankruptcy -------------------------------------------------------------------------------------------------------


def make_president_bankrupt(t: Table, player: PlayerId) -> None:
    """Bankrupt a player who cannot pay for a required train. The others play on.

    The player sells all shares and gives all cash to the company. A company goes into receivership if no player holds
    enough shares to become its president.

    Rules: R-1846-123, R-1846-124.
    """
    company = t.company
    t.emit(WentBankrupt(player, company.id))
    price_by_count = emergency_issue_prices(t)
    if price_by_count:
        issue_for_train(t, max(price_by_count))
    for name, share_counts in blocks_keeping_presidencies(t, kept_presidencies(t)).items():
        selling.sell_shares(t, player, t.state.companies[name], max(share_counts))
    for other in companies_held_by(t, player):
        _surrender_shares(t, player, other)
    for private in [p for p in t.state.privates.values() if p.owner == player and not p.closed]:
        close_private(t, private.id)
        if private.id in INDEPENDENTS:
            close_company(t, t.state.companies[INDEPENDENTS[private.id].company])
    cash = t.cash(player)
    t.pay(player, company.id, cash)
    t.state.player(player).bankrupt = True
    t.emit(PlayerEliminated(player, cash, company.id))
    t.state.end_votes.clear()
    t.turn.sold_now.clear()
    t.turn.funds_before_last_share = None
    if t.state.players[t.state.priority].bankrupt:
        t.state.priority = t.state.next_seat(t.state.priority)
    if company.is_in_receivership:
        buy_in_receivership(t)
    remaining_players = t.state.players_in_game()
    if len(remaining_players) == 1:
        finish_game(t, Ending("last_player", remaining_players[0].id))


def _surrender_shares(t: Table, player: PlayerId, company: Company) -> None:
    """Sell a company's shares of the bankrupt player and find a new president. The share price does not change."""
    percent, price = company.percent(player), t.price(company)
    count = percent // company.share
    new_president = None
    if company.president == player:
        new_president = selling.next_president(t, company, percent)
        if new_president is not None:
            selling.change_president(t, company, new_president, 0)
    if company.shares.get(player):
        give_shares(company, player, MARKET, company.shares[player])
    if company.certificate_holder == player:
        surrender_certificate(t, company)
    t.pay(BANK, player, count * price)
    t.emit(SharesSurrendered(player, company.id, count, price))
