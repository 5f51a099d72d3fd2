"""Recorded lays and tokens are all legal here, where the recorded games are at hand."""

from pathlib import Path

import pytest

from engine.board.network import lay_is_connected, network_of
from engine.board.upgrades import candidates, rotations, same_rotation
from engine.game import Game

from .boards import chesapeake
from .recorded import NEW_ENGLAND, Moment, moments, stations, traces

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


BEYOND_A_SECOND_CITY = {
    "sp500001_4p": [339],
    "sp500006_3p": [229],
    "sp500009_3p": [246, 287, 289],
    "sp500018_3p": [377],
    "sp500023_5p": [392],
    "sp500028_4p": [268],
}
"""Lays and a station of recorded games that only a route through two cities of one hex reaches."""


@pytest.mark.parametrize("profile", ["rulebook", "18xx.games"])
@pytest.mark.parametrize("trace", traces(NEW_ENGLAND), ids=lambda path: path.name.split(".")[0])
def test_recorded_lays_and_tokens_of_new_england(trace: Path, profile: str) -> None:
    """R-NE-085a, D-NE-18: all are legal there; the printed rules refuse a few."""
    spec = Game("18newengland", [("a", "A"), ("b", "B"), ("c", "C")], 0, profile, frozenset()).rules.spec
    fits = {"lay_tile": lay_fits, "place_token": token_fits}
    wrong = [
        moment.line["i"]
        for moment in moments(spec, trace)
        if moment.line["type"] in fits and not fits[moment.line["type"]](moment)
    ]
    log = trace.name.split(".")[0]
    assert wrong == (BEYOND_A_SECOND_CITY.get(log, []) if profile == "rulebook" else [])


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
    network, held = network_of(board, company), {coord for coord, _ in board.tokens_of(company)}
    stops = stations(board, moment.line["corps"][company]["tokens"])
    new = [stop for stop in stops if stop[0] not in held]
    return all(stop in network.stops and board.free_slot(*stop, company) for stop in new)
