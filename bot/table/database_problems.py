"""What users read about a database in trouble: what it means for them, and nothing about the machine."""

from typing import Final

from storage.errors import (
    BadEntry,
    DatabaseInUse,
    DatabaseUnreachable,
    DatabaseUnreadable,
    LeaseLost,
    LobbyFull,
    NoSuchGame,
    NotSeated,
    OutcomeUnknown,
    StaleSequence,
    StateDamaged,
    StillSeated,
    StorageError,
    StorageFull,
    StorageReadOnly,
    WrongOrder,
    WrongStatus,
)

_ABOUT_GAMES: Final = (
    BadEntry,
    LobbyFull,
    NoSuchGame,
    NotSeated,
    StaleSequence,
    StateDamaged,
    StillSeated,
    WrongOrder,
    WrongStatus,
)
"""Errors whose words are for users; the words of all others are for the operator."""
_MEANINGS: Final[tuple[tuple[type[StorageError], str], ...]] = (
    (OutcomeUnknown, "The connection to where games are kept was lost."),
    (DatabaseUnreachable, "Where games are kept cannot be reached."),
    (StorageFull, "There is no room left where games are kept."),
    (StorageReadOnly, "Nothing can be written where games are kept."),
    (DatabaseInUse, "The games are in use by another program."),
    (DatabaseUnreadable, "The games cannot be read."),
)
TAKEN_OVER: Final = "Another process of this bot has taken over."
LOGGED: Final = "The operator of this bot finds the reason in its log."


def is_for_the_log(error: StorageError) -> bool:
    """Whether the words of an error are for the operator: they may show paths of the machine."""
    return not isinstance(error, (*_ABOUT_GAMES, LeaseLost))


def in_public(error: StorageError) -> str:
    """The sentences of a storage error without paths of the machine or words of the database."""
    if isinstance(error, LeaseLost):
        return TAKEN_OVER
    if not is_for_the_log(error):
        return str(error)
    meaning = next(
        (says for kind, says in _MEANINGS if isinstance(error, kind)), "The database is in trouble."
    )
    return f"{meaning} {LOGGED}"
