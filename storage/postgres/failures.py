"""What PostgreSQL's errors mean, by their codes (SQLSTATE)."""

import asyncpg

from storage.errors import (
    ConstraintBroken,
    DatabaseInUse,
    DatabaseUnreachable,
    DatabaseUnreadable,
    StorageError,
    StorageFull,
    StorageReadOnly,
)

FAILURES = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError)
"""Everything by which the server, the way to it, or the package that talks with it can fail."""

_CUT_OFF = ("08", "57P01", "57P02", "57P05", "25P03")
_AGAIN = ("40001", "40P01")
_LOST = (DatabaseUnreachable, "The connection to {name} was lost, or could not be made; nothing was changed.")
_NOT_LET_IN = (
    DatabaseUnreachable,
    "{name} does not accept this user or password; check DATABASE_URL. Nothing was changed.",
)
_HELD = (DatabaseInUse, "{name} is busy: another transaction holds what is needed. Nothing was changed.")
_BROKEN = (ConstraintBroken, "{name} refuses this; nothing was changed.")
_DAMAGED = (DatabaseUnreadable, "{name} is damaged. Restore a backup.")

_MEANINGS: dict[str, tuple[type[StorageError], str]] = {
    **dict.fromkeys(_CUT_OFF, _LOST),
    "28": _NOT_LET_IN,
    "3D": (DatabaseUnreachable, "{name} is not there: the server has no database of that name; create it."),
    "42501": (StorageReadOnly, "{name} may not be written by this user; nothing was changed."),
    "25006": (StorageReadOnly, "{name} may not be written; nothing was changed."),
    "53100": (StorageFull, "There is no room left to write to {name}; nothing was changed."),
    "53": (DatabaseUnreachable, "{name} has no memory or connections left; nothing was changed."),
    "57P03": (DatabaseUnreachable, "{name} is starting up or shutting down; nothing was changed."),
    "58": (StorageError, "The disk of {name} failed; nothing was changed."),
    **dict.fromkeys(_AGAIN, _HELD),
    "55P03": _HELD,
    "57014": _HELD,
    "22": _BROKEN,
    "23": _BROKEN,
    "XX001": _DAMAGED,
    "XX002": _DAMAGED,
}
"""By the whole code, or else by its class, which is the first two letters."""


def translated(error: Exception, name: str) -> Exception:
    """Return the storage error that says what `error` means, or `error` itself if it is a bug."""
    if isinstance(error, asyncpg.DataError):  # found before the server was asked
        return _BROKEN[0](f"{_BROKEN[1].format(name=name)} (PostgreSQL: {error})")
    code = _code(error)
    meaning = _MEANINGS.get(code) or _MEANINGS.get(code[:2])
    if meaning is None and was_cut_off(error):
        meaning = _LOST
    if meaning is None:
        return error
    kind, sentence = meaning
    return kind(f"{sentence.format(name=name)} (PostgreSQL: {error})")


def was_cut_off(error: Exception) -> bool:
    """Whether the connection ended, so that nothing is known of what was under way."""
    if code := _code(error):
        return code.startswith(_CUT_OFF)
    # A farewell of the server that comes between two questions is an internal error to the package.
    return isinstance(error, OSError | asyncpg.InterfaceError | asyncpg.InternalClientError)


def worth_another_try(error: Exception) -> bool:
    """Whether the same transaction, run anew, may go through: nothing of it was stored."""
    if isinstance(error, asyncpg.InvalidCachedStatementError):
        return True
    if isinstance(error, TimeoutError):
        return False
    return was_cut_off(error) or _code(error) in _AGAIN


def waited_in_vain(error: Exception) -> bool:
    """Whether another transaction held what was needed for as long as one waits."""
    return _code(error) == "55P03"


def _code(error: Exception) -> str:
    """What the server said, as its code; empty of what it did not say."""
    return getattr(error, "sqlstate", None) or ""
