"""Schema versions that can be opened, and the migrations from each, which are in the modules `m26_...`."""

import re
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from storage import migrations
from storage.errors import DatabaseTooNew, DatabaseUnreadable
from storage.migrations.migration import Migration

RELEASE_BY_VERSION: Final = {4: "0.1.0", 5: "0.2.0", 23: "0.3.0"}
"""Releases by their schema version. These versions can be opened, and every version from FIRST_VERSION on."""


def _migrations() -> Iterator[Migration]:
    for module in iter_modules(migrations.__path__):
        if re.match(r"m\d", module.name):
            yield from import_module(f"{migrations.__name__}.{module.name}").MIGRATIONS


MIGRATIONS: Final = tuple(sorted(_migrations(), key=lambda migration: migration.number))
LATEST_VERSION: Final = MIGRATIONS[-1].number
"""The newest version, to which every database is migrated when opened."""
FIRST_VERSION: Final = next(migration.number for migration in MIGRATIONS if migration.since == 0)
"""The version with which the migrations of a new database begin."""


def require_known_version(found_version: int, name: str) -> None:
    """Raise DatabaseTooNew for a later version, DatabaseUnreadable for one that was never released."""
    if found_version > LATEST_VERSION:
        raise DatabaseTooNew(name, found_version, LATEST_VERSION)
    if 0 < found_version < FIRST_VERSION and found_version not in RELEASE_BY_VERSION:
        advice = " Open it with release 0.3.0 first." if found_version < max(RELEASE_BY_VERSION) else ""
        raise DatabaseUnreadable(
            f"The database {name} is at version {found_version}, which belongs to no release.{advice}"
        )


def migrations_from(found_version: int) -> list[Migration]:
    """Return the migrations from a known version to the latest, in order."""
    needed_migrations = list[Migration]()
    for migration in MIGRATIONS:
        if migration.number > found_version and migration.since in (None, found_version):
            needed_migrations.append(migration)
            found_version = migration.number
    return needed_migrations
