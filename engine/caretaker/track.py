"""Tile lays and stations for the caretaker, valued by the company's runs with them."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final

from engine.board.map import Map
from engine.board.track import board_copy
from engine.caretaker.ideas import Idea, complete_fillings
from engine.caretaker.outlook import hexes_closed_to
from engine.caretaker.railway import (
    RUNS,
    Attraction,
    Railway,
    best_revenue,
    first_sight_value,
    hypothetical_table,
)
from engine.core.offers import Cursor, Offer
from engine.play.table import Table
from engine.play.token_prices_and_purchases import next_price
from engine.seat import SeatedPlayer

MOST: Final = 16
"""The most lays or stations that are looked at closely."""
FEW: Final = 4
"""Number of those that are looked at once more, with later trains."""
NO_ROUTE: Final = 40.0
"""Value of the next lay to a company that has no route yet."""
NEXT: Final = 0.5
"""Weight of the gain of the best lay of the next turn."""
NEXT_MOST: Final = 8
"""The most lays of the next turn that are looked at."""
TREASURY: Final = 0.3
"""Weight of a dollar of the company."""


def lay_ideas(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """Promising lays, valued by what they add less their cost; without a route, at least one lay."""
    railway = Railway(seat.table)
    need = 0.0 if railway.next_run(seat.table.map) else NO_ROUTE
    return (Idea(idea.worth + need, idea.walk) for idea, _ in _weighed_lays(railway, seat.table, seat, offer))


def lays_ahead(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """Promising lays, valued with the best lay that could follow."""
    t, step = seat.table, seat.game.step()
    assert step is not None
    railway = Railway(t)
    need = 0.0 if railway.next_run(t.map) else NO_ROUTE
    for idea, board in list(_weighed_lays(railway, t, seat, offer)):
        there = hypothetical_table(t, board)
        offers = [one for one in step.offers(there) if one.kind == offer.kind]
        further = [worth for offer in offers for worth in _adds(railway, there, seat, offer)]
        most = max(further, default=0.0)
        yield Idea(idea.worth + need + max(0.0, most) * NEXT, idea.walk)


def _adds(railway: Railway, t: Table, seat: SeatedPlayer, offer: Offer) -> Iterator[float]:
    before = railway.value_now(t.map)
    for walk in _promising(t, seat, offer)[:NEXT_MOST]:
        board = board_copy(t.map)
        _laid(t, board, walk)
        yield railway.value_now(board) - before - t.map.cost(_picked_lay(walk)[0]) * TREASURY


def _weighed_lays(railway: Railway, t: Table, seat: SeatedPlayer, offer: Offer) -> Iterator[tuple[Idea, Map]]:
    promising = _promising(t, seat, offer)[:MOST]
    return _weighed(railway, t, [(walk, t.map.cost(_picked_lay(walk)[0])) for walk in promising], _laid)


def _promising(t: Table, seat: SeatedPlayer, offer: Offer) -> list[Cursor]:
    step = t.phase.revenue_step
    towards = Attraction(t.map, t.company.id, step, hexes_closed_to(t, seat.player))

    def look(cursor: Cursor) -> float:
        return (
            first_sight_value(t.map, towards, _picked_lay(cursor), step)
            - t.map.cost(_picked_lay(cursor)[0]) / 10
        )

    return sorted(complete_fillings(offer), key=look, reverse=True)


def first_sight(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """The most promising lay by a quick estimate, if it is free or the company has no route."""
    t = seat.table
    for walk in _promising(t, seat, offer)[:1]:
        free = t.map.cost(_picked_lay(walk)[0]) == 0
        if free or not Railway(t).next_run(t.map):
            yield Idea(NO_ROUTE, walk)


def markers(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """Markers and tokens of privates, valued by what they add to the run, less their cost."""
    t = seat.table
    before, cash = best_revenue(t), t.company.cash
    for walk in islice(complete_fillings(offer), MOST):
        after = seat.game.after(walk)
        if after.state.proposal is None:
            yield Idea((best_revenue(after) - before) * RUNS - (cash - after.company.cash) * TREASURY, walk)


def stations(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """Stations, valued by what they add, less their cost; a private's station is free."""
    t = seat.table
    price = (next_price(t.company) or 0) if t.turn.free_token is None else 0
    stations = _weighed(
        Railway(t), t, [(walk, price) for walk in list(complete_fillings(offer))[:MOST]], _placed
    )
    return (idea for idea, _ in stations)


def _weighed(
    railway: Railway, t: Table, moves: Sequence[tuple[Cursor, int]], do: Callable[[Table, Map, Cursor], None]
) -> Iterator[tuple[Idea, Map]]:
    """The best few of these moves, valued by what they add to the railway, each with the map after it."""
    before = railway.value_now(t.map)
    weighed = []
    for walk, price in moves:
        board = board_copy(t.map)
        do(t, board, walk)
        weighed.append((railway.value_now(board) - before - price * TREASURY, walk, board))
    if weighed:
        later = railway.later_run(t.map)
        for worth, walk, board in sorted(weighed, key=lambda one: one[0], reverse=True)[:FEW]:
            yield Idea(worth + railway.later_run(board) - later, walk), board


def _picked_lay(cursor: Cursor) -> tuple[str, str, int]:
    return cursor.chosen["hex"], cursor.chosen["tile"], cursor.chosen["rotation"]


def _laid(t: Table, board: Map, cursor: Cursor) -> None:
    board.lay(*_picked_lay(cursor))


def _placed(t: Table, board: Map, cursor: Cursor) -> None:
    board.place_token(cursor.chosen["hex"], cursor.chosen["city"], t.company.id)
