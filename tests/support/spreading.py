"""The order of tests: those that take longest come first, shared out among the processes that run them.

Each process is given a piece of the list, and takes of the ends of the others' when it is through with its own.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

TESTS: Final = Path(__file__).parents[1]
LONGEST: Final = (
    ("browser",),
    ("torture", "bot/test_standby.py"),
    ("bot/test_recorded_titles.py", "bot/test_whole_game.py", "bot/test_old_edits.py", "bot/test_run.py"),
)
"""What stays together, since it shares a browser or waits alike; whatever else there is may be anywhere."""


def spread(items: Sequence[pytest.Item], processes: int) -> list[pytest.Item]:
    """The same tests, so that in as many equal pieces the longest stand at the beginning of each."""
    groups = [[item for item in items if _is_among(item, names)] for names in LONGEST]
    rest = iter([item for item in items if not any(_is_among(item, names) for names in LONGEST)])
    found: list[pytest.Item] = []
    for number in range(processes):
        first = [item for group in groups[number::processes] for item in group]
        size = (len(items) - len(found)) // (processes - number)
        found += [*first, *(item for item, _ in zip(rest, range(size - len(first)), strict=False))]
    return [*found, *rest]


def _is_among(item: pytest.Item, names: Sequence[str]) -> bool:
    return any(item.path.is_relative_to(TESTS / name) for name in names)
