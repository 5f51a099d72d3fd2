"""Settings of a guild (a Discord server), as text under a key."""

from storage import settings
from storage.db import Database


async def get(db: Database, guild_id: int, key: str) -> str | None:
    """Return a setting of a guild (a Discord server), None if it has not been set."""
    return await settings.get_setting(db, "guild", guild_id, key)


async def get_all(db: Database, guild_id: int) -> dict[str, str]:
    """Return every setting of a guild (a Discord server), by key."""
    return await settings.all_settings(db, "guild", guild_id)


async def put(db: Database, guild_id: int, key: str, value: str) -> None:
    """Set a setting of a guild (a Discord server), whether or not it was set before."""
    await settings.set_setting(db, "guild", guild_id, key, value)


async def clear(db: Database, guild_id: int, key: str) -> None:
    """Forget a setting of a guild (a Discord server); harmless if it was not set."""
    await settings.clear_setting(db, "guild", guild_id, key)
