"""What SQLite's errors mean."""

import sqlite3

from storage.errors import (
    ConstraintBroken,
    DatabaseInUse,
    DatabaseUnreadable,
    StorageError,
    StorageFull,
    StorageReadOnly,
)

_UNREADABLE = (
    DatabaseUnreadable,
    "The database {path} is damaged, or is not a database. Put it aside and restore a backup.",
)
_IN_USE = (DatabaseInUse, "The database {path} is in use by another program; close that one and try again.")
_NO_ACCESS = (
    StorageError,
    "The database {path} cannot be opened; check that its folder exists and its rights.",
)

_MEANINGS: dict[int, tuple[type[StorageError], str]] = {
    sqlite3.SQLITE_CORRUPT: _UNREADABLE,
    sqlite3.SQLITE_NOTADB: _UNREADABLE,
    sqlite3.SQLITE_BUSY: _IN_USE,
    sqlite3.SQLITE_LOCKED: _IN_USE,
    sqlite3.SQLITE_CANTOPEN: _NO_ACCESS,
    sqlite3.SQLITE_PERM: _NO_ACCESS,
    sqlite3.SQLITE_FULL: (StorageFull, "There is no room left to write to {path}; nothing was changed."),
    sqlite3.SQLITE_READONLY: (
        StorageReadOnly,
        "The database {path} may not be written; nothing was changed.",
    ),
    sqlite3.SQLITE_IOERR: (StorageError, "The disk failed while using {path}; nothing was changed."),
    sqlite3.SQLITE_CONSTRAINT: (ConstraintBroken, "The database {path} refuses this; nothing was changed."),
}


def translated(error: sqlite3.Error, path: str) -> Exception:
    """Return the storage error that says what SQLite's `error` means, or `error` itself if it is a bug."""
    # The low byte is the primary code; the rest only refines it. Errors that Python itself raises, such as
    # a wrong number of parameters, have no code at all.
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code not in _MEANINGS:
        return error
    kind, sentence = _MEANINGS[code]
    return kind(f"{sentence.format(path=path)} (SQLite: {error})")
