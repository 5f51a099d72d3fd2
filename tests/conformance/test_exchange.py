"""Games that were exported before they kept to the rules of 18xx.games, with what that site says of each.

Where it refuses a move our reading by its rules stops at the same one. Where a file lacked an answer that it asks for,
or had another form, the same moves are written as that site takes them now. The games are not part of the project;
without them nothing is tried here.
"""

import ast
import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from engine.core.errors import ReplayDiverged
from engine.interchange import ReplayResult, read_log, replay
from engine.interchange.log_reader import RawAction
from engine.interchange.writer import refusal_on_18xx_games, write_log
from engine.record import make_record
from tests.support.long_runs import some_of_each

SHARED = Path(__file__).parents[3] / "shared"
SCORES = re.compile(r"scores (\{.*?\})")
NAMES = re.compile(r"^\S+ may|\S+'s|\d+'?|\{.*\}")
"""Companies, trains and amounts in what that site says."""
WAITING = ("Convert or Merge Minor", "Run Routes", "Lay/Upgrade Track")
"""Steps in which that site asks for an answer that the earlier files lack."""
FAULT_THERE = "Pay or Withhold Dividends"
"""A bankruptcy before the dividend, after which that site asks the next company for it."""


class Verdict(NamedTuple):
    """A file, the id of the action at which that site stops (0: none), and what it says."""

    file: Path
    stops: int
    says: str

    def text(self) -> str:
        return self.file.read_text("utf-8")

    def lacks_an_answer(self) -> bool:
        return any(f"Blocking step {step}" in self.says for step in WAITING)


def verdicts(folder: str) -> list[Verdict]:
    table = SHARED / folder / "verdicts.tsv"
    lines = table.read_text("utf-8").splitlines()[1:] if table.exists() else []
    rows = (line.split("\t") for line in lines)
    return [Verdict(SHARED / folder / file, int(action or 0), says) for file, action, says in rows]


def some(known: list[Verdict]) -> list[Any]:
    """The shortest for each reason that site gives; in long runs all."""
    known = sorted(known, key=lambda one: one.file.stat().st_size)
    return some_of_each(known, lambda one: NAMES.sub("", one.says), lambda one: one.file.stem, len(known) + 1)


EARLIER, LATER = verdicts("exchange"), verdicts("exchange-2")
LATER_MOVES = [verdict for verdict in LATER if verdict.stops and FAULT_THERE not in verdict.says]
MOVES = [verdict for verdict in EARLIER if verdict.stops and not verdict.lacks_an_answer()]
absent = pytest.mark.skipif(not EARLIER, reason="these games are not part of the project")


def raws(text: str) -> list[RawAction]:
    return [{key: value for key, value in raw.items() if key != "id"} for raw in json.loads(text)["actions"]]


def written_as_read(read: ReplayResult) -> str:
    """The same moves, as far as the rules of that site allow them, as a log."""
    assert read.game is not None
    own = make_record(read.game, read.applied_actions)
    return write_log(own.initial_game(), own.actions)


@absent
@pytest.mark.parametrize("verdict", some([*MOVES, *LATER_MOVES]))
def test_move_refused_there_is_refused_here(verdict: Verdict) -> None:
    """At the same action, with a reason; nothing is refused in what is written up to there."""
    stopped = refusal_on_18xx_games(verdict.text())
    assert isinstance(stopped, ReplayDiverged)
    assert (stopped.seq, stopped.reason is None) == (verdict.stops, False)
    if verdict in LATER:
        assert refusal_on_18xx_games(written_as_read(replay(read_log(verdict.text())))) is None


@absent
@pytest.mark.parametrize("verdict", some([one for one in EARLIER if one.stops and one.lacks_an_answer()]))
def test_awaited_answer_is_written(verdict: Verdict) -> None:
    """It is the first difference, at the action where that site stopped; it reads what is written now."""
    written = written_as_read(replay(read_log(verdict.text())))
    old, new = raws(verdict.text()), raws(written)
    first = next(n for n, (was, now) in enumerate(zip(old, new, strict=False), 1) if was != now)
    assert first == verdict.stops
    assert new[first - 1]["asked_there"]
    assert refusal_on_18xx_games(written) is None


@absent
@pytest.mark.parametrize("verdict", some([verdict for verdict in EARLIER if not verdict.stops]))
def test_game_that_ended_otherwise_there(verdict: Verdict) -> None:
    """The file is not taken as it was; its moves lead to the scores of that site, and it reads what is written now."""
    assert refusal_on_18xx_games(verdict.text()) is not None
    scores, read = SCORES.search(verdict.says), replay(read_log(verdict.text()))
    assert scores is not None
    if read.problem is None:
        assert read.game is not None
        assert read.game.scores() == ast.literal_eval(scores[1])
    assert refusal_on_18xx_games(written_as_read(read)) is None


def owners(actions: list[RawAction]) -> set[tuple[bool, str]]:
    """All issues: True for those that name par as their price, and the owners of the shares."""
    redeemed, found = set[str](), set[tuple[bool, str]]()
    for raw in actions:
        if raw["entity_type"] == "corporation" and raw["type"] == "buy_shares":
            redeemed |= set(raw["shares"])
        elif raw["entity_type"] == "corporation" and raw["type"] == "sell_shares":
            places = {"treasury" if share in redeemed else "offering" for share in raw["shares"]}
            found.add(("share_price" in raw, "-".join(sorted(places))))
            redeemed -= set(raw["shares"])
    return found


@absent
@pytest.mark.parametrize("verdict", some([verdict for verdict in LATER if verdict not in LATER_MOVES]))
def test_later_game_is_written_as_taken_there(verdict: Verdict) -> None:
    """Sales of one owner each, no run before a bankruptcy without a dividend, and its word for the end."""
    read = replay(read_log(verdict.text()))
    written = written_as_read(read)
    log: dict[str, Any] = json.loads(written)
    assert refusal_on_18xx_games(written) is None
    assert owners(log["actions"]) <= {(True, "offering"), (False, "treasury")}
    types = [raw["type"] for raw in log["actions"]]
    assert ("run_routes", "bankrupt") not in pairwise(types)
    if log["status"] == "finished":
        theirs = json.loads(verdict.text())["game_end_reason"]
        assert log["game_end_reason"] == theirs.replace("manually_ended", "dnf")
    assert replay(read_log(written)).applied_actions == read.applied_actions
