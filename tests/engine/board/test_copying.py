"""A map to try things on says the same as one made anew, and leaves the first as it was."""

from random import Random

import pytest

from engine.board.map import Map
from engine.board.network import network_of
from engine.board.track import board_copy
from engine.board.upgrades import rotations, upgrade_candidates
from engine.core.ids import CompanyId
from engine.routes.graph import company_graph

from .boards import random_board

LAYS = 40
SOME = ("PRR", "B&O", "LV")
"""Companies that are looked at."""


def seen(board: Map, company: CompanyId) -> tuple[object, ...]:
    network, graph = network_of(board, company), company_graph(board, company)
    links = [[(link.to_stop, link.mask, link.chain.pieces) for link in found] for found in graph.links]
    return network.stops, dict(network.edges), network.pieces, graph.stops, links, graph.passable


@pytest.mark.parametrize("seed", range(3))
def test_copy_equals_a_map_made_again(seed: int) -> None:
    """A tile, a token or both; the first map stays usable, and says the same as one made anew, too."""
    rng = Random(seed)
    for board in random_board(seed, LAYS):
        laid = board.changes_in_play()
        copied, anew = board_copy(board), Map.restore(board.spec, laid)
        state = rng.getstate()
        for other in (copied, anew):
            rng.setstate(state)
            _try(other, rng)
        assert copied.changes_in_play() == anew.changes_in_play()
        assert board.changes_in_play() == laid
        for company in SOME:
            assert seen(copied, company) == seen(anew, company)
            assert seen(board, company) == seen(Map.restore(board.spec, laid), company)


def _try(board: Map, rng: Random) -> None:
    coord = rng.choice(board.coords)
    lays = [
        (t, r)
        for t in upgrade_candidates(board, coord, ("yellow", "green"))
        for r in rotations(board, coord, t)
    ]
    if lays:
        board.lay(coord, *rng.choice(lays))
    company = rng.choice(SOME)
    vacant = [(c, i) for c in board.coords for i in range(len(board.topology(c).stops))]
    stop = rng.choice([stop for stop in vacant if board.has_space_for(*stop, company)])
    if rng.random() < 0.5:
        board.place_token(*stop, company)
