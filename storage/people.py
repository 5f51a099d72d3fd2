"""Settings of a person, as text under a key."""

from storage import settings
from storage.db import Database


async def get(db: Database, user_id: int, key: str) -> str | None:
    """Return a setting of a person, None if it has not been set."""
    return await settings.get_setting(db, "person", user_id, key)


async def get_all(db: Database, user_id: int) -> dict[str, str]:
    """Return every setting of a person, by key."""
    return await settings.all_settings(db, "person", user_id)


async def put(db: Database, user_id: int, key: str, value: str) -> None:
    """Set a setting of a person, whether or not it was set before."""
    await settings.set_setting(db, "person", user_id, key, value)


async def clear(db: Database, user_id: int, key: str) -> None:
    """Forget a setting of a person; harmless if it was not set."""
    await settings.clear_setting(db, "person", user_id, key)
