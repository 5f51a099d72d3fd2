"""Every refusal key has an example: the request is refused for this reason, in this sentence."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.core.errors import NotOffered
from engine.core.facts import fact
from engine.play.steps.base import Request
from engine.record import read_record
from engine.routes.legal_routes import RouteProblem
from tests.titles.builders import Position
from tests.titles.refusals.examples import ROWS, running
from tests.titles.refusals.table import (
    Refusal,
    refusal_keys,
    refused_for,
    rows_of_titles,
    rows_with_sentences,
)

HERE = Path(__file__).parent
GOLDEN = HERE.parents[1] / "golden"
IN_GOLDEN: dict[str, list[Any]] = json.loads((HERE / "golden_games.json").read_text("utf-8"))
"""By game: the number of actions before the request, its key, the request, and the sentence."""
ELSEWHERE = {"routes.more_than_trains", "routes.nobody_runs", "auction.unpaid"}
"""Reasons against typed routes (below) and against a log (`tests/engine/interchange/test_logs.py`)."""
SHOWN = [*rows_with_sentences(ROWS, HERE / "sentences.json"), *rows_of_titles()]


@pytest.mark.parametrize(("row", "sentence"), SHOWN)
def test_refusal(row: Refusal, sentence: str) -> None:
    game = row.game()
    assert refused_for(game, row.request(game)) == (row.key, sentence)


@pytest.mark.parametrize("name", IN_GOLDEN)
def test_refusals_in_golden_game(name: str) -> None:
    written = read_record((GOLDEN / f"{name}.json").read_text("utf-8"))
    game = written.initial_game()
    for at, key, kind, actor, entity, given, sentence in IN_GOLDEN[name]:
        game.apply_all(written.actions[game.seq : at])
        assert refused_for(game, Request(kind, actor, entity, given)) == (key, sentence)


def test_typed_routes_are_refused() -> None:
    with pytest.raises(RouteProblem) as caught:
        running().game().read_routes("J2-K1, J2-K1")
    assert caught.value.reason == fact("routes.more_than_trains", routes=2, number=1, trains=("2",))
    with pytest.raises(NotOffered) as not_offered:
        Position().game().read_routes("J2-K1")
    assert not_offered.value.reason == fact("routes.nobody_runs")


def test_every_refusal_key_has_an_example() -> None:
    shown = {refusal.values[0].key for refusal in SHOWN} | {
        key for found in IN_GOLDEN.values() for _, key, *_ in found
    }
    assert refusal_keys().keys() - ELSEWHERE == shown
