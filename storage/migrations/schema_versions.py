"""Every migration there is, in order: those of the modules `m01_...`, `m06_...` beside this one."""

import re
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from storage import migrations
from storage.migrations.migration import Migration


def _found() -> Iterator[Migration]:
    for module in iter_modules(migrations.__path__):
        if re.match(r"m\d", module.name):
            yield from import_module(f"{migrations.__name__}.{module.name}").MIGRATIONS


MIGRATIONS: Final = tuple(sorted(_found(), key=lambda migration: migration.number))
LATEST: Final = MIGRATIONS[-1].number
"""The version that an open database has."""
