"""What people, servers and tables choose: how it is typed, read, refused and explained; and who claims which seat."""

import json
import re
from datetime import UTC, datetime, time, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from bot.table import lobby as lobby_module
from bot.table.errors import Damaged, NotYours, Refused
from bot.table.imports import REST, SURE, Claims
from bot.table.lobby import Opener, lobby_expires, may_give_up
from bot.table.orders import caretakers
from bot.table.orders.caretakers import NAME, join_again
from bot.table.pings import pings_quietly
from bot.table.rematch import Rematches
from bot.table.settings import game_rules, server_settings
from bot.table.settings.durations_and_zones import QuietHours, matching_zones, zone_named
from bot.table.settings.game_rules import (
    AGREED,
    chosen_rules,
    damage_of,
    differences_command,
    house_summary,
    house_text,
    house_topics,
    longer_options,
    names_of,
    options_of,
    read_list,
    read_options,
    read_profile,
    read_title,
    rule_differences,
    rules_text,
    title_of,
    topics_of,
)
from bot.table.settings.person_settings import (
    PersonSettings,
    choose_all,
    for_moderators,
    is_off,
    person_settings,
    read_settings,
    reminder_gap,
    time_of_day,
    until_second_reminder,
)
from bot.table.settings.table_settings import (
    ABSENCE,
    AWAY_BUDGET,
    BANK,
    GRACE,
    REMINDED_TWICE,
    REMINDERS,
    SETTINGS,
    absence_span,
    setting_named,
    summary,
    value_of,
    values_of,
)
from bot.table.votes.moderation import moderator_end
from engine.core.spec import HouseRule
from engine.titles import TITLES
from storage import CARETAKER, GAMES, PEOPLE, DatabaseUnreachable, NotSeated, Seat, games
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService

# --- people ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "read"),
    [("22:30", time(22, 30)), (" 0:00 ", time(0, 0)), ("23:59", time(23, 59)), ("7:05", time(7, 5))],
)
def test_a_time_of_day_is_typed_with_a_colon(typed: str, read: time) -> None:
    assert time_of_day(typed) == read


@pytest.mark.parametrize(
    "typed",
    ["24:00", "23:60", "7:5", "7:005", "22", "", "x:30", "22:xx", "22.30", f"{'0' * 5000}:30"],
)
def test_what_is_no_time_of_day_is_refused(typed: str) -> None:
    with pytest.raises(Refused, match="no time of day"):
        time_of_day(typed)


def test_a_zone_is_named_by_its_city_in_any_case_if_there_is_one_such() -> None:
    assert zone_named(" europe/berlin ") == "Europe/Berlin"
    assert zone_named("berlin") == "Europe/Berlin"
    assert zone_named("UTC") == "UTC", "the whole name, though others have it in them"
    with pytest.raises(Refused, match=r"^\*\*new\*\* is in the names of 2 time zones: America/New_York, "):
        zone_named("new")
    with pytest.raises(Refused, match="no time zone"):
        zone_named("nowhere")
    assert "America/New_York" in matching_zones("new york")


def test_zones_are_places_or_utc() -> None:
    *places, last = matching_zones("")
    assert (len(places) > 400, last) == (True, "UTC")
    assert all("/" in zone and not zone.startswith("Etc/") for zone in places)


def test_off_takes_a_choice_back_in_any_case() -> None:
    assert all(map(is_off, ("off", " Off ", "OFF")))
    assert not is_off("on")


def test_without_a_choice_a_person_is_pinged_in_the_thread_and_reminded() -> None:
    default = PersonSettings("thread", None, "UTC", None, reminders=True, away_until=None)
    assert read_settings({}) == PersonSettings() == default


def test_what_a_person_has_chosen_is_read() -> None:
    chosen = {
        "how": "both", "zone": "Europe/Berlin", "quiet_from": "22:00", "quiet_to": "07:00", "digest": "08:00",
        "reminders": "off", "away_until": "2026-01-02T03:04:05+00:00",
    }  # fmt: skip
    assert read_settings(chosen) == PersonSettings(
        "both",
        QuietHours(time(22), time(7), "Europe/Berlin"),
        "Europe/Berlin",
        time(8),
        reminders=False,
        away_until=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
    )
    assert read_settings({"quiet_from": "22:00"}).quiet is None
    assert read_settings({"quiet_to": "22:00"}).quiet is None


