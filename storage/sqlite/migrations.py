"""The tables of the file, as numbered steps: each is applied and recorded in one transaction, and never edited."""

import logging
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from storage.errors import DatabaseTooNew, DatabaseUnreadable
from storage.migrations.migrations import STEPS
from storage.sqlite.checkpoints import OURS, WHOLE, marked
from storage.sqlite.transactions import transaction

_log = logging.getLogger("stationmaster.storage")


@dataclass(frozen=True, slots=True)
class Migration:
    """One step from the version before `number` to `number`."""

    number: int
    statements: tuple[str, ...]


def version(conn: sqlite3.Connection) -> int:
    """Return the number of the last migration applied, 0 in an empty database."""
    return int(conn.execute("PRAGMA user_version").fetchone()[0])


def check_version(conn: sqlite3.Connection, path: str) -> None:
    """Raise DatabaseTooNew or DatabaseUnreadable unless this release can bring the database up to date."""
    application = marked(conn)
    if application not in OURS:
        if application or conn.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone():
            raise DatabaseUnreadable(
                f"The database {path} belongs to another program. Give this one a file of its own."
            )
        return
    if version(conn) > MIGRATIONS[-1].number:
        raise DatabaseTooNew(path, version(conn), MIGRATIONS[-1].number)


def migrate(conn: sqlite3.Connection, steps: Sequence[Migration] | None = None) -> None:
    """Apply those of `steps` (by default all of them) that `conn` does not have yet, in order.

    Each is a line in the log, except those that make the tables of a new database.
    """
    upgrade = version(conn) > 0
    for step in MIGRATIONS if steps is None else steps:
        if step.number <= version(conn):
            continue
        with transaction(conn):
            for statement in step.statements:
                conn.execute(statement)
            # Both live in the file's header and are part of the transaction; PRAGMA takes no parameters.
            conn.execute(f"PRAGMA application_id = {WHOLE}")
            conn.execute(f"PRAGMA user_version = {step.number}")
        if upgrade:
            _log.info("the tables of the database are now at version %d", step.number)


