"""Quiet hours go by the clock on the wall where a person lives, also when that clock is changed."""

from datetime import UTC, datetime, time, timedelta

import pytest

from bot.table.settings.durations_and_zones import QuietHours

NIGHT = QuietHours(time(22), time(8), "Europe/Berlin")
NOON = QuietHours(time(12), time(14), "America/New_York")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("moment", "may"),
    [
        ("2026-01-10T20:59", "2026-01-10T20:59"),
        ("2026-01-10T21:00", "2026-01-11T07:00"),
        ("2026-01-11T03:00", "2026-01-11T07:00"),
        ("2026-01-11T07:00", "2026-01-11T07:00"),
        # In summer the wall is two hours ahead.
        ("2026-07-10T20:00", "2026-07-11T06:00"),
    ],
)
def test_nobody_is_pinged_in_their_night_but_when_it_is_over(moment: str, may: str) -> None:
    assert NIGHT.ends_at(at(moment)) == at(may)
    assert NIGHT.quiet(at(moment)) == (moment != may)


def test_hours_in_the_middle_of_the_day_are_quiet_too() -> None:
    assert NOON.ends_at(at("2026-01-10T17:30")) == at("2026-01-10T19:00")
    assert not NOON.quiet(at("2026-01-10T02:00"))


@pytest.mark.parametrize(
    ("start", "end", "parts"),
    [
        ("05T12:00", "07T12:00", ["05T21:00", "06T07:00", "06T21:00", "07T07:00"]),
        ("05T07:00", "05T21:00", []),
        ("05T06:59", "05T21:01", ["05T06:59", "05T07:00", "05T21:00", "05T21:01"]),
        ("05T23:00", "06T01:00", ["05T23:00", "06T01:00"]),
    ],
)
def test_the_parts_of_a_time_in_quiet_hours_begin_and_end_with_it(
    start: str, end: str, parts: list[str]
) -> None:
    found = NIGHT.between(at(f"2026-01-{start}"), at(f"2026-01-{end}"))
    assert [one for part in found for one in part] == [at(f"2026-01-{part}") for part in parts]


def test_quiet_hours_that_end_as_they_begin_last_the_whole_day() -> None:
    always = QuietHours(time(8), time(8), "UTC")
    assert always.ends_at(at("2026-01-05T08:00")) == at("2026-01-06T08:00")


@pytest.mark.parametrize(("night", "hours"), [("2026-03-28", 9), ("2026-10-24", 11), ("2026-05-01", 10)])
def test_a_night_in_which_the_clock_is_changed_ends_at_the_hour_on_the_wall(night: str, hours: int) -> None:
    begins = NIGHT.between(at(f"{night}T12:00"), at(f"{night}T12:00") + timedelta(days=1))
    assert [end - start for start, end in begins] == [timedelta(hours=hours)]


@pytest.mark.parametrize(
    ("begins", "ends", "quiet"),
    [
        # The clock jumps from 2:00 to 3:00, at 1:00 in UTC.
        ("01:00", "02:30", ["29T00:00", "29T01:00"]),
        ("02:30", "03:15", ["29T01:00", "29T01:15"]),
        ("02:30", "03:00", []),
        ("02:10", "02:50", []),
        ("03:00", "02:45", ["28T12:00", "29T01:00", "29T01:00", "29T12:00"]),
    ],
)
def test_a_time_that_a_night_lacks_is_when_the_clock_jumps(begins: str, ends: str, quiet: list[str]) -> None:
    hours = QuietHours(time.fromisoformat(begins), time.fromisoformat(ends), "Europe/Berlin")
    found = hours.between(at("2026-03-28T12:00"), at("2026-03-29T12:00"))
    assert [one for part in found for one in part] == [at(f"2026-03-{moment}") for moment in quiet]


@pytest.mark.parametrize(
    ("begins", "ends", "minutes"), [("02:30", "02:45", 15), ("01:30", "02:30", 60), ("02:30", "03:30", 120)]
)
def test_a_time_that_a_night_has_twice_counts_once(begins: str, ends: str, minutes: int) -> None:
    """The first time: at 3:00 the clock is set back to 2:00."""
    hours = QuietHours(time.fromisoformat(begins), time.fromisoformat(ends), "Europe/Berlin")
    [(start, end)] = hours.between(at("2026-10-24T12:00"), at("2026-10-25T12:00"))
    assert end - start == timedelta(minutes=minutes)


def test_the_quiet_parts_of_a_time_are_cut_at_its_ends() -> None:
    found = NIGHT.between(at("2026-01-10T23:00"), at("2026-01-12T02:00"))
    assert found == [
        (at("2026-01-10T23:00"), at("2026-01-11T07:00")),
        (at("2026-01-11T21:00"), at("2026-01-12T02:00")),
    ]
