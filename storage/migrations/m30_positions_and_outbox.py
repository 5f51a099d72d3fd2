"""Migration to schema version 30: drops columns of the tables `positions` and `outbox` that are no longer used."""

from storage.migrations.migration import migration_on_both

_STATEMENTS = (
    "DELETE FROM positions WHERE state IS NULL",
    "ALTER TABLE positions DROP COLUMN since",
    "ALTER TABLE positions DROP COLUMN form",
    "ALTER TABLE positions DROP COLUMN chapter",
    # Only the owner of a game's shard posts for it, and it keeps parked rows in memory.
    "ALTER TABLE outbox DROP COLUMN claimed_by",
    "ALTER TABLE outbox DROP COLUMN claimed_until",
    "ALTER TABLE outbox DROP COLUMN parked_at",
)

MIGRATIONS = (migration_on_both(30, *_STATEMENTS),)
