"""From version 29 to 30: what the rows between two kept positions did is replayed when it is asked for."""

from storage.migrations.migration import on_both

_STATEMENTS = (
    "DELETE FROM positions WHERE state IS NULL",
    "ALTER TABLE positions DROP COLUMN since",
    "ALTER TABLE positions DROP COLUMN form",
    "ALTER TABLE positions DROP COLUMN chapter",
)

MIGRATIONS = (on_both(30, *_STATEMENTS),)
