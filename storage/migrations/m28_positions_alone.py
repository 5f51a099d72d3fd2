"""Positions kept on the way of a game, without what its rows did."""

from storage.migrations.migration import on_both

_STATEMENTS = (
    "DELETE FROM positions WHERE state IS NULL",
    "ALTER TABLE positions DROP COLUMN since",
    "ALTER TABLE positions DROP COLUMN form",
    "ALTER TABLE positions DROP COLUMN chapter",
)

MIGRATIONS = (on_both(28, *_STATEMENTS),)
