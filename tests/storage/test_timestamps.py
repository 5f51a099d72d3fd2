"""Moments are stored so that their texts are ordered as they are."""

import time
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from storage.contract import format_timestamp, later_timestamp, parse_timestamp

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


def test_texts_are_ordered_in_every_zone() -> None:
    """A quarter past twelve in London is a quarter past one in Berlin."""
    berlin = datetime(2026, 1, 5, 13, 15, tzinfo=ZoneInfo("Europe/Berlin"))
    moments = [NOON, berlin, NOON + timedelta(hours=1)]
    assert sorted(map(format_timestamp, moments)) == list(map(format_timestamp, moments))


def test_timestamp_is_read_to_the_millisecond() -> None:
    at = NOON + timedelta(milliseconds=7)
    assert parse_timestamp(format_timestamp(at + timedelta(microseconds=900))) == at
    assert (
        later_timestamp("2026-01-05T12:00:00.000+00:00", timedelta(hours=13))
        == "2026-01-06T01:00:00.000+00:00"
    )


@pytest.mark.parametrize("zone", ["UTC", "America/New_York"])
@pytest.mark.parametrize("text", ["12:00:00", "12:00:00+00:00", "13:00:00+01:00"])
def test_timestamp_without_a_zone_is_in_utc(monkeypatch: pytest.MonkeyPatch, zone: str, text: str) -> None:
    """Wherever the machine is."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", zone)  # time: the machine's own zone
        time.tzset()
        found = parse_timestamp(f"2026-01-05T{text}")
    time.tzset()
    assert (found, found.tzinfo) == (NOON, UTC)
