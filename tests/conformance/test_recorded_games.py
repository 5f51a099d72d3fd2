"""Games recorded elsewhere, compared after every action; skipped where the recordings are not at hand."""

from pathlib import Path

import pytest

from bot.tools.replay import reports
from engine.titles import TITLES
from tests.support.long_runs import some_of_each

RECORDINGS = Path(__file__).parents[3] / "shared" / "conformance"
LOGS = sorted(log for title in TITLES for log in (RECORDINGS / title).glob("*.json"))
ONE_OF = 3
"""Of the games of a title with the same number of players one in N is replayed; in long runs all."""


def _kind(log: Path) -> tuple[str, str]:
    """Title and players; of a game without a number of them its name."""
    return log.parent.name, log.stem.rpartition("_")[2]


@pytest.mark.skipif(not LOGS, reason="the recorded games are not part of the project")
@pytest.mark.parametrize("log", some_of_each(LOGS, _kind, lambda log: log.stem, ONE_OF))
def test_recorded_game_replays(log: Path) -> None:
    """Every action is accepted and every value of the trace is ours."""
    (report,) = reports([log], trace=True)
    assert report.get("problem") is None
    assert report["matches_recorded_result"]
