"""Tests share what workers have done, and no fault hides behind that."""

import pickle
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.table import imports
from bot.table.games.game_log import Opening
from bot.table.imports import BegunGame, begin_recorded
from bot.workers import worker
from engine.core.actions import Action, Pass
from engine.core.errors import EngineError
from engine.game import Game
from engine.record import read_record, write_record
from storage import Seat
from tests.support.kept import courses, kept_work
from tests.support.kept.courses import played

TEXT = (Path(__file__).parents[2] / "golden" / "18chesapeake-agreement-2p.json").read_text("utf-8")


def asked(game: int, text: str = TEXT) -> bytes:
    """The seating of a recorded game at this table."""
    return pickle.dumps((begin_recorded, (text, [Seat(game, n, f"p{n}", n, f"Player {n}") for n in (1, 2)])))


def recorded(actions: Sequence[Action]) -> str:
    """The same game with these moves alone."""
    return write_record(replace(read_record(TEXT), actions=tuple(actions)))


def done(work: bytes) -> BegunGame:
    """What a worker makes of it."""
    found, answer = pickle.loads(worker.work(work))
    assert found, answer
    assert isinstance(answer, BegunGame)
    return answer


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """All work that is really done."""
    made: list[bytes] = []
    work = kept_work._work

    def counted(asked: bytes) -> bytes:
        made.append(asked)
        return work(asked)

    monkeypatch.setattr(kept_work, "_work", counted)
    monkeypatch.setattr(kept_work, "_kept", type(kept_work._kept)())
    kept_work.keep(monkeypatch)
    return made


def test_what_was_done_for_one_table_is_not_done_for_the_next(count: list[bytes]) -> None:
    assert done(asked(1)) == done(asked(1)) == done(asked(2))
    assert len(count) == 1


def test_a_game_is_played_on_from_where_another_table_began_and_comes_to_the_same(
    count: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fewer moves, more of them, and the same as in a new process, where others went another way between."""
    moves = read_record(TEXT).actions
    another_way = (*moves[:41], Pass(actor=moves[41].actor, entity=moves[41].actor))
    began = [asked(1, recorded(found)) for found in (moves[:70], another_way, moves[:33], moves[:90], moves)]
    with monkeypatch.context() as patch:
        patch.setattr(imports, "_rows", courses.played)
        anew = [done(work) for work in began]
    made: list[Action] = []

    def noted(opening: Opening, game: Game, actions: Sequence[Action]) -> Any:
        made.extend(actions)
        return played(opening, game, actions)

    monkeypatch.setattr(courses, "played", noted)
    monkeypatch.setattr(courses, "_courses", defaultdict(courses.Course))
    assert [done(work) for work in began] == anew
    assert made == [*moves[:70], another_way[-1], *moves[70:]]


def test_where_a_test_replaces_what_work_runs_through_it_is_done(
    count: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    done(asked(1))
    with monkeypatch.context() as patch:
        patch.setattr(imports, "scored", lambda game: [])
        assert done(asked(1)).scored == ()
    assert done(asked(1)).scored != ()
    assert len(count) == 2


def test_what_fails_is_done_again(count: list[bytes]) -> None:
    for _ in range(2):
        found, answer = pickle.loads(worker.work(asked(1, "no game")))
        assert not found
        assert isinstance(answer, EngineError)
    assert len(count) == 2
