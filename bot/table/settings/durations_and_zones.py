"""Times as users type, choose and read them: durations, time zones, and quiet hours."""

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

NOTHING: Final = timedelta()
LONGEST: Final = timedelta(days=365)
"""The longest time that can be typed."""
_UNITS: Final[Mapping[str, timedelta]] = {
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
}


def span_of(typed_text: str) -> timedelta | None:
    """A typed duration such as `36 hours`, `5 days` or `1 week`; None for anything else, or too long."""
    match = re.fullmatch(r"(\d{1,4}) *(hour|day|week)s?", typed_text.strip().casefold())
    span = None if match is None else int(match[1]) * _UNITS[match[2]]
    return span if span is not None and NOTHING < span <= LONGEST else None


def format_duration(span: timedelta) -> str:
    """A duration in its two largest units, `2 days 3 hours`, rounded down."""
    minutes = max(NOTHING, span) // timedelta(minutes=1)
    parts = [(minutes // 1440, "day"), (minutes // 60 % 24, "hour"), (minutes % 60, "minute")]
    said = [f"{count} {unit}{'' if count == 1 else 's'}" for count, unit in parts if count]
    return " ".join(said[:2]) or "less than a minute"


UTC_ZONE: Final = "UTC"
"""The zone of users who have named none."""
AREAS: Final = frozenset(
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
"""Beginnings of the names of places: other zones are offsets, old names, or none."""
LISTED: Final = 5
"""At most this many zones are named where several are meant."""


@cache
def _zone_names() -> tuple[str, ...]:
    names = files("tzdata").joinpath("zones").read_text("utf-8").split()
    return (*sorted(name for name in names if name.partition("/")[0] in AREAS), UTC_ZONE)


def matching_zones(typed_text: str) -> list[str]:
    """Time zones whose names contain the typed text."""
    wanted = typed_text.strip().replace(" ", "_").casefold()
    return [zone for zone in _zone_names() if wanted in zone.casefold()]


def zone_named(typed_text: str) -> str:
    """The zone of this name, or of a city; raises Refused."""
    zones = matching_zones(typed_text)
    exact = [zone for zone in zones if zone.casefold() == typed_text.strip().casefold()]
    if len(exact or zones) == 1:
        return (exact or zones)[0]
    if zones:
        some = ", ".join(zones[:LISTED]) + (" …" if len(zones) > LISTED else "")
        raise Refused(f"{strong(typed_text)} matches {len(zones)} time zones: {some}. Pick one.")
    raise Refused(
        f"There is no time zone {strong(typed_text)}. Type a city and pick a zone such as "
        "`Europe/Berlin`, or type `UTC`."
    )


@lru_cache(maxsize=1024)
def zone_here(stored: str) -> str:
    """A stored zone; UTC if this machine does not know it."""
    try:
        return ZoneInfo(stored).key
    except (KeyError, ValueError, OSError):
        return UTC_ZONE


A_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class QuietHours:
    """Daily hours without pings (maybe over midnight), in an IANA zone."""

    begins: time
    ends: time
    zone: str

    def quiet(self, at: datetime) -> bool:
        """True if this time (with a zone) is within the quiet hours."""
        return self._span_around(at) is not None

    def ends_at(self, at: datetime) -> datetime:
        """The first time from `at` outside quiet hours."""
        ends = self._span_around(at)
        return at if ends is None else ends[1]

    def quiet_spans(self, start: datetime, end: datetime) -> list[tuple[datetime, datetime]]:
        """The parts of a time span within quiet hours, in order."""
        zone, spans = ZoneInfo(self.zone), []
        day = start.astimezone(zone).date() - A_DAY
        while day <= end.astimezone(zone).date():
            begins, ends = self._span_on(day)
            part = max(begins, start), min(ends, end)
            if part[0] < part[1]:
                spans.append(part)
            day += A_DAY
        return spans

    def _span_around(self, at: datetime) -> tuple[datetime, datetime] | None:
        today = at.astimezone(ZoneInfo(self.zone)).date()
        both = (self._span_on(day) for day in (today - A_DAY, today))
        return next(((begins, ends) for begins, ends in both if begins <= at < ends), None)

    def _span_on(self, day: date) -> tuple[datetime, datetime]:
        """Quiet hours that begin on a day, in UTC, with clock changes."""
        last = day + A_DAY if self.ends <= self.begins else day
        return self._moment(day, self.begins), self._moment(last, self.ends)

    def _moment(self, day: date, at: time) -> datetime:
        """The moment when local clocks first show a time of day, or jump over it."""
        wall = datetime.combine(day, at, ZoneInfo(self.zone))
        first, second = (wall.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
        if first <= second:
            return first
        # No clock shows it: with either offset it lies on the other side of the jump.
        seconds = range(int((first - second).total_seconds()))
        jump = bisect_left(seconds, True, key=lambda later: _shows(second, later, wall.tzinfo) > wall)
        return second + timedelta(seconds=jump)


def _shows(at: datetime, later: int, zone: tzinfo | None) -> datetime:
    return (at + timedelta(seconds=later)).astimezone(zone)
