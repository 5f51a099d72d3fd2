"""Migration to schema version 27: sessions of the board page store the user's name, the browser, and the device."""

from storage.migrations.migration import migration_on_both

_STATEMENTS = (
    # The user's name on Discord when the link was issued.
    "ALTER TABLE board_links ADD COLUMN display_name TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE board_sessions ADD COLUMN display_name TEXT NOT NULL DEFAULT ''",
    # A digest of the cookie that identifies a browser across games.
    "ALTER TABLE board_sessions ADD COLUMN browser TEXT NOT NULL DEFAULT ''",
    # In words, such as "Firefox on Linux".
    "ALTER TABLE board_sessions ADD COLUMN device TEXT NOT NULL DEFAULT ''",
    "CREATE INDEX board_sessions_in ON board_sessions (browser)",
)

MIGRATIONS = (migration_on_both(27, *_STATEMENTS),)
