"""Sales of shares: legal blocks, proceeds, price fall and change of president (18Chesapeake 7.3, 10.2, 10.3)."""

from functools import partial
from typing import Any

from engine.core.events import PresidentChanged, SharesSold
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, MARKET, Cell, PlayerId
from engine.core.offers import Chosen, Offer, Permitted, Slot
from engine.core.state import Company, Player
from engine.play.shares.holdings import companies_held, give_certificate, give_shares
from engine.play.shares.stock_turn import sales_closed
from engine.play.table import Table


def successor(t: Table, company: Company, selling: int = 0) -> Player | None:
    """The new president after a sale of `selling` percent; None: unchanged (18Chesapeake 10.3).

    The largest holding above the president's wins if it is worth the certificate, ties go to the nearest on
    their left.

    Rules: R-AL-080, R-AL-081, R-C2C-039, R-CH-060, R-NE-055, R-TN-071.
    """
    president = company.president
    assert president is not None
    mine = company.percent(president) - selling
    seat = t.state.seat(president)
    others = [p for p in t.state.players[seat + 1 :] + t.state.players[:seat] if not p.bankrupt]
    able = [p for p in others if company.percent(p.id) >= max(mine + 1, company.certificate)]
    return max(able, key=lambda p: company.percent(p.id)) if able else None


def change_president(t: Table, company: Company, new: Player, selling: int = 0) -> None:
    """Exchange the president's certificate for ordinary shares, before the rest of a sale (18Chesapeake 10.3).

    Rules: R-AL-082, R-CH-062, R-NE-055, R-TN-046, R-TN-071.
    """
    old = company.president
    assert old is not None
    give_shares(company, new.id, old, company.certificate)
    give_certificate(company, new.id)
    t.emit(PresidentChanged(company.id, old, new.id))
    t.rules.on_president_changed(t, company)
    assert company.shares.get(old, 0) >= selling


def may_leave(t: Table, player: PlayerId, company: Company, shares: int) -> bool:
    """True if the presidency allows the sale: somebody can take over the certificate (18Chesapeake 10.3).

    Rules: R-AL-046, R-AL-047, R-CH-061, R-CH-062, R-CH-245, R-TN-045, R-TN-046, D-CH-11.
    """
    percent = shares * company.share
    if percent <= company.shares.get(player, 0) or company.president != player:
        return True
    return successor(t, company, percent) is not None


def settle_president(t: Table, company: Company) -> None:
    """Hand the presidency to a player who holds more (18Chesapeake 7.3).

    Rules: R-AL-080, R-C2C-039, R-CH-060, R-NE-055, R-TN-071.
    """
    if company.president is None:
        return
    new = successor(t, company)
    if new is not None:
        change_president(t, company, new)


def liquidity(t: Table, player: Player) -> int:
    """Cash plus the largest legal sale of every company at present prices (18Chesapeake 10.2)."""
    blocks = ((company, sellable_blocks(t, player.id, company)) for company in t.state.companies.values())
    return player.cash + sum(t.price(company) * max(counts) for company, counts in blocks if counts)


def sellable_blocks(t: Table, player: PlayerId, company: Company) -> list[int]:
    """Numbers of shares that the player may sell at once."""
    held = company.percent(player) // company.share
    return [n for n in range(1, held + 1) if block_obstacle(t, player, company, n) is None]


def block_obstacle(t: Table, player: PlayerId, company: Company, count: Any) -> Fact | None:
    """The rule against selling this block: too few shares, full pool, or a presidency nobody takes (18Chesapeake
    10.2, 10.3).

    Rules: R-AL-045, R-AL-048, R-C2C-035, R-CH-051, R-NE-050, R-TN-044, R-TN-044a.
    """
    if not isinstance(count, int):
        return fact("choice.not_legal", slot=fact("slot.shares"), value=count)
    held = company.percent(player) // company.share
    if not held:
        return fact("selling.holds_none", player=player, company=company.id)
    if not company.started:
        return fact("selling.no_price", company=company.id)
    if company.undivided:
        return fact("selling.only_certificate", company=company.id)
    if not 1 <= count <= held:
        return fact("selling.holds_fewer", player=player, company=company.id, held=held, count=count)
    percent = company.percent(MARKET) + count * company.share
    if percent > t.spec.pool_limit:
        held = company.percent(MARKET) // company.share
        values = {"company": company.id, "held": held, "percent": percent, "limit": t.spec.pool_limit}
        return fact("selling.pool_limit", count=count, **values)
    if may_leave(t, player, company, count):
        return None
    return fact("presidency.no_successor", company=company.id, percent=company.certificate)


def sale_obstacle(t: Table, player: PlayerId, name: Any) -> Fact | None:
    """The rule that keeps the player from selling any share of a company."""
    company = t.state.companies.get(name)
    if company is None:
        return fact("choice.no_company", company=name)
    single = block_obstacle(t, player, company, 1)
    if single is None:
        return None
    more = range(2, company.percent(player) // company.share + 1)
    return None if any(block_obstacle(t, player, company, n) is None for n in more) else single


def cell_after_sale(t: Table, seller: PlayerId, company: Company, shares: int) -> Cell:
    """Cell of the marker after the player sells N shares (18Chesapeake 10.2).

    Rules: R-NE-051.
    """
    assert company.cell is not None
    if t.spec.sale_moves == "down":
        return t.grid.down(company.cell, shares)
    return t.grid.left(company.cell, shares if company.president == seller else 0)


def sell_block(t: Table, player: PlayerId, company: Company, shares: int) -> tuple[int, int]:
    """Sell a block at the present price, then lower the price; returns old and new price.

    Rules: R-AL-043, R-C2C-036, R-CH-052, R-NE-050, R-TN-042.
    """
    percent = shares * company.share
    old, cell = t.price(company), cell_after_sale(t, player, company, shares)
    if company.president == player:
        new = successor(t, company, percent)
        if new is not None:
            change_president(t, company, new, percent)
    give_shares(company, player, MARKET, percent)
    t.pay(BANK, player, old * shares)
    t.move_price(company, cell)
    return old, t.price(company)


def sale_offer(t: Table, player: PlayerId) -> Offer | None:
    """The blocks that the player on turn may sell.

    Rules: R-AL-043, R-CH-054, R-TN-043.
    """
    if sales_closed(t):
        return None
    able = Permitted([c.id for c in companies_held(t, player)], partial(sale_obstacle, t, player))
    if not able:
        return None

    def blocks(chosen: Chosen) -> Permitted:
        company = t.state.companies[chosen["company"]]
        return Permitted(
            range(1, company.percent(player) // company.share + 1),
            partial(block_obstacle, t, player, company),
            partial(sell_label, t, player, company),
        )

    return t.offer(
        "sell_shares",
        player,
        fact("offer.sell_shares"),
        Slot("company", lambda _: able),
        Slot("shares", blocks),
    )


def sell_shares(t: Table, player: PlayerId, company: Company, count: int) -> None:
    """Sell a block and emit its events."""
    old, new = sell_block(t, player, company, count)
    t.emit(SharesSold(player, company.id, count, old, old, new))


def sell_label(t: Table, player: PlayerId, company: Company, count: int) -> Fact:
    """`2 for $180, price $90 → $80, Cy becomes president`."""
    price = t.price(company)
    after = t.price(company, cell_after_sale(t, player, company, count))
    sale = fact("choice.sale", count=count, amount=price * count, old=price, new=after)
    if company.president != player:
        return sale
    new = successor(t, company, count * company.share)
    return sale if new is None else fact("choice.sale_of_presidency", sale=sale, player=new.id)
