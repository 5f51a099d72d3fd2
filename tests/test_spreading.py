"""The order of tests: whatever it is, each of them is run."""

from collections import Counter
from pathlib import Path

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


def test_what_takes_longest_is_there() -> None:
    """So that it is found by its name."""
    assert [name for names in LONGEST for name in names if not (ROOT / name).exists()] == []
