"""The database file: opened by one process, refused where it is not ours or not whole, brought to the disk."""

import asyncio
import os
import random
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from storage import Database, log, open_database
from storage.contract import Transaction
from storage.errors import (
    DatabaseInUse,
    DatabaseTooNew,
    DatabaseUnreadable,
    StorageError,
    StorageFull,
)
from storage.games import GameRow, get_game
from storage.migrations.schema_versions import LATEST_VERSION
from storage.sqlite import database, files
from storage.sqlite.transactions import MAX_WAL_BYTES
from tests.storage.makers import act, line, move, new_game
from tests.storage.sqlite.places import contents, killed, opened, run
from tests.support.unsent import unsent

OPEN_AND_SAY = """
import asyncio, sys
from storage import DatabaseInUse, open_database

async def main():
    async with await open_database(sys.argv[1]):
        print("opened")

try:
    asyncio.run(main())
except DatabaseInUse as error:
    print(error)
"""


async def test_connection_is_durable_and_strict(db: Database) -> None:
    async def pragma(tx: Transaction) -> list[str | int]:
        names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "wal_autocheckpoint")
        return [(await tx.rows(f"PRAGMA {name}"))[0][0] for name in (*names, "journal_size_limit")]

    assert await db.read(pragma) == ["wal", 2, 1, 5000, 0, MAX_WAL_BYTES]
    asked = "SELECT name, strict FROM pragma_table_list WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    tables = await db.rows(asked)
    assert len(tables) == 38
    assert all(strict for _, strict in tables)


async def test_one_process_opens_a_file(path: Path) -> None:
    command = [sys.executable, "-c", OPEN_AND_SAY, str(path)]
    async with await open_database(path):
        other = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=True)
        with pytest.raises(DatabaseInUse, match=rf"{path} \(process {os.getpid()}\)\. Stop that bot first"):
            await opened(path)
    assert f"already running with the database {path} (process {os.getpid()})" in other.stdout
    assert files.lock_path(path).exists()
    held = await asyncio.to_thread(files.acquire_lock, path)
    held.release()
    await opened(path)


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("nowhere/games.db", "there is no folder .*nowhere.*STATIONMASTER_DATABASE"),
        ("taken.db", "cannot be written.*STATIONMASTER_DATABASE"),
        ("x" * 300, "cannot be written.*STATIONMASTER_DATABASE"),
        ("/proc/games.db", "cannot be written.*STATIONMASTER_DATABASE"),
        ("folder.db", "is a folder; name a file"),
    ],
)
async def test_bad_place_is_named(tmp_path: Path, place: str, words: str) -> None:
    """And not said to be in use."""
    for folder in ("taken.db.lock", "folder.db"):
        (tmp_path / folder).mkdir()
    with pytest.raises(StorageError, match=words) as refused:
        await opened(tmp_path / place)
    assert not isinstance(refused.value, DatabaseInUse)


async def test_another_program_reads_meanwhile(db: Database, path: Path, game_id: int) -> None:
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        assert other.execute("SELECT id FROM games").fetchall() == [(game_id,)]

        async def read(tx: Transaction) -> list[GameRow]:
            before = await get_game(tx, game_id)
            other.execute("UPDATE games SET name = 'Changed'")
            return [before, await get_game(tx, game_id)]

        assert [game.name for game in await db.read(read)] == ["Friday", "Friday"]
        assert (await get_game(db, game_id)).name == "Changed"
        await db.read(lambda tx: tx.row("PRAGMA busy_timeout = 10"))
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseInUse, match="by another program"):
            await new_game(db)
    assert (await new_game(db)).id == game_id + 1


def newer(path: Path) -> None:
    run(path, "PRAGMA user_version = 1000")


def of_others(path: Path) -> None:
    path.unlink()
    run(path, "CREATE TABLE recipes (name TEXT)")


def marked_by_others(path: Path) -> None:
    path.unlink()
    run(path, "PRAGMA application_id = 5")


def no_database(path: Path) -> None:
    path.write_bytes(random.Random(1).randbytes(5000))


