"""Benchmarks: each command runs, in its smallest form; all but the first in long runs alone."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.long_runs import one_of

ROOT = Path(__file__).parents[1]
SHORT = "tests/golden/18chesapeake-agreement-2p.json"
PRICE = "tests/golden/18al-price-3p.json"
COMMANDS = (
    f"benchmarks.calls --log {SHORT} --whole --most 3",
    f"benchmarks.load {SHORT} --tables 2 --until 120 --seconds 2 --rate 3",  # to the end of the game, and past it
    f"benchmarks {SHORT} --reloads 2 --cold 2 --pictures {SHORT} --pages {SHORT}",
    "benchmarks.caretaker --title 18chesapeake --players 2 --games 1 --strength Apprentice",
    f"benchmarks.caretaker_seats {PRICE} --strength Apprentice --others weighted",
    f"benchmarks.far {SHORT} --delay 0 --presses 2",
    f"benchmarks.load.many {SHORT} --games 2 --opened 2 --until 20",
    f"benchmarks.load.past {SHORT} --until 20",
    f"benchmarks.load.spectators {SHORT} --spectators 2 --moves 1 --until 20",
    f"benchmarks.outages {SHORT} --tables 2 --until 10 --seconds 1 --rate 2 --kinds 503",
    "benchmarks.hands --players 3 --most 3",
    "benchmarks.presses --tables 1 --pause 0 --delay 0 --most 2",
    f"benchmarks.questions --log {SHORT} --at 40 --question /map --moves 1",
    "benchmarks.season_calls --players 4 --games 1",
    "benchmarks.waiting --title 18chesapeake --players 2 --games 1 --most 50",
)


@pytest.mark.parametrize("command", one_of(len(COMMANDS), COMMANDS, lambda command: command.split()[0]))
def test_benchmark_runs(command: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", *command.split()], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_no_benchmark_is_left_out() -> None:
    files = [*ROOT.glob("benchmarks/**/*.py")]
    runnable = {path for path in files if 'if __name__ == "__main__"' in path.read_text("utf-8")}
    named = {command.split()[0].replace(".", "/") for command in COMMANDS}
    tried = {ROOT / f"{name}.py" for name in named} | {ROOT / name / "__main__.py" for name in named}
    assert runnable - tried == {ROOT / "benchmarks/load/watched.py"}  # the bot under load
