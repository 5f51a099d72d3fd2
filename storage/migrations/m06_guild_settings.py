"""Settings of servers (guilds) move to a table of their own; pictures are not kept."""

from storage.migrations.migration import Migration

MIGRATIONS = (
    Migration(
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
)
