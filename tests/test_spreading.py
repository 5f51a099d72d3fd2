"""Which tests are run, and in which order: whatever it is, each of them is run."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest

from tests.support.spreading import LONGEST, begun_at, in_order, spread

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("processes", [1, 2, 3, 4, 7])
def test_each_test_is_run_once_by_however_many_processes(
    request: pytest.FixtureRequest, processes: int
) -> None:
    there = request.session.items
    assert Counter(spread(there, processes)) == Counter(there)


def test_wherever_a_process_begins_to_read_it_finds_the_same_in_the_same_order(
    request: pytest.FixtureRequest,
) -> None:
    there = in_order(request.session.items)
    begun = [begun_at(there, number, 3) for number in range(3)]
    assert len({tests[0] for tests in begun}) == min(3, len(there))
    assert all(Counter(tests) == Counter(there) for tests in begun)
    assert [item.path for item in in_order(begun[2])] == [item.path for item in there]


@dataclass(frozen=True)
class Named:
    """A test, as far as its place in the order depends on it."""

    nodeid: str


@pytest.mark.parametrize("processes", [1, 2, 3])
def test_each_process_begins_with_what_takes_longest(processes: int) -> None:
    """What is named for it exists."""
    named = [name for names in LONGEST for name in names]
    assert [name for name in named if not (ROOT / name).exists()] == []
    there = [Named(name) for name in (*(f"tests/short_{number}" for number in range(60)), *named)]
    found = [item.nodeid for item in spread(cast(Sequence[pytest.Item], there), processes)]
    begins = [found[len(found) * number // processes] for number in range(processes)]
    assert begins == [names[0] for names in LONGEST[:processes]]


def test_what_tries_more_in_long_runs_is_run_in_them() -> None:
    """`make torture` names its file or its folder."""
    more = re.compile(r"mark\.long\b|(?:some_of_each|one_of)\(|\bwhole_games: bool|\bfar: int \| None")
    torture = (ROOT / "Makefile").read_text("utf-8").split("IN_PARTS :=")[1].split("# Mutation")[0]
    run = tuple(re.findall(r"\btests/[\w/.]+", torture))
    tries = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "tests").rglob("test_*.py")
        if path != Path(__file__) and more.search(path.read_text("utf-8"))
    ]
    assert "tests/conformance/test_recorded_games.py" in tries
    assert [name for name in tries if not name.startswith(run)] == []
