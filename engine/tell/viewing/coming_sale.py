"""What comes next in the auction of the privates: who gets what after this sale, and what falls if all pass."""

from collections.abc import Iterator

from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId, PrivateId
from engine.play.privates import contest
from engine.play.privates.auction import REDUCTION, asking_price, cheapest, high_bid, unsold
from engine.play.table import Table
from engine.play.trains.phases import next_train


def coming(t: Table) -> Iterator[Fact]:
    """One fact a line."""
    if not unsold(t):
        return
    contested = t.auction.contested
    if contested is not None:
        yield _fight(t, contested)
    yield from _settled(t, (contested or cheapest(t)))
    if contested is None:
        yield from _all_pass(t)


def _fight(t: Table, private: PrivateId) -> Fact:
    leader = contest.high_bidder(t)
    others = tuple(player for player in t.auction.bids[private] if player != leader)
    return fact(
        "coming_sale.fight", private=private, player=leader, high=high_bid(t, private), bidders=others
    )


def _settled(t: Table, sold: PrivateId) -> Iterator[Fact]:
    """What happens to the privates after this one, until there is something to decide."""
    for private in unsold(t):
        bids = t.auction.bids.get(private, {})
        if private == sold:
            continue
        if not bids:
            yield fact("coming_sale.for_sale", private=private, price=asking_price(t, private))
            return
        if len(bids) > 1:
            yield fact("coming_sale.fought_for", private=private, players=tuple(bids))
            return
        [(player, amount)] = bids.items()
        yield fact("coming_sale.sold_to", private=private, player=player, amount=amount)
    yield fact("coming_sale.nothing_left")


def _all_pass(t: Table) -> Iterator[Fact]:
    """What follows when all pass one after the other (9; where stock rounds sell the privates, 18AL 3.1.2)."""
    if t.state.auction is not None:
        yield fact("coming_sale.operating")
        if _is_very_first(t):
            name = "coming_sale.falls_then" if _lower(t) else "coming_sale.for_nothing_then"
            yield fact(name, private=cheapest(t), price=_lower(t))
    elif not _is_very_first(t):
        exported = next_train(t) in t.spec.exported
        yield fact("coming_sale.incomes_and_export" if exported else "coming_sale.incomes")
    elif _lower(t):
        yield fact("coming_sale.price_falls", private=cheapest(t), price=_lower(t))
    else:
        yield fact("coming_sale.price_at_zero", private=cheapest(t), player=_taker(t))


def _taker(t: Table) -> PlayerId:
    """Who comes after the last of those who would pass."""
    count = len(t.state.players)
    return t.state.players[(t.auction.turn + count - t.auction.passes) % count].id


def _is_very_first(t: Table) -> bool:
    return cheapest(t) == next(iter(t.state.privates))


def _lower(t: Table) -> int:
    return max(0, asking_price(t, cheapest(t)) - REDUCTION)
