"""Tests share what workers have done, and no fault hides behind that."""

import pickle
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from bot.table import imports
from bot.table.imports import BegunGame, begin_recorded
from bot.table.results_and_ratings import scored
from bot.workers import worker
from engine.core.actions import Action, Pass
from engine.core.errors import EngineError
from engine.record import read_record, write_record
from storage import Seat
from tests.support.kept import kept_work

TEXT = (Path(__file__).parents[2] / "golden" / "18chesapeake-agreement-2p.json").read_text("utf-8")


def asked(game: int, text: str = TEXT) -> bytes:
    """The seating of a recorded game at this table."""
    return pickle.dumps((begin_recorded, (text, [Seat(game, n, f"p{n}", n, f"Player {n}") for n in (1, 2)])))


def recorded(actions: Sequence[Action]) -> bytes:
    """The same game with these moves alone."""
    return asked(1, write_record(replace(read_record(TEXT), actions=tuple(actions))))


def done(work: bytes) -> BegunGame:
    found, answer = pickle.loads(worker.work(work))
    assert found, answer
    assert isinstance(answer, BegunGame)
    return answer


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """All work that is really done: it shows nowhere else."""
    made: list[bytes] = []
    work = kept_work._work

    def counted(asked: bytes) -> bytes:
        made.append(asked)
        return work(asked)

    monkeypatch.setattr(kept_work, "_work", counted)
    monkeypatch.setattr(kept_work, "_kept", type(kept_work._kept)())
    kept_work.keep(monkeypatch)
    return made


def test_work_is_done_once(count: list[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    """For all tables; again where a test replaces what it runs through, or where it failed."""
    assert done(asked(1)) == done(asked(1)) == done(asked(2))
    assert len(count) == 1
    with monkeypatch.context() as patch:
        patch.setattr(imports, "scored", lambda game: [])  # what a test might replace
        assert done(asked(1)).scored == ()
    assert done(asked(1)).scored != ()
    assert len(count) == 2
    for _ in range(2):
        found, answer = pickle.loads(worker.work(asked(1, "no game")))
        assert (found, isinstance(answer, EngineError)) == (False, True)
    assert len(count) == 4


def test_games_are_played_on(count: list[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    """From where another table began, and come to the same, where others went another way between."""
    moves = read_record(TEXT).actions
    another_way = (*moves[:41], Pass(actor=moves[41].actor, entity=moves[41].actor))
    began = [recorded(found) for found in (moves[:70], another_way, moves[:33], moves[:90], moves)]
    with monkeypatch.context() as patch:
        patch.setattr(imports, "scored", scored)  # everything is done anew
        anew = [done(work) for work in began]
    assert [done(work) for work in began] == anew
