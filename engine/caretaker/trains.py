"""Trains for the caretaker: runs, dividends, purchases and discards."""

from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from itertools import islice
from typing import Final

from engine.caretaker.ideas import Idea, complete_fillings
from engine.caretaker.outlook import next_price, rounds_until_rust, train_reserve, train_shortage, wealth
from engine.caretaker.railway import best_revenue, hypothetical_table
from engine.core.ids import BANK, POOL, TrainName
from engine.core.offers import Cursor, Offer
from engine.core.state import Company
from engine.play.shares.selling import liquidity
from engine.play.table import Table
from engine.play.trains.phases import counted_trains, train_limit, trains_for_sale
from engine.seat import SeatedPlayer

LIKED: Final = 10.0
"""Value of a move that is simply right."""
SOLD: Final = 0.5
"""Proceeds in need, as a part of all that a player could sell."""
TREASURY: Final = 0.15
"""Weight of a dollar of the company: it has no better use for it than trains."""
LASTS: Final = 0.5
"""Value of a train for lasting longer than all others of the company, as a part of its price."""
TREASURY_SOON: Final = 0.6
"""Weight of that dollar where the train rusts soon: it will be needed for the next one."""
SHORT: Final = 3.0
"""Operating rounds that count as soon."""
WORKING: Final = 2
"""For how many trains a company that buys them finds work."""
PLAINLY: Final = 1.2
"""Factor by which a train must earn more with another company."""
FINDS_WORK: Final = 0.08
"""The least that a train earns in a run once there is track for it, as a part of its price."""
NEEDED: Final = 1_000.0
"""Value of any train to a company without one."""