async def chosen(service: TableService, **wanted: str) -> dict[str, str]:
    """What is stored of Ann after she has chosen these, too."""
    await choose_all(service.db, ANN, wanted)
    return await PEOPLE.all_of(service.db, ANN)


async def test_choices_are_stored_as_they_are_meant_and_off_takes_them_back(service: TableService) -> None:
    stored = await chosen(service, quiet_from="7:05", quiet_to="9:00", zone="berlin", how="both")
    assert stored == {"quiet_from": "07:05", "quiet_to": "09:00", "zone": "Europe/Berlin", "how": "both"}
    stored = await chosen(service, zone="Off", reminders="off", digest="8:00")
    assert stored == {
        "quiet_from": "07:05", "quiet_to": "09:00", "how": "both", "reminders": "off", "digest": "08:00",
    }  # fmt: skip
    assert (await person_settings(service.db, ANN)).reminders is False
    assert await chosen(service, quiet_from="off", quiet_to="off") == {
        "how": "both", "reminders": "off", "digest": "08:00",
    }  # fmt: skip


async def test_quiet_hours_need_a_beginning_and_another_end(service: TableService) -> None:
    """What is typed now counts with what was chosen before; nothing is stored of what is refused."""
    for wanted in ({"quiet_from": "22:00"}, {"quiet_to": "7:00", "how": "both"}):
        with pytest.raises(Refused, match="need both"):
            await chosen(service, **wanted)
    with pytest.raises(Refused, match="never be over"):
        await chosen(service, quiet_from="7:00", quiet_to="07:00")
    assert await PEOPLE.all_of(service.db, ANN) == {}
    await chosen(service, quiet_from="22:00", quiet_to="7:00")
    with pytest.raises(Refused, match="need both"):
        await chosen(service, quiet_to="off")
    with pytest.raises(Refused, match="never be over"):
        await chosen(service, quiet_to="22:00")
    assert (await chosen(service, quiet_to="6:00"))["quiet_from"] == "22:00"


def test_who_is_away_or_asleep_is_pinged_afterwards() -> None:
    noon, back = datetime(2026, 1, 2, 12, tzinfo=UTC), datetime(2026, 1, 2, 23, tzinfo=UTC)
    night = QuietHours(time(22), time(7), "UTC")
    away = PersonSettings(away_until=back)
    assert (away.is_away(noon), away.is_away(back), PersonSettings().is_away(noon)) == (True, False, False)
    assert PersonSettings().free(noon) == noon
    assert away.free(noon) == back
    assert away.free(back + timedelta(hours=1)) == back + timedelta(hours=1)
    assert PersonSettings(quiet=night).free(noon) == noon
    assert PersonSettings(quiet=night, away_until=back).free(noon) == datetime(2026, 1, 3, 7, tzinfo=UTC)


# --- reminders -------------------------------------------------------------------------------------------------------


def test_reminders_come_after_growing_gaps_and_then_the_moderators_are_pinged() -> None:
    hours = [reminder_gap("usual", stage) for stage in range(1, 6)]
    assert hours == [*(timedelta(hours=h) for h in (12, 24, 48, 48)), None]
    slow = [reminder_gap("slow", stage) for stage in range(1, 6)]
    assert slow == [*(timedelta(hours=h) for h in (24, 48, 96, 96)), None]
    assert [for_moderators("usual", stage) for stage in (1, 3, 4)] == [False, False, True]
    assert reminder_gap("none", 1) is None
    assert until_second_reminder("usual") == timedelta(hours=36)
    assert until_second_reminder("none") == until_second_reminder("slow") == timedelta(hours=72)


def test_absent_is_who_did_not_move_for_as_long_as_the_table_chose() -> None:
    usual = {ABSENCE.name: "40 hours", REMINDERS.name: "usual"}
    assert absence_span(usual) == timedelta(hours=40)
    assert absence_span(usual | {ABSENCE.name: REMINDED_TWICE, REMINDERS.name: "slow"}) == timedelta(hours=72)


