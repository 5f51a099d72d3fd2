"""The forced purchase of a train: the president's money, his sales, and bankruptcy (rulebook 11.8)."""

from engine.board.network import has_route
from engine.core.actions import SellShares
from engine.core.events import SharesSold, WentBankrupt
from engine.core.ids import BANK, CompanyId, PlayerId, TrainName
from engine.core.state import Company, Ending
from engine.play.ending import finish
from engine.play.shares import holdings
from engine.play.table import Table
from engine.play.trains.overselling import fitting
from engine.play.trains.phases import trains_for_sale


def must_buy(t: Table) -> bool:
    """A company without a train but with a route of two stops must buy one, if bank or pool have any (11.7)."""
    if t.company.trains or cheapest_price(t) is None:
        return False
    return has_route(t.map, t.company.id)


def cheapest_price(t: Table) -> int | None:
    """Price in dollars of the cheapest train of bank and pool together."""
    prices = [t.spec.train(train).price for train in [*trains_for_sale(t), *t.state.pool]]
    return min(prices, default=None)


def emergency(t: Table) -> bool:
    """Whether the president's money is needed: forced, and the treasury can pay no train of bank or pool (11.8)."""
    price = cheapest_price(t)
    return must_buy(t) and (price is None or t.company.cash < price)


def may_contribute(t: Table, train: TrainName) -> bool:
    """Whether the president may help to pay another company's train (11.8)."""
    if emergency(t):
        return True
    helps = t.rules.flag("president_helps_although_bank_train_affordable")
    return helps and must_buy(t) and t.company.cash < t.spec.train(train).price


def funds(t: Table) -> int:
    """Treasury and president's cash in dollars."""
    return t.company.cash + t.president(t.company.id).cash


def target(t: Table) -> int:
    """The dearest price the president may have to raise: a train of another company costs up to its face (11.8)."""
    prices = [cheapest_price(t) or 0]
    if t.rules.flag("sells_for_the_cheapest_train_only") or not t.spec.president_pays_companies:
        return prices[0]
    for company in t.state.companies.values():
        if company.id != t.company.id:
            prices += [t.spec.train(train).price for train in company.trains]
    return max(prices)


def raises_money(t: Table) -> bool:
    """Whether the president may sell something for a train now: his cash comes first (11.8)."""
    if not must_buy(t) and not t.rules.flag("sells_in_any_train_step"):
        return False
    if t.rules.flag("sells_in_any_train_step"):
        price = cheapest_price(t)
        return price is not None and funds(t) < price
    return emergency(t) and funds(t) < target(t)


def blocks(t: Table) -> dict[CompanyId, list[int]]:
    """Blocks the president may sell: no more than needed, and not his presidency of the operating company (11.8)."""
    player = t.president(t.company.id).id
    missing = target(t) - funds(t)
    found = {}
    for company in t.state.companies.values():
        counts = [n for n in holdings.sellable(t, player, company) if not loses_company(t, company, n)]
        if counts:
            found[company.id] = counts
    if t.spec.forced_sales == "smallest_share" and not t.rules.flag("sells_for_the_cheapest_train_only"):
        return fitting(t, missing, found)
    each = {name: t.price(t.state.companies[name]) for name in found}
    return {name: [n for n in counts if (n - 1) * each[name] < missing] for name, counts in found.items()}


def loses_company(t: Table, company: Company, count: int) -> bool:
    return company.id == t.company.id and holdings.successor(t, company, count * 10) is not None


def note_sale(t: Table, action: SellShares) -> None:
    """Remember what was there before the last share of the block, so that no share is sold in vain (11.8)."""
    price = t.price(t.state.companies[action.company])
    smallest = t.turn.smallest_sale
    t.turn.smallest_sale = price if smallest is None else min(smallest, price)
    t.turn.funds_before_last_share = funds(t) + (action.shares - 1) * price


def liquidity(t: Table) -> int:
    """Dollars the president could raise at most: cash and every legal sale, ignoring how much is needed."""
    player = t.president(t.company.id)
    raised = 0
    for company in t.state.companies.values():
        counts = [n for n in holdings.sellable(t, player.id, company) if not loses_company(t, company, n)]
        raised += max(counts, default=0) * t.price(company)
    return player.cash + raised


def go_bankrupt(t: Table, player: PlayerId) -> None:
    """The president sells what he can, loses all cash, and the game ends at once (11.8, 12)."""
    t.emit(WentBankrupt(player, t.company.id))
    for company in t.state.companies.values():
        counts = [n for n in holdings.sellable(t, player, company) if not loses_company(t, company, n)]
        if counts:
            old, new = holdings.sell(t, player, company, max(counts))
            t.emit(SharesSold(player, company.id, max(counts), old, old, new))
    t.pay(player, BANK, t.cash(player))
    t.state.player(player).bankrupt = True
    finish(t, Ending("bankruptcy", player))


def hopeless(t: Table) -> bool:
    """Whether treasury, cash and all sales together do not pay the cheapest train (11.8)."""
    price = cheapest_price(t)
    if price is None or t.company.cash + t.president(t.company.id).cash >= price:
        return False
    return t.company.cash + liquidity(t) < price
