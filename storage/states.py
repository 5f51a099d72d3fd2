"""The state after the last row of each log, so that a game can be taken up again without replaying it."""

import sqlite3
from dataclasses import dataclass

from storage.errors import StateDamaged


@dataclass(frozen=True, slots=True)
class KeptState:
    """The state, as text, after row `seq`, the last of its game; `digest` is the one in that row."""

    seq: int
    digest: str
    state: str


def replace(conn: sqlite3.Connection, game_id: int, kept: KeptState | None) -> None:
    """Keep this state instead of the one before, or, for None, no state at all; within a transaction."""
    conn.execute("DELETE FROM states WHERE game_id = ?", (game_id,))
    if kept is not None:
        conn.execute(
            "INSERT INTO states (game_id, seq, digest, state) VALUES (?, ?, ?, ?)",
            (game_id, kept.seq, kept.digest, kept.state),
        )


def find(conn: sqlite3.Connection, game_id: int) -> KeptState | None:
    """Return the state kept for a game, None if there is none, within a transaction; raises StateDamaged."""
    kept = conn.execute("SELECT seq, digest, state FROM states WHERE game_id = ?", (game_id,)).fetchone()
    if kept is None:
        return None
    last = conn.execute(
        "SELECT seq, digest FROM log WHERE game_id = ? ORDER BY seq DESC LIMIT 1", (game_id,)
    ).fetchone()
    if last != kept[:2]:
        raise StateDamaged(game_id)
    return KeptState(*kept)
