"""Games, their logs of actions, and what must still be posted, in a database. Knows no rules."""

from storage.contract import Database, Transaction
from storage.errors import (
    BadEntry,
    ConstraintBroken,
    DatabaseInUse,
    DatabaseTooNew,
    DatabaseUnreachable,
    DatabaseUnreadable,
    LobbyFull,
    NoSuchGame,
    NotSeated,
    OutcomeUnknown,
    StaleSequence,
    StateDamaged,
    StorageError,
    StorageFull,
    StorageReadOnly,
    WrongOrder,
    WrongStatus,
)
from storage.opening import open_database

__all__ = [
    "BadEntry",
    "ConstraintBroken",
    "Database",
    "DatabaseInUse",
    "DatabaseTooNew",
    "DatabaseUnreachable",
    "DatabaseUnreadable",
    "LobbyFull",
    "NoSuchGame",
    "NotSeated",
    "OutcomeUnknown",
    "StaleSequence",
    "StateDamaged",
    "StorageError",
    "StorageFull",
    "StorageReadOnly",
    "Transaction",
    "WrongOrder",
    "WrongStatus",
    "open_database",
]
