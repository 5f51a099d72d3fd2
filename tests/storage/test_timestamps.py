"""Moments are stored so that their texts are ordered as they are."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from storage.timestamps import later, moment, stored

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


def test_texts_are_ordered_as_timestamps_are_in_every_zone() -> None:
    """A quarter past twelve in London is a quarter past one in Berlin."""
    told = [NOON, datetime(2026, 1, 5, 13, 15, tzinfo=ZoneInfo("Europe/Berlin")), NOON + timedelta(hours=1)]
    assert sorted(map(stored, told)) == list(map(stored, told))


def test_a_stored_moment_is_read_back_to_the_millisecond() -> None:
    at = NOON + timedelta(milliseconds=7)
    assert moment(stored(at + timedelta(microseconds=900))) == at


def test_a_stored_moment_without_a_zone_is_in_utc() -> None:
    assert moment("2026-01-05T12:00:00") == NOON


def test_a_later_moment() -> None:
    assert later("2026-01-05T12:00:00.000+00:00", timedelta(hours=13)) == "2026-01-06T01:00:00.000+00:00"
