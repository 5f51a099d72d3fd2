"""Database files of tests: their tables are made once and copied, and nobody waits until they are on the disk.

What the tables are made of, and what is on the disk when the power fails, is what tests of `storage` look at.
"""

import sqlite3
from functools import cache
from pathlib import Path

import pytest

from storage.sqlite import database

_made = database._make_file
_prepared = database._prepare_connection


def quicken(patch: pytest.MonkeyPatch, templates: Path) -> None:
    """Files that are opened from now on cost little; `templates` is a folder for the file that is copied."""
    patch.setattr(database, "_make_file", lambda place: place.write_bytes(_template(templates)))
    patch.setattr(database, "_prepare_connection", _prepare)


@cache
def _template(folder: Path) -> bytes:
    """A file with all tables and no rows."""
    place = folder / "template.db"
    _made(place)
    return place.read_bytes()


def _prepare(conn: sqlite3.Connection) -> None:
    """As always, but only a failing computer would lose anything, and no test has one."""
    conn.execute("PRAGMA synchronous = OFF")
    _prepared(conn)
    conn.execute("PRAGMA synchronous = OFF")
