"""Copies of the file: whole, made while it is in use, rotated, and restored."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from storage import Database, backups, games, open_database
from storage.errors import DatabaseInUse, DatabaseUnreadable, StorageError
from storage.sqlite import files
from tests.storage.makers import move, new_game, running_game
from tests.storage.sqlite.places import contents, last_moves, opened, run

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The place for a copy."""
    return tmp_path / "copy.db"


@pytest.fixture
async def closed(path: Path) -> Path:
    """A database with a game that nobody has open."""
    async with await open_database(path) as db:
        await running_game(db)
    return path


async def names(path: Path) -> list[str]:
    async with await open_database(path) as db:
        return [game.name for game in await games.list_games(db, 10)]


async def test_copy_has_every_move_up_to_then(db: Database, path: Path, copy: Path, game_id: int) -> None:
    await move(db, game_id, 1)
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("UPDATE games SET name = 'Saturday'")
        backups.copy_database(path, copy)
        writer.execute("COMMIT")
    await move(db, game_id, 2)
    assert (await last_moves(copy), await names(copy)) == (2, ["Friday"])
    assert backups.integrity_check_result(path) == backups.integrity_check_result(copy) == "ok"


BAD_COPIES = (
    ("games.sqlite", "letter.db", StorageError, "already exists"),
    ("games.sqlite", "nowhere/copy.db", StorageError, r"cannot be (opened|written)"),
    ("missing.db", "copy.db", StorageError, "There is no database .*missing.db: the file is missing"),
    ("empty.db", "copy.db", DatabaseUnreadable, "is empty"),
    ("letter.db", "copy.db", DatabaseUnreadable, "is not a database"),
    ("recipes.db", "copy.db", DatabaseUnreadable, "another program"),
    ("torn.db", "copy.db", DatabaseUnreadable, "damaged"),
    ("odd.db", "copy.db", DatabaseUnreadable, "damaged"),
    ("alone.db", "copy.db", DatabaseUnreadable, "The latest moves of the database"),
)


async def test_bad_copy_is_not_made(db: Database, path: Path, tmp_path: Path, game_id: int) -> None:
    """Nor restored, unless only its latest moves are missing; nothing is left behind."""
    (tmp_path / "empty.db").touch()
    (tmp_path / "letter.db").write_bytes(b"to somebody else" * 500)
    run(tmp_path / "recipes.db", "CREATE TABLE recipes (name TEXT)")
    backups.copy_database(path, tmp_path / "torn.db")
    whole = (tmp_path / "torn.db").read_bytes()
    (tmp_path / "torn.db").write_bytes(whole[:6000])
    (tmp_path / "odd.db").write_bytes(whole[:4096] + b"\xff" * 4096 + whole[8192:])
    (tmp_path / "alone.db").write_bytes(path.read_bytes())
    before, restored = contents(tmp_path), tmp_path / "restored.sqlite"
    for source, target, error, words in BAD_COPIES:
        with pytest.raises(error, match=words):
            backups.copy_database(tmp_path / source, tmp_path / target)
        if source not in ("alone.db", path.name):
            with pytest.raises(error, match=words):
                backups.restore_database(tmp_path / source, restored, NOON)
        assert {**contents(tmp_path), "alone.db-wal": b""} == {**before, "alone.db-wal": b""}, source
    backups.restore_database(tmp_path / "alone.db", restored, NOON)
    assert backups.integrity_check_result(restored) == "ok"
    backups.copy_database(restored, tmp_path / "copy_database.db")


async def test_cut_off_copy_is_no_obstacle(closed: Path, copy: Path) -> None:
    """Nor is a cut-off restoration."""
    for left in ("copy.db-unfinished", f"{closed.name}-restored"):
        copy.with_name(left).write_bytes(b"half" * 500)
    backups.copy_database(closed, copy)
    assert not copy.with_name("copy.db-unfinished").exists()
    backups.restore_database(copy, closed, NOON)
    assert await names(closed) == ["Friday"]


async def test_copies_are_rotated(closed: Path, tmp_path: Path) -> None:
    """A week of days and a month of weeks remain; files of others are left alone."""
    folder = tmp_path / "backups" / "copies"
    assert backups.newest_backup_time(folder, closed) is None
    folder.mkdir(parents=True)
    others = {"games-notes.db", "other-2020-01-01T00-00-00Z.db"}
    for name in others:
        (folder / name).write_text("mine")
    moments = [
        NOON + timedelta(days=day) for day in (0, 7, 14, 21, 28, *(30 + half / 2 for half in range(20)))
    ]
    for moment in moments:
        backups.back_up(folder, closed, moment)
    kept = {file.name.removeprefix("games-2026-").removesuffix("Z.db") for file in folder.iterdir()} - {
        name.removesuffix("Z.db") for name in others
    }
    weeks, days = ["03-22T12-00-00", "03-29T12-00-00"], [f"04-{day:02}T12-00-00" for day in range(4, 10)]
    assert sorted(kept) == [*weeks, *days, "04-10T00-00-00"]
    assert others < {file.name for file in folder.iterdir()}
    assert backups.newest_backup_time(folder, closed) == moments[-1]


async def test_copy_of_an_odd_name_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also by a relative path."""
    monkeypatch.chdir(tmp_path)
    odd = Path("games [1].db")
    await opened(odd)
    backups.back_up(Path("copies"), odd, NOON)
    assert backups.newest_backup_time(Path("copies"), odd) == NOON
    backups.copy_database(odd, Path("copy.db"))
    backups.restore_database(Path("copy.db"), odd, NOON)
    assert backups.integrity_check_result(odd) == "ok"


async def test_restored_copy_sets_aside_what_was_there(path: Path, copy: Path) -> None:
    async with await open_database(path) as db:
        await new_game(db)
        backups.copy_database(path, copy)
        await new_game(db, name="Saturday")
        with pytest.raises(DatabaseInUse):
            backups.restore_database(copy, path, NOON)
    aside = backups.restore_database(copy, path, NOON)
    assert aside is not None
    assert (await names(path), await names(aside)) == (["Friday"], ["Friday", "Saturday"])
    assert backups.restore_database(copy, path.with_name("new.db"), NOON) is None


async def test_copy_is_on_the_disk_before_it_is_named(
    closed: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And after: a power failure, which no test can have, leaves a whole database under the name."""
    brought: list[tuple[str, bool]] = []
    monkeypatch.setattr(backups, "sync_to_disk", lambda file: brought.append((file.name, copy.exists())))
    backups.copy_database(closed, copy)
    backups.restore_database(copy, closed, NOON)
    restored = (f"{closed.name}-restored-unfinished", f"{closed.name}-restored", closed.name)
    assert brought == [("copy.db-unfinished", False), ("copy.db", True), *((name, True) for name in restored)]


@pytest.mark.parametrize("failing", ["-unfinished", "", "-restored-unfinished", "-restored"])
async def test_failing_disk_leaves_nothing_behind(
    closed: Path, copy: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    """Nor a lock."""

    def fails(file: Path) -> None:  # as a disk does that no test has
        if file.name == copy.name + failing:
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(backups, "sync_to_disk", fails)
    with pytest.raises(StorageError, match=r"copy.db.* cannot be written \(Input/output error\)") as refused:
        backups.restore_database(closed, copy, NOON) if "restored" in failing else backups.copy_database(
            closed, copy
        )
    assert not list(copy.parent.glob("copy.db-*"))
    files.acquire_lock(copy).release()
    assert refused.tb is not None  # what was raised holds what it was raised from, the lock among it
