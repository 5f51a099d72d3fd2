"""Old databases are brought up to date without losing a row, and a migration is whole or nothing."""

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from storage import games, log, open_database, seats
from storage.errors import DatabaseUnreadable
from storage.log import LogRow
from storage.migrations.schema_versions import LATEST_VERSION, MIGRATIONS, migrations_from
from storage.settings import GUILD_SETTINGS
from storage.sqlite.files import migrate, schema_version
from tests.storage.makers import NOW, START, accept, move
from tests.storage.sqlite.places import opened
from tests.support.earlier import COMMITS, empty_of
from tests.support.unsent import unsent

RELEASED: Final = {
    (5, 4): "2a703795d1dcc1b8",
    (26, 0): "663694f042d9427c",
    (26, 5): "7874e1995263cb26",
    (26, 23): "ba8047e18aa8fca8",
    (27, None): "86dab6af950c3356",
}
"""The beginning of a SHA-256 of the statements of each, by its number and the version that it begins with; a new one
is added when it is released.
"""
GAME = (
    "INSERT INTO games (guild_id, channel_id, title, profile, options, seed, status, created_at, name) "
    "VALUES (1, 2, 't18tn', 'rulebook', '{}', 3, ?, 'then', ?)"
)
LOG_OF_VERSION_4: list[tuple[int, int, log.LogRowKind, str, str, str, int | None, str]] = [
    (1, 1, "start", "{}", "d1", "", None, "then"),
    (1, 2, "action", "é–", "d2", "p1", 7, "then"),
    (1, 3, "action", "a", "d3", "p2", 8, "later"),
    (1, 4, "undo", log.undo_payload(2), "d2", "p2", 8, "later"),
    (2, 1, "start", "{}", "d1", "", 7, "then"),
]


def test_released_migration_is_never_edited() -> None:
    """Or two databases of one version would differ."""

    def fingerprint(*statements: object) -> str:
        return hashlib.sha256(repr(statements).encode()).hexdigest()[:16]

    found = {
        (one.number, one.from_version): fingerprint(one.sqlite_statements, one.postgres_statements)
        for one in MIGRATIONS
    }
    assert found.items() >= RELEASED.items()


def columns(path: Path) -> set[tuple[str, ...]]:
    """The columns, indexes and triggers of a database."""
    with closing(sqlite3.connect(path)) as conn:
        found = conn.execute(
            'SELECT m.name, c.name, c.type, c."notnull", c.dflt_value, c.pk '
            "FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'"
        ).fetchall()
        rules = "SELECT name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger')"
        return {*found, *conn.execute(rules).fetchall()}


@pytest.mark.parametrize("start", COMMITS)
async def test_released_database_is_upgraded(
    path: Path, caplog: pytest.LogCaptureFixture, start: int
) -> None:
    """Each migration is a line in the log; a new database, and one that is up to date, have none."""
    caplog.set_level("INFO", "stationmaster.storage")
    with closing(empty_of(start, path)) as old:
        old.execute(GAME, ("lobby", "Old"))
        old.execute("INSERT INTO seats VALUES (1, 1, 'p1', 7, 'Ann')")
    await opened(path)
    assert caplog.messages == [
        f"the tables of the database are now at version {migration.number}"
        for migration in migrations_from(start)
    ]
    caplog.clear()
    new = path.with_name("new.sqlite")
    await opened(new)
    before = dumped(path)
    async with await open_database(path) as db:
        assert dumped(path) == before
        assert await db.read(lambda tx: tx.row("PRAGMA user_version")) == (LATEST_VERSION,)
        assert (await games.get_game(db, 1)).name == "Old"
        assert [seat.user_id for seat in await seats.seats(db, 1)] == [7]
        assert await log.commit_start(db, 1, [START], now=NOW) == 1
    assert caplog.messages == []
    assert columns(path) == columns(new)


def dumped(path: Path) -> list[str]:
    """All that is in a database, as SQL."""
    with closing(sqlite3.connect(path)) as conn:
        return list(conn.iterdump())


@pytest.mark.parametrize(
    ("number", "words"),
    [(22, "belongs to no release. Open it with release 0.3.0 first"), (25, "belongs to no release.$")],
)
async def test_version_between_releases_is_refused(path: Path, number: int, words: str) -> None:
    with closing(empty_of(23, path)) as old:
        old.execute(f"PRAGMA user_version = {number}")
    before = path.read_bytes()
    with pytest.raises(DatabaseUnreadable, match=words):
        await opened(path)
    assert path.read_bytes() == before


def at_version_4(path: Path, more: int = 0) -> sqlite3.Connection:
    """A database before states were kept: two games, five rows, a notice, and `more` moves in game 2."""
    conn = empty_of(4, path)
    conn.execute("PRAGMA foreign_keys = ON")
    conn.execute("BEGIN")
    for name in ("Old", "Older"):
        conn.execute(GAME, ("running", name))
    moves = [(2, seq, "action", "x" * 500, "d", "p1", 7, "then") for seq in range(2, more + 2)]
    conn.executemany("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?, ?)", [*LOG_OF_VERSION_4, *moves])
    conn.execute(
        "INSERT INTO outbox (game_id, seq, kind, payload, created_at) VALUES (1, 4, 'turn', '', 'later')"
    )
    conn.execute("COMMIT")
    return conn


async def test_log_before_states_loses_no_row(path: Path) -> None:
    at_version_4(path).close()
    async with await open_database(path) as db:
        stored = await log.read_rows(db, 1) + await log.read_rows(db, 2)
        assert stored == [LogRow(*row) for row in LOG_OF_VERSION_4]
        assert await log.stored_state(db, 1) is None
        assert [(item.game_id, item.seq) for item in await unsent(db)] == [(1, 4)]
        assert await db.read(lambda tx: tx.rows("PRAGMA foreign_key_check")) == []
        # It continues like any other.
        assert await move(db, 1, 4, accept(digest="d2"), state="{}") == 5
        kept = await log.stored_state(db, 1)
        assert kept is not None
        assert kept.seq == 5


def test_full_disk_stops_a_migration(path: Path) -> None:
    """Before the log is copied: it stays as it was."""
    with closing(at_version_4(path, more=150)) as conn:
        before = conn.execute("SELECT * FROM log").fetchall()
        pages = conn.execute("PRAGMA page_count").fetchone()[0]
        conn.execute(f"PRAGMA max_page_count = {pages + 10}")
        with pytest.raises(sqlite3.OperationalError, match="full"):
            migrate(conn)
        assert schema_version(conn) == 4
        assert conn.execute("SELECT * FROM log").fetchall() == before
        assert conn.execute("SELECT name FROM sqlite_schema WHERE name = 'old_log'").fetchall() == []
        with pytest.raises(sqlite3.IntegrityError, match="never shortened"):
            conn.execute("DELETE FROM log")
        conn.execute("PRAGMA max_page_count = 100000")
        migrate(conn)
        assert conn.execute("SELECT * FROM log").fetchall() == before


async def test_settings_of_guilds_stay(path: Path) -> None:
    with closing(empty_of(5, path)) as old:
        old.execute("INSERT INTO settings VALUES ('guild', 7, 'theme', 'dark')")
        old.execute("INSERT INTO settings VALUES ('person', 7, 'theme', 'light')")
    async with await open_database(path) as db:
        assert await GUILD_SETTINGS.get(db, 7, "theme") == "dark"
