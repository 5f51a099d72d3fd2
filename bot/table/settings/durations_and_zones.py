"""Durations, time zones and quiet hours, as users type and read them."""

import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final
from zoneinfo import ZoneInfo

from bot.table.errors import Refused
from bot.table.markdown import strong

ZERO_DURATION: Final = timedelta()
MAX_DURATION: Final = timedelta(days=365)
"""Maximum duration that a user can type."""
_DURATION_BY_UNIT: Final[Mapping[str, timedelta]] = {
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
}


def parse_duration(typed_text: str) -> timedelta | None:
    """A typed duration such as `36 hours`, `5 days` or `1 week`; None if it cannot be read or is too long."""
    match = re.fullmatch(r"(\d{1,4}) *(hour|day|week)s?", typed_text.strip().casefold())
    duration = None if match is None else int(match[1]) * _DURATION_BY_UNIT[match[2]]
    return duration if duration is not None and ZERO_DURATION < duration <= MAX_DURATION else None


def format_duration(duration: timedelta) -> str:
    """A duration in its two largest units, rounded down: `2 days 3 hours`."""
    minutes = max(ZERO_DURATION, duration) // timedelta(minutes=1)
    parts = [(minutes // 1440, "day"), (minutes // 60 % 24, "hour"), (minutes % 60, "minute")]
    unit_texts = [f"{count} {unit}{'' if count == 1 else 's'}" for count, unit in parts if count]
    return " ".join(unit_texts[:2]) or "less than a minute"


UTC_ZONE: Final = "UTC"
"""Default time zone of users."""
ZONE_AREAS: Final = frozenset(
    [
        "Africa",
        "America",
        "Antarctica",
        "Arctic",
        "Asia",
        "Atlantic",
        "Australia",
        "Europe",
        "Indian",
        "Pacific",
    ]
)
"""The areas, such as `Europe` in `Europe/Berlin`, whose time zones users can choose."""
MAX_LISTED_ZONES: Final = 5
"""Maximum number of time zones that a refusal lists if the typed text matches several."""


@cache
def _zone_names() -> tuple[str, ...]:
    zone_names = files("tzdata").joinpath("zones").read_text("utf-8").split()
    return (*sorted(name for name in zone_names if name.partition("/")[0] in ZONE_AREAS), UTC_ZONE)


def matching_zones(typed_text: str) -> list[str]:
    """Names of time zones that contain the typed text, which may be a city."""
    search_text = typed_text.strip().replace(" ", "_").casefold()
    return [zone for zone in _zone_names() if search_text in zone.casefold()]


def zone_named(typed_text: str) -> str:
    """The time zone that matches a typed name or city; raises Refused if none or several match."""
    zones = matching_zones(typed_text)
    exact_matches = [zone for zone in zones if zone.casefold() == typed_text.strip().casefold()]
    if len(exact_matches or zones) == 1:
        return (exact_matches or zones)[0]
    if zones:
        examples = ", ".join(zones[:MAX_LISTED_ZONES]) + (" …" if len(zones) > MAX_LISTED_ZONES else "")
        raise Refused(f"{strong(typed_text)} matches {len(zones)} time zones: {examples}. Pick one.")
    raise Refused(
        f"There is no time zone {strong(typed_text)}. Type a city and pick a zone such as "
        "`Europe/Berlin`, or type `UTC`."
    )


@lru_cache(maxsize=1024)
def zone_or_utc(stored_zone: str) -> str:
    """The stored time zone, or UTC if this computer's time zone data does not include it."""
    try:
        return ZoneInfo(stored_zone).key
    except (KeyError, ValueError, OSError):
        return UTC_ZONE


ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class QuietHours:
    """Daily hours in which a user gets no pings, in an IANA time zone. They may include midnight."""

    start_time: time
    end_time: time
    zone: str

    def is_quiet_at(self, moment: datetime) -> bool:
        """True if this time (with a time zone) is within the quiet hours."""
        return self._span_around(moment) is not None

    def end_of_quiet(self, moment: datetime) -> datetime:
        """The first time at or after `moment` that is outside the quiet hours."""
        quiet_span = self._span_around(moment)
        return moment if quiet_span is None else quiet_span[1]

    def quiet_spans(self, start: datetime, end: datetime) -> list[tuple[datetime, datetime]]:
        """The parts of the time from `start` to `end` that are within quiet hours, in order."""
        zone, spans = ZoneInfo(self.zone), []
        day = start.astimezone(zone).date() - ONE_DAY
        while day <= end.astimezone(zone).date():
            span_start, span_end = self._span_on(day)
            quiet_span = max(span_start, start), min(span_end, end)
            if quiet_span[0] < quiet_span[1]:
                spans.append(quiet_span)
            day += ONE_DAY
        return spans

    def _span_around(self, moment: datetime) -> tuple[datetime, datetime] | None:
        today = moment.astimezone(ZoneInfo(self.zone)).date()
        candidate_spans = (self._span_on(day) for day in (today - ONE_DAY, today))
        return next(((start, end) for start, end in candidate_spans if start <= moment < end), None)

    def _span_on(self, day: date) -> tuple[datetime, datetime]:
        end_day = day + ONE_DAY if self.end_time <= self.start_time else day
        return self._first_local_time(day, self.start_time), self._first_local_time(end_day, self.end_time)

    def _first_local_time(self, day: date, time_of_day: time) -> datetime:
        """The time (UTC) when local clocks first show this time of day on this day.

        If the clocks skip that time, because they are put forward, this is the time of the change.
        """
        local_time = datetime.combine(day, time_of_day, ZoneInfo(self.zone))
        fold_0_time, fold_1_time = (local_time.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
        if fold_0_time <= fold_1_time:
            return fold_0_time
        # Clocks skip this time, so both offsets give times on the other side of the change.
        seconds = range(int((fold_0_time - fold_1_time).total_seconds()))
        jump_seconds = bisect_left(
            seconds,
            True,
            key=lambda seconds_later: (
                _local_time_after(fold_1_time, seconds_later, local_time.tzinfo) > local_time
            ),
        )
        return fold_1_time + timedelta(seconds=jump_seconds)


def _local_time_after(moment: datetime, seconds: int, zone: tzinfo | None) -> datetime:
    return (moment + timedelta(seconds=seconds)).astimezone(zone)
