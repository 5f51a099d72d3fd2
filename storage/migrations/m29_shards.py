"""Migration to schema version 29: a shard's owner holds an advisory lock; its table row has only an epoch."""

from storage.migrations.migration import Migration

_DROP_LEASES = (
    "DROP TABLE IF EXISTS leases",
    "DROP TABLE IF EXISTS sharding",
)

MIGRATIONS = (
    Migration(
        29,
        _DROP_LEASES,
        (
            *_DROP_LEASES,
            "CREATE TABLE shards (shard BIGINT PRIMARY KEY, shard_count BIGINT NOT NULL, epoch BIGINT NOT NULL)",
            # A process that has lost a shard fails here, in the same round trip as its write.
            """CREATE FUNCTION require_epoch(owned BIGINT, since BIGINT) RETURNS VOID LANGUAGE plpgsql AS $$ BEGIN
                PERFORM 1 FROM shards WHERE shard = owned AND epoch = since FOR SHARE;
                IF NOT FOUND THEN
                    RAISE EXCEPTION 'another process owns the shard' USING ERRCODE = '18XXE', DETAIL = owned;
                END IF;
            END $$""",
        ),
    ),
)
