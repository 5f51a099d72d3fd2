"""Stale direct messages are deleted, by their number."""

from storage.migrations.migration import on_both

_STATEMENTS = (
    # A stale direct message is deleted; until then its number is kept.
    "ALTER TABLE letters ADD COLUMN message_id {whole}",
    "CREATE INDEX letters_there ON letters (id) WHERE message_id IS NOT NULL",
)

MIGRATIONS = (on_both(22, *_STATEMENTS),)
