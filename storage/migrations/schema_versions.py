"""Schema versions that this release can open, and the migrations from each of them (modules `m26_...` and later)."""

import re
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from storage import migrations
from storage.errors import DatabaseTooNew, DatabaseUnreadable
from storage.migrations.migration import Migration

RELEASE_BY_VERSION: Final = {4: "0.1.0", 5: "0.2.0", 23: "0.3.0"}
"""Old releases by their schema version.

The bot can open databases with one of these versions, or with any version from FIRST_VERSION on.
"""


def _migrations() -> Iterator[Migration]:
    for module in iter_modules(migrations.__path__):
        if re.match(r"m\d", module.name):
            yield from import_module(f"{migrations.__name__}.{module.name}").MIGRATIONS


MIGRATIONS: Final = tuple(sorted(_migrations(), key=lambda migration: migration.number))
LATEST_VERSION: Final = MIGRATIONS[-1].number
"""The newest schema version, to which every database is migrated when opened."""
FIRST_VERSION: Final = next(migration.number for migration in MIGRATIONS if migration.from_version == 0)
"""The schema version that the first migration of a new database creates."""


def require_known_version(found_version: int, name: str) -> None:
    """Raise DatabaseTooNew for a newer schema version, or DatabaseUnreadable for a version that no release had."""
    if found_version > LATEST_VERSION:
        raise DatabaseTooNew(name, found_version, LATEST_VERSION)
    if 0 < found_version < FIRST_VERSION and found_version not in RELEASE_BY_VERSION:
        advice = " Open it with release 0.3.0 first." if found_version < max(RELEASE_BY_VERSION) else ""
        raise DatabaseUnreadable(
            f"The database {name} is at version {found_version}, which belongs to no release.{advice}"
        )


def migrations_from(found_version: int) -> list[Migration]:
    """Return the migrations from a known schema version to the latest, in order."""
    needed_migrations = list[Migration]()
    for migration in MIGRATIONS:
        if migration.number > found_version and migration.from_version in (None, found_version):
            needed_migrations.append(migration)
            found_version = migration.number
    return needed_migrations
