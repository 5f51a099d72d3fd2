"""`stationmaster backup`, `check`, `restore` and `export`, and the copy that is made every day."""

import asyncio
import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.tools.cli import main
from bot.tools.daily_backups import back_up_daily
from bot.tools.environment import Environment
from storage import open_database
from tests.bot.support.table_service import ANN, TableService
from tests.cli.recorded import GOLDEN as SHORT

resource = pytest.importorskip("resource", reason="the system limits no files")

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
GOLDEN = SHORT.with_name("18tn-bank-3p.json")
ROOM = 1000
"""Bytes that a file may have on a disk that is full."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The database without a setting."""
    return tmp_path / "stationmaster.db"


@pytest.fixture
def played(path: Path) -> Path:
    """A database with running games of some moves, a lobby, and a game with an undone move."""

    async def play() -> None:
        async with await open_database(path) as db:
            service = TableService.on(db)
            for _ in range(2):
                game = await service.game()
                for _ in range(5):
                    await service.pass_on(game)
            await service.lobby()
            await service.do(last := await service.game(), ANN, "pass")
            await service.undo(last, ANN)

    asyncio.run(play())
    return path


def verdicts(capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    return dict(line.split(": ", 1) for line in capsys.readouterr().out.splitlines() if ": " in line)


def test_backup_is_restored(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["backup", "copy.db"]) == 0
    played.unlink()
    assert main(["restore", "copy.db"]) == 0
    capsys.readouterr()
    assert main(["check"]) == 0
    states = {1: "running", 2: "running", 3: "lobby", 4: "running"}
    said = verdicts(capsys)
    assert {f"game {n} (18chesapeake, {state})" for n, state in states.items()} < said.keys()
    assert all(verdict.endswith("no damage found") for verdict in said.values())


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("log SET digest = '2-' || hex(zeroblob(16)) WHERE game_id = 1 AND seq = 3", "3"),
        ("log SET payload = '[1]' WHERE game_id = 1 AND seq = 1", "move 1 in its log cannot be read"),
        ("states SET digest = '2-0' WHERE game_id = 1", ""),
    ],
)
def test_check_names_the_damaged_game(
    played: Path, capsys: pytest.CaptureFixture[str], damage: str, said: str
) -> None:
    """And looks at the others."""
    with closing(sqlite3.connect(played)) as conn, conn:
        conn.execute("DROP TRIGGER log_is_never_changed")
        conn.execute(f"UPDATE {damage}")
    assert main(["check"]) == 1
    found = {name.partition(" (")[0]: verdict for name, verdict in verdicts(capsys).items()}
    assert "no damage" not in found["game 1"]
    assert said in found["game 1"]
    assert found["game 2"].endswith("no damage found")


def files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.suffix != ".lock"}


@pytest.mark.parametrize("command", ["export GAME game.json", "backup copy.db"])
def test_full_disk_leaves_nothing_behind(played: Path, command: str) -> None:
    """Here no file may become longer than a few bytes."""
    before = files(played.parent)
    most = (ROOM, resource.getrlimit(resource.RLIMIT_FSIZE)[1])
    arguments = command.replace("GAME", str(GOLDEN)).split()
    ended = subprocess.run(
        [sys.executable, "-B", "-m", "bot.tools.cli", *arguments],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, most),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    assert re.fullmatch(
        r"stationmaster: (Cannot write \S+|The copy \S+ cannot be written): \S.*\.\n", ended.stderr
    )
    assert files(played.parent) == before


@asynccontextmanager
async def copying(path: Path, clock: Callable[[], datetime]) -> AsyncIterator[Path]:
    """The folder into which the daily copies are made meanwhile."""
    folder = path.with_name("copies")
    settings = Environment(STATIONMASTER_DATABASE=path, STATIONMASTER_BACKUPS=folder)
    async with await open_database(path):
        task = asyncio.create_task(back_up_daily(settings, clock, seconds_between_checks=0.001))
        yield folder
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.005)


async def test_copy_is_made_every_day(path: Path) -> None:
    hours = iter(range(10_000))
    async with copying(path, lambda: NOON + timedelta(hours=next(hours))) as folder:
        await until(lambda: len(list(folder.glob("*.db"))) >= 4)
    made = [file.name for file in sorted(folder.glob("*.db"))]
    first = int(made[0].removeprefix("stationmaster-2026-03-")[:2])
    days = range(first, first + len(made))
    assert made == [f"stationmaster-2026-03-{day:02}T12-00-00Z.db" for day in days]


async def test_failed_copy_is_tried_again(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = path.with_name("copies")
    folder.write_text("in the way")
    async with copying(path, lambda: NOON):
        await until(lambda: "cannot make the daily copy" in caplog.text)
        folder.unlink()
        await until(lambda: bool(list(folder.glob("*.db"))))


def test_game_is_exported(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And plays again; no file is written over."""
    file = played.with_name("game.json")
    assert main(["export", "99", str(file)]) == 1
    assert "no game 99" in capsys.readouterr().err
    assert not file.exists()
    assert main(["export", "1", str(file)]) == 0
    assert "game 1 up to move 6" in capsys.readouterr().out
    assert main(["render", str(file)]) == 0
    before = file.read_bytes()
    assert main(["export", "2", str(file)]) == 1
    assert file.read_bytes() == before


def test_forms_of_an_export(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The site would stop where somebody sells in the first stock round of 18TN."""
    log, ledger = tmp_path / "log.json", tmp_path / "ledger.csv"
    assert main(["export", str(SHORT), str(ledger), "--form", "ledger"]) == 0
    assert ledger.read_text("utf-8").startswith("move,round,payer,payee,dollars,what\n")
    assert main(["export", str(GOLDEN), str(log), "--form", "18xx.games"]) == 0
    said = re.search(r"itself would stop at action (\d+) \((\w+) by p\d\): ", capsys.readouterr().out)
    assert said is not None
    stops = {str(raw["id"]): raw["type"] for raw in json.loads(log.read_text("utf-8"))["actions"]}
    assert stops[said[1]] == said[2] == "sell_shares"
