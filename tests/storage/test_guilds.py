"""Settings of guilds, which never mix."""

from storage import Database, guilds


async def test_a_setting_is_set_and_changed(db: Database) -> None:
    assert await guilds.get(db, 1, "theme") is None
    await guilds.put(db, 1, "theme", "dark")
    await guilds.put(db, 1, "theme", "light")
    assert await guilds.get(db, 1, "theme") == "light"


async def test_a_setting_belongs_to_one_guild_and_one_key(db: Database) -> None:
    await guilds.put(db, 1, "theme", "dark")
    await guilds.put(db, 2, "theme", "light")
    await guilds.put(db, 1, "language", "en")
    assert await guilds.get(db, 1, "theme") == "dark"
    assert await guilds.get(db, 2, "theme") == "light"
    assert await guilds.get(db, 2, "language") is None
