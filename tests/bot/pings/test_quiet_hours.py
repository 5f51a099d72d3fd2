"""Quiet hours, reminders and digests go by the clock on the wall where a person lives, and by time awake."""

from datetime import UTC, datetime, time, timedelta

import pytest

from bot.table.clocks.time_banks import time_when_clock_expires
from bot.table.digests import next_digest_time
from bot.table.settings.durations_and_zones import QuietHours
from bot.table.settings.person_settings import (
    MAX_QUIET_DELAY,
    PersonSettings,
    end_of_waking_time,
)

NIGHT = QuietHours(time(22), time(8), "Europe/Berlin")
DAY = timedelta(days=1)
NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def parts(hours: QuietHours, start: str, end: str) -> list[str]:
    """The beginnings and ends of the quiet parts of a time: day, hour and minute."""
    return [f"{one:%dT%H:%M}" for part in hours.quiet_spans(at(start), at(end)) for one in part]


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
def test_nobody_is_pinged_in_their_night(moment: str, may: str) -> None:
    assert NIGHT.end_of_quiet(at(moment)) == at(may)
    assert NIGHT.is_quiet_at(at(moment)) == (moment != may)


def test_day_hours_and_whole_days_are_quiet() -> None:
    noon = QuietHours(time(12), time(14), "America/New_York")
    assert noon.end_of_quiet(at("2026-01-10T17:30")) == at("2026-01-10T19:00")
    assert not noon.is_quiet_at(at("2026-01-10T02:00"))
    always = QuietHours(time(8), time(8), "UTC")
    assert always.end_of_quiet(at("2026-01-05T08:00")) == at("2026-01-06T08:00")


@pytest.mark.parametrize(
    ("start", "end", "quiet"),
    [
        ("05T12:00", "07T12:00", ["05T21:00", "06T07:00", "06T21:00", "07T07:00"]),
        ("05T07:00", "05T21:00", []),
        ("05T06:59", "05T21:01", ["05T06:59", "05T07:00", "05T21:00", "05T21:01"]),
        ("05T23:00", "06T01:00", ["05T23:00", "06T01:00"]),
        ("10T23:00", "12T02:00", ["10T23:00", "11T07:00", "11T21:00", "12T02:00"]),
    ],
)
def test_quiet_parts_are_cut_at_the_ends(start: str, end: str, quiet: list[str]) -> None:
    assert parts(NIGHT, f"2026-01-{start}", f"2026-01-{end}") == quiet


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
def test_lacking_time_is_when_the_clock_jumps(begins: str, ends: str, quiet: list[str]) -> None:
    hours = QuietHours(time.fromisoformat(begins), time.fromisoformat(ends), "Europe/Berlin")
    assert parts(hours, "2026-03-28T12:00", "2026-03-29T12:00") == quiet


@pytest.mark.parametrize(
    ("begins", "ends", "minutes"), [("02:30", "02:45", 15), ("01:30", "02:30", 60), ("02:30", "03:30", 120)]
)
def test_double_time_of_a_night_counts_once(begins: str, ends: str, minutes: int) -> None:
    """The first time: at 3:00 the clock is set back to 2:00."""
    hours = QuietHours(time.fromisoformat(begins), time.fromisoformat(ends), "Europe/Berlin")
    [(start, end)] = hours.quiet_spans(at("2026-10-24T12:00"), at("2026-10-25T12:00"))
    assert end - start == timedelta(minutes=minutes)


# --- reminders and digests -------------------------------------------------------------------------------------------


BERLIN = QuietHours(time(22), time(7), "Europe/Berlin")


@pytest.mark.parametrize(
    ("begun", "hours", "person", "end"),
    [
        (NOON, 12, PersonSettings(), "2026-01-06T00:00"),
        # Awake until 21:00 UTC and from 6:00 UTC on: nine hours and three.
        (NOON, 12, PersonSettings(quiet_hours=BERLIN), "2026-01-06T09:00"),
        (NOON, 12, PersonSettings(away_until=NOON + 2 * DAY), "2026-01-08T00:00"),
        # One hour before the night in which the clocks are put forward, which is an hour shorter.
        (at("2026-03-28T20:00"), 2, PersonSettings(quiet_hours=BERLIN), "2026-03-29T06:00"),
        # A minute a day.
        (NOON, 12, PersonSettings(quiet_hours=QuietHours(time(0), time(23, 59), "UTC")), "2026-03-06T23:59"),
    ],
)
def test_only_time_awake_and_there_counts(
    begun: datetime, hours: int, person: PersonSettings, end: str
) -> None:
    assert end_of_waking_time(begun, timedelta(hours=hours), person) == at(end)


def test_who_hardly_wakes_is_reminded() -> None:
    """And the morning is found at once: pinged on waking, they are asleep a moment before the reminder."""
    always = PersonSettings(quiet_hours=QuietHours(time(0), time(23, 59), "UTC"))
    midnight = at("2026-01-05T00:00")
    assert end_of_waking_time(midnight, timedelta(hours=1), always) < midnight + MAX_QUIET_DELAY
    night, pinged, due = QuietHours(time(20), time(8), "UTC"), at("2026-01-05T08:01"), at("2026-01-06T08:01")
    assert end_of_waking_time(pinged, timedelta(hours=12), PersonSettings(quiet_hours=night)) == due
    assert time_when_clock_expires(timedelta(hours=12), pinged, night) == due


@pytest.mark.parametrize(
    ("now", "due"),
    [
        ("2026-01-01T16:59", "2026-01-01T17:00"),
        ("2026-01-01T17:00", "2026-01-02T17:00"),
        ("2026-01-01T23:30", "2026-01-02T17:00"),
        # Summer time begins: the same hour there comes an hour earlier.
        ("2026-03-28T17:00", "2026-03-29T16:00"),
        ("2026-10-24T16:00", "2026-10-25T17:00"),
    ],
)
def test_digest_is_due_at_the_same_hour_there(now: str, due: str) -> None:
    assert next_digest_time(at(now), time(18), "Europe/Berlin") == at(due)
