"""Offers between players, privates for companies, and everything that is judged by what one has afterwards."""

from collections.abc import Iterator
from typing import Final

from engine.caretaker.outlook import wealth
from engine.caretaker.seat import Idea, Seat, ways
from engine.core.cursor import Cursor
from engine.core.offers import Between, Offer

PLAINLY: Final = 1.05
"""By how much one must be better off to agree."""


def answers(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """To refuse, unless one would be plainly better off."""
    before = wealth(seat.table, seat.player)
    for walk in ways(offer):
        if walk.chosen["reply"] == "agree":
            after = wealth(seat.game.after(walk), seat.player)
            yield Idea(after - before * PLAINLY, walk)
        elif walk.chosen["reply"] == "refuse":
            yield Idea(0.0, walk)


def private_purchases(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """A company takes its president's own privates over, at the most that it can spare."""
    t = seat.table
    if offer.entity not in t.state.companies:
        return
    for private in (choice.value for choice in offer.slots[0].domain({}).choices()):
        if t.state.privates[str(private)].owner == seat.player:
            yield from _taken_over(seat, offer, str(private))


def _taken_over(seat: Seat, offer: Offer, private: str) -> Iterator[Idea]:
    t = seat.table
    company = t.state.companies[offer.entity]
    prices = offer.slots[1].domain({"private": private})
    if not isinstance(prices, Between) or not company.trains:
        return
    for walk in ways(offer):
        if walk.chosen["private"] == private:
            dear = Cursor(offer, {**walk.chosen, "price": prices.high})
            yield Idea(prices.high - t.spec.privates[private].value, dear)


def tried(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """Any way after which the player has more than before."""
    before = wealth(seat.table, seat.player)
    for walk in ways(offer):
        more = wealth(seat.game.after(walk), seat.player) - before
        if more > 0:
            yield Idea(more, walk)
