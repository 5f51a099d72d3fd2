"""Whole games during which everything happens that befalls a table, several times and at other moments each time."""

from pathlib import Path

import pytest

from bot.sandbox import people
from engine.record import load_record
from tests.bot.everything import everything_happens

GOLDEN = Path(__file__).parents[1] / "golden"
TIMES = 3
"""How often each fault happens in a long game."""


async def test_games_during_which_everything_happens_end_as_they_would_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rough: int
) -> None:
    monkeypatch.setattr(people, "GRACE", 0.0)
    record = load_record((GOLDEN / "18chesapeake-agreement-2p.json").read_text("utf-8"))
    for seed in range(rough):
        folder = tmp_path / str(seed)
        folder.mkdir()
        await everything_happens(folder, record, seed)


async def test_a_long_game_during_which_everything_happens_ends_as_it_would_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rough: int
) -> None:
    monkeypatch.setattr(people, "GRACE", 0.0)
    record = load_record((GOLDEN / "18chesapeake-bank-4p.json").read_text("utf-8"))
    await everything_happens(tmp_path, record, rough, TIMES)