def runs(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """The suggested best run."""
    return (Idea(LIKED, walk) for walk in islice(complete_fillings(offer), 1))


def dividends(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """Pay out; withhold only if that buys a better train, or one that must be bought and could not be paid."""
    return _shared(seat, offer, keeps=_needs_money(seat.table, seat) or _buys_better(seat))


def forced_dividends(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """Pay out; withhold only if a train that must be bought could not be paid otherwise."""
    return _shared(seat, offer, keeps=_needs_money(seat.table, seat))


def _shared(seat: SeatedPlayer, offer: Offer, *, keeps: bool) -> Iterator[Idea]:
    likings = {"pay": LIKED, "half": LIKED / 2, "withhold": 2 * LIKED if keeps else LIKED / 4}
    return (Idea(likings[walk.chosen["option"]], walk) for walk in complete_fillings(offer))


def _needs_money(t: Table, seat: SeatedPlayer) -> bool:
    """True if the company will lack money for a train, and its president cannot help all such companies."""
    have = liquidity(t, t.state.player(seat.player)) * SOLD
    return train_shortage(t, t.company) > 0 and train_reserve(t, seat.player) > have


def _buys_better(seat: SeatedPlayer) -> bool:
    """True if withholding pays for a train at once that brings the player more than the dividend."""
    t = seat.table
    company, revenue = t.company, t.turn.revenue
    if counted_trains(t, company) >= train_limit(t, company) or company.cell is None:
        return False
    before = best_revenue(t)
    move = t.price(company, t.grid.right(company.cell)) - t.price(company, t.grid.left(company.cell))
    forgone = revenue + move * 100 / company.share
    for train in dict.fromkeys([*trains_for_sale(t), *t.state.pool]):
        if company.cash < t.spec.train(train).price <= company.cash + revenue:
            more = best_revenue(hypothetical_table(t, trains=[*company.trains, train])) - before
            if more * (rounds_until_rust(t, train) - 1) + _saved(t, train) > forgone:
                return True
    return False


def _saved(t: Table, train: TrainName) -> float:
    """Dollars for a train that the company need not find again when its own trains have rusted."""
    lasts = rounds_until_rust(t, train) > max(
        (rounds_until_rust(t, own) for own in t.company.trains), default=0.0
    )
    return t.spec.train(train).price * LASTS if lasts else 0.0


def own_train_purchases(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """Purchases from bank, pool and the player's other companies, valued by what the trains still earn."""
    t = seat.table
    before = best_revenue(t)
    for walk in complete_fillings(offer):
        source = str(walk.chosen["source"])
        if source in {BANK, POOL}:
            yield Idea(train_worth(t, walk, before), walk)
        elif not t.company.trains and _may_give(t, t.state.companies[source], seat):
            yield Idea(train_worth(t, walk, before) - t.spec.train(walk.chosen["train"]).price, walk)
        elif t.state.companies[source].president == seat.player:
            yield from _purchase_between_own_companies(seat, walk, before)


def needed_purchases(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """A purchase for a company without trains."""
    if not seat.table.company.trains:
        yield from own_train_purchases(seat, offer)


def _purchase_between_own_companies(seat: SeatedPlayer, cursor: Cursor, before: int) -> Iterator[Idea]:
    """A train between two companies of the player, if both together earn clearly more and the seller keeps one."""
    t = seat.table
    train, giver = str(cursor.chosen["train"]), t.state.companies[str(cursor.chosen["source"])]
    left = list(giver.trains)
    left.remove(train)
    if not left or cursor.chosen["trade_in"]:
        return
    gained = (
        best_revenue(hypothetical_table(t, trains=[*t.company.trains, train])) - before
    ) * t.company.percent(seat.player)
    there = _operated_by(t, giver)
    lost = (best_revenue(there) - best_revenue(hypothetical_table(there, trains=left))) * giver.percent(
        seat.player
    )
    if gained > lost * PLAINLY:
        yield Idea((gained - lost) / 100 * rounds_until_rust(t, train), cursor)


def _operated_by(t: Table, company: Company) -> Table:
    now = t.operating
    assert now.turn is not None
    other = copy(t)
    other.state = replace(t.state, round=replace(now, turn=replace(now.turn, company=company.id)))
    return other


def _may_give(t: Table, company: Company, seat: SeatedPlayer) -> bool:
    """True if the seller is the player's and keeps a train, or if the player would otherwise be ruined."""
    return company.president == seat.player and (len(company.trains) > 1 or _ruined(t, seat))


def _ruined(t: Table, seat: SeatedPlayer) -> bool:
    """True if company and president together cannot pay the next train, whatever is sold."""
    return t.company.cash + liquidity(t, t.state.player(seat.player)) < next_price(t)


def train_worth(t: Table, cursor: Cursor, before: int) -> float:
    """Dollars that a train brings the president beyond its price; `before`: the company's revenue without it."""
    train, traded = str(cursor.chosen["train"]), str(cursor.chosen["trade_in"])
    price = int(cursor.chosen["price"])
    trains = [*t.company.trains, train]
    if traded:
        trains.remove(traded)
    lasting = rounds_until_rust(t, train)
    worth = best_revenue(hypothetical_table(t, trains=trains)) - before
    more = max(worth, t.spec.train(train).price * FINDS_WORK) if len(trains) <= WORKING else worth
    helped = max(0, price - t.company.cash)
    kept = TREASURY if lasting >= SHORT else TREASURY_SOON
    brings = more * lasting - (price - helped) * kept - helped
    if not t.company.trains:
        return brings + NEEDED
    longer = lasting > max(rounds_until_rust(t, name) for name in t.company.trains)
    return brings + (t.spec.train(train).price * LASTS if longer else 0)


def liquidations(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """Liquidations of a company, weighed by the player's loss."""
    before = wealth(seat.table, seat.player)
    for walk in complete_fillings(offer):
        yield Idea(min(-1.0, wealth(seat.game.after(walk), seat.player) - before), walk)


def discards(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """The discard that loses least value."""
    t = seat.table
    return (Idea(-_kept_value(t, walk.chosen["train"]), walk) for walk in complete_fillings(offer))


def _kept_value(t: Table, train: TrainName) -> float:
    return rounds_until_rust(t, train) * t.spec.train(train).price
