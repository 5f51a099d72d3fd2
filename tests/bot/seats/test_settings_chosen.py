"""What people, servers and tables choose: how it is typed, read, refused and explained."""

from datetime import time

import pytest

from bot.table.errors import Refused
from bot.table.settings.durations_and_zones import matching_zones, zone_named
from bot.table.settings.person_settings import (
    QUIET_HOURS_KEYS,
    choose_user_settings,
    person_settings,
    time_of_day,
)
from bot.table.settings.table_settings import (
    AFTER_SECOND_REMINDER,
    BANK,
    SETTINGS,
    setting_named,
    setting_value,
    setting_values,
    settings_summary,
)
from storage import GAME_SETTINGS, PERSON_SETTINGS
from tests.bot.support.table_service import ANN, TableService

# --- people ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "read"),
    [("22:30", time(22, 30)), (" 0:00 ", time(0, 0)), ("23:59", time(23, 59)), ("7:05", time(7, 5))],
)
def test_time_of_day_is_read(typed: str, read: time) -> None:
    assert time_of_day(typed) == read


@pytest.mark.parametrize(
    "typed", ["24:00", "23:60", "7:5", "7:005", "22", "", "x:30", "22:xx", "22.30", f"{'0' * 5000}:30"]
)
def test_time_of_day_is_refused(typed: str) -> None:
    with pytest.raises(Refused, match="not a time of day"):
        time_of_day(typed)


@pytest.mark.parametrize(
    ("typed", "zone"),
    [(" europe/berlin ", "Europe/Berlin"), ("berlin", "Europe/Berlin"), ("UTC", "UTC")],
)
def test_zone_is_named_by_its_city(typed: str, zone: str) -> None:
    assert zone_named(typed) == zone


def test_zones_are_places_or_utc() -> None:
    with pytest.raises(Refused, match=r"^\*\*new\*\* matches 2 time zones: America/New_York, "):
        zone_named("new")
    with pytest.raises(Refused, match="no time zone"):
        zone_named("nowhere")
    *places, last = matching_zones("")
    assert (len(places) > 400, last) == (True, "UTC")
    assert all("/" in zone and not zone.startswith("Etc/") for zone in places)
    assert "America/New_York" in matching_zones("new york")


async def chosen(service: TableService, **wanted: str) -> dict[str, str]:
    await choose_user_settings(service.db, ANN, wanted)
    return await PERSON_SETTINGS.settings_of(service.db, ANN)


async def test_choices_are_stored_and_taken_back(service: TableService) -> None:
    stored = await chosen(service, quiet_from="7:05", quiet_to="9:00", zone="berlin", how="both")
    assert stored == {"quiet_from": "07:05", "quiet_to": "09:00", "zone": "Europe/Berlin", "how": "both"}
    stored = await chosen(service, zone="Off", reminders="off", digest="8:00")
    left = {"how": "both", "reminders": "off", "digest": "08:00"}
    assert stored == {"quiet_from": "07:05", "quiet_to": "09:00", **left}
    assert (await person_settings(service.db, ANN)).wants_reminders is False
    assert await chosen(service, quiet_from="off", quiet_to="off") == left | dict.fromkeys(
        QUIET_HOURS_KEYS, "off"
    )
    assert await chosen(service, quiet_from="server", quiet_to="server") == left


async def test_quiet_hours_need_two_ends(service: TableService) -> None:
    for wanted in ({"quiet_from": "22:00"}, {"quiet_to": "7:00", "how": "both"}):
        with pytest.raises(Refused, match="need a start and an end"):
            await chosen(service, **wanted)
    with pytest.raises(Refused, match="cannot start and end at the same time"):
        await chosen(service, quiet_from="7:00", quiet_to="07:00")
    assert await PERSON_SETTINGS.settings_of(service.db, ANN) == {}
    await chosen(service, quiet_from="22:00", quiet_to="7:00")
    for end, why in (("off", "need a start and an end"), ("22:00", "cannot start and end at the same time")):
        with pytest.raises(Refused, match=why):
            await chosen(service, quiet_to=end)
    assert (await chosen(service, quiet_to="6:00"))["quiet_from"] == "22:00"


# --- reminders -------------------------------------------------------------------------------------------------------


# --- servers and tables ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "value", "means"),
    [
        ("bank", "none", "no deadlines"),
        ("bank", "3 days", "3 days for each player, for the whole game"),
        ("bank", "36 hours", "1 day 12 hours for each player, for the whole game"),
        ("grace", "12 hours", "the first 12 hours of each turn, before the time bank runs"),
        ("grace", "2 days", "the first 2 days of each turn, before the time bank runs"),
        ("away", "21 days", "while a player is away, for 21 days in all"),
        ("absence", "24 hours", "after 1 day without a move"),
        ("absence", AFTER_SECOND_REMINDER, "at the time of the second reminder"),
        ("reminders", "none", "none"),
        ("reminders", "usual", "12, 24 and 48 hours"),
    ],
)
def test_value_of_a_setting_is_explained(setting: str, value: str, means: str) -> None:
    assert means in setting_named(setting).meaning_of(value)


@pytest.mark.parametrize(
    ("setting", "value", "why"),
    [
        ("bank", "some", r"not a value of bank\. Use \*\*none\*\* or .* or any number of hours"),
        ("reminders", "36 hours", r"Use \*\*usual\*\* or \*\*slow\*\* or \*\*none\*\*\.$"),
        ("absence", "11 hours", "not a value of absence"),
        ("banc", "5 days", "no setting"),
    ],
)
def test_setting_is_refused(setting: str, value: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        setting_named(setting).meaning_of(value)


async def test_table_has_choices_and_defaults(service: TableService) -> None:
    game = await service.lobby()
    assert await setting_value(service.db, game, "bank") == BANK.default == "none"
    assert await settings_summary(service.db, game, includes_defaults=False) == []
    await GAME_SETTINGS.put(service.db, game, "bank", "5 days")
    await GAME_SETTINGS.put(service.db, game, "played again as", "7")
    values = await setting_values(service.db, game)
    assert (set(values), values["bank"], values["sealed"]) == (set(SETTINGS), "5 days", "off")
    line = "Time bank: 5 days for each player, for the whole game"
    assert await settings_summary(service.db, game, includes_defaults=False) == [line]
    assert len(await settings_summary(service.db, game)) == len(SETTINGS)
