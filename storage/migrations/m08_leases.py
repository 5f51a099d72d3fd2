"""Leases of shards, and claims of posts, by which several processes share the work."""

from storage.migrations.migration import Migration

MIGRATIONS = (
    Migration(
        8,
        sqlite=(
            """CREATE TABLE leases (
                shard INTEGER PRIMARY KEY,
                holder TEXT NOT NULL,
                fence INTEGER NOT NULL,
                expires INTEGER NOT NULL
            ) STRICT""",
            "CREATE TABLE sharding (shard_count INTEGER NOT NULL) STRICT",
            "INSERT INTO sharding (shard_count) VALUES (1)",
            "ALTER TABLE outbox ADD COLUMN claimed_by TEXT",
            "ALTER TABLE outbox ADD COLUMN claimed_until INTEGER NOT NULL DEFAULT 0",
        ),
        postgres=(
            """CREATE TABLE leases (
                shard BIGINT PRIMARY KEY,
                holder TEXT NOT NULL,
                fence BIGINT NOT NULL,
                expires BIGINT NOT NULL
            )""",
            "CREATE TABLE sharding (shard_count BIGINT NOT NULL)",
            "INSERT INTO sharding (shard_count) VALUES (1)",
            "ALTER TABLE outbox ADD COLUMN claimed_by TEXT",
            "ALTER TABLE outbox ADD COLUMN claimed_until BIGINT NOT NULL DEFAULT 0",
        ),
    ),
)
