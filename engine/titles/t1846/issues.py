"""Issuing and redeeming shares in 1846: once a turn by choice, and to pay for a required train (§4, §5)."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from engine.core.actions import Issue, Redeem
from engine.core.events import PriceFell, SharesIssued
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, MARKET
from engine.core.offers import Choice, Choices, FilteredChoices, Offer, Slot, Suggestion
from engine.core.state import Company
from engine.play.shares.holdings import give_shares
from engine.play.shares.own_shares import redeem_shares, redemption_offer
from engine.play.steps.base import AnytimeStep, Request
from engine.play.steps.dividend import DividendStep
from engine.play.table import Table
from engine.play.trains.forced_purchase import must_buy_train
from engine.play.trains.train_prices import face_value_purchases
from engine.titles.t1846.independents import is_independent


def max_shares_to_issue(t: Table, company: Company) -> int:
    """Maximum number of shares that a company can issue.

    Afterwards the market must not hold more of the company's shares than the players do.

    Rules: R-1846-060, D-1846-7.
    """
    player_percent = sum(company.percent(player.id) for player in t.state.players)
    issuable_count = (player_percent - company.percent(MARKET)) // company.share
    return max(0, min(issuable_count, company.shares.get(company.treasury, 0) // company.share))


def issue_price(t: Table, company: Company, cell_count: int = 1) -> int:
    """Dollars for each issued share: the price that is `cell_count` market cells to the left of the current one."""
    assert company.cell is not None
    return t.grid.price(t.grid.left(company.cell, cell_count))


def redemption_price(t: Table, company: Company) -> int:
    """Dollars for each redeemed share: the price one market cell to the right of the current one.

    Rules: R-1846-061.
    """
    assert company.cell is not None
    return t.grid.price(t.grid.right(company.cell))


class IssueOrRedeemStep(AnytimeStep):
    """A company may issue or redeem shares once a turn, before the dividend. Its share price does not change.

    Rules: R-1846-060, R-1846-061.
    """

    name = "issue"
    kinds = frozenset({"issue", "redeem"})

    def offers(self, t: Table) -> Iterator[Offer]:
        company = t.company
        if _issue_or_redeem_obstacle(t):
            return
        count_choices = FilteredChoices(
            range(1, max_shares_to_issue(t, company) + 1),
            partial(_issue_obstacle, t),
            partial(_issue_label, t),
        )
        if count_choices:
            yield issue_offer(t, count_choices)
        redeem_offer = redemption_offer(t, redemption_price(t, company), partial(_redeem_obstacle, t))
        if redeem_offer is not None:
            yield redeem_offer

    def apply(self, t: Table, action: Issue | Redeem) -> None:
        company = t.company
        if isinstance(action, Issue):
            t.turn.issued += action.treasury
            sell_treasury_shares(t, action.treasury, issue_price(t, company))
            return
        t.turn.redeemed += action.shares
        redeem_shares(t, company, action.shares, price=redemption_price(t, company))

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        return _issue_or_redeem_obstacle(t) or (
            _issue_obstacle if request.kind == "issue" else _redeem_obstacle
        )(t, 1)


def sell_treasury_shares(t: Table, count: int, price: int) -> None:
    """Move `count` treasury shares of the operating company to the market. The bank pays `price` dollars for each."""
    company = t.company
    give_shares(company, company.treasury, MARKET, count * company.share)
    t.pay(BANK, company.id, count * price)
    t.emit(SharesIssued(company.id, 0, count, count * price, company.cash))


def issue_offer(t: Table, count_choices: FilteredChoices, *, blocking: bool = False) -> Offer:
    """The offer to issue treasury shares; `count_choices` are the legal numbers of shares."""
    company = t.company.id
    return t.offer(
        "issue",
        company,
        fact("offer.issue_shares"),
        Slot(
            "offering",
            lambda _: Choices([Choice(0)], lambda _n: fact("issue.from_treasury", company=company)),
        ),
        Slot("treasury", lambda _: count_choices),
        suggest=lambda: [
            Suggestion(
                fact("choice.issue_for", shares=choice.label), {"offering": 0, "treasury": choice.value}
            )
            for choice in count_choices.choices()
        ],
        blocking=blocking,
    )


def _issue_or_redeem_obstacle(t: Table) -> Fact | None:
    company = t.company
    if is_independent(t, company) or company.is_in_receivership:
        return fact("issue.not_this_company", company=company.id)
    if t.turn.issued or t.turn.redeemed:
        return fact("issue.once_a_turn", company=company.id)
    return fact("issue.before_dividend", company=company.id) if DividendStep.name in t.turn.done else None


def _issue_obstacle(t: Table, count: Any) -> Fact | None:
    company, max_count = t.company, max_shares_to_issue(t, t.company)
    if not isinstance(count, int) or not 1 <= count <= max_count:
        return fact("issue.most", company=company.id, most=max_count)
    return None


def _issue_label(t: Table, count: int) -> Fact:
    return fact("choice.shares_for", count=count, amount=count * issue_price(t, t.company))


def _redeem_obstacle(t: Table, count: Any) -> Fact | None:
    company = t.company
    market_count = company.percent(MARKET) // company.share
    if not isinstance(count, int) or not 1 <= count <= market_count:
        return fact("issue.in_the_market", company=company.id, shares=market_count)
    price = count * redemption_price(t, company)
    if price <= company.cash:
        return None
    return fact("issue.redemption_too_dear", company=company.id, count=count, price=price, cash=company.cash)


# --- for a train ------------------------------------------------------------------------------------------------------


def emergency_issue_prices(t: Table) -> Mapping[int, int]:
    """Numbers of shares that the company may issue for a required train, each with the dollars per share.

    Rules: R-1846-120, D-1846-1.
    """
    company = t.company
    if is_independent(t, company) or company.trains or t.turn.issued_for_train or not must_buy_train(t):
        return {}
    train_prices = train_face_prices(t)
    if not train_prices or company.cash >= max(train_prices):
        return {}
    all_price_by_count = {
        n: issue_price(t, company, n + 1) for n in range(1, max_shares_to_issue(t, company) + 1)
    }
    price_by_count = {n: price for n, price in all_price_by_count.items() if price}
    sufficient_counts = [
        n for n, price in price_by_count.items() if company.cash + n * price >= min(train_prices)
    ]
    if not sufficient_counts:
        return {n: price_by_count[n] for n in list(price_by_count)[-1:]}
    max_count = next(
        (n for n in sufficient_counts if company.cash + n * price_by_count[n] >= max(train_prices)),
        sufficient_counts[-1],
    )
    return {n: price_by_count[n] for n in sufficient_counts if n <= max_count}


def train_face_prices(t: Table) -> list[int]:
    """Prices in dollars of the train types (one or two) printed on the card of the cheapest train for sale."""
    purchases = face_value_purchases(t)
    cheapest_purchase = min(purchases, key=lambda purchase: purchase.lowest_price, default=None)
    if cheapest_purchase is None:
        return []
    faces = t.spec.faces(cheapest_purchase.train)
    return [
        purchase.lowest_price
        for purchase in purchases
        if purchase.train in faces and purchase.source == cheapest_purchase.source
    ]


def emergency_issue_offer(t: Table) -> Offer | None:
    """The offer to issue shares for a required train; None if the company cannot."""
    price_by_count = emergency_issue_prices(t)
    if not price_by_count:
        return None
    count_choices = FilteredChoices(
        list(price_by_count),
        lambda n: None if n in price_by_count else fact("issue.for_train", company=t.company.id),
        lambda n: fact("choice.shares_for", count=n, amount=n * price_by_count[n]),
    )
    return issue_offer(t, count_choices, blocking=True)


def issue_for_train(t: Table, count: int) -> None:
    """Issue shares to pay for a required train. Each share moves the share price one cell left.

    Rules: R-1846-120, R-1846-122.
    """
    company, price = t.company, emergency_issue_prices(t)[count]
    t.turn.issued_for_train = count
    t.turn.funds_before_last_share = company.cash + (count - 1) * price
    sell_treasury_shares(t, count, price)
    assert company.cell is not None
    old_price = t.price(company)
    t.move_price(company, t.grid.left(company.cell, count))
    t.emit(PriceFell(company.id, old_price, t.price(company)))
