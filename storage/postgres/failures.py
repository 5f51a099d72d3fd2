"""Translation of psycopg's errors into storage errors; also tells which errors allow a retry."""

import psycopg

from storage.errors import (
    ConstraintBroken,
    DatabaseInUse,
    DatabaseUnreachable,
    DatabaseUnreadable,
    ShardLost,
    StorageError,
    StorageFull,
    StorageReadOnly,
)

DRIVER_ERRORS = (psycopg.Error, OSError, UnicodeEncodeError)
"""Exceptions that psycopg raises for errors of the server or the connection, or for a value that it cannot send."""

SHARD_LOST_CODE = "18XXE"
"""The SQLSTATE code that the SQL function `require_epoch` raises if another process has taken over a shard."""

_CUT_OFF_CODES = ("080", "57P01", "57P02", "57P05", "25P03")
_RETRY_CODES = ("40001", "40P01")
_CONNECTION_LOST = (
    DatabaseUnreachable,
    "The connection to {name} was lost, or could not be made; nothing was changed.",
)
_DATABASE_BUSY = (
    DatabaseInUse,
    "{name} is busy: another transaction has locked these rows. Nothing was changed.",
)
_ROW_REJECTED = (ConstraintBroken, "{name} does not accept this data. Nothing was changed.")
_DATABASE_DAMAGED = (DatabaseUnreadable, "{name} is damaged. Restore a backup.")

_STORAGE_ERRORS_BY_CODE: dict[str, tuple[type[StorageError], str]] = {
    **dict.fromkeys(_CUT_OFF_CODES, _CONNECTION_LOST),
    "42501": (
        StorageReadOnly,
        "The database user has no permission to write to {name}. Nothing was changed.",
    ),
    "25006": (StorageReadOnly, "{name} is read-only. Nothing was changed."),
    "53100": (StorageFull, "There is no room left to write to {name}; nothing was changed."),
    "53": (DatabaseUnreachable, "{name} has no memory or connections left; nothing was changed."),
    "57P03": (DatabaseUnreachable, "{name} is starting up or shutting down; nothing was changed."),
    "58": (StorageError, "The disk of {name} failed; nothing was changed."),
    **dict.fromkeys(_RETRY_CODES, _DATABASE_BUSY),
    "55P03": _DATABASE_BUSY,
    "57014": _DATABASE_BUSY,
    "22": _ROW_REJECTED,
    "23": _ROW_REJECTED,
    "XX001": _DATABASE_DAMAGED,
    "XX002": _DATABASE_DAMAGED,
}
"""Storage error class and sentence, by SQLSTATE code or by the code's first two or three characters."""


def storage_error_for(error: Exception, name: str) -> Exception:
    """Return the storage error for an exception of psycopg, or the exception itself if it indicates a bug."""
    code = sqlstate(error)
    if code == SHARD_LOST_CODE and isinstance(error, psycopg.Error):
        return ShardLost(int(error.diag.message_detail or 0))
    if isinstance(error, UnicodeEncodeError | psycopg.DataError):
        code = "22"  # psycopg refuses a text with a NUL character itself, without a code
    storage_error = next(
        (
            _STORAGE_ERRORS_BY_CODE[key]
            for key in (code, code[:3], code[:2])
            if key in _STORAGE_ERRORS_BY_CODE
        ),
        None,
    )
    if storage_error is None and is_connection_error(error):
        storage_error = _CONNECTION_LOST
    if storage_error is None:
        return error
    error_class, sentence = storage_error
    return error_class(f"{sentence.format(name=name)} (PostgreSQL: {error})")


def is_connection_error(error: Exception) -> bool:
    """True if the error means that the connection broke, and a commit may or may not have succeeded."""
    if code := sqlstate(error):
        return code.startswith(_CUT_OFF_CODES)
    return isinstance(error, OSError | psycopg.OperationalError)


def may_retry(error: Exception) -> bool:
    """True if the error means that nothing was stored, so that the transaction can be repeated."""
    return not isinstance(error, TimeoutError) and (
        is_connection_error(error) or sqlstate(error) in _RETRY_CODES
    )


def sqlstate(error: Exception) -> str:
    """The error's SQLSTATE code; empty if it has none."""
    return getattr(error, "sqlstate", None) or ""
