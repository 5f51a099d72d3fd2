"""Settings of guilds, which never mix."""

from storage import Database
from storage.settings import GUILDS, LEFT


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


async def test_owners_are_found_by_a_setting_and_its_value(db: Database) -> None:
    for guild, value in ((3, "2026"), (1, "2025"), (2, "2027")):
        await GUILDS.put(db, guild, LEFT, value)
        await GUILDS.put(db, guild, "theme", "2026")
    await GUILDS.put(db, 4, "theme", "dark")
    assert await GUILDS.having(db, LEFT) == [1, 2, 3]
    assert await GUILDS.with_value(db, LEFT, "2026") == [3]
    assert await GUILDS.up_to(db, LEFT, "2026") == [1, 3]


async def test_what_is_forgotten_is_one_setting_or_all_of_an_owner(db: Database) -> None:
    for guild in (1, 2):
        for key in ("theme", "language"):
            await GUILDS.put(db, guild, key, "x")
    await GUILDS.forget(db, 1, "theme")
    assert await GUILDS.all_of(db, 1) == {"language": "x"}
    await GUILDS.forget_all(db, 1)
    assert [await GUILDS.all_of(db, guild) for guild in (1, 2)] == [{}, {"theme": "x", "language": "x"}]
