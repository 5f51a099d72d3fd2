"""Old databases are brought up to date without losing a row, and a migration is whole or nothing."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from storage import ConstraintBroken, DatabaseUnreadable, games, log, open_database, seats
from storage.log import Row
from storage.migrations.schema_versions import LATEST, upgrades
from storage.settings import GUILDS
from storage.sqlite.files import check_version, migrate, version
from tests.support.earlier import COMMITS, empty_of
from tests.support.unsent import unsent

NOW = "2026-01-02T03:04:05+00:00"


def tables(conn: sqlite3.Connection) -> set[str]:
    return {row[0] for row in conn.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}


@pytest.mark.parametrize("start", COMMITS)
async def test_database_of_a_release_is_brought_up_to_date(path: Path, start: int) -> None:
    with closing(empty_of(start, path)) as old:
        old.execute(
            "INSERT INTO games "
            "(guild_id, channel_id, title, profile, options, seed, status, created_at, name) "
            "VALUES (1, 2, 't18tn', 'rulebook', '{}', 3, 'lobby', 'then', 'Old')"
        )
        old.execute("INSERT INTO seats VALUES (1, 1, 'p1', 7, 'Ann')")
    async with await open_database(path) as db:
        assert await db.read(lambda tx: tx.row("PRAGMA user_version")) == (LATEST,)
        assert (await games.get_game(db, 1)).name == "Old"
        assert [seat.user_id for seat in await seats.seats(db, 1)] == [7]
        assert await log.commit_start(db, 1, [log.Entry("start", "{}", "d", "")], now=NOW) == 1


@pytest.mark.parametrize("start", COMMITS)
async def test_upgraded_tables_are_those_of_a_new_database(path: Path, tmp_path: Path, start: int) -> None:
    empty_of(start, path).close()
    new = tmp_path / "new.sqlite"
    for each in (path, new):
        async with await open_database(each):
            pass
    assert columns(path) == columns(new)


def columns(path: Path) -> set[tuple[str, ...]]:
    """The columns, indexes and triggers of a database."""
    with closing(sqlite3.connect(path)) as conn:
        found = conn.execute(
            'SELECT m.name, c.name, c.type, c."notnull", c.dflt_value, c.pk '
            "FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'"
        ).fetchall()
        rules = "SELECT name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger')"
        return {*found, *conn.execute(rules).fetchall()}


@pytest.mark.parametrize(
    ("number", "words"), [(22, "no release had. Open it with release 0.3.0 first"), (25, "no release had.$")]
)
async def test_version_between_releases_is_refused(path: Path, number: int, words: str) -> None:
    with closing(empty_of(23, path)) as old:
        old.execute(f"PRAGMA user_version = {number}")
    before = path.read_bytes()
    with pytest.raises(DatabaseUnreadable, match=words):
        await open_database(path)
    assert path.read_bytes() == before


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
    conn = empty_of(4, path)
    conn.execute("PRAGMA foreign_keys = ON")
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
        assert "old_log" not in tables(conn)
        with pytest.raises(sqlite3.IntegrityError, match="never shortened"):
            conn.execute("DELETE FROM log")
        conn.execute("PRAGMA max_page_count = 100000")
        migrate(conn)
        assert conn.execute("SELECT * FROM log").fetchall() == before


async def test_settings_of_guilds_move_to_a_table_of_their_own(path: Path) -> None:
    with closing(empty_of(5, path)) as old:
        old.execute("INSERT INTO settings VALUES ('guild', 7, 'theme', 'dark')")
        old.execute("INSERT INTO settings VALUES ('person', 7, 'theme', 'light')")
    async with await open_database(path) as db:
        assert await GUILDS.get(db, 7, "theme") == "dark"


@pytest.mark.parametrize("before", [4, 26])
async def test_an_upgrade_logs_a_line_for_each_migration(
    path: Path, caplog: pytest.LogCaptureFixture, before: int
) -> None:
    caplog.set_level("INFO", "stationmaster.storage")
    empty_of(before, path).close()
    async with await open_database(path):
        pass
    assert caplog.messages == [
        f"the tables of the database are now at version {migration.number}" for migration in upgrades(before)
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
    with closing(empty_of(4, path)) as first:
        # So small a cache writes to the file, and the way back to the journal, before anything is committed.
        first.execute("PRAGMA cache_size = 1")
        first.execute("BEGIN")
        for number in range(500):
            first.execute("INSERT INTO settings VALUES ('guild', ?, 'key', ?)", (number, "x" * 500))
        for name in (path.name, f"{path.name}-journal"):
            shutil.copy(tmp_path / name, cut_off / name)
    assert (cut_off / path.name).stat().st_size > 100_000
    async with await open_database(cut_off / path.name) as db:
        assert await db.read(lambda tx: tx.row("PRAGMA user_version")) == (LATEST,)
        assert await db.read(lambda tx: tx.row("SELECT COUNT(*) FROM guild_settings")) == (0,)


def test_an_empty_database_is_ours_to_fill(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        check_version(conn, str(path))
        assert version(conn) == 0
        assert tables(conn) == set()
