"""Sales of shares: legal blocks, proceeds, price moves and changes of president (18Chesapeake 7.3, 10.2, 10.3)."""

from functools import partial
from typing import Any

from engine.core.events import PresidentChanged, SharesSold
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, MARKET, Cell, CompanyId, PlayerId
from engine.core.offers import FilteredChoices, Offer, PickedValues, Slot
from engine.core.state import Company, Operating, Player, Stock
from engine.play.shares.holdings import companies_held_by, give_presidents_certificate, give_shares
from engine.play.shares.stock_turn import sales_closed_obstacle
from engine.play.table import Table


def next_president(t: Table, company: Company, sold_percent: int = 0) -> Player | None:
    """The new president after the president sells `sold_percent`; None if the president stays (18Chesapeake 10.3).

    A player must hold more than the president and at least as much as the president's certificate. The largest holding
    wins; in a tie, the nearest player on the president's left.

    Rules: R-AL-080, R-AL-081, R-C2C-039, R-CH-060, R-NE-055, R-TN-071.
    """
    president = company.president
    assert president is not None
    percent_after_sale = company.percent(president) - sold_percent
    seat = t.state.seat(president)
    other_players = [p for p in t.state.players[seat + 1 :] + t.state.players[:seat] if not p.bankrupt]
    possible_presidents = [
        p for p in other_players if company.percent(p.id) >= max(percent_after_sale + 1, company.certificate)
    ]
    return max(possible_presidents, key=lambda p: company.percent(p.id)) if possible_presidents else None


def change_president(t: Table, company: Company, new_president: Player, sold_percent: int = 0) -> None:
    """Give the president's certificate to the new president in exchange for ordinary shares.

    In a sale, this comes before the shares are sold (18Chesapeake 10.3).

    Rules: R-AL-082, R-CH-062, R-NE-055, R-TN-046, R-TN-071.
    """
    old_president = company.president
    assert old_president is not None
    give_shares(company, new_president.id, old_president, company.certificate)
    give_presidents_certificate(company, new_president.id)
    t.emit(PresidentChanged(company.id, old_president, new_president.id))
    t.rules.on_president_changed(t, company)
    assert company.shares.get(old_president, 0) >= sold_percent


def presidency_allows_sale(t: Table, player: PlayerId, company: Company, share_count: int) -> bool:
    """False if the seller is president and no player could become president after the sale (18Chesapeake 10.3).

    Rules: R-AL-046, R-AL-047, R-CH-061, R-CH-062, R-CH-245, R-TN-045, R-TN-046, D-CH-11.
    """
    percent = share_count * company.share
    if percent <= company.shares.get(player, 0) or company.president != player:
        return True
    return next_president(t, company, percent) is not None


def update_president(t: Table, company: Company) -> None:
    """If a player now holds more of the company than its president does, make that player president (18Chesapeake 7.3).

    Rules: R-AL-080, R-C2C-039, R-CH-060, R-NE-055, R-TN-071.
    """
    if company.president is None:
        return
    new_president = next_president(t, company)
    if new_president is not None:
        change_president(t, company, new_president)


def liquidity(t: Table, player: Player) -> int:
    """The player's cash plus the proceeds of the largest legal sale in each company, in dollars (18Chesapeake 10.2)."""
    company_blocks = (
        (company, sellable_blocks(t, player.id, company)) for company in t.state.companies.values()
    )
    return player.cash + sum(t.price(company) * max(counts) for company, counts in company_blocks if counts)


def sellable_blocks(t: Table, player: PlayerId, company: Company) -> list[int]:
    """Numbers of the company's shares that the player can sell in one block."""
    held_share_count = company.percent(player) // company.share
    return [n for n in range(1, held_share_count + 1) if block_obstacle(t, player, company, n) is None]


def block_obstacle(t: Table, player: PlayerId, company: Company, count: Any) -> Fact | None:
    """The rule that forbids selling this block: too few shares, a full pool, or no player who could become president.

    See 18Chesapeake 10.2, 10.3.

    Rules: R-AL-045, R-AL-048, R-C2C-035, R-CH-051, R-NE-050, R-TN-044, R-TN-044a.
    """
    if not isinstance(count, int):
        return fact("choice.not_legal", slot=fact("slot.shares"), value=count)
    held_share_count = company.percent(player) // company.share
    if not held_share_count:
        return fact("selling.holds_none", player=player, company=company.id)
    if not company.is_started:
        return fact("selling.no_price", company=company.id)
    if company.is_in_receivership and isinstance(t.state.round, Stock):
        return fact("selling.without_president", company=company.id)
    if t.spec.sales_open == "operated" and not company.operated and company.president != player:
        return fact("selling.not_operated", player=player, company=company.id)
    if company.is_undivided:
        return fact("selling.only_certificate", company=company.id)
    if t.spec.one_sale_per_company and company.id in _companies_sold_this_turn(t):
        return fact("selling.one_block", player=player, company=company.id)
    if not 1 <= count <= held_share_count:
        return fact(
            "selling.holds_fewer", player=player, company=company.id, held=held_share_count, count=count
        )
    percent = company.percent(MARKET) + count * company.share
    if percent > t.spec.pool_limit:
        held_share_count = company.percent(MARKET) // company.share
        values = {
            "company": company.id,
            "held": held_share_count,
            "percent": percent,
            "limit": t.spec.pool_limit,
        }
        return fact("selling.pool_limit", count=count, **values)
    if presidency_allows_sale(t, player, company, count):
        return None
    return fact("presidency.no_successor", company=company.id, percent=company.certificate)


