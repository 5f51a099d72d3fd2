"""Settings as text under a key, of a guild or of a person; `guilds` and `people` are the two ways in."""

from typing import Literal

from storage.db import Database

Scope = Literal["guild", "person"]
"""Whose settings they are."""


async def get_setting(db: Database, scope: Scope, owner_id: int, key: str) -> str | None:
    """Return a setting, None if it has not been set."""
    found = await db.read(
        lambda conn: conn.execute(
            "SELECT value FROM settings WHERE scope = ? AND owner_id = ? AND key = ?", (scope, owner_id, key)
        ).fetchone()
    )
    return None if found is None else str(found[0])


async def all_settings(db: Database, scope: Scope, owner_id: int) -> dict[str, str]:
    """Return everything that has been set, by key."""
    return await db.read(
        lambda conn: dict(
            conn.execute(
                "SELECT key, value FROM settings WHERE scope = ? AND owner_id = ? ORDER BY key",
                (scope, owner_id),
            ).fetchall()
        )
    )


async def set_setting(db: Database, scope: Scope, owner_id: int, key: str, value: str) -> None:
    """Set a setting, whether or not it was set before."""
    await db.execute(
        "INSERT INTO settings (scope, owner_id, key, value) VALUES (?, ?, ?, ?) "
        "ON CONFLICT DO UPDATE SET value = excluded.value",
        scope,
        owner_id,
        key,
        value,
    )


async def clear_setting(db: Database, scope: Scope, owner_id: int, key: str) -> None:
    """Forget a setting; harmless if it was not set."""
    await db.execute(
        "DELETE FROM settings WHERE scope = ? AND owner_id = ? AND key = ?", scope, owner_id, key
    )
