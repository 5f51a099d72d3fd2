"""Recorded lays and tokens are all legal here, where the recorded games are at hand."""

from pathlib import Path

import pytest

from engine.board.network import lay_is_connected, reach
from engine.board.upgrades import candidates, rotations, same_rotation

from .boards import chesapeake
from .recorded import Moment, moments, traces

pytestmark = pytest.mark.skipif(not traces(), reason="the recorded games are not at hand")


@pytest.mark.parametrize("trace", traces(), ids=lambda path: path.name.split(".")[0])
def test_recorded_lays_and_tokens_are_legal(trace: Path) -> None:
    seen = 0
    for moment in moments(chesapeake(), trace):
        if moment.line["type"] == "lay_tile":
            seen += 1
            assert lay_fits(moment), moment.line["i"]
        elif moment.line["type"] == "place_token":
            assert token_fits(moment), moment.line["i"]
    assert seen


def lay_fits(moment: Moment) -> bool:
    board, line = moment.board, moment.line
    coord, tile, rotation = line["hex"], line["tile"].split("-")[0], line["rotation"]
    known = tile in candidates(board, coord, board.spec.phase(moment.phase).tiles)
    turned = same_rotation(board, tile, rotation) in rotations(board, coord, tile)
    by_company = line["entity"] in board.spec.companies
    return (
        known
        and turned
        and (not by_company or lay_is_connected(board, line["entity"], coord, tile, rotation))
    )


def token_fits(moment: Moment) -> bool:
    board, company = moment.board, moment.line["entity"]
    if company not in board.spec.companies:
        return True
    network, held = reach(board, company), {coord for coord, _ in board.tokens_of(company)}
    places = [place.partition(":") for place in moment.line["corps"][company]["tokens"]]
    new = [(coord, int(stop or 0)) for coord, _, stop in places if coord not in held]
    return all(stop in network.stops and board.free_slot(*stop, company) for stop in new)
