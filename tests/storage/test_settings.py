"""Settings of guilds and people, which never mix."""

from types import ModuleType

import pytest

from storage import Database, guilds, people


@pytest.fixture(params=[guilds, people], ids=["guilds", "people"])
def settings(request: pytest.FixtureRequest) -> ModuleType:
    module: ModuleType = request.param
    return module


async def test_a_setting_is_set_changed_and_forgotten(db: Database, settings: ModuleType) -> None:
    assert await settings.get(db, 1, "theme") is None
    await settings.put(db, 1, "theme", "dark")
    await settings.put(db, 1, "theme", "light")
    await settings.put(db, 1, "language", "en")
    await settings.put(db, 2, "theme", "dark")
    assert await settings.get(db, 1, "theme") == "light"
    assert await settings.get_all(db, 1) == {"language": "en", "theme": "light"}
    await settings.clear(db, 1, "theme")
    await settings.clear(db, 1, "theme")
    assert await settings.get_all(db, 1) == {"language": "en"}
    assert await settings.get(db, 2, "theme") == "dark"


async def test_a_guild_and_a_person_of_one_number_are_two(db: Database) -> None:
    await guilds.put(db, 1, "theme", "dark")
    await people.put(db, 1, "theme", "light")
    assert await guilds.get(db, 1, "theme") == "dark"
    assert await people.get_all(db, 1) == {"theme": "light"}
