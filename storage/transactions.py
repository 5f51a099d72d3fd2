"""Whole transactions on a plain SQLite connection in autocommit mode."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def transaction(conn: sqlite3.Connection) -> Iterator[None]:
    """Commit everything done within, or, if anything is raised, roll all of it back."""
    # IMMEDIATE takes the right to write at once, so that what was read before writing cannot change.
    conn.execute("BEGIN IMMEDIATE")
    try:
        yield
        if not conn.in_transaction:
            raise RuntimeError("the transaction was ended from within")
        conn.execute("COMMIT")
    except BaseException:
        # A full disk may have made SQLite roll back by itself.
        if conn.in_transaction:
            conn.execute("ROLLBACK")
        raise


@contextmanager
def reading(conn: sqlite3.Connection) -> Iterator[None]:
    """Show one unchanging picture of the database to everything done within, and refuse writing."""
    conn.execute("PRAGMA query_only = ON")
    try:
        conn.execute("BEGIN")
        yield
    finally:
        if conn.in_transaction:
            conn.execute("ROLLBACK")
        conn.execute("PRAGMA query_only = OFF")
