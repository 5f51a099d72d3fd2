"""From version 29 to 30: kept positions lose their chapters, which are replayed; the outbox forgets what is parked."""

from storage.migrations.migration import on_both

_STATEMENTS = (
    "DELETE FROM positions WHERE state IS NULL",
    "ALTER TABLE positions DROP COLUMN since",
    "ALTER TABLE positions DROP COLUMN form",
    "ALTER TABLE positions DROP COLUMN chapter",
    # Which rows are parked is in the memory of the process that owns the shard.
    "ALTER TABLE outbox DROP COLUMN parked_at",
)

MIGRATIONS = (on_both(30, *_STATEMENTS),)
