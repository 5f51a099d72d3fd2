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
from tests.titles.refusals.table import Refusal, refusal_keys, refused_for, rows_with_sentences
from tests.titles.t1830.refusals import ROWS as ROWS_OF_1830
from tests.titles.t1889.refusals import ROWS as ROWS_OF_1889

HERE = Path(__file__).parent
GOLDEN = HERE.parents[1] / "golden"
IN_GOLDEN: dict[str, list[Any]] = json.loads((HERE / "golden_games.json").read_text("utf-8"))
"""By game: the number of actions before the request, its key, the request, and the sentence."""
ELSEWHERE = {"routes.more_than_trains", "routes.nobody_runs", "auction.unpaid"}
"""Reasons against typed routes (below) and against a log (`tests/engine/interchange/test_logs.py`)."""
ONLY_18C2C = {
    *("auction.taken_first", "buying.not_by_players", "buying.not_formed", "forced.sold_out_first"),
    *("exchange.no_private", "exchange.not_yours", "exchange.for_nothing", "exchange.no_share"),
    *(
        "consent.asked_first_for_merger",
        "consent.not_your_reply_for_merger",
        "privates.not_early",
        "exchange.in_your_turn",
    ),
    *("privates.early_for_based", "privates.early_on_the_river", "privates.has_helped"),
    *("privates.helps_elsewhere", "privates.helps_nowhere", "privates.too_late_for_tiles"),
    *("selling.first_with_shares", "stock.only_beside_trading", "stock.several_from_market"),
    *("stock.sold_before_purchase", "token.only_special", "track.bridge_must_cross", "track.no_bridge"),
    *("track.one_tile_a_hex", "track.points_used_up", "track.too_few_points"),
    *("train_limit.on_the_other_shell", "train_limit.shell_first"),
}
"""Reasons of rooms that titles share, with their examples among those of 18C2C."""


@pytest.mark.parametrize(("row", "sentence"), rows_with_sentences(ROWS, HERE / "sentences.json"))
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
    shown = {row.key for row in (*ROWS, *ROWS_OF_1830, *ROWS_OF_1889)} | {
        key for found in IN_GOLDEN.values() for _, key, *_ in found
    }
    of_18c2c = {
        key
        for key, rooms in refusal_keys().items()
        if all(room.startswith("titles/t18c2c/") for room in rooms)
    }
    assert refusal_keys().keys() - shown - ELSEWHERE - ONLY_18C2C - of_18c2c == set()
    assert shown <= refusal_keys().keys()
