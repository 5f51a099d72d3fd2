"""From version 29 to 30: the owner of a shard posts for its games, and which rows are parked is in its memory."""

from storage.migrations.migration import Migration

_DROPS = tuple(
    f"ALTER TABLE outbox DROP COLUMN {name}" for name in ("claimed_by", "claimed_until", "parked_at")
)

MIGRATIONS = (Migration(30, _DROPS, _DROPS),)
