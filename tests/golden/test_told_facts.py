"""What changes on the table is told, once: money, shares, prices, trains, privates, phases, rounds of whole games."""

from itertools import pairwise
from pathlib import Path

import pytest
from told import Facts
from told_of_minors import told

from engine.core.events import GameOver
from engine.core.state import Stock
from engine.record import read_record

GAMES = sorted(Path(__file__).parent.glob("*.json"))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_what_is_told_is_what_changed(path: Path) -> None:
    """After every action of a whole game, nothing is told twice, and only `done` goes untold."""
    written = read_record(path.read_text("utf-8"))
    game, ends = written.play(0), 0
    for number, action in enumerate(written.actions, 1):
        expected = Facts.of(game)
        done = isinstance(game.table.state.round, Stock) and game.table.stock.acted
        happened = game.apply(action)
        after = Facts.of(game)
        assert all(one != other for one, other in pairwise(happened)), (number, happened)
        assert happened or (action.kind == "pass" and (done or action.entity != action.actor)), number
        assert told(expected, happened) == after, (number, happened)
        scores = [dict(event.scores) for event in happened if isinstance(event, GameOver)]
        assert all(found == game.scores() for found in scores)
        assert all(type(worth) is int for found in scores for worth in found.values())
        assert all(list(found.values()) == sorted(found.values(), reverse=True) for found in scores)
        ends += len(scores)
    assert ends == game.over == 1
