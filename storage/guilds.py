"""Settings of a guild (a Discord server), as text under a key."""

from storage.contract import Database


async def get(db: Database, guild_id: int, key: str) -> str | None:
    """Return a setting of a guild, None if it has not been set."""
    found = await db.read(
        lambda tx: tx.row("SELECT value FROM guild_settings WHERE guild_id = ? AND key = ?", guild_id, key)
    )
    return None if found is None else str(found[0])


async def put(db: Database, guild_id: int, key: str, value: str) -> None:
    """Set a setting of a guild, whether or not it was set before."""
    statement = (
        "INSERT INTO guild_settings (guild_id, key, value) VALUES (?, ?, ?) "
        "ON CONFLICT (guild_id, key) DO UPDATE SET value = excluded.value"
    )
    await db.write(lambda tx: tx.run(statement, guild_id, key, value))


async def having(db: Database, key: str) -> list[int]:
    """Return the guilds for which a setting is set."""
    statement = "SELECT guild_id FROM guild_settings WHERE key = ? ORDER BY guild_id"
    return [guild_id for (guild_id,) in await db.read(lambda tx: tx.rows(statement, key))]


async def forget(db: Database, guild_id: int, key: str) -> None:
    """Remove a setting of a guild, if it is set."""
    statement = "DELETE FROM guild_settings WHERE guild_id = ? AND key = ?"
    await db.write(lambda tx: tx.run(statement, guild_id, key))


async def all_of(db: Database, guild_id: int) -> dict[str, str]:
    """Return every setting of a guild, by its key."""
    statement = "SELECT key, value FROM guild_settings WHERE guild_id = ?"
    return {str(key): str(value) for key, value in await db.read(lambda tx: tx.rows(statement, guild_id))}


async def forget_all(db: Database, guild_id: int) -> None:
    """Remove every setting of a guild."""
    await db.write(lambda tx: tx.run("DELETE FROM guild_settings WHERE guild_id = ?", guild_id))
