"""A title is one folder and its entries in the list: without them everything else is as before."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = "t18c2c"
LOOK = """
from engine.game import Game
from engine.titles import TITLES
import bot.client.app, bot.tools.cli, render  # noqa

assert not [name for name in TITLES if name.startswith("18c2c")], list(TITLES)
for name, title in TITLES.items():
    seats = [(f"p{n}", f"Player {n}") for n in range(1, min(title.spec.players) + 1)]
    assert Game(name, seats, 1).offers(), name
    assert title.topics
print("as before")
"""


def without_title(folder: Path) -> None:
    """The program as it is without the title's folder and its lines in the list of titles."""
    for room in ("engine", "bot", "render", "storage"):
        shutil.copytree(ROOT / room, folder / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.rmtree(folder / "engine/titles" / FOLDER)
    listed = folder / "engine/titles/__init__.py"
    lines = [line for line in listed.read_text().splitlines() if FOLDER not in line]
    listed.write_text("\n".join(lines) + "\n")


def test_18c2c_can_be_taken_away(tmp_path: Path) -> None:
    """The program starts, and the other titles are played."""
    without_title(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", LOOK], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "as before"


def test_nothing_else_imports_18c2c() -> None:
    """Only the list of titles names its folder."""
    named = {
        str(path.relative_to(ROOT))
        for room in ("engine", "bot", "render", "storage")
        for path in (ROOT / room).rglob("*.py")
        if FOLDER not in path.parts and re.search(FOLDER, path.read_text("utf-8"))
    }
    assert named == {"engine/titles/__init__.py"}
