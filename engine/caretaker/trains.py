"""Trains: running them, paying or keeping what they earn, buying them, and giving them up."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from engine.caretaker.ideas import Idea, ways
from engine.caretaker.outlook import keeps_running, next_price, reserve, shortage, wealth
from engine.caretaker.railway import earned, imagined
from engine.core.cursor import Cursor
from engine.core.ids import BANK, POOL, TrainName
from engine.core.offers import Offer
from engine.core.state import Company
from engine.play.shares.block_sales import liquidity
from engine.play.table import Table
from engine.seat import Seat

LIKED: Final = 10.0
"""What a move that is simply right is worth."""
SOLD: Final = 0.5
"""What a dollar of all that a player could sell brings in need."""
TREASURY: Final = 0.15
"""What a dollar of the company counts: it has no better use for it than trains."""
LASTS: Final = 0.5
"""How much of its price a train is worth for lasting longer than all others of the company."""
OWN: Final = 1.0
"""What a dollar of the president counts."""
FINDS_WORK: Final = 0.08
"""What a train earns at least in a run once there is track for it, as a part of its price."""
NEEDED: Final = 1_000.0
"""What any train is worth to a company without one."""


def runs(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """The best run, as it is suggested."""
    return (Idea(LIKED, walk) for walk in islice(ways(offer), 1))


def dividends(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """To pay; to keep everything only where a train that must be bought could not be paid otherwise."""
    keeps = _needs_money(seat.table, seat)
    likings = {"pay": LIKED, "half": LIKED / 2, "withhold": 2 * LIKED if keeps else LIKED / 4}
    return (Idea(likings[walk.chosen["option"]], walk) for walk in ways(offer))


def _needs_money(t: Table, seat: Seat) -> bool:
    """Whether the company will lack money for a train, and its president has not enough for all such companies."""
    have = liquidity(t, t.state.player(seat.player)) * SOLD
    return shortage(t, t.company) > 0 and reserve(t, seat.player) > have


def purchases(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """Trains of bank and pool, and in need spare ones of the player's other companies, by what they still bring."""
    t = seat.table
    before = earned(t)
    for walk in ways(offer):
        source = str(walk.chosen["source"])
        if source in {BANK, POOL}:
            yield Idea(_worth(t, walk, before), walk)
        elif not t.company.trains and _may_give(t, t.state.companies[source], seat):
            yield Idea(_worth(t, walk, before) - t.spec.train(walk.chosen["train"]).price, walk)


def _may_give(t: Table, company: Company, seat: Seat) -> bool:
    """Whether it is one of the player's companies, and has a train left after that, or else all would be lost."""
    return company.president == seat.player and (len(company.trains) > 1 or _ruined(t, seat))


def _ruined(t: Table, seat: Seat) -> bool:
    """Whether company and president together cannot pay the next train, whatever is sold."""
    return t.company.cash + liquidity(t, t.state.player(seat.player)) < next_price(t)


def _worth(t: Table, walk: Cursor, before: int) -> float:
    train, traded = str(walk.chosen["train"]), str(walk.chosen["trade_in"])
    price = int(walk.chosen["price"])
    trains = [*t.company.trains, train]
    if traded:
        trains.remove(traded)
    more = max(earned(imagined(t, trains=trains)) - before, t.spec.train(train).price * FINDS_WORK)
    helped = max(0, price - t.company.cash)
    worth = more * max(1.0, keeps_running(t, train)) - (price - helped) * TREASURY - helped * OWN
    if not t.company.trains:
        return worth + NEEDED
    longer = keeps_running(t, train) > max(keeps_running(t, name) for name in t.company.trains)
    return worth + (price * LASTS if longer else 0)


def liquidations(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """To let the company go, for what the player loses by it."""
    before = wealth(seat.table, seat.player)
    for walk in ways(offer):
        yield Idea(min(-1.0, wealth(seat.game.after(walk), seat.player) - before), walk)


def discards(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """The train whose loss costs least."""
    t = seat.table
    return (Idea(-_kept_value(t, walk.chosen["train"]), walk) for walk in ways(offer))


def _kept_value(t: Table, train: TrainName) -> float:
    return keeps_running(t, train) * t.spec.train(train).price
