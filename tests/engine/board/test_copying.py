"""A map to try things on says the same as one made anew, and leaves the first as it was."""

from pathlib import Path

import pytest

from engine.board.copying import board_copy
from engine.board.map import Map
from engine.board.network import reach
from engine.board.upgrades import candidates, rotations
from engine.core.ids import CompanyId
from engine.record import read_record
from engine.routes.graph import graph_of

GOLDEN = Path(__file__).parents[2] / "golden"
EVERY = 40
"""Boards of a game that are looked at: one of so many."""


def seen(board: Map, company: CompanyId) -> tuple[object, ...]:
    """What the company reaches, and its trains can use."""
    network, graph = reach(board, company), graph_of(board, company)
    links = [[(link.to, link.mask, link.chain.pieces) for link in found] for found in graph.links]
    return network.stops, dict(network.edges), network.pieces, graph.stops, links, graph.passable


@pytest.mark.parametrize("log", ["18chesapeake-bank-4p", "18al-price-3p", "18c2c-bank-3p"])
def test_what_is_tried_on_a_copy_is_as_on_a_map_made_anew(log: str) -> None:
    record = read_record((GOLDEN / f"{log}.json").read_text("utf-8"))
    game, tried = record.begin(), 0
    for number, action in enumerate(record.actions):
        if number % EVERY == 0:
            for company in game.table.state.companies:
                tried += _tries(game.table.map, company)
        game.apply(action)
    assert tried > EVERY


def _tries(board: Map, company: CompanyId) -> int:
    """Lay one tile in each of a few hexes of the company, always on another copy, and put a token down there."""
    before, laid, tried = seen(board, company), board.laid(), 0
    for coord in list(reach(board, company).edges)[::5]:
        for tile in candidates(board, coord, ("yellow", "green", "brown"))[:1]:
            copied, anew = board_copy(board), Map.restored(board.spec, laid)
            assert seen(copied, company) == before
            for other in (copied, anew):
                for rotation in rotations(board, coord, tile)[-1:]:
                    other.lay(coord, tile, rotation)
                    for stop in range(len(other.topology(coord).stops)):
                        if None in other.slots(coord, stop):
                            other.place_token(coord, stop, company)
            assert seen(copied, company) == seen(anew, company)
            assert copied.laid() == anew.laid()
            tried += 1
    assert (seen(board, company), board.laid()) == (before, laid)
    return tried
