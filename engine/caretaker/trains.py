"""Trains: running them, paying or keeping what they earn, buying them, and giving them up."""

from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from itertools import islice
from typing import Final

from engine.caretaker.ideas import Idea, ways
from engine.caretaker.outlook import keeps_running, next_price, reserve, shortage, wealth
from engine.caretaker.railway import earned, imagined
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
    """The best run, as it is suggested."""
    return (Idea(LIKED, walk) for walk in islice(ways(offer), 1))


def dividends(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """To pay; to keep everything where it buys a better train, or one that must be bought and could not be paid."""
    return _shared(seat, offer, keeps=_needs_money(seat.table, seat) or _buys_better(seat))


def forced_dividends(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """To pay; to keep everything only where a train that must be bought could not be paid otherwise."""
    return _shared(seat, offer, keeps=_needs_money(seat.table, seat))


def _shared(seat: SeatedPlayer, offer: Offer, *, keeps: bool) -> Iterator[Idea]:
    likings = {"pay": LIKED, "half": LIKED / 2, "withhold": 2 * LIKED if keeps else LIKED / 4}
    return (Idea(likings[walk.chosen["option"]], walk) for walk in ways(offer))


def _needs_money(t: Table, seat: SeatedPlayer) -> bool:
    """True if the company will lack money for a train, and its president has not enough for all such companies."""
    have = liquidity(t, t.state.player(seat.player)) * SOLD
    return shortage(t, t.company) > 0 and reserve(t, seat.player) > have


def _buys_better(seat: SeatedPlayer) -> bool:
    """True if this run pays for a train at once that brings the player more than they forgo."""
    t = seat.table
    company, revenue = t.company, t.turn.revenue
    if counted_trains(t, company) >= train_limit(t, company) or company.cell is None:
        return False
    before = earned(t)
    move = t.price(company, t.grid.right(company.cell)) - t.price(company, t.grid.left(company.cell))
    forgone = revenue + move * 100 / company.share
    for train in dict.fromkeys([*trains_for_sale(t), *t.state.pool]):
        if company.cash < t.spec.train(train).price <= company.cash + revenue:
            more = earned(imagined(t, trains=[*company.trains, train])) - before
            if more * (keeps_running(t, train) - 1) + _saved(t, train) > forgone:
                return True
    return False


def _saved(t: Table, train: TrainName) -> float:
    """Dollars that the company need not find for a train when its own are gone."""
    lasts = keeps_running(t, train) > max((keeps_running(t, own) for own in t.company.trains), default=0.0)
    return t.spec.train(train).price * LASTS if lasts else 0.0


def own_train_purchases(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """Trains of bank and pool, and those of the player's other companies, by what they still bring."""
    t = seat.table
    before = earned(t)
    for walk in ways(offer):
        source = str(walk.chosen["source"])
        if source in {BANK, POOL}:
            yield Idea(train_worth(t, walk, before), walk)
        elif not t.company.trains and _may_give(t, t.state.companies[source], seat):
            yield Idea(train_worth(t, walk, before) - t.spec.train(walk.chosen["train"]).price, walk)
        elif t.state.companies[source].president == seat.player:
            yield from _between(seat, walk, before)


def needed_purchases(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """A train only for a company that has none."""
    if not seat.table.company.trains:
        yield from own_train_purchases(seat, offer)


def _between(seat: SeatedPlayer, walk: Cursor, before: int) -> Iterator[Idea]:
    """A train of another company of the player, if both together earn plainly more for them, and it keeps one."""
    t = seat.table
    train, giver = str(walk.chosen["train"]), t.state.companies[str(walk.chosen["source"])]
    left = list(giver.trains)
    left.remove(train)
    if not left or walk.chosen["trade_in"]:
        return
    gained = (earned(imagined(t, trains=[*t.company.trains, train])) - before) * t.company.percent(
        seat.player
    )
    there = _operated_by(t, giver)
    lost = (earned(there) - earned(imagined(there, trains=left))) * giver.percent(seat.player)
    if gained > lost * PLAINLY:
        yield Idea((gained - lost) / 100 * keeps_running(t, train), walk)


def _operated_by(t: Table, company: Company) -> Table:
    now = t.operating
    assert now.turn is not None
    other = copy(t)
    other.state = replace(t.state, round=replace(now, turn=replace(now.turn, company=company.id)))
    return other


def _may_give(t: Table, company: Company, seat: SeatedPlayer) -> bool:
    """True for a company of the player that keeps a train, or where all would be lost otherwise."""
    return company.president == seat.player and (len(company.trains) > 1 or _ruined(t, seat))


def _ruined(t: Table, seat: SeatedPlayer) -> bool:
    """True if company and president together cannot pay the next train, whatever is sold."""
    return t.company.cash + liquidity(t, t.state.player(seat.player)) < next_price(t)


def train_worth(t: Table, walk: Cursor, before: int) -> float:
    """Dollars that a train brings the president more than it costs; `before`: what the company earns without it."""
    train, traded = str(walk.chosen["train"]), str(walk.chosen["trade_in"])
    price = int(walk.chosen["price"])
    trains = [*t.company.trains, train]
    if traded:
        trains.remove(traded)
    lasting = keeps_running(t, train)
    worth = earned(imagined(t, trains=trains)) - before
    more = max(worth, t.spec.train(train).price * FINDS_WORK) if len(trains) <= WORKING else worth
    helped = max(0, price - t.company.cash)
    kept = TREASURY if lasting >= SHORT else TREASURY_SOON
    brings = more * lasting - (price - helped) * kept - helped
    if not t.company.trains:
        return brings + NEEDED
    longer = lasting > max(keeps_running(t, name) for name in t.company.trains)
    return brings + (t.spec.train(train).price * LASTS if longer else 0)


def liquidations(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """Liquidations of a company, weighed by the player's loss."""
    before = wealth(seat.table, seat.player)
    for walk in ways(offer):
        yield Idea(min(-1.0, wealth(seat.game.after(walk), seat.player) - before), walk)


def discards(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """The train whose loss costs least."""
    t = seat.table
    return (Idea(-_kept_value(t, walk.chosen["train"]), walk) for walk in ways(offer))


def _kept_value(t: Table, train: TrainName) -> float:
    return keeps_running(t, train) * t.spec.train(train).price
