"""Laying track and placing stations: what they add to the company's runs."""

from collections.abc import Iterator
from typing import Final

from engine.board.map import Map
from engine.caretaker.rails import ahead, board_copy, coming_trains, earned, farthest_train, imagined
from engine.caretaker.seat import Idea, Seat, ways
from engine.core.cursor import Cursor
from engine.core.offers import Offer
from engine.play.table import Table

RUNS: Final = 4.0
"""For how many runs a better one is counted."""
LATER: Final = 1.0
"""What a dollar more with the trains of a later phase counts."""
HOPE: Final = 0.8
"""What a dollar of a place that is built towards counts."""
TREASURY: Final = 0.5
"""What a dollar of the company counts."""


class Rails:
    """What the company's railway is worth on a map: with its trains, with later ones, and where it leads."""

    def __init__(self, t: Table) -> None:
        self._now = coming_trains(t)
        self._later = farthest_train(t)
        self._t = t

    def worth(self, board: Map) -> float:
        """Dollars, as far as they come from the map."""
        t = self._t
        now = earned(imagined(t, board, self._now))
        later = earned(imagined(t, board, self._later)) if self._later else 0
        hope = ahead(board, t.company.id, t.phase.revenue_step)
        return now * RUNS + later * LATER + hope * HOPE


def lays(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """Every lay, by what it adds, less what it costs."""
    t = seat.table
    rails = Rails(t)
    before = rails.worth(t.map)
    for walk in ways(offer):
        board = board_copy(t)
        board.lay(walk.chosen["hex"], walk.chosen["tile"], walk.chosen["rotation"])
        cost = t.map.cost(walk.chosen["hex"]) * TREASURY
        yield Idea(rails.worth(board) - before - cost, walk)


def stations(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """Every station, by what it adds, less what it costs."""
    t = seat.table
    rails = Rails(t)
    before = rails.worth(t.map)
    price = t.company.tokens[0] if t.company.tokens else 0
    for walk in ways(offer):
        board = board_copy(t)
        if _placed(board, walk, t.company.id):
            yield Idea(rails.worth(board) - before - price * TREASURY, walk)


def _placed(board: Map, walk: Cursor, company: str) -> bool:
    """Whether the station could be put on the copy."""
    coord, city = walk.chosen["hex"], walk.chosen["city"]
    if None in board.slots(coord, city):
        board.place_token(coord, city, company)
    else:
        board.place_beside(coord, city, company)
    return True
