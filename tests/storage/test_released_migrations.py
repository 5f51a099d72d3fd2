"""Migrations that databases have run: they are never edited, or two databases of one version would differ."""

import hashlib
from typing import Final

from storage.migrations.migration import Migration
from storage.migrations.schema_versions import MIGRATIONS

RELEASED: Final = {
    (5, 4): "2a703795d1dcc1b8",
    (26, 0): "663694f042d9427c",
    (26, 5): "7874e1995263cb26",
    (26, 23): "ba8047e18aa8fca8",
    (27, None): "86dab6af950c3356",
}
"""The beginning of a SHA-256 of the statements of each, by its number and the version that it begins with; a new one
is added when it is released.
"""


def fingerprint(migration: Migration) -> str:
    """Of the statements for both databases."""
    return hashlib.sha256(repr((migration.sqlite, migration.postgres)).encode()).hexdigest()[:16]


def test_released_migration_is_never_edited() -> None:
    found = {(one.number, one.since): fingerprint(one) for one in MIGRATIONS}
    assert found.items() >= RELEASED.items()
