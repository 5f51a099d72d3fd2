"""Migrations to schema version 26, from an empty database and from the releases 0.1.0, 0.2.0 and 0.3.0.

Their schema versions are 4, 5 and 23. PostgreSQL has been supported since 0.3.0.
"""

from typing import Final

from storage.migrations.migration import Migration, postgres_statement, sqlite_statement
from storage.migrations.tables import (
    LOG_TABLES,
    TABLES_OF_0_1,
    TABLES_OF_0_3,
    TABLES_RENAMED_SINCE_0_3,
    TABLES_SINCE_0_3,
)
from storage.migrations.triggers import (
    POSTGRES_HISTORY_TRIGGERS,
    POSTGRES_LOG_TRIGGERS,
    SQLITE_HISTORY_TRIGGERS,
    SQLITE_LOG_TRIGGERS,
)

_ALL_STATEMENTS: Final = (
    *TABLES_OF_0_1,
    *LOG_TABLES,
    *TABLES_OF_0_3,
    *TABLES_RENAMED_SINCE_0_3,
    *TABLES_SINCE_0_3,
)
_FROM_EMPTY: Final = Migration(
    26,
    (*map(sqlite_statement, _ALL_STATEMENTS), *SQLITE_LOG_TRIGGERS, *SQLITE_HISTORY_TRIGGERS),
    (
        "CREATE TABLE schema_version (number {whole} NOT NULL)".format(whole="BIGINT"),
        "INSERT INTO schema_version (number) VALUES (26)",
        *map(postgres_statement, _ALL_STATEMENTS),
        *POSTGRES_LOG_TRIGGERS,
        *POSTGRES_HISTORY_TRIGGERS,
    ),
    from_version=0,
)

_FROM_0_1: Final = Migration(
    5,
    (
        # SQLite cannot change the CHECK of a table, so the log is copied to a new table, which also allows 'accept'.
        "ALTER TABLE log RENAME TO old_log",
        *map(sqlite_statement, LOG_TABLES),
        "INSERT INTO log SELECT game_id, seq, kind, payload, digest, actor, user_id, created_at FROM old_log",
        # Dropping a table drops its triggers without firing them.
        "DROP TABLE old_log",
        *SQLITE_LOG_TRIGGERS,
    ),
    (),
    from_version=4,
)

_FROM_0_2: Final = Migration(
    26,
    (
        "DROP INDEX outbox_pending",
        "ALTER TABLE outbox ADD COLUMN parked_at TEXT",
        "ALTER TABLE outbox ADD COLUMN claimed_by TEXT",
        "ALTER TABLE outbox ADD COLUMN claimed_until INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE outbox ADD COLUMN message_id INTEGER",
        *map(sqlite_statement, (*TABLES_OF_0_3, *TABLES_RENAMED_SINCE_0_3, *TABLES_SINCE_0_3)),
        """INSERT INTO guild_settings (guild_id, key, value)
            SELECT owner_id, key, value FROM settings WHERE scope = 'guild'""",
        # No settings of users were ever stored in it, and pictures were never kept.
        "DROP TABLE settings",
        "DROP TABLE pictures",
        """INSERT INTO seat_history (game_id, player_id, role, user_id, display_name, since, at)
            SELECT seats.game_id, player_id, 'holder', user_id, display_name, 0, created_at
            FROM seats JOIN games ON games.id = seats.game_id
            WHERE EXISTS (SELECT 1 FROM log WHERE log.game_id = games.id)
            ORDER BY seats.game_id, seat""",
        *SQLITE_HISTORY_TRIGGERS,
    ),
    (),
    from_version=5,
)

