"""Posts that keep failing are parked; each game is looked through independently."""

from storage.migrations.migration import on_both

_STATEMENTS = (
    # Rows that keep failing are parked until somebody acts in their game; every game is looked through independently.
    "ALTER TABLE outbox ADD COLUMN set_aside_at TEXT",
    "DROP INDEX outbox_pending",
    "CREATE INDEX outbox_pending ON outbox (game_id, id) WHERE sent_at IS NULL",
)

MIGRATIONS = (on_both(7, *_STATEMENTS),)
