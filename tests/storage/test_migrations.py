"""Old databases are brought up to date without losing a row, and a step is whole or nothing."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from storage import Database, games, log, seats
from storage.migrations import MIGRATIONS, Migration, check_version, migrate, version

NOW = "2026-01-02T03:04:05+00:00"


def tables(conn: sqlite3.Connection) -> set[str]:
    return {row[0] for row in conn.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}


def test_steps_are_numbered_from_one_without_gaps() -> None:
    assert [step.number for step in MIGRATIONS] == list(range(1, len(MIGRATIONS) + 1))


@pytest.mark.parametrize("start", range(1, len(MIGRATIONS) + 1))
async def test_a_database_of_any_version_is_brought_up_to_date(path: Path, start: int) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        migrate(old, MIGRATIONS[:start])
        assert version(old) == start
        old.execute(
            "INSERT INTO games "
            "(guild_id, channel_id, title, profile, options, seed, status, created_at, name) "
            "VALUES (1, 2, 't18tn', 'rulebook', '{}', 3, 'lobby', 'then', 'Old')"
        )
        old.execute("INSERT INTO seats VALUES (1, 1, 'p1', 7, 'Ann')")
    async with await Database.open(path) as db:
        assert await db.read(version) == len(MIGRATIONS)
        assert (await games.get_game(db, 1)).name == "Old"
        assert [seat.user_id for seat in await seats.seats(db, 1)] == [7]
        assert await log.commit_start(db, 1, [log.Entry("start", "{}", "d", "")], now=NOW) == 1


async def test_opening_again_applies_nothing(path: Path) -> None:
    async with await Database.open(path):
        pass
    before = path.read_bytes()
    async with await Database.open(path):
        pass
    assert path.read_bytes() == before


async def test_a_first_start_that_was_cut_off_is_undone(path: Path, tmp_path: Path) -> None:
    cut_off = tmp_path / "cut off"
    cut_off.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as first:
        migrate(first, MIGRATIONS[:3])
        # So small a cache writes to the file, and the way back to the journal, before anything is committed.
        first.execute("PRAGMA cache_size = 1")
        first.execute("BEGIN")
        for number in range(500):
            first.execute("INSERT INTO settings VALUES ('guild', ?, 'key', ?)", (number, "x" * 500))
        for name in (path.name, f"{path.name}-journal"):
            shutil.copy(tmp_path / name, cut_off / name)
    assert (cut_off / path.name).stat().st_size > 100_000
    async with await Database.open(cut_off / path.name) as db:
        assert await db.read(version) == len(MIGRATIONS)
        assert await db.read(lambda conn: conn.execute("SELECT COUNT(*) FROM settings").fetchone()) == (0,)


def test_a_step_that_fails_leaves_the_version_before_it(path: Path) -> None:
    bad = Migration(2, ("CREATE TABLE half (a TEXT) STRICT", "CREATE TABLE games (a TEXT) STRICT"))
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        with pytest.raises(sqlite3.OperationalError, match="already exists"):
            migrate(conn, [MIGRATIONS[0], bad])
        assert version(conn) == 1
        assert "half" not in tables(conn)
        migrate(conn, [MIGRATIONS[0], replace(bad, statements=bad.statements[:1])])
        assert version(conn) == 2
        assert "half" in tables(conn)


def test_an_empty_database_is_ours_to_fill(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        check_version(conn, str(path))
        assert version(conn) == 0
        assert tables(conn) == set()