# --- servers ---------------------------------------------------------------------------------------------------------


async def test_a_server_chooses_and_takes_back(service: TableService) -> None:
    db = service.db
    assert await server_settings.server_settings(db, GUILD) == server_settings.ServerSettings()
    assert not await pings_quietly(db, GUILD)
    for setting, value in (
        ("channel", "5"),
        ("pings", "quiet"),
        ("title", "18al"),
        ("profile", "rulebook"),
        ("ratings", "on"),
    ):
        await server_settings.choose_server_setting(db, GUILD, setting, value)  # type: ignore[arg-type]
    await server_settings.choose_moderator_role(db, GUILD, 7)
    assert await server_settings.server_settings(db, GUILD) == server_settings.ServerSettings(
        5, 7, "quiet", "18al", "rulebook", "on"
    )
    assert await pings_quietly(db, GUILD)
    assert await server_settings.moderator_role(db, GUILD) == 7
    await server_settings.choose_moderator_role(db, GUILD, None)
    await server_settings.choose_server_setting(db, GUILD, "pings", None)
    assert await server_settings.moderator_role(db, GUILD) is None
    assert not await pings_quietly(db, GUILD)
    assert (await server_settings.server_settings(db, GUILD)).channel == 5


# --- tables ----------------------------------------------------------------------------------------------------------


def test_a_setting_says_what_its_values_mean_and_what_else_may_be_chosen() -> None:
    assert BANK.default == "none"
    assert BANK.means("none") == "no deadlines"
    assert [BANK.means(days) for days in BANK.values][1] == "3 days for each player in the whole game"
    assert GRACE.means("12 hours") == "12 hours in each turn before the bank runs"
    assert "first 21 days of a player's absences" in AWAY_BUDGET.means("21 days")
    assert ABSENCE.means("24 hours") == "1 day awake after the ping, without a move"
    assert BANK.means("36 hours") == "1 day 12 hours for each player in the whole game"
    with pytest.raises(
        Refused, match=r"no value of bank\. It may be \*\*none\*\* or .* or another number of hours"
    ):
        BANK.means("some")
    with pytest.raises(Refused, match=r"It may be \*\*usual\*\* or \*\*slow\*\* or \*\*none\*\*\.$"):
        REMINDERS.means("36 hours")
    assert REMINDERS.means("none") == "none"
    assert "12, 24 and 48 hours" in REMINDERS.means("usual")
    assert setting_named("bank") is BANK
    with pytest.raises(Refused, match="no setting"):
        setting_named("banc")


@pytest.mark.parametrize(
    ("typed", "fits"), [("11 hours", False), ("12 hours", True), ("x", False), ("2 days", True)]
)
def test_nobody_is_absent_before_half_a_day_is_over(typed: str, fits: bool) -> None:
    assert (ABSENCE.other(typed) is not None) == fits


def test_every_usual_value_says_what_it_means() -> None:
    assert list(GRACE.values.items()) == [
        ("12 hours", "12 hours in each turn before the bank runs"),
        ("6 hours", "6 hours in each turn before the bank runs"),
        ("24 hours", "1 day in each turn before the bank runs"),
        ("2 days", "2 days in each turn before the bank runs"),
    ]
    assert list(ABSENCE.values.items()) == [
        ("24 hours", "1 day awake after the ping, without a move"),
        (REMINDED_TWICE, "at the time of the second reminder"),
        ("2 days", "2 days awake after the ping, without a move"),
        ("3 days", "3 days awake after the ping, without a move"),
        ("7 days", "7 days awake after the ping, without a move"),
    ]
    assert list(BANK.values) == ["none", "3 days", "5 days", "10 days", "21 days"]
    assert list(AWAY_BUDGET.values) == ["21 days", "7 days", "14 days", "30 days", "60 days"]
    assert all(says for setting in SETTINGS.values() for says in setting.values.values())


