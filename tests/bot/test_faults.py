"""A whole game during which everything happens that befalls a table in six weeks, and a table beside it."""

from pathlib import Path

import pytest

from bot.sandbox import people
from engine.record import load_record
from tests.bot.everything import everything_happens

GOLDEN = Path(__file__).parents[1] / "golden" / "18chesapeake-agreement-2p.json"
SEED = 1830


async def test_a_game_during_which_everything_happens_ends_as_it_would_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every line comes once, and the other table notices nothing."""
    # A press that goes well is answered by the thread, not by a message of its own.
    monkeypatch.setattr(people, "GRACE", 0.0)
    await everything_happens(tmp_path, load_record(GOLDEN.read_text("utf-8")), SEED)
