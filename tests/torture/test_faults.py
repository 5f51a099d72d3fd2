"""Whole games during which everything happens that befalls a table in six weeks, and a table next to each."""

from pathlib import Path

import pytest

from engine.record import Record, load_record
from tests.bot.support.everything import everything_happens

GOLDEN = Path(__file__).parents[1] / "golden"
SEED = 1830
TIMES = 3


def _recorded(name: str) -> Record:
    return load_record((GOLDEN / f"{name}.json").read_text("utf-8"))


@pytest.mark.long
async def test_faults_change_no_game(tmp_path: Path, rough: int) -> None:
    """Every line comes once, and the other table notices nothing; in long runs a long game is played last."""
    for number in range(rough):
        folder = tmp_path / str(number)
        folder.mkdir()
        await everything_happens(folder, _recorded("18chesapeake-agreement-2p"), SEED + number)
    if rough > 1:
        await everything_happens(tmp_path, _recorded("18chesapeake-bank-4p"), SEED, TIMES)