async def test_a_table_has_what_it_chose_and_the_defaults(service: TableService) -> None:
    game = await service.lobby()
    assert await value_of(service.db, game, "bank") == "none"
    assert await summary(service.db, game, whole=False) == []
    await GAMES.put(service.db, game, "bank", "5 days")
    await GAMES.put(service.db, game, "played again as", "7")
    assert await value_of(service.db, game, "bank") == "5 days"
    values = await values_of(service.db, game)
    assert (set(values), values["bank"], values["sealed"]) == (set(SETTINGS), "5 days", "off")
    assert await summary(service.db, game, whole=False) == [
        "Time bank: 5 days for each player in the whole game"
    ]
    assert len(await summary(service.db, game)) == len(SETTINGS)


# --- rules -----------------------------------------------------------------------------------------------------------

AL, TN = TITLES["18al"], TITLES["18tn"]


def row(title: str = "18al", profile: str = "rulebook", options: str = "[]") -> Any:
    """A stored game."""
    return SimpleNamespace(id=5, title=title, profile=profile, options=options)


def test_titles_and_profiles_are_read_in_any_case() -> None:
    assert read_title(" 18AL ") is AL
    assert read_title(TN.name.upper()) is TN
    with pytest.raises(Refused, match="There is no title 18xx"):
        read_title("18xx")
    assert read_profile(AL, " RuleBook ") == "rulebook"
    with pytest.raises(Refused, match="no profile house"):
        read_profile(AL, "house")


@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES)
def test_the_exact_name_of_a_title_means_it(title: Any) -> None:
    """18C2C is not 18c2c."""
    assert read_title(title.id) is read_title(title.name) is title


ENDS_TWICE = re.compile(r".{0,30}(?<!\.)[.!?,;:] ?(?!\.\.)[.!?,;:](?!\.).{0,10}")
"""Two marks in a row; three full stops are an ellipsis."""


@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES)
def test_no_sentence_of_the_rules_ends_twice(title: Any) -> None:
    for profile in title.spec.profiles:
        for options in ([], *([code] for code in title.rules.OPTIONS)):
            game = row(title.id, profile, json.dumps(options))
            texts = [rules_text(title, game, topic) for topic in (None, *topics_of(title))]
            for text in (chosen_rules(game) + differences_command(game), *texts):
                assert ENDS_TWICE.findall(text) == []


def titles_with_options() -> list[Any]:
    return [title for title in TITLES.values() if len(title.rules.OPTIONS) > 1]


def test_options_are_read_by_code_or_name_and_stand_in_the_titles_order() -> None:
    title = titles_with_options()[0]
    codes = list(title.rules.OPTIONS)
    first, second = codes[0], codes[1]
    if not title.spec.clash((first, second)):
        assert read_options(title, [f" {second.upper()} ", title.rules.OPTIONS[first].name]) == (
            first,
            second,
        )
    assert read_options(title, ["", first, first]) == (first,)
    names = ", ".join(option.name for option in title.rules.OPTIONS.values())
    with pytest.raises(Refused) as refused:
        read_options(title, ["x", first, "y"])
    assert str(refused.value) == f"{title.name} has no option x, y. Options: {names}."


def test_a_title_without_optional_rules_says_that_there_are_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spec = SimpleNamespace(profiles={"rulebook": ()}, note="")
    plain: Any = SimpleNamespace(id="18xx", name="18XX", rules=SimpleNamespace(OPTIONS={}), spec=spec)
    monkeypatch.setitem(TITLES, "18xx", plain)
    assert chosen_rules(row("18xx")) == "Rules: **rulebook** (the printed rules). No optional rules."
    with pytest.raises(Refused, match=r"^18XX has no option x\. Options: none\.$"):
        read_options(plain, ["x"])


def test_options_are_named_as_people_read_them_and_what_is_none_is_left_as_it_is() -> None:
    title = titles_with_options()[0]
    code = next(iter(title.rules.OPTIONS))
    assert names_of(title, [code, "unheard of"]) == f"{title.rules.OPTIONS[code].name}, unheard of"


