"""Games that were exported before they kept to the rules of 18xx.games, with what that site says of each.

Where it refuses a move our reading by its rules stops at the same one. Where a file lacked an answer that it asks for,
the same moves are written with it now. The games are not part of the project; without them nothing is tried here.
"""

import ast
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from engine.core.errors import ReplayDiverged
from engine.interchange import ReplayEnd, read_log, replay
from engine.interchange.log_reader import Raw
from engine.interchange.writer import refused_there, write_log
from engine.record import make_record
from tests.support.long_runs import some_of_each

FOLDER = Path(__file__).parents[3] / "shared" / "exchange"
SCORES = re.compile(r"scores (\{.*?\})")
NAMES = re.compile(r"^\S+ may|\S+'s|\d+'?|\{.*\}")
"""Companies, trains and amounts in what that site says."""


class Verdict(NamedTuple):
    """A file, the id of the action at which that site stops (0: none), and what it says."""

    file: str
    stops: int
    says: str

    @property
    def lacks_an_answer(self) -> bool:
        waiting = ("Convert or Merge Minor", "Run Routes", "Lay/Upgrade Track")
        return any(f"Blocking step {step}" in self.says for step in waiting)


def verdicts(folder: Path = FOLDER) -> list[Verdict]:
    """Those that are at hand."""
    lines = (folder / "verdicts.tsv").read_text("utf-8").splitlines()[1:] if folder.exists() else []
    rows = [line.split("\t") for line in lines]
    return [Verdict(file, int(action or 0), says) for file, action, says in rows]


def some(known: list[Verdict]) -> list[Any]:
    """One for each reason that site gives; in long runs all."""
    return some_of_each(known, _reason, lambda verdict: verdict.file, len(known) + 1)


def _reason(verdict: Verdict) -> str:
    """Its words, without names and amounts."""
    return NAMES.sub("", verdict.says)


KNOWN = verdicts()
MOVES = [v for v in KNOWN if v.stops and not v.lacks_an_answer]
ANSWERS = [v for v in KNOWN if v.stops and v.lacks_an_answer]
ENDS = [v for v in KNOWN if not v.stops]
absent = pytest.mark.skipif(not KNOWN, reason="these games are not part of the project")


def text_of(verdict: Verdict) -> str:
    """The exported game."""
    return (FOLDER / verdict.file).read_text("utf-8")


def raws(text: str) -> list[Raw]:
    """Its actions without their numbers."""
    return [{key: value for key, value in raw.items() if key != "id"} for raw in json.loads(text)["actions"]]


def written_again(text: str) -> str:
    """The same moves, as far as the rules of that site allow them, as a log."""
    return written_as_read(replay(read_log(text)))


def written_as_read(read: ReplayEnd) -> str:
    assert read.game is not None
    own = make_record(read.game, read.applied)
    return write_log(own.initial_game(), own.actions)


@absent
@pytest.mark.parametrize("verdict", some(MOVES))
def test_move_refused_there_is_refused_here(verdict: Verdict) -> None:
    """At the same action, and with a reason."""
    stopped = refused_there(text_of(verdict))
    assert isinstance(stopped, ReplayDiverged)
    assert stopped.seq == verdict.stops
    assert stopped.reason is not None


@absent
@pytest.mark.parametrize("verdict", some(ANSWERS))
def test_awaited_answer_is_written(verdict: Verdict) -> None:
    """Where it stopped, and nothing before it is another; what is written now, that site reads."""
    text = text_of(verdict)
    written = written_again(text)
    old, new = raws(text), raws(written)
    first = next(n for n, (was, now) in enumerate(zip(old, new, strict=False), 1) if was != now)
    assert first == verdict.stops
    assert new[first - 1]["asked_there"]
    assert refused_there(written) is None


@absent
@pytest.mark.parametrize("verdict", some(ENDS))
def test_game_that_ended_otherwise_there(verdict: Verdict) -> None:
    """The file is not taken as it was; its moves lead to the scores of that site, and it reads what is written now."""
    text = text_of(verdict)
    assert refused_there(text) is not None
    scores = SCORES.search(verdict.says)
    assert scores is not None
    read = replay(read_log(text))
    if read.problem is None:
        assert read.game is not None
        assert read.game.scores() == ast.literal_eval(scores[1])
    assert refused_there(written_as_read(read)) is None
