"""Settings of guilds, which never mix."""

from storage import Database
from storage.settings import GUILDS


async def test_a_setting_is_set_and_changed(db: Database) -> None:
    assert await GUILDS.get(db, 1, "theme") is None
    await GUILDS.put(db, 1, "theme", "dark")
    await GUILDS.put(db, 1, "theme", "light")
    assert await GUILDS.get(db, 1, "theme") == "light"


async def test_a_setting_belongs_to_one_guild_and_one_key(db: Database) -> None:
    await GUILDS.put(db, 1, "theme", "dark")
    await GUILDS.put(db, 2, "theme", "light")
    await GUILDS.put(db, 1, "language", "en")
    assert await GUILDS.get(db, 1, "theme") == "dark"
    assert await GUILDS.get(db, 2, "theme") == "light"
    assert await GUILDS.get(db, 2, "language") is None
