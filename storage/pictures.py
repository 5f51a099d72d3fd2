"""A cache of drawn pictures: rows of a log never change, so a picture of one never goes stale."""

import sqlite3
from dataclasses import dataclass

from storage.db import Database

MOST_BYTES = 64 * 1024 * 1024
"""How much the pictures may take up together, in bytes."""


@dataclass(frozen=True, slots=True)
class PictureKey:
    """What a picture shows: a game after a sequence, in a view ("map", "market", ...) and a theme."""

    game_id: int
    seq: int
    view: str
    theme: str


async def get(db: Database, key: PictureKey) -> bytes | None:
    """Return the PNG kept under `key`, None if there is none."""
    found = await db.read(
        lambda conn: conn.execute(
            "SELECT png FROM pictures WHERE game_id = ? AND seq = ? AND view = ? AND theme = ?", _values(key)
        ).fetchone()
    )
    return None if found is None else bytes(found[0])


async def put(db: Database, key: PictureKey, png: bytes, *, most_bytes: int = MOST_BYTES) -> None:
    """Keep a PNG under `key`, then delete the oldest until all take up at most `most_bytes`."""

    def change(conn: sqlite3.Connection) -> None:
        conn.execute(
            "INSERT OR REPLACE INTO pictures (game_id, seq, view, theme, png) VALUES (?, ?, ?, ?, ?)",
            (*_values(key), png),
        )
        # Added up from the newest backwards; length() of a blob does not read it.
        conn.execute(
            "DELETE FROM pictures WHERE id IN (SELECT id FROM ("
            "SELECT id, SUM(LENGTH(png)) OVER (ORDER BY id DESC) AS total FROM pictures) WHERE total > ?)",
            (most_bytes,),
        )

    await db.write(change)


def _values(key: PictureKey) -> tuple[int, int, str, str]:
    return (key.game_id, key.seq, key.view, key.theme)