def garbage(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(4096)  # the second page is the root of the first table
        file.write(random.Random(1).randbytes(4096))


def log_alone(path: Path) -> None:
    path.rename(path.with_name(f"{path.name}-wal"))


SPOILT: list[tuple[Callable[[Path], object], type[Exception], str]] = [
    (newer, DatabaseTooNew, rf"version 1000, .* up to {LATEST_VERSION}\. Install"),
    (of_others, DatabaseUnreadable, "another program"),
    (marked_by_others, DatabaseUnreadable, "another program"),
    (no_database, DatabaseUnreadable, "restore a backup"),
    (garbage, DatabaseUnreadable, "damaged"),
    (log_alone, DatabaseUnreadable, "is gone, but its latest moves"),
    (lambda path: os.truncate(path, 0), DatabaseUnreadable, r"is empty.*Restore a backup"),
    *(
        (lambda path, n=n: os.truncate(path, n), DatabaseUnreadable, "damaged")
        for n in (50, 3000, 4096, 20000)
    ),
]


async def test_bad_file_is_refused_and_stays(path: Path, tmp_path: Path) -> None:
    async with await open_database(path) as db:
        insert = "INSERT INTO guild_settings VALUES (?, 'a', ?)"
        await db.write(lambda tx: tx.run_many(insert, [(number, "x" * 100) for number in range(300)]))
    for number, (spoil, error, words) in enumerate(SPOILT):
        bad = tmp_path / str(number) / path.name
        bad.parent.mkdir()
        shutil.copy(path, bad)
        spoil(bad)
        before = contents(bad.parent)
        with pytest.raises(error, match=words) as refused:
            await opened(bad)
        assert contents(bad.parent) == before
        await asyncio.to_thread(files.acquire_lock(bad).release)
        del refused  # while it is here, so is what was opened, if it was not let go


async def test_newer_file_of_a_killed_bot_stays(db: Database, path: Path, tmp_path: Path) -> None:
    await db.read(lambda tx: tx.run("PRAGMA user_version"))
    run(path, "PRAGMA user_version = 1000")
    left = killed(path, tmp_path / "killed")
    before = contents(left.parent)
    assert set(before) == {path.name, f"{path.name}-wal"}
    with pytest.raises(DatabaseTooNew):
        await opened(left)
    assert contents(left.parent) == before


def test_file_and_name_are_brought_to_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    brought: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: brought.append(os.fstat(descriptor).st_ino))
    (tmp_path / "games.db").write_bytes(b"games")
    before = os.listdir("/proc/self/fd")
    files.sync_to_disk(tmp_path / "games.db")
    assert os.listdir("/proc/self/fd") == before
    assert brought == [(tmp_path / "games.db").stat().st_ino, tmp_path.stat().st_ino]


async def test_new_file_is_on_the_disk_when_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    brought: list[str] = []
    monkeypatch.setattr(database, "sync_to_disk", lambda file: brought.append(file.name))
    for left in ("games.sqlite-new", "games.sqlite-new-journal"):
        path.with_name(left).write_bytes(b"half of a database")
    await opened(path)
    assert brought == ["games.sqlite-new", "games.sqlite"]


async def test_full_disk_loses_nothing(db: Database, game_id: int) -> None:
    ((pages,),) = await db.read(lambda tx: tx.rows("PRAGMA page_count"))
    rows = [act("small"), act("x" * 50_000)]
    await db.read(lambda tx: tx.run(f"PRAGMA max_page_count = {pages + 2}"))
    with pytest.raises(StorageFull, match="no room left"):
        await move(db, game_id, 1, *rows, notices=[line("")])
    assert (await log.last_seq(db, game_id), await unsent(db)) == (1, [])
    await db.read(lambda tx: tx.run("PRAGMA max_page_count = 100000"))
    assert await move(db, game_id, 1, *rows) == 3


async def test_failing_disk_loses_nothing(db: Database, path: Path, game_id: int) -> None:
    largest = path.with_name(f"{path.name}-wal").stat().st_size + 8192
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, before[1]))
    try:
        with pytest.raises(StorageError, match="disk failed"):
            await move(db, game_id, 1, act("small"), act("x" * 500_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert await log.last_seq(db, game_id) == 1
    assert await move(db, game_id, 1, act("small"), act("x" * 500_000)) == 3
