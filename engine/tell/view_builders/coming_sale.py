"""What comes next in the auction of the privates: who gets what after this sale, and what falls if all pass."""

from collections.abc import Iterator

from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId, PrivateId
from engine.play.privates import auction
from engine.play.privates.auction import REDUCTION, asking_price, columns, unsold, unwanted
from engine.play.privates.bid_amounts import high_bid
from engine.play.table import Table
from engine.play.trains.phases import next_train


def coming(t: Table) -> Iterator[Fact]:
    """One fact a line."""
    if not unsold(t):
        return
    if t.auction.eliminated < t.spec.auction.eliminations:
        yield fact("coming_sale.removals", left=t.spec.auction.eliminations - t.auction.eliminated)
        return
    contested = t.auction.contested
    if contested is not None:
        yield _fight(t, contested)
    for column in columns(t):
        yield from _settled(t, [private for private in column if private in unsold(t)], contested)
    if contested is None:
        yield from _all_pass(t)


def _fight(t: Table, private: PrivateId) -> Fact:
    leader = auction.high_bidder(t)
    others = tuple(player for player in t.auction.bids[private] if player != leader)
    return fact(
        "coming_sale.fight", private=private, player=leader, high=high_bid(t, private), bidders=others
    )


def _settled(t: Table, column: list[PrivateId], contested: PrivateId | None) -> Iterator[Fact]:
    """What happens in a column to the privates after the one sold now, until there is something to decide."""
    if contested is not None and contested not in column:
        return
    for private in column[1:]:
        bids = t.auction.bids.get(private, {})
        if not bids:
            yield fact("coming_sale.for_sale", private=private, price=asking_price(t, private))
            return
        if len(bids) > 1:
            yield fact("coming_sale.fought_for", private=private, players=tuple(bids))
            return
        [(player, amount)] = bids.items()
        yield fact("coming_sale.sold_to", private=private, player=player, amount=amount)
    if column == unsold(t):
        yield fact("coming_sale.nothing_left")


def _all_pass(t: Table) -> Iterator[Fact]:
    """What follows when all pass one after the other
    (18Chesapeake 9; where stock rounds sell the privates, 18AL 3.1.2).
    """
    falling = unwanted(t)
    if t.state.auction is not None:
        yield fact("coming_sale.operating")
        for private in falling:
            name = "coming_sale.falls_then" if _lower(t, private) else "coming_sale.for_nothing_then"
            yield fact(name, private=private, price=_lower(t, private))
    elif not falling:
        exported = next_train(t) in t.spec.exported
        yield fact("coming_sale.incomes_and_export" if exported else "coming_sale.incomes")
    elif _lower(t, falling[0]):
        yield fact("coming_sale.price_falls", private=falling[0], price=_lower(t, falling[0]))
    else:
        yield fact("coming_sale.price_at_zero", private=falling[0], player=_taker(t))


def _taker(t: Table) -> PlayerId:
    """Who comes after the last of those who would pass."""
    count = len(t.state.players)
    return t.state.players[(t.auction.turn + count - t.auction.passes) % count].id


def _lower(t: Table, private: PrivateId) -> int:
    return max(0, asking_price(t, private) - REDUCTION)
