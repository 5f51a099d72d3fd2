"""Games recorded elsewhere, compared after every action; skipped where the recordings are not at hand."""

from pathlib import Path

import pytest

from bot.tools.replay import reports
from engine.titles import TITLES

RECORDINGS = Path(__file__).parents[3] / "shared" / "conformance"
LOGS = sorted(log for title in TITLES for log in (RECORDINGS / title).glob("*.json"))


@pytest.mark.skipif(not LOGS, reason="the recorded games are not part of the project")
@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.stem)
def test_a_recorded_game_replays_without_a_difference(log: Path) -> None:
    """Every action is accepted and every value of the trace is ours."""
    (report,) = reports([log], trace=True)
    assert report.get("problem") is None
    assert report["matches_recorded_result"]
