"""From version 29 to 30: kept positions lose their chapters, which are replayed; rows of the outbox lose their claims."""

from storage.migrations.migration import on_both

_STATEMENTS = (
    "DELETE FROM positions WHERE state IS NULL",
    "ALTER TABLE positions DROP COLUMN since",
    "ALTER TABLE positions DROP COLUMN form",
    "ALTER TABLE positions DROP COLUMN chapter",
    # Only the process that owns the shard of a game posts for it.
    "ALTER TABLE outbox DROP COLUMN claimed_by",
    "ALTER TABLE outbox DROP COLUMN claimed_until",
)

MIGRATIONS = (on_both(30, *_STATEMENTS),)
