"""The steps from one version of the tables to the next that every database takes, in the words of each."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """From the version before `number` to `number`: the statements of SQLite, and those of PostgreSQL.

    A step is applied and recorded in one transaction, and never edited once it was released.
    """

    number: int
    sqlite: tuple[str, ...]
    postgres: tuple[str, ...]


_RESTING = (
    # Rows that keep failing rest until somebody acts at their table; every game is looked through by itself.
    "ALTER TABLE outbox ADD COLUMN set_aside_at TEXT",
    "DROP INDEX outbox_pending",
    "CREATE INDEX outbox_pending ON outbox (game_id, id) WHERE sent_at IS NULL",
)

_BY_GAME = (
    # What a person has missed is read by game, also when it was posted long ago.
    "CREATE INDEX outbox_by_game ON outbox (game_id, seq)",
)

STEPS = (
    Step(
        6,
        sqlite=(
            """CREATE TABLE guild_settings (
                guild_id INTEGER NOT NULL,
                key TEXT NOT NULL,
                value TEXT NOT NULL,
                PRIMARY KEY (guild_id, key)
            ) STRICT, WITHOUT ROWID""",
            # Nobody was ever asked for settings of persons, and pictures were never kept.
            """INSERT INTO guild_settings (guild_id, key, value)
                SELECT owner_id, key, value FROM settings WHERE scope = 'guild'""",
            "DROP TABLE settings",
            "DROP TABLE pictures",
        ),
        postgres=(
            """CREATE TABLE guild_settings (
                guild_id BIGINT NOT NULL,
                key TEXT COLLATE "C" NOT NULL,
                value TEXT NOT NULL,
                PRIMARY KEY (guild_id, key)
            )""",
        ),
    ),
    Step(7, sqlite=_RESTING, postgres=_RESTING),
    Step(
        8,
        sqlite=(
            """CREATE TABLE leases (
                shard INTEGER PRIMARY KEY,
                holder TEXT NOT NULL,
                fence INTEGER NOT NULL,
                expires INTEGER NOT NULL
            ) STRICT""",
            "CREATE TABLE sharding (shard_count INTEGER NOT NULL) STRICT",
            "INSERT INTO sharding (shard_count) VALUES (1)",
            "ALTER TABLE outbox ADD COLUMN claimed_by TEXT",
            "ALTER TABLE outbox ADD COLUMN claimed_until INTEGER NOT NULL DEFAULT 0",
        ),
        postgres=(
            """CREATE TABLE leases (
                shard BIGINT PRIMARY KEY,
                holder TEXT NOT NULL,
                fence BIGINT NOT NULL,
                expires BIGINT NOT NULL
            )""",
            "CREATE TABLE sharding (shard_count BIGINT NOT NULL)",
            "INSERT INTO sharding (shard_count) VALUES (1)",
            "ALTER TABLE outbox ADD COLUMN claimed_by TEXT",
            "ALTER TABLE outbox ADD COLUMN claimed_until BIGINT NOT NULL DEFAULT 0",
        ),
    ),
    Step(9, sqlite=_BY_GAME, postgres=_BY_GAME),
    Step(
        10,
        # A line that was posted is linked to.
        sqlite=("ALTER TABLE outbox ADD COLUMN message_id INTEGER",),
        postgres=("ALTER TABLE outbox ADD COLUMN message_id BIGINT",),
    ),
)
"""Every step after the fifth, in order; those before are of SQLite alone, in `storage/sqlite/migrations.py`."""
