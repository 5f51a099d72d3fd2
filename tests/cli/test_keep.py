"""`stationmaster backup`, `check` and `restore`, and the copy that is made every day."""

import asyncio
import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.tools.cli import main
from bot.tools.daily_backups import daily
from bot.tools.environment import Environment
from storage import backups, open_database
from tests.bot.support.table_service import ANN, TableService

resource = pytest.importorskip("resource", reason="the system limits no files")

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
GOLDEN = Path(__file__).parents[1] / "golden" / "18tn-bank-3p.json"
ROOM = 1000
"""Bytes that a file may have on a disk that is full."""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the settings say the database is."""
    place = tmp_path / "games.db"
    monkeypatch.setenv("STATIONMASTER_DATABASE", str(place))
    return place


def with_games(path: Path) -> None:
    """A database with a running game of some moves, a lobby, and a game with an undone move."""

    async def play() -> None:
        async with await open_database(path) as db:
            service = TableService.on(db)
            for _ in range(2):
                game = await service.game()
                for _ in range(5):
                    await service.pass_on(game)
            await service.lobby()
            await service.do(await service.game(), ANN, "pass")
            await service.undo(3 + 1, ANN)

    asyncio.run(play())


def test_a_backup_is_sound_and_can_be_restored(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with_games(path)
    assert main(["backup", str(tmp_path / "copy.db")]) == 0
    path.unlink()
    assert main(["restore", str(tmp_path / "copy.db")]) == 0
    assert main(["check"]) == 0
    lines = capsys.readouterr().out.splitlines()[2:]
    assert lines[0].endswith("sound")
    assert [line.split(":")[0] for line in lines[1:]] == [
        "game 3 (18chesapeake, lobby)",
        "game 1 (18chesapeake, running)",
        "game 2 (18chesapeake, running)",
        "game 4 (18chesapeake, running)",
    ]


def test_check_names_the_game_whose_row_was_edited_and_looks_at_the_others(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with_games(path)
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("DROP TRIGGER log_is_never_changed")
        conn.execute("UPDATE log SET digest = '2-' || hex(zeroblob(16)) WHERE game_id = 1 AND seq = 3")
        conn.commit()
    assert main(["check"]) == 1
    lines = {line.split(" (")[0]: line for line in capsys.readouterr().out.splitlines()}
    assert "sound" not in lines["game 1"]
    assert "3" in lines["game 1"].split(":", 1)[1]
    assert lines["game 2"].endswith("sound")


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (b"", "is empty"),
        (b"not a database, but a letter to somebody else" * 100, "not a database"),
    ],
)
def test_check_of_another_kind_of_file_is_a_sentence(
    path: Path, capsys: pytest.CaptureFixture[str], damage: bytes, said: str
) -> None:
    path.write_bytes(damage)
    assert main(["check"]) == 1
    printed = capsys.readouterr()
    assert said in printed.out + printed.err
    assert path.read_bytes() == damage


def test_a_backup_of_nothing_says_so(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["backup", str(path.with_name("copy.db"))]) == 1
    assert "There is no database" in capsys.readouterr().err
    assert not path.exists()


@pytest.mark.parametrize("command", ["export GAME none/game.json", "backup none/copy.db"])
def test_a_folder_that_is_not_there_is_named(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    with_games(path)
    monkeypatch.chdir(path.parent)
    assert main(command.replace("GAME", str(GOLDEN)).split()) == 1
    assert "cannot be written: there is no folder none." in capsys.readouterr().err


@pytest.mark.parametrize("command", ["export GAME game.json", "backup copy.db", "restore kept.db"])
def test_a_full_disk_leaves_nothing_behind(path: Path, command: str) -> None:
    """Here no file may become longer than a few bytes."""
    with_games(path)
    backups.copy(path, path.with_name("kept.db"))
    before = files(path.parent)
    code, said = limited(path.parent, command.replace("GAME", str(GOLDEN)))
    assert code == 1
    assert re.fullmatch(r"stationmaster: \S.* cannot be written: \S.*\.\n", said)
    assert files(path.parent) == before


@pytest.mark.parametrize(
    ("place", "damage"),
    [
        (0, b"another program"),
        (18, b"\x09\x09"),
        (47, b"\xff"),
        (4096, b"\xff" * 4096),
        (100, b"\x07" * 3000),
    ],
)
def test_a_damaged_copy_is_not_restored(
    path: Path, capsys: pytest.CaptureFixture[str], place: int, damage: bytes
) -> None:
    with_games(path)
    copy = path.with_name("copy.db")
    backups.copy(path, copy)
    whole = copy.read_bytes()
    copy.write_bytes(whole[:place] + damage + whole[place + len(damage) :])
    before = files(path.parent)
    assert main(["restore", str(copy)]) == 1
    assert re.search(r"stationmaster: .*copy\.db (is damaged|belongs to)", capsys.readouterr().err)
    assert files(path.parent) == before


def files(folder: Path) -> dict[str, bytes]:
    """What is in a folder, but for who has last held a lock."""
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.suffix != ".lock"}


def limited(folder: Path, command: str) -> tuple[int, str]:
    """A command in a folder whose disk takes hardly anything: its exit code, and what it says of that."""
    most = (ROOM, resource.getrlimit(resource.RLIMIT_FSIZE)[1])
    ended = subprocess.run(
        [sys.executable, "-B", "-m", "bot.tools.cli", *command.split()],
        cwd=folder,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, most),
        capture_output=True,
        text=True,
        check=False,
    )
    return ended.returncode, ended.stderr


async def test_a_copy_is_made_every_day_and_not_more_often(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    settings = Environment(STATIONMASTER_DATABASE=path, STATIONMASTER_BACKUPS=folder)
    hours = iter(range(10_000))
    async with await open_database(path):
        task = asyncio.create_task(daily(settings, lambda: NOON + timedelta(hours=next(hours)), look=0))
        await until(lambda: folder.exists() and len(list(folder.glob("*.db"))) >= 4)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    made = [file.name for file in sorted(folder.glob("*.db"))]
    first = int(made[0].removeprefix("games-2026-03-")[:2])
    days = range(first, first + len(made))
    assert made == [f"games-2026-03-{day:02}T12-00-00Z.db" for day in days]


async def test_a_copy_that_cannot_be_made_is_logged_and_tried_again(
    path: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "copies"
    folder.write_text("in the way")
    settings = Environment(STATIONMASTER_DATABASE=path, STATIONMASTER_BACKUPS=folder)
    async with await open_database(path):
        task = asyncio.create_task(daily(settings, lambda: NOON, look=0.001))
        await until(lambda: "was not made" in caplog.text)
        folder.unlink()
        await until(lambda: folder.is_dir() and bool(list(folder.glob("*.db"))))
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def until(condition: Callable[[], bool]) -> None:
    """Wait until it holds."""
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.005)


async def test_no_failure_whatever_ends_the_daily_copies(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """SQLite has errors that mean nothing to us, too."""
    whole = backups.copy_for
    failures = iter([sqlite3.OperationalError("out of memory")])

    def failing(folder: Path, database: Path, now: datetime) -> Path:
        for error in failures:
            raise error
        return whole(folder, database, now)

    monkeypatch.setattr(backups, "copy_for", failing)
    folder = tmp_path / "copies"
    settings = Environment(STATIONMASTER_DATABASE=path, STATIONMASTER_BACKUPS=folder)
    async with await open_database(path):
        task = asyncio.create_task(daily(settings, lambda: NOON, look=0.001))
        await until(lambda: folder.is_dir() and bool(list(folder.glob("*.db"))))
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    assert "was not made" in caplog.text


def test_check_of_a_game_whose_rows_make_no_sense_looks_at_the_others(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with_games(path)
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("DROP TRIGGER log_is_never_changed")
        conn.execute("UPDATE log SET payload = '[1]' WHERE game_id = 1 AND seq = 1")
        conn.commit()
    assert main(["check"]) == 1
    lines = {line.split(" (")[0]: line for line in capsys.readouterr().out.splitlines()}
    assert "move 1 in its log cannot be read" in lines["game 1"]
    assert lines["game 2"].endswith("sound")


def test_a_game_is_exported_and_plays_again(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with_games(path)
    file = tmp_path / "game.json"
    assert main(["export", "1", str(file)]) == 0
    assert "game 1 up to move 6" in capsys.readouterr().out
    assert main(["render", str(file), "--out", str(tmp_path)]) == 0
    before = file.read_text("utf-8")
    assert main(["export", "2", str(file)]) == 1
    assert file.read_text("utf-8") == before


def test_a_game_that_is_not_there_is_not_exported(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with_games(path)
    assert main(["export", "99", str(tmp_path / "game.json")]) == 1
    assert "no game number 99" in capsys.readouterr().err
    assert not (tmp_path / "game.json").exists()


def test_an_exported_log_says_where_that_site_would_stop(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With id and kind of the action, as the file has them: nobody sells in the first stock round of 18TN there."""
    golden = Path(__file__).parents[1] / "golden" / "18tn-bank-3p.json"
    log = tmp_path / "log.json"
    assert main(["export", str(golden), str(log), "--form", "18xx.games"]) == 0
    said = re.search(r"that site would stop at action (\d+) \((\w+) by p\d\): ", capsys.readouterr().out)
    assert said is not None
    stops = {str(raw["id"]): raw["type"] for raw in json.loads(log.read_text("utf-8"))["actions"]}
    assert stops[said[1]] == said[2] == "sell_shares"


def test_a_log_is_exported_in_the_form_of_18xx_games_and_as_a_ledger(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    golden = Path(__file__).parents[1] / "golden" / "18chesapeake-agreement-2p.json"
    log, ledger = tmp_path / "log.json", tmp_path / "ledger.csv"
    assert main(["export", str(golden), str(log), "--form", "18xx.games"]) == 0
    assert main(["replay", str(log)]) == 0
    assert main(["export", str(golden), str(ledger), "--form", "ledger"]) == 0
    assert ledger.read_text("utf-8").startswith("move,round,payer,payee,dollars,what\n")
