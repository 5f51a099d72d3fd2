"""A line that was posted is linked to by its message."""

from storage.migrations.migration import Migration

MIGRATIONS = (
    Migration(
        10,
        # A line that was posted is linked to.
        sqlite=("ALTER TABLE outbox ADD COLUMN message_id INTEGER",),
        postgres=("ALTER TABLE outbox ADD COLUMN message_id BIGINT",),
    ),
)
