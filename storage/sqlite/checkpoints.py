"""Checkpoints of the write-ahead log, and the mark by which the file itself says whether it is whole.

While a bot runs, the file stands at the last checkpoint and its header says that more follows; the last transaction in
the log says that the database is whole. A program that brings the log into the file brings that mark along; a copy of
the file without its log does not have it.
"""

import logging
import sqlite3
from typing import Final, Literal

_log = logging.getLogger("stationmaster.storage")

WHOLE: Final = 0x31387858
"""Marks a file as ours, in SQLite's header (`application_id`): the letters "18xX"."""
MORE_FOLLOWS: Final = 0x3138782B
"""The same for a file whose latest moves are in its write-ahead log: "18x+"."""
OURS: Final = (WHOLE, MORE_FOLLOWS)
LOG_BYTES: Final = 4 * 1024 * 1024
"""To this the log is cut back after a checkpoint, and not further, since to let it grow again costs time."""
WRITES: Final = 64
"""Transactions between two checkpoints: about as many moves as fit into LOG_BYTES."""


class Checkpoints:
    """When the log of an open database is due to be brought into the file."""

    def __init__(self) -> None:
        self._left = WRITES

    def begin(self, conn: sqlite3.Connection) -> None:
        """Take over from SQLite, whose own checkpoints leave no mark."""
        conn.execute("PRAGMA wal_autocheckpoint = 0")
        conn.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")
        checkpoint(conn)

    def written(self, conn: sqlite3.Connection) -> None:
        """Count a transaction, and bring the log into the file if it is due; a failure is logged and tried again."""
        self._left -= 1
        if self._left > 0:
            return
        self._left = WRITES
        try:
            checkpoint(conn)
        except sqlite3.Error as error:
            _log.warning("the write-ahead log could not be brought into the database: %s", error)


def checkpoint(conn: sqlite3.Connection, mode: Literal["PASSIVE", "RESTART"] = "PASSIVE") -> None:
    """Bring the log into the file, marked so that the file says that more follows; RESTART waits for readers.

    Neither mode empties the log, so a kill in between leaves file and log as a whole.
    """
    mark(conn, MORE_FOLLOWS)
    conn.execute(f"PRAGMA wal_checkpoint({mode})").fetchall()
    mark(conn, WHOLE)


def emptied(conn: sqlite3.Connection) -> None:
    """Bring the log into the file, and leave nothing in it of what was there, as far as no program reads it."""
    conn.execute("PRAGMA journal_size_limit = 0")
    try:
        checkpoint(conn, "RESTART")
    finally:
        conn.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")


def mark(conn: sqlite3.Connection, application: int) -> None:
    """Set the mark, in a transaction of its own unless it is there."""
    if marked(conn) != application:
        conn.execute(f"PRAGMA application_id = {application}")


def marked(conn: sqlite3.Connection) -> int:
    """The mark of a database, with what is in its log; 0 in one that nobody has marked."""
    return int(conn.execute("PRAGMA application_id").fetchone()[0])
