"""Settings of a guild (a Discord server), as text under a key."""

from storage.db import Database


async def get(db: Database, guild_id: int, key: str) -> str | None:
    """Return a setting of a guild, None if it has not been set."""
    found = await db.read(
        lambda conn: conn.execute(
            "SELECT value FROM settings WHERE scope = 'guild' AND owner_id = ? AND key = ?", (guild_id, key)
        ).fetchone()
    )
    return None if found is None else str(found[0])


async def put(db: Database, guild_id: int, key: str, value: str) -> None:
    """Set a setting of a guild, whether or not it was set before."""
    await db.execute(
        "INSERT INTO settings (scope, owner_id, key, value) VALUES ('guild', ?, ?, ?) "
        "ON CONFLICT DO UPDATE SET value = excluded.value",
        guild_id,
        key,
        value,
    )
