"""Old databases are brought up to date without losing a row, and a migration is whole or nothing."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from storage import ConstraintBroken, games, log, open_database, seats
from storage.log import Row
from storage.migrations.migration import Migration
from storage.migrations.schema_versions import MIGRATIONS
from storage.settings import GUILDS
from storage.sqlite.files import check_version, migrate, version
from tests.support.unsent import unsent

NOW = "2026-01-02T03:04:05+00:00"


def tables(conn: sqlite3.Connection) -> set[str]:
    return {row[0] for row in conn.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}


def test_migrations_are_numbered_from_one_without_gaps() -> None:
    assert [migration.number for migration in MIGRATIONS] == list(range(1, len(MIGRATIONS) + 1))


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
    async with await open_database(path) as db:
        assert await db.read(lambda tx: tx.row("PRAGMA user_version")) == (len(MIGRATIONS),)
        assert (await games.get_game(db, 1)).name == "Old"
        assert [seat.user_id for seat in await seats.seats(db, 1)] == [7]
        assert await log.commit_start(db, 1, [log.Entry("start", "{}", "d", "")], now=NOW) == 1


UNDO_TO_2 = log.undo_payload(2)

LOG_OF_VERSION_4: list[tuple[int, int, log.Kind, str, str, str, int | None, str]] = [
    (1, 1, "start", "{}", "d1", "", None, "then"),
    (1, 2, "action", "é–", "d2", "p1", 7, "then"),
    (1, 3, "action", "a", "d3", "p2", 8, "later"),
    (1, 4, "undo", UNDO_TO_2, "d2", "p2", 8, "later"),
    (2, 1, "start", "{}", "d1", "", 7, "then"),
]


def at_version_4(path: Path, more: int = 0) -> sqlite3.Connection:
    """A database before states were kept: two games, five rows, a notice, and `more` moves in game 2."""
    conn = sqlite3.connect(path, isolation_level=None)
    conn.execute("PRAGMA foreign_keys = ON")
    migrate(conn, MIGRATIONS[:4])
    for name in ("Old", "Older"):
        conn.execute(
            "INSERT INTO games "
            "(guild_id, channel_id, title, profile, options, seed, status, created_at, name) "
            "VALUES (1, 2, 't18tn', 'rulebook', '{}', 3, 'running', 'then', ?)",
            (name,),
        )
    moves = [(2, seq, "action", "x" * 500, "d", "p1", 7, "then") for seq in range(2, more + 2)]
    conn.executemany("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?, ?)", [*LOG_OF_VERSION_4, *moves])
    conn.execute(
        "INSERT INTO outbox (game_id, seq, kind, payload, created_at) VALUES (1, 4, 'turn', '', 'later')"
    )
    return conn


async def test_games_older_than_stored_states_lose_no_row(path: Path) -> None:
    at_version_4(path).close()
    async with await open_database(path) as db:
        stored = await log.read(db, 1) + await log.read(db, 2)
        assert stored == [Row(*row) for row in LOG_OF_VERSION_4]
        assert [row.seq for row in log.fold(stored[:4])] == [1, 2]
        assert await log.kept_state(db, 1) is None
        assert [(item.game_id, item.seq) for item in await unsent(db)] == [(1, 4)]
        assert await db.read(lambda tx: tx.rows("PRAGMA foreign_key_check")) == []
        # They continue like any other.
        entry = log.Entry("accept", log.accept_payload("2", "{}"), "d2", "", 9)
        assert await log.commit_move(db, 1, 4, [entry], now=NOW, state="{}") == 5
        kept = await log.kept_state(db, 1)
        assert kept is not None
        assert kept.seq == 5


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE log SET payload = 'other' WHERE game_id = 1 AND seq = 2",
        "DELETE FROM log WHERE game_id = 1 AND seq = 4",
        "INSERT OR REPLACE INTO log VALUES (1, 4, 'action', 'other', 'd', '', NULL, 'now')",
        "INSERT INTO log VALUES (1, 6, 'action', 'a gap', 'd', '', NULL, 'now')",
        "INSERT INTO log VALUES (1, 5, 'start', 'another', 'd', '', NULL, 'now')",
        "INSERT INTO log VALUES (1, 5, 'other', 'of no kind', 'd', '', NULL, 'now')",
        "INSERT INTO log VALUES (3, 1, 'start', 'of no game', 'd', '', NULL, 'now')",
        "DELETE FROM games",
    ],
)
async def test_a_log_that_was_brought_up_to_date_can_only_grow_at_its_end(path: Path, statement: str) -> None:
    at_version_4(path).close()
    async with await open_database(path) as db:
        with pytest.raises(ConstraintBroken):
            await db.write(lambda tx: tx.run(statement))
        assert await log.read(db, 1) == [Row(*row) for row in LOG_OF_VERSION_4[:4]]


def test_a_disk_that_is_full_before_the_log_is_copied_leaves_it_as_it_was(path: Path) -> None:
    with closing(at_version_4(path, more=500)) as conn:
        before = conn.execute("SELECT * FROM log").fetchall()
        pages = conn.execute("PRAGMA page_count").fetchone()[0]
        conn.execute(f"PRAGMA max_page_count = {pages + 10}")
        with pytest.raises(sqlite3.OperationalError, match="full"):
            migrate(conn)
        assert version(conn) == 4
        assert conn.execute("SELECT * FROM log").fetchall() == before
        assert len(before) == 505
        assert "new_log" not in tables(conn)
        with pytest.raises(sqlite3.IntegrityError, match="never shortened"):
            conn.execute("DELETE FROM log")
        conn.execute("PRAGMA max_page_count = 100000")
        migrate(conn)
        assert conn.execute("SELECT * FROM log").fetchall() == before


async def test_settings_of_guilds_move_to_a_table_of_their_own(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        migrate(old, MIGRATIONS[:5])
        old.execute("INSERT INTO settings VALUES ('guild', 7, 'theme', 'dark')")
        old.execute("INSERT INTO settings VALUES ('person', 7, 'theme', 'light')")
    async with await open_database(path) as db:
        assert await GUILDS.get(db, 7, "theme") == "dark"


@pytest.mark.parametrize("before", [1, MIGRATIONS[-3].number])
async def test_an_upgrade_logs_a_line_for_each_migration(
    path: Path, caplog: pytest.LogCaptureFixture, before: int
) -> None:
    caplog.set_level("INFO", "stationmaster.storage")
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        migrate(old, MIGRATIONS[:before])
    async with await open_database(path):
        pass
    assert caplog.messages == [
        f"the tables of the database are now at version {number}"
        for number in range(before + 1, MIGRATIONS[-1].number + 1)
    ]


async def test_a_new_database_and_one_that_is_up_to_date_log_nothing(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "stationmaster.storage")
    for _ in range(2):
        async with await open_database(path):
            pass
    assert caplog.messages == []


async def test_opening_again_applies_nothing(path: Path) -> None:
    async with await open_database(path):
        pass
    before = dumped(path)
    async with await open_database(path):
        pass
    assert dumped(path) == before


def dumped(path: Path) -> list[str]:
    """All that is in a database, as SQL."""
    with closing(sqlite3.connect(path)) as conn:
        return list(conn.iterdump())


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
    async with await open_database(cut_off / path.name) as db:
        assert await db.read(lambda tx: tx.row("PRAGMA user_version")) == (len(MIGRATIONS),)
        assert await db.read(lambda tx: tx.row("SELECT COUNT(*) FROM guild_settings")) == (0,)


def test_a_migration_that_fails_leaves_the_version_before_it(path: Path) -> None:
    bad = Migration(2, ("CREATE TABLE half (a TEXT) STRICT", "CREATE TABLE games (a TEXT) STRICT"), ())
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        with pytest.raises(sqlite3.OperationalError, match="already exists"):
            migrate(conn, [MIGRATIONS[0], bad])
        assert version(conn) == 1
        assert "half" not in tables(conn)
        migrate(conn, [MIGRATIONS[0], replace(bad, sqlite=bad.sqlite[:1])])
        assert version(conn) == 2
        assert "half" in tables(conn)


def test_an_empty_database_is_ours_to_fill(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        check_version(conn, str(path))
        assert version(conn) == 0
        assert tables(conn) == set()


@pytest.mark.parametrize(("version", "role"), [(11, "group"), (15, "caretaker")])
async def test_who_sat_where_remains_as_groups_and_caretakers_are_let_in(
    path: Path, version: int, role: seats.Role
) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        migrate(old, MIGRATIONS[:version])
        old.execute(
            "INSERT INTO games "
            "(guild_id, channel_id, title, profile, options, seed, status, created_at, name) "
            "VALUES (1, 2, 't18tn', 'rulebook', '{}', 3, 'running', 'then', 'Old')"
        )
        old.execute(
            "INSERT INTO sittings (game_id, player_id, role, user_id, display_name, since, at) "
            "VALUES (1, 'p1', 'holder', 7, 'Ann', 0, 'then')"
        )
    sits = seats.SeatEntry("p1", role, 7, "Ann", 3, None, NOW)
    async with await open_database(path) as db:
        await seats.assign(db, 1, sits, notices=[])
        assert [(s.role, s.at) for s in await seats.entries(db, 1)] == [
            ("holder", "then"),
            (role, NOW),
        ]
        with pytest.raises(ConstraintBroken):
            await db.write(lambda tx: tx.run("DELETE FROM seat_history"))
