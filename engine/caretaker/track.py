"""Laying track and placing stations: what they add to the company's runs."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from engine.board.copying import board_copy
from engine.board.map import Map
from engine.caretaker.ahead import Pull, promise
from engine.caretaker.ideas import Idea, ways
from engine.caretaker.outlook import shut
from engine.caretaker.railway import Railway
from engine.core.cursor import Cursor
from engine.core.offers import Offer
from engine.play.table import Table
from engine.seat import Seat

MOST: Final = 16
"""How many lays or stations are looked at closely."""
FEW: Final = 4
"""How many of them are looked at once more, with later trains."""
NO_ROUTE: Final = 40.0
"""What the next lay is worth to a company that has no route yet."""
TREASURY: Final = 0.3
"""What a dollar of the company counts."""


def lays(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """Lays that are promising at first sight, by what they add, less what they cost; without a route, one of them."""
    t = seat.table
    step = t.phase.revenue_step
    towards = Pull(t.map, t.company.id, step, shut(t, seat.player))

    def look(walk: Cursor) -> float:
        return promise(t.map, towards, _lay(walk), step) - t.map.cost(_lay(walk)[0]) / 10

    promising = sorted(ways(offer), key=look, reverse=True)[:MOST]
    railway = Railway(t)
    found = _weighed(railway, t, [(walk, t.map.cost(_lay(walk)[0])) for walk in promising], _laid)
    need = 0.0 if railway.next_run(t.map) else NO_ROUTE
    return (Idea(idea.worth + need, idea.walk) for idea in found)


def stations(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """Every station, by what it adds, less what it costs."""
    t = seat.table
    price = t.company.tokens[0] if t.company.tokens else 0
    return _weighed(Railway(t), t, [(walk, price) for walk in list(ways(offer))[:MOST]], _placed)


def _weighed(
    railway: Railway, t: Table, moves: Sequence[tuple[Cursor, int]], do: Callable[[Table, Map, Cursor], None]
) -> Iterator[Idea]:
    """The best few of these moves with their prices in dollars, by what they add to the railway."""
    before = railway.at_once(t.map)
    found = []
    for walk, price in moves:
        board = board_copy(t.map)
        do(t, board, walk)
        found.append((railway.at_once(board) - before - price * TREASURY, walk, board))
    found.sort(key=lambda one: -one[0])
    later = railway.later(t.map) if found else 0.0
    return (Idea(worth + railway.later(board) - later, walk) for worth, walk, board in found[:FEW])


def _lay(walk: Cursor) -> tuple[str, str, int]:
    return walk.chosen["hex"], walk.chosen["tile"], walk.chosen["rotation"]


def _laid(t: Table, board: Map, walk: Cursor) -> None:
    board.lay(*_lay(walk))


def _placed(t: Table, board: Map, walk: Cursor) -> None:
    coord, city = walk.chosen["hex"], walk.chosen["city"]
    if None in board.slots(coord, city):
        board.place_token(coord, city, t.company.id)
    else:
        board.place_without_space(coord, city, t.company.id)