def test_what_a_table_agreed_on_is_listed_or_without_a_game_all_that_it_may_agree_on() -> None:
    title = titles_with_options()[0]
    agreed, possible = rules_text(title, row(title.id), AGREED), rules_text(title, None, AGREED)
    assert ("Rules: **" in agreed, "__Optional rules__" in agreed) == (True, False)
    assert ("Rules: **" in possible, "__Optional rules__" in possible) == (False, True)


def test_a_further_option_is_completed_behind_those_that_are_typed() -> None:
    title = titles_with_options()[0]
    codes = list(title.rules.OPTIONS)
    found = [text for _, text in longer_options(title, f"{codes[0]}, ")]
    assert f"{codes[0]}, {codes[1]}" in found
    assert f"{codes[0]}, {codes[0]}" not in found


@pytest.mark.parametrize(
    ("text", "read"), [('["a"]', ["a"]), ("[]", []), ("[1]", None), ("{}", None), ("x", None)]
)
def test_a_list_of_names_is_one_of_words_alone(text: str, read: list[str] | None) -> None:
    assert read_list(text) == read


def test_a_stored_game_that_cannot_be_read_says_why() -> None:
    assert damage_of(row()) is None
    assert title_of(row()) is AL
    assert "no title '18xx'" in str(damage_of(row("18xx")))
    assert "its options are 'x'" in str(damage_of(row(options="x")))
    assert "its options are" in str(damage_of(row(options='["unheard of"]')))
    assert damage_of(row(profile="house")) == "There is no profile 'house'."
    cut, long = "x" * 40, "x" * 41
    for damaged in (row(long), row(options=long), row(profile=long)):
        assert f" '{cut}'." in str(damage_of(damaged)), "of a text that is long as far as it tells"
    with pytest.raises(Damaged):
        options_of(row(options='["unheard of"]'))
    every = tuple(AL.rules.OPTIONS)
    assert options_of(row(options=json.dumps(every))) == every


def test_the_rules_of_a_game_are_its_profile_options_and_where_it_differs() -> None:
    title = titles_with_options()[0]
    code = next(iter(title.rules.OPTIONS))
    text = chosen_rules(row(title.id, options=f'["{code}"]'))
    assert text.startswith("Rules: **rulebook** (the printed rules).")
    assert f"\n- {title.rules.OPTIONS[code].name}: " in text
    assert "No optional rules" not in text
    assert "No optional rules." in chosen_rules(row(title.id))
    variant = TITLES["18chesapeake-off-the-rails"]
    assert ") A variant, not checked against a rulebook." in chosen_rules(row(variant.id)).replace(
        "). ", ") "
    )
    assert "(not known any more)" in chosen_rules(row(profile="house"))


def test_where_a_profile_differs_from_the_printed_rules_a_command_lists_it() -> None:
    differing = next(
        (title, profile)
        for title in TITLES.values()
        for profile in title.spec.profiles
        if rule_differences(title, profile)
    )
    title, profile = differing
    assert f"/rules title:{title.name} topic:{AGREED}" in differences_command(row(title.id, profile))
    assert differences_command(row(title.id, "house")) == ""
    alike = next(
        (one, name)
        for one in TITLES.values()
        for name in one.spec.profiles
        if not rule_differences(one, name)
    )
    assert differences_command(row(alike[0].id, alike[1])) == ""
    assert f"Differences of the profile {profile}" in rules_text(title, None, AGREED)
    assert f"Differences of the profile {alike[1]}__" not in rules_text(
        alike[0], row(alike[0].id, alike[1]), AGREED
    )
    assert "Differences of the profile" not in rules_text(AL, row(profile="rulebook"), AGREED)


def test_leniency_for_logs_is_no_difference_from_the_printed_rules() -> None:
    flags = [AL.rules.FLAGS[name] for name in AL.spec.profiles["18xx.games"]]
    lenient = [flag.says for flag in flags if flag.use == "log"]
    found = rule_differences(AL, "18xx.games")
    assert lenient
    assert [flag.says for flag in flags if flag.says in found] == found
    assert sorted([*found, *lenient]) == sorted(flag.says for flag in flags)