_COPY_FROM_0_3: Final = (
    """INSERT INTO proposals (game_id, number, kind, payload, by_user, at, until, state)
        SELECT game_id, number, CASE kind WHEN 'takeback' THEN 'undo' WHEN 'putback' THEN 'redo' ELSE kind END,
            REPLACE(REPLACE(payload, '"how": "table"', '"how": "group"'), '"warrant": "table"', '"warrant": "group"'),
            by_user, at, until,
            CASE state WHEN 'carried' THEN 'accepted' WHEN 'lapsed' THEN 'expired' ELSE state END
        FROM motions""",
    "INSERT INTO votes SELECT game_id, number, user_id, agrees, at FROM voices",
    """INSERT INTO notifications (game_id, player_id, seq, since, stage, at, due_at, pinged_at)
        SELECT game_id, player_id, seq, since, stage, at, due_at, CASE WHEN stage > 0 THEN at END FROM calls""",
    """INSERT INTO pings (game_id, player_id, user_id, stage, thread, direct, muted)
        SELECT game_id, player_id, user_id, stage,
            CASE thread WHEN 'rings' THEN 'pending' WHEN 'rung' THEN 'pinged' ELSE thread END,
            CASE direct WHEN 'writes' THEN 'pending' WHEN 'written' THEN 'queued' ELSE direct END, muted
        FROM called""",
    """INSERT INTO direct_messages (id, game_id, user_id, text, notifications, created_at, sent_at, message_id)
        SELECT id, game_id, user_id, text, duties, created_at, sent_at, message_id FROM letters ORDER BY id""",
    "INSERT INTO clock_stops SELECT game_id, player_id, why, since, until FROM stops",
    "INSERT INTO last_runs SELECT shard, shard_count, at FROM heartbeats",
    "INSERT INTO automatic_moves SELECT game_id, seq, number FROM automatic",
    """INSERT INTO seat_history (id, game_id, player_id, role, user_id, display_name, since, until, at)
        SELECT id, game_id, player_id, CASE role WHEN 'table' THEN 'group' ELSE role END,
            user_id, display_name, since, until, at
        FROM sittings ORDER BY id""",
    # A table is dropped before the table to which it refers, so that no foreign key is violated.
    *(
        f"DROP TABLE {name}"
        for name in [
            "voices",
            "motions",
            "called",
            "calls",
            "letters",
            "stops",
            "heartbeats",
            "automatic",
            "sittings",
        ]
    ),
    "ALTER TABLE orders RENAME COLUMN told TO notified",
    "DROP INDEX orders_untold",
    "CREATE INDEX orders_to_notify ON orders (user_id) WHERE state = 'stopped' AND notified = 0",
    "ALTER TABLE outbox RENAME COLUMN set_aside_at TO parked_at",
    "ALTER TABLE pauses ADD COLUMN alone {whole} NOT NULL DEFAULT 0",
    # The kind of unposted notices, and the setting of users who accept no direct messages.
    "UPDATE outbox SET kind = 'ping' WHERE kind = 'call'",
    """UPDATE outbox SET kind = 'proposal', payload = REPLACE(payload, '"motion"', '"proposal"')
        WHERE kind = 'motion'""",
    "UPDATE person_settings SET key = 'direct_messages' WHERE key = 'letters'",
)
_FROM_0_3_ON_BOTH: Final = (*TABLES_RENAMED_SINCE_0_3, *_COPY_FROM_0_3, *TABLES_SINCE_0_3)
_FROM_0_3: Final = Migration(
    26,
    (*map(sqlite_statement, _FROM_0_3_ON_BOTH), *SQLITE_HISTORY_TRIGGERS, "DROP TABLE forgetting"),
    (
        *map(postgres_statement, _FROM_0_3_ON_BOTH),
        *POSTGRES_HISTORY_TRIGGERS,
        "DROP FUNCTION log_only_forgets",
        "DROP TABLE forgetting",
        "DROP FUNCTION sittings_stay",
        # Copied rows kept their numbers, so the counters must be set.
        "SELECT setval('direct_messages_id_seq', (SELECT COALESCE(MAX(id), 0) + 1 FROM direct_messages), false)",
        "SELECT setval('seat_history_id_seq', (SELECT COALESCE(MAX(id), 0) + 1 FROM seat_history), false)",
    ),
    from_version=23,
)

MIGRATIONS = (_FROM_EMPTY, _FROM_0_1, _FROM_0_2, _FROM_0_3)
