"""Opening, refusing and closing the file; transactions that are whole or nothing."""

import asyncio
import os
import random
import resource
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

import storage
from storage import (
    Database,
    DatabaseInUse,
    DatabaseTooNew,
    DatabaseUnreadable,
    StorageError,
    StorageFull,
    StorageReadOnly,
    Transaction,
    games,
    log,
    open_database,
)
from storage.migrations.schema_versions import LATEST
from storage.sqlite import database, files
from storage.sqlite.files import durable
from storage.sqlite.transactions import WHOLE, Checkpoints
from tests.storage.makers import Act, NewGame
from tests.support.unsent import unsent

NOW = "2026-01-02T03:04:05+00:00"


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a database, without those that only processes sharing it need."""
    return {
        file.name: file.read_bytes()
        for file in folder.iterdir()
        if file.is_file() and not file.name.endswith(("-shm", ".lock"))
    }


async def open_and_close(path: Path) -> None:
    """Open what should be refused; were it not, its thread must not outlive the test."""
    async with await open_database(path):
        pass


async def test_the_connection_is_durable_and_strict(db: Database) -> None:
    async def query(tx: Transaction) -> list[str | int]:
        return [
            (await tx.rows(f"PRAGMA {name}"))[0][0]
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        ]

    assert await db.read(query) == ["wal", 2, 1, 5000]


async def test_every_table_is_strict(db: Database) -> None:
    tables = await db.read(
        lambda tx: tx.rows(
            "SELECT name, strict FROM pragma_table_list WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        )
    )
    assert {name for name, _ in tables} == {
        "games", "seats", "memberships", "log", "outbox", "guild_settings", "states", "positions",
        "seat_history", "proposals", "votes", "proposal_pings", "pauses", "past_pauses", "ratings",
        "anonymising", "orders", "orders_before", "automatic_moves", "game_settings", "person_settings",
        "results", "notifications", "pings", "direct_messages", "messages", "turns", "clock_stops", "last_runs",
        "board_keys", "board_links", "board_sessions",
    }  # fmt: skip
    assert all(strict for _, strict in tables)


async def test_a_change_that_waits_for_anything_else_is_a_bug_that_shows(
    db: Database, new_game: NewGame
) -> None:
    """And what it has to put in order in the end is put in order before that."""
    game = await new_game(db)
    ended: list[bool] = []

    async def change(tx: Transaction) -> None:
        try:
            await tx.run("UPDATE games SET name = 'Saturday'")
            await asyncio.sleep(0)
        finally:
            ended.append(True)

    with pytest.raises(RuntimeError, match="wait for nothing but its own statements") as raised:
        await db.write(change)
    assert (ended, raised.type) == ([True], RuntimeError)
    assert await games.get_game(db, game.id) == game


async def test_a_mistake_in_the_sql_is_not_dressed_up_as_a_failing_disk(db: Database) -> None:
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        await db.read(lambda tx: tx.run("SELECT * FROM tables"))
    with pytest.raises(sqlite3.ProgrammingError):
        await db.read(lambda tx: tx.rows("SELECT ?"))


async def test_two_processes_cannot_open_one_file(path: Path) -> None:
    program = (
        "import asyncio, sys\n"
        "from storage import DatabaseInUse, open_database\n"
        "async def main():\n"
        "    async with await open_database(sys.argv[1]):\n"
        "        print('opened')\n"
        "try:\n"
        "    asyncio.run(main())\n"
        "except DatabaseInUse as error:\n"
        "    print(error)\n"
    )
    async with await open_database(path):
        other = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-c", program, str(path)],
            capture_output=True,
            text=True,
            check=True,
        )
        with pytest.raises(DatabaseInUse, match=rf"{path} \(process {os.getpid()}\)\. Stop that one first"):
            await open_and_close(path)
    assert f"already running with the database {path} (process {os.getpid()})" in other.stdout
    async with await open_database(path):
        assert files.lock_path(path).exists()


async def test_a_lock_may_be_given_up_by_another_thread(path: Path) -> None:
    held = await asyncio.to_thread(files.acquire_lock, path)
    held.release()
    (await asyncio.to_thread(files.acquire_lock, path)).release()


@pytest.mark.parametrize(("where", "step"), [(database, "_prepare"), (Checkpoints, "begin")])
async def test_what_fails_as_it_is_opened_leaves_no_thread(
    path: Path, monkeypatch: pytest.MonkeyPatch, where: object, step: str
) -> None:
    def fails(*_: object) -> None:
        raise StorageError("as a migration may")

    def connected() -> list[threading.Thread]:
        return [thread for thread in threading.enumerate() if "connection_worker" in thread.name]

    async with await open_database(path):
        assert len(connected()) == 1
    monkeypatch.setattr(where, step, fails)
    with pytest.raises(StorageError):
        await open_and_close(path)
    for thread in connected():  # it may still be ending
        thread.join(5)
    assert connected() == []


async def test_each_transaction_counts_once_toward_a_checkpoint_when_it_is_committed(
    db: Database, monkeypatch: pytest.MonkeyPatch, new_game: NewGame
) -> None:
    open_then: list[bool] = []
    monkeypatch.setattr(Checkpoints, "written", lambda _, conn: open_then.append(conn.in_transaction))
    for _ in range(2):
        await new_game(db)
    await games.list_games(db, 10)
    assert open_then == [False, False]


def test_a_database_that_is_read_elsewhere_is_put_down_soon(path: Path) -> None:
    """Who ends a bot does not wait for the 5 seconds that a move may wait."""
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        conn.execute("PRAGMA journal_mode = WAL")
        statements: list[str] = []
        conn.set_trace_callback(statements.append)
        database._put_down(conn)
        conn.set_trace_callback(None)
        assert statements == [
            "PRAGMA busy_timeout = 200",
            *("PRAGMA application_id", f"PRAGMA application_id = {WHOLE}"),
            "PRAGMA journal_mode = DELETE",
        ]
        assert conn.execute("PRAGMA busy_timeout").fetchone() == (200,)


def test_a_sweep_writes_the_whole_file_once(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        database._prepare(conn)
        statements: list[str] = []
        conn.set_trace_callback(statements.append)
        database._vacuum(conn)
        conn.set_trace_callback(None)
    assert statements[0] == "VACUUM"
    assert statements.count("VACUUM") == statements.count("PRAGMA wal_checkpoint(RESTART)") == 1


def test_a_connection_is_durable_whatever_sqlite_was_built_to_do(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        conn.execute("PRAGMA synchronous = OFF")
        database._prepare(conn)
        assert conn.execute("PRAGMA synchronous").fetchone() == (2,)


async def test_what_may_not_be_written_says_which_statement_it_was(db: Database) -> None:
    with pytest.raises(StorageReadOnly, match=r"nothing was changed\. \(SQLite: not while reading: UPDATE\)"):
        await db.rows("UPDATE games SET name = 'Saturday'")


async def test_what_another_program_writes_meanwhile_is_not_seen_in_the_middle_of_a_reading(
    db: Database, path: Path, new_game: NewGame
) -> None:
    game = await new_game(db)

    async def query(tx: Transaction) -> list[games.GameRow]:
        before = await games.get_game(tx, game.id)
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("UPDATE games SET name = 'Changed'")
        return [before, await games.get_game(tx, game.id)]

    assert await db.read(query) == [game, game]
    assert (await games.get_game(db, game.id)).name == "Changed"


async def test_a_file_that_cannot_be_created_is_not_said_to_be_in_use(tmp_path: Path) -> None:
    """A missing folder, a folder in the way, and a place where the system makes no files."""
    (tmp_path / "taken.db.lock").mkdir()
    for place, said in (
        (tmp_path / "nowhere" / "games.db", "there is no folder"),
        (tmp_path / "taken.db", "cannot be written"),
        (tmp_path / ("x" * 300), "cannot be written"),
        (Path("/proc/games.db"), "cannot be written"),
    ):
        with pytest.raises(StorageError, match=rf"{said}.*STATIONMASTER_DATABASE") as refused:
            await open_and_close(place)
        assert not isinstance(refused.value, DatabaseInUse)


async def test_a_folder_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "games.db").mkdir()
    with pytest.raises(StorageError, match="is a folder; name a file"):
        await open_and_close(tmp_path / "games.db")


async def test_another_program_may_read_meanwhile(path: Path, game_id: int) -> None:
    backup = sqlite3.connect(path)
    try:
        assert backup.execute("SELECT id FROM games").fetchall() == [(game_id,)]
    finally:
        backup.close()


async def test_a_program_that_holds_the_file_is_named_as_the_cause(
    db: Database, path: Path, new_game: NewGame
) -> None:
    await db.read(lambda tx: tx.row("PRAGMA busy_timeout = 10"))
    other = sqlite3.connect(path, isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseInUse, match="by another program"):
            await new_game(db)
    finally:
        other.close()
    assert (await new_game(db)).id == 1


async def test_a_newer_database_is_refused_and_stays_as_it_was(path: Path, new_game: NewGame) -> None:
    async with await open_database(path) as db:
        await new_game(db)
    newer = sqlite3.connect(path)
    newer.execute("PRAGMA user_version = 1000")
    newer.close()
    before = contents(path.parent)
    with pytest.raises(DatabaseTooNew, match=rf"version 1000, .* up to {LATEST}\. Install"):
        await open_and_close(path)
    assert contents(path.parent) == before


async def test_a_newer_database_left_behind_by_a_crash_stays_as_it_was(
    path: Path, tmp_path: Path, new_game: NewGame
) -> None:
    async with await open_database(path) as db:
        await new_game(db)
        await db.write(lambda tx: tx.run("PRAGMA user_version = 1000"))
        crashed = tmp_path / "crashed"
        crashed.mkdir()
        for name, data in contents(tmp_path).items():
            (crashed / name).write_bytes(data)
    before = contents(crashed)
    assert set(before) == {path.name, f"{path.name}-wal"}
    with pytest.raises(DatabaseTooNew):
        await open_and_close(crashed / path.name)
    assert contents(crashed) == before


@pytest.mark.parametrize("made", ["CREATE TABLE recipes (name TEXT)", "PRAGMA application_id = 5"])
async def test_a_database_of_another_program_is_refused(path: Path, made: str) -> None:
    other = sqlite3.connect(path)
    other.execute(made)
    other.close()
    before = contents(path.parent)
    with pytest.raises(DatabaseUnreadable, match="another program"):
        await open_and_close(path)
    assert contents(path.parent) == before


async def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    path.write_bytes(random.Random(1).randbytes(5000))
    before = contents(path.parent)
    with pytest.raises(DatabaseUnreadable, match="restore a backup"):
        await open_and_close(path)
    assert contents(path.parent) == before


@pytest.mark.parametrize("kept", [50, 3000, 4096, 20000])
async def test_a_truncated_database_is_refused(path: Path, new_game: NewGame, kept: int) -> None:
    async with await open_database(path) as db:
        for _ in range(200):
            await new_game(db)
    assert path.stat().st_size > kept
    os.truncate(path, kept)
    before = contents(path.parent)
    with pytest.raises(DatabaseUnreadable):
        await open_and_close(path)
    assert contents(path.parent) == before


async def test_a_database_with_garbage_in_the_middle_is_refused(path: Path, new_game: NewGame) -> None:
    async with await open_database(path) as db:
        for _ in range(200):
            await new_game(db)
    with path.open("r+b") as file:
        # The second page is the root of the first table.
        file.seek(4096)
        file.write(random.Random(1).randbytes(4096))
    with pytest.raises(DatabaseUnreadable):
        await open_and_close(path)


def test_a_file_and_its_name_are_brought_to_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a copy is given its name for must outlive a power failure; no file stays open."""
    brought: list[int] = []
    descriptors: list[int] = []

    def recorded(descriptor: int) -> None:
        brought.append(os.fstat(descriptor).st_ino)
        descriptors.append(descriptor)

    monkeypatch.setattr(os, "fsync", recorded)
    (tmp_path / "games.db").write_bytes(b"games")
    before = os.listdir("/proc/self/fd")
    durable(tmp_path / "games.db")
    assert os.listdir("/proc/self/fd") == before
    assert brought == [(tmp_path / "games.db").stat().st_ino, tmp_path.stat().st_ino]
    for descriptor in descriptors:
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(descriptor)