def test_rules_are_listed_by_topics_and_each_is_found_by_name_or_heading() -> None:
    contents = rules_text(AL, None)
    for name, about in topics_of(AL).items():
        assert f"- `{name}`: {about}" in contents
        assert rules_text(AL, None, f" {name.upper()} ") == rules_text(AL, None, about)
    assert "Rules: **rulebook**" in rules_text(AL, row())
    assert "Rules: " not in contents
    decided = next(title for title in TITLES.values() if title.spec.house)
    assert rules_text(decided, None, "house") == house_text(decided, "house")
    with pytest.raises(Refused, match="no topic weather"):
        rules_text(AL, None, "weather")


def test_what_is_said_of_privates_names_the_command_of_each_power() -> None:
    hints = {
        line
        for title in TITLES.values()
        if "privates" in title.topics
        for line in rules_text(title, None, "privates").split("\n")
        if line.startswith("-# ")
    }
    said = " ".join(hints)
    for command in (
        "`/lay private:",
        "`/buy-train private:",
        "`/marker`",
        "`/close-private private:",
        "`/buy-marker`",
    ):
        assert command in said
    other = next(name for name in AL.topics if name != "privates")
    assert "\n-# " not in rules_text(AL, None, other)


# --- house rules -----------------------------------------------------------------------------------------------------


def housed(**rules: HouseRule) -> Any:
    """A title with these house rules."""
    return SimpleNamespace(name="18XX", spec=SimpleNamespace(house=rules))


AGREEABLE = HouseRule(value=3, reason="Three.", options={"four": 4})
CORRECTABLE = HouseRule(value="at_once", reason="At once.", choices=("at_once", "later"))
FIXED = HouseRule(value=True, reason="So it is.", choices=(True,))


def test_house_rules_stand_by_who_may_change_them() -> None:
    title = housed(fixed=FIXED, correctable=CORRECTABLE, agreeable=AGREEABLE)
    assert house_text(title, "house").split("\n") == [
        "**18XX: Decided without the rulebook, 1 of 1**",
        "__A table may agree on another value in the lobby__",
        "- `agreeable` 3: Three.",
        "__Owners of the printed game may correct these__",
        "- `correctable` at once: At once. Or: later.",
        "__These have one reading and cannot be changed__",
        "- `fixed` yes: So it is.",
    ]
    assert house_topics(housed()) == {}


def test_of_a_house_rule_that_is_a_whole_table_only_the_reason_is_given() -> None:
    rule = HouseRule(value={"yellow": "green"}, reason="As printed.")
    assert house_text(housed(overlays=rule), "house").endswith("\n- `overlays`: As printed.")


def test_values_that_a_table_chooses_by_an_option_are_listed_with_the_options_alone() -> None:
    rule = HouseRule(value=3, reason="Three.", options={"four": 4}, choices=(3, 4))
    assert house_text(housed(eliminations=rule), "house").endswith("- `eliminations` 3: Three.")


def test_a_long_list_of_house_rules_has_several_topics(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_rules, "LONGEST", 110)
    title = housed(
        **{f"rule{number}": HouseRule(value=False, reason="x" * 40) for number in range(2)}, fixed=FIXED
    )
    assert list(house_topics(title)) == ["house", "house 2", "house 3"]
    assert house_text(title, "house 2").split("\n")[1:] == [
        "__Owners of the printed game may correct these (continued)__",
        f"- `rule1` no: {'x' * 40}",
    ]
    assert house_text(title, "house 3").split("\n")[1:] == [
        "__These have one reading and cannot be changed__",
        "- `fixed` yes: So it is.",
    ]


