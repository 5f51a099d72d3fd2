"""SQLite: games, their logs of actions, and what must still be posted. Knows no rules."""

from storage.db import Database
from storage.errors import (
    BadEntry,
    ConstraintBroken,
    DatabaseInUse,
    DatabaseTooNew,
    DatabaseUnreadable,
    LobbyFull,
    NoSuchGame,
    NotSeated,
    StaleSequence,
    StateDamaged,
    StorageError,
    StorageFull,
    StorageReadOnly,
    WrongOrder,
    WrongStatus,
)

__all__ = [
    "BadEntry",
    "ConstraintBroken",
    "Database",
    "DatabaseInUse",
    "DatabaseTooNew",
    "DatabaseUnreadable",
    "LobbyFull",
    "NoSuchGame",
    "NotSeated",
    "StaleSequence",
    "StateDamaged",
    "StorageError",
    "StorageFull",
    "StorageReadOnly",
    "WrongOrder",
    "WrongStatus",
]