def _companies_sold_this_turn(t: Table) -> list[CompanyId]:
    current_round = t.state.round
    if isinstance(current_round, Stock):
        return current_round.sold_now
    return (
        current_round.turn.sold_now
        if isinstance(current_round, Operating) and current_round.turn is not None
        else []
    )


def sale_obstacle(t: Table, player: PlayerId, name: Any) -> Fact | None:
    """The rule that prevents the player from selling any share of a company; None if they can."""
    company = t.state.companies.get(name)
    if company is None:
        return fact("choice.no_company", company=name)
    single_share_obstacle = block_obstacle(t, player, company, 1)
    if single_share_obstacle is None:
        return None
    larger_block_sizes = range(2, company.percent(player) // company.share + 1)
    return (
        None
        if any(block_obstacle(t, player, company, n) is None for n in larger_block_sizes)
        else single_share_obstacle
    )


def cell_after_sale(t: Table, seller: PlayerId, company: Company, share_count: int) -> Cell:
    """The company's market cell after the player sells this many shares (18Chesapeake 10.2).

    Rules: R-NE-051.
    """
    assert company.cell is not None
    if t.spec.sale_moves == "down":
        return t.grid.down(company.cell, share_count)
    cells_to_left = min(share_count, 1) if t.spec.sale_moves == "presidents_one_left" else share_count
    return t.grid.left(company.cell, cells_to_left if company.president == seller else 0)


def sell_block(t: Table, player: PlayerId, company: Company, share_count: int) -> tuple[int, int]:
    """Sell a block at the current price, then move the share price. Returns the old and the new share price.

    Rules: R-AL-043, R-C2C-036, R-CH-052, R-NE-050, R-TN-042.
    """
    percent = share_count * company.share
    old_price, new_cell = t.price(company), cell_after_sale(t, player, company, share_count)
    if company.president == player:
        new_president = next_president(t, company, percent)
        if new_president is not None:
            change_president(t, company, new_president, percent)
    if t.spec.one_sale_per_company:
        _companies_sold_this_turn(t).append(company.id)
    give_shares(company, player, MARKET, percent)
    t.pay(BANK, player, old_price * share_count)
    t.move_price(company, new_cell)
    return old_price, t.price(company)


def sale_offer(t: Table, player: PlayerId) -> Offer | None:
    """The current player's legal action of selling blocks of shares; None if no sale is legal.

    Rules: R-AL-043, R-CH-054, R-TN-043.
    """
    if sales_closed_obstacle(t):
        return None
    companies = FilteredChoices(
        [c.id for c in companies_held_by(t, player)], partial(sale_obstacle, t, player)
    )
    if not companies:
        return None

    def block_choices(slot_values: PickedValues) -> FilteredChoices:
        company = t.state.companies[slot_values["company"]]
        return FilteredChoices(
            range(1, company.percent(player) // company.share + 1),
            partial(block_obstacle, t, player, company),
            partial(sale_label, t, player, company),
        )

    return t.offer(
        "sell_shares",
        player,
        fact("offer.sell_shares"),
        Slot("company", lambda _: companies),
        Slot("shares", block_choices),
    )


def sell_shares(t: Table, player: PlayerId, company: Company, count: int) -> None:
    """Sell a block of shares and emit the event for the sale."""
    old_price, new_price = sell_block(t, player, company, count)
    t.emit(SharesSold(player, company.id, count, old_price, old_price, new_price))


def sale_label(t: Table, player: PlayerId, company: Company, count: int) -> Fact:
    """Menu label of a sale, such as `2 for $180, price $90 → $80, Cy becomes president`."""
    price = t.price(company)
    new_price = t.price(company, cell_after_sale(t, player, company, count))
    sale_fact = fact("choice.sale", count=count, amount=price * count, old=price, new=new_price)
    if company.president != player:
        return sale_fact
    new_president = next_president(t, company, count * company.share)
    return (
        sale_fact
        if new_president is None
        else fact("choice.sale_of_presidency", sale=sale_fact, player=new_president.id)
    )