async def test_a_database_is_on_the_disk_before_and_after_it_has_its_name(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a start that was cut off has left is no part of it."""
    brought: list[str] = []
    monkeypatch.setattr(database, "durable", lambda file: brought.append(file.name))
    for left in ("games.sqlite-new", "games.sqlite-new-journal"):
        path.with_name(left).write_bytes(b"half of a database")
    await open_and_close(path)
    assert brought == ["games.sqlite-new", "games.sqlite"]


async def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"there is no folder .*nowhere"):
        await open_and_close(tmp_path / "nowhere" / "games.sqlite")


async def test_a_folder_is_not_a_database(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="is a folder"):
        await open_and_close(tmp_path)


async def test_a_refused_file_can_be_opened_once_it_is_right(path: Path) -> None:
    path.write_bytes(b"not a database at all")
    with pytest.raises(DatabaseUnreadable) as refused:
        await open_and_close(path)
    path.unlink()
    async with await open_database(path) as db:
        assert await games.list_games(db, 10) == []
    del refused  # while it is here, so is what was opened, if it was not let go


async def test_a_full_disk_loses_nothing(db: Database, game_id: int, act: Act) -> None:
    async def fill(tx: Transaction) -> None:
        pages = await tx.row("PRAGMA page_count")
        assert pages is not None
        await tx.run(f"PRAGMA max_page_count = {pages[0] + 2}")

    await db.write(fill)
    with pytest.raises(StorageFull, match="no room left"):
        await log.commit_move(
            db,
            game_id,
            1,
            [act("small"), act("x" * 50_000)],
            [storage.outbox.OutboxMessage("turn", "")],
            now=NOW,
        )
    assert await log.last_seq(db, game_id) == 1
    assert await unsent(db) == []
    await db.write(lambda tx: tx.run("PRAGMA max_page_count = 100000"))
    assert await log.commit_move(db, game_id, 1, [act("small"), act("x" * 50_000)], now=NOW) == 3


async def test_a_disk_that_fails_while_writing_loses_nothing(
    db: Database, path: Path, game_id: int, act: Act
) -> None:
    largest = path.with_name(f"{path.name}-wal").stat().st_size + 8192
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, before[1]))
    try:
        with pytest.raises(StorageError, match="disk failed"):
            await log.commit_move(db, game_id, 1, [act("small"), act("x" * 500_000)], now=NOW)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert await log.last_seq(db, game_id) == 1
    assert await log.commit_move(db, game_id, 1, [act("small"), act("x" * 500_000)], now=NOW) == 3
