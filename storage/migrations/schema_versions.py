"""Versions that can be opened, and the migrations from each, in the modules `m26_...`."""

import re
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from storage import migrations
from storage.errors import DatabaseTooNew, DatabaseUnreadable
from storage.migrations.migration import Migration

RELEASED: Final = {4: "0.1.0", 5: "0.2.0", 23: "0.3.0"}
"""Releases by the versions that they had. From the oldest without a release on, each version can be opened."""


def _migrations() -> Iterator[Migration]:
    for module in iter_modules(migrations.__path__):
        if re.match(r"m\d", module.name):
            yield from import_module(f"{migrations.__name__}.{module.name}").MIGRATIONS


MIGRATIONS: Final = tuple(sorted(_migrations(), key=lambda migration: migration.number))
LATEST: Final = MIGRATIONS[-1].number
"""The version that an open database has."""
OLDEST: Final = next(migration.number for migration in MIGRATIONS if migration.since == 0)
"""The version with which a new database begins."""


def require_known(found: int, name: str) -> None:
    """Raise DatabaseTooNew, or DatabaseUnreadable for an unreleased version."""
    if found > LATEST:
        raise DatabaseTooNew(name, found, LATEST)
    if 0 < found < OLDEST and found not in RELEASED:
        advice = " Open it with release 0.3.0 first." if found < max(RELEASED) else ""
        raise DatabaseUnreadable(f"The database {name} is at version {found}, which no release had.{advice}")


def upgrades(found: int) -> list[Migration]:
    """Return the migrations from a known version to the latest, in order."""
    steps = list[Migration]()
    for migration in MIGRATIONS:
        if migration.number > found and migration.since in (None, found):
            steps.append(migration)
            found = migration.number
    return steps