def test_house_rules_fill_a_topic_to_its_last_character_and_no_topic_is_empty(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    title = housed(agreeable=AGREEABLE, fixed=FIXED)
    lines = house_text(title, "house").split("\n")[1:]
    for longest, topics in ((sum(map(len, lines)), 1), (sum(map(len, lines)) - 1, 2), (1, 4)):
        monkeypatch.setattr(game_rules, "LONGEST", longest)
        assert len(house_topics(title)) == topics
    shown = [house_text(title, topic).split("\n")[1:] for topic in house_topics(title)]
    assert [page[0] for page in shown] == [
        "__A table may agree on another value in the lobby__",
        "__A table may agree on another value in the lobby (continued)__",
        "__These have one reading and cannot be changed__",
        "__These have one reading and cannot be changed (continued)__",
    ]


def test_a_game_begins_with_what_its_table_could_have_decided_otherwise() -> None:
    spec = housed(fixed=FIXED, correctable=CORRECTABLE, agreeable=AGREEABLE).spec
    above = "__Decided without the rulebook; all of it: `/rules topic:house`__"
    assert house_summary(spec, ()).split("\n") == ["", above, "- `agreeable` 3: Three."]
    assert house_summary(spec, ("four",)).endswith("- `agreeable` 4: Three.")
    assert house_summary(housed(fixed=FIXED).spec, ()) == ""


# --- seats -----------------------------------------------------------------------------------------------------------


def claims(*players: str) -> Claims:
    return Claims.of("18AL", 7, players or ("Ann", "Bob", "Cy"))


def test_a_seat_is_claimed_and_given_back_and_the_message_says_so() -> None:
    once = claims().pressed(2, BOB, "Bobby")
    assert once.text().split("\n")[1:] == ["1. Ann: free", f"2. Bob: Bobby (<@{BOB}>)", "3. Cy: free"]
    assert Claims.read(once.text()) == once
    assert once.pressed(2, BOB, "Bobby") == claims()
    assert once.people() is None
    whole = once.pressed(1, ANN, "Ann").pressed(3, CY, "Cy")
    assert whole.people() == ((ANN, "Ann"), (BOB, "Bobby"), (CY, "Cy"))


def test_a_person_has_one_seat_and_takes_none_of_others() -> None:
    once = claims().pressed(2, BOB, "Bob")
    with pytest.raises(Refused, match="You have claimed the seat of Bob"):
        once.pressed(1, BOB, "Bob")
    with pytest.raises(NotYours, match="Bob has claimed the seat of Bob"):
        once.pressed(2, ANN, "Ann")
    assert [once.is_anothers(number, ANN) for number in (1, 2, REST, SURE)] == [False, True, False, False]
    assert not once.is_anothers(2, BOB)
    assert once.freed(2) == claims()
    assert once.pressed(1, ANN, "Bob").text().split("\n")[1] != f"1. Ann: Bob (<@{ANN}>)", "names differ"


def test_who_has_a_seat_leaves_the_rest_to_the_computer_when_asked_once_more() -> None:
    once = claims().pressed(2, BOB, "Bob")
    assert once.pressed(REST, BOB, "Bob") == once
    people = once.pressed(SURE, BOB, "Bob").people()
    assert people is not None
    assert [user for user, _ in people] == [CARETAKER, BOB, CARETAKER]
    assert [name for _, name in people] == [f"Adler ({NAME})", "Bob", f"Comet ({NAME})"]
    assert len({name for _, name in people}) == 3
    for number in (REST, SURE):
        with pytest.raises(NotYours, match="Press your own seat first"):
            once.pressed(number, ANN, "Ann")


@pytest.mark.parametrize("text", ["", "about", "about\nnonsense", "about\n1. Ann: free\nnonsense"])
def test_a_message_that_lists_no_seats_is_no_open_table(text: str) -> None:
    with pytest.raises(Refused, match="not open any more"):
        Claims.read(text)


def test_names_in_a_file_that_look_alike_differ_and_have_no_colon() -> None:
    names = [seat.was for seat in claims("A:b", "Cy", "Cy").seats]
    assert names[0] == "A b"
    assert len(set(names)) == 3


def test_a_lobby_is_closed_after_a_month() -> None:
    assert lobby_expires("2026-01-01T00:00:00+00:00") == datetime(2026, 1, 31, tzinfo=UTC)


@pytest.mark.parametrize(
    ("user", "seated", "may"),
    [(1, [1, 2], True), (1, [2], True), (2, [1, 2], False), (2, [2, 3], True), (4, [2], False)],
)
def test_the_opener_gives_a_lobby_up_or_once_they_have_left_anybody_seated(
    user: int, seated: list[int], may: bool
) -> None:
    assert may_give_up(user, 1, seated) == may


async def test_who_sat_at_a_table_is_asked_to_play_again_unless_they_have_joined(
    service: TableService,
) -> None:
    old, new = await service.lobby(), await service.lobby()
    assert await lobby_module.rematch_of(service.db, old) is None
    assert await lobby_module.asked_again(service.db, new, ()) == ()
    await lobby_module.note_rematch(service.db, old, new)
    assert await lobby_module.rematch_of(service.db, old) == new
    assert await lobby_module.asked_again(service.db, new, (BOB,)) == (ANN, CY)
    assert await lobby_module.asked_again(service.db, old, ()) == ()


@pytest.mark.parametrize(
    ("name", "named"),
    [(NAME, NAME), ("Conductor (2)", "Conductor"), ("Lion (Conductor)", "Conductor"), ("Bob", NAME)],
)
async def test_a_computer_player_joins_again_as_strong_as_it_was(
    service: TableService, name: str, named: str
) -> None:
    game = await service.lobby()
    lobby = await join_again(service.lobbies, game, Seat(1, 2, "p2", CARETAKER, name))
    assert [(seat.user_id, seat.display_name) for seat in lobby.seats][-1] == (CARETAKER, f"Adler ({named})")


async def test_who_has_no_seat_neither_adds_nor_removes_a_computer_player(service: TableService) -> None:
    game = await service.lobby(((ANN, "Ann"), (BOB, "Bob")))
    with pytest.raises(NotSeated):
        await caretakers.add_caretaker(service.lobbies, game, CY)
    await caretakers.add_caretaker(service.lobbies, game, ANN)
    with pytest.raises(NotSeated):
        await caretakers.remove_caretaker(service.lobbies, game, CY)
    assert [seat.user_id for seat in (await service.lobbies.read(game)).seats] == [ANN, BOB, CARETAKER]


async def test_a_rematch_that_cannot_be_opened_whole_leaves_no_lobby(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await service.lobby(((ANN, "Ann"), (BOB, "Bob")))
    await caretakers.add_caretaker(service.lobbies, game, ANN)
    await service.lobbies.start(game, ANN)
    await moderator_end(service.tables, game, BOB, 1)
    old, rematches = await games.get_game(service.db, game), Rematches(service.tables, service.lobbies)
    opener = Opener(ANN, "Ann", CHANNEL)

    async def fails(*_: object) -> None:
        raise DatabaseUnreachable("gone")

    with monkeypatch.context() as broken:
        broken.setattr("bot.table.rematch.note_rematch", fails)
        with pytest.raises(DatabaseUnreachable):
            await rematches.open(old, opener)
    assert (await games.get_game(service.db, game + 1)).status == "abandoned"
    assert await rematches.found(game) is None
    opened = await rematches.open(old, opener)
    assert [seat.user_id for seat in opened.seats] == [ANN, CARETAKER], "people join again themselves"
    found = await rematches.found(game)
    assert found is not None
    assert (found.id, found.status) == (opened.row.id, "lobby")
    await service.lobbies.withdraw(found.id)
    assert await rematches.found(game) is None, "and another may be opened"


async def test_a_rematch_has_the_settings_and_the_computer_players_of_the_game_before(
    service: TableService,
) -> None:
    game = await service.lobby(((ANN, "Ann"), (BOB, "Bob")))
    await caretakers.add_caretaker(service.lobbies, game, ANN, "Conductor")
    await GAMES.put(service.db, game, "bank", "5 days")
    await GAMES.put(service.db, game, lobby_module.PLAYED_AGAIN_AS, "99")
    opened = await Rematches(service.tables, service.lobbies).open(
        await games.get_game(service.db, game), Opener(BOB, "Bob", CHANNEL)
    )
    assert [seat.display_name for seat in opened.seats] == ["Bob", "Adler (Conductor)"]
    assert await GAMES.all_of(service.db, opened.row.id) == {
        "bank": "5 days",
        lobby_module.PLAYS_AGAIN: str(game),
    }