_TABLES_OF_GAMES = (
    # AUTOINCREMENT: buttons on old messages carry a game's number, so no number may be used twice.
    """CREATE TABLE games (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        guild_id INTEGER NOT NULL,
        channel_id INTEGER NOT NULL,
        thread_id INTEGER,
        board_message_id INTEGER,
        turn_message_id INTEGER,
        title TEXT NOT NULL,
        profile TEXT NOT NULL,
        options TEXT NOT NULL,
        seed INTEGER NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('lobby', 'running', 'finished', 'abandoned')),
        created_at TEXT NOT NULL,
        name TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX games_by_guild ON games (guild_id, status)",
    "CREATE INDEX games_by_thread ON games (thread_id)",
    # A thread holds one game at a time, but a new one may follow an old one.
    """CREATE UNIQUE INDEX games_in_play_by_thread ON games (thread_id)
        WHERE thread_id IS NOT NULL AND status IN ('lobby', 'running')""",
    """CREATE TABLE seats (
        game_id INTEGER NOT NULL REFERENCES games (id),
        seat INTEGER NOT NULL CHECK (seat >= 1),
        player_id TEXT NOT NULL,
        user_id INTEGER NOT NULL,
        display_name TEXT NOT NULL,
        PRIMARY KEY (game_id, seat),
        UNIQUE (game_id, player_id)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX seats_by_user ON seats (user_id)",
    """CREATE TABLE memberships (
        id INTEGER PRIMARY KEY,
        game_id INTEGER NOT NULL REFERENCES games (id),
        seat INTEGER NOT NULL,
        user_id INTEGER NOT NULL,
        display_name TEXT NOT NULL,
        event TEXT NOT NULL CHECK (event IN ('joined', 'left')),
        at TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX memberships_by_game ON memberships (game_id)",
)

_LOG_ONLY_GROWS = (
    """CREATE TRIGGER log_is_never_changed BEFORE UPDATE ON log
        BEGIN SELECT RAISE(ABORT, 'the log of a game is never changed'); END""",
    """CREATE TRIGGER log_is_never_shortened BEFORE DELETE ON log
        BEGIN SELECT RAISE(ABORT, 'the log of a game is never shortened'); END""",
    # Also keeps INSERT OR REPLACE from replacing a row, which would not fire the trigger on DELETE.
    """CREATE TRIGGER log_has_no_gaps BEFORE INSERT ON log
        WHEN NEW.seq <> 1 + (SELECT COALESCE(MAX(seq), 0) FROM log WHERE game_id = NEW.game_id)
        BEGIN SELECT RAISE(ABORT, 'the log of a game has no gaps'); END""",
)

_TABLES_OF_MOVES = (
    # The first row of a game, and no other, says how it starts.
    """CREATE TABLE log (
        game_id INTEGER NOT NULL REFERENCES games (id),
        seq INTEGER NOT NULL CHECK (seq >= 1),
        kind TEXT NOT NULL CHECK (kind IN ('action', 'undo', 'start')),
        payload TEXT NOT NULL,
        digest TEXT NOT NULL,
        actor TEXT NOT NULL,
        user_id INTEGER,
        created_at TEXT NOT NULL,
        PRIMARY KEY (game_id, seq),
        CHECK ((seq = 1) = (kind = 'start'))
    ) STRICT, WITHOUT ROWID""",
    *_LOG_ONLY_GROWS,
    """CREATE TABLE outbox (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        game_id INTEGER NOT NULL REFERENCES games (id),
        seq INTEGER NOT NULL,
        kind TEXT NOT NULL,
        payload TEXT NOT NULL,
        created_at TEXT NOT NULL,
        sent_at TEXT,
        attempts INTEGER NOT NULL DEFAULT 0,
        last_error TEXT
    ) STRICT""",
    "CREATE INDEX outbox_pending ON outbox (id) WHERE sent_at IS NULL",
)

_TABLES_OF_SETTINGS = (
    """CREATE TABLE settings (
        scope TEXT NOT NULL CHECK (scope IN ('guild', 'person')),
        owner_id INTEGER NOT NULL,
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (scope, owner_id, key)
    ) STRICT, WITHOUT ROWID""",
)

_TABLES_OF_PICTURES = (
    """CREATE TABLE pictures (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        game_id INTEGER NOT NULL REFERENCES games (id),
        seq INTEGER NOT NULL,
        view TEXT NOT NULL,
        theme TEXT NOT NULL,
        png BLOB NOT NULL,
        UNIQUE (game_id, seq, view, theme)
    ) STRICT""",
)

_TABLES_OF_STATES = (
    # SQLite cannot change the CHECK of a table: the log moves to a new one, which also allows 'accept'.
    """CREATE TABLE new_log (
        game_id INTEGER NOT NULL REFERENCES games (id),
        seq INTEGER NOT NULL CHECK (seq >= 1),
        kind TEXT NOT NULL CHECK (kind IN ('start', 'action', 'undo', 'accept')),
        payload TEXT NOT NULL,
        digest TEXT NOT NULL,
        actor TEXT NOT NULL,
        user_id INTEGER,
        created_at TEXT NOT NULL,
        PRIMARY KEY (game_id, seq),
        CHECK ((seq = 1) = (kind = 'start'))
    ) STRICT, WITHOUT ROWID""",
    """INSERT INTO new_log (game_id, seq, kind, payload, digest, actor, user_id, created_at)
        SELECT game_id, seq, kind, payload, digest, actor, user_id, created_at FROM log""",
    # The triggers go with the table they watch, without firing.
    "DROP TABLE log",
    "ALTER TABLE new_log RENAME TO log",
    *_LOG_ONLY_GROWS,
    # At most one for each game: the state after the last row of its log.
    """CREATE TABLE states (
        game_id INTEGER PRIMARY KEY,
        seq INTEGER NOT NULL,
        digest TEXT NOT NULL,
        state TEXT NOT NULL,
        FOREIGN KEY (game_id, seq) REFERENCES log (game_id, seq)
    ) STRICT""",
)

MIGRATIONS = (
    Migration(1, _TABLES_OF_GAMES),
    Migration(2, _TABLES_OF_MOVES),
    Migration(3, _TABLES_OF_SETTINGS),
    Migration(4, _TABLES_OF_PICTURES),
    Migration(5, _TABLES_OF_STATES),
    *(Migration(step.number, step.sqlite) for step in STEPS),
)
"""Every step there is, in order."""
