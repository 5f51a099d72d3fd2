"""Hours in which a user is not pinged, in their own time zone."""

from bisect import bisect_left
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

A_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From when to when a user is not pinged each day (maybe over midnight), in an IANA zone."""

    begins: time
    ends: time
    zone: str

    def quiet(self, at: datetime) -> bool:
        """Whether this moment (with a time zone) is in them."""
        return self._around(at) is not None

    def over(self, at: datetime) -> datetime:
        """When a user may be pinged for whom a ping is due now: then, or when the hours are over."""
        found = self._around(at)
        return at if found is None else found[1]

    def between(self, start: datetime, end: datetime) -> list[tuple[datetime, datetime]]:
        """The parts of a time that are in them, in order."""
        zone, found = ZoneInfo(self.zone), []
        day = start.astimezone(zone).date() - A_DAY
        while day <= end.astimezone(zone).date():
            begins, ends = self._of(day)
            part = max(begins, start), min(ends, end)
            if part[0] < part[1]:
                found.append(part)
            day += A_DAY
        return found

    def _around(self, at: datetime) -> tuple[datetime, datetime] | None:
        today = at.astimezone(ZoneInfo(self.zone)).date()
        both = (self._of(day) for day in (today - A_DAY, today))
        return next(((begins, ends) for begins, ends in both if begins <= at < ends), None)

    def _of(self, day: date) -> tuple[datetime, datetime]:
        """Those that begin on a day, in UTC: by the clock on the wall, whatever is done to it meanwhile."""
        last = day + A_DAY if self.ends <= self.begins else day
        return self._moment(day, self.begins), self._moment(last, self.ends)

    def _moment(self, day: date, at: time) -> datetime:
        """When the clock on the wall first shows a time of a day, or jumps over it."""
        wall = datetime.combine(day, at, ZoneInfo(self.zone))
        first, second = (wall.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
        if first <= second:
            return first
        # No clock shows it: with either offset it lies on the other side of the jump.
        seconds = range(int((first - second).total_seconds()))
        jump = bisect_left(seconds, True, key=lambda later: _shows(second, later, wall.tzinfo) > wall)
        return second + timedelta(seconds=jump)


def _shows(at: datetime, later: int, zone: tzinfo | None) -> datetime:
    """The clock of a zone some seconds after a moment."""
    return (at + timedelta(seconds=later)).astimezone(zone)
