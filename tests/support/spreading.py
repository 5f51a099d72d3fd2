"""The order of tests: those that take longest come first, shared out among the processes that run them.

Each process is given a piece of the list, and takes of the ends of the others' when it is through with its own.
"""

from collections.abc import Sequence
from itertools import islice
from typing import Final, TypeVar

import pytest

T = TypeVar("T")

LONGEST: Final = (
    ("tests/browser/",),
    (
        "tests/torture/",
        "tests/bot/running/test_standby.py",
        "tests/bot/workers/test_warm.py",
        "tests/installed/",
        "tests/test_benchmarks.py",
    ),
    (
        "tests/bot/past/test_recorded_titles.py",
        "tests/bot/posts/test_shutdown.py",
        "tests/bot/running/test_standby_page.py",
        "tests/bot/running/test_run.py",
        "tests/storage/postgres/test_takeover.py",
    ),
)


def spread(items: Sequence[pytest.Item], processes: int) -> list[pytest.Item]:
    """The same tests, so that in as many equal pieces the longest stand at the beginning of each."""
    groups = [[item for item in items if item.nodeid.startswith(names)] for names in LONGEST]
    long = {item for group in groups for item in group}
    rest = iter([item for item in items if item not in long])
    found: list[pytest.Item] = []
    for number in range(processes):
        first = [item for group in groups[number::processes] for item in group]
        size = (len(items) - len(found)) // (processes - number)
        found += [*first, *islice(rest, max(0, size - len(first)))]
    return [*found, *rest]


def begun_at(found: Sequence[T], number: int, processes: int) -> list[T]:
    """The same, begun where the part of this process begins, and round to what stands before."""
    start = len(found) * number // processes
    return [*found[start:], *found[:start]]


def in_order(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """The same tests in the order of their files, wherever the reading of these began."""
    return sorted(items, key=lambda item: item.path)
