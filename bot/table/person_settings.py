"""How a person wants to be called, wherever he plays: each setting under its own key."""

from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import Final, Literal, TypeAlias, cast
from zoneinfo import available_timezones

from bot.table.errors import Refused
from bot.table.hours import QuietHours
from bot.table.style import strong
from storage import Database
from storage.settings import PEOPLE

How: TypeAlias = Literal["thread", "direct", "both"]
"""Where somebody is called: in the game's thread, by a direct message, or both."""
Key: TypeAlias = Literal["how", "quiet_from", "quiet_to", "zone", "digest", "reminders"]
"""What may be chosen."""
AWAY: Final = "away_until"
"""The key under which stands until when somebody is away (ISO 8601 in UTC)."""
UTC_ZONE: Final = "UTC"
"""The zone of whoever has named none."""


@dataclass(frozen=True, slots=True)
class PersonSettings:
    """What a person has chosen, or what holds without a choice."""

    how: How = "thread"
    quiet: QuietHours | None = None
    zone: str = UTC_ZONE
    digest: time | None = None
    """When, in that zone, a direct message tells each day in how many games it is the person's move."""
    reminders: bool = True
    away_until: datetime | None = None

    def free(self, at: datetime) -> datetime:
        """When the person may be called who is to be called at this moment: then, or when he is back or awake."""
        back = at if self.away_until is None else max(at, self.away_until)
        return back if self.quiet is None else self.quiet.over(back)


async def person_settings(db: Database, user_id: int) -> PersonSettings:
    """All that a person has chosen."""
    chosen = await PEOPLE.all_of(db, user_id)
    zone = chosen.get("zone", UTC_ZONE)
    begins, ends = chosen.get("quiet_from"), chosen.get("quiet_to")
    quiet = QuietHours(hour(begins), hour(ends), zone) if begins and ends else None
    digest, away = chosen.get("digest"), chosen.get(AWAY)
    return PersonSettings(
        how=cast("How", chosen.get("how", "thread")),
        quiet=quiet,
        zone=zone,
        digest=hour(digest) if digest else None,
        reminders=chosen.get("reminders") != "off",
        away_until=datetime.fromisoformat(away).astimezone(UTC) if away else None,
    )


async def quiet_hours_of(db: Database, user_id: int) -> QuietHours | None:
    """The hours in which a person is not called, None where he has named none."""
    return (await person_settings(db, user_id)).quiet


async def choose(db: Database, user_id: int, key: Key, value: str | None) -> None:
    """Choose a setting of a person, or (None) go back to what holds without a choice."""
    if value is None:
        await PEOPLE.forget(db, user_id, key)
    else:
        await PEOPLE.put(db, user_id, key, value)


def hour(typed: str) -> time:
    """The time of day that was typed as 22:30; raises Refused."""
    hours, _, minutes = typed.strip().partition(":")
    if not (hours.isdecimal() and minutes.isdecimal() and len(minutes) == 2):
        raise Refused(f"{strong(typed)} is no time of day. Type it as `22:30`.")
    if int(hours) > 23 or int(minutes) > 59:
        raise Refused(f"No day has the time {strong(typed)}.")
    return time(int(hours), int(minutes))


def zone_named(typed: str) -> str:
    """The IANA time zone of this name; raises Refused."""
    found = {zone.casefold(): zone for zone in available_timezones()}.get(typed.strip().casefold())
    if found is None:
        raise Refused(f"There is no time zone {strong(typed)}. Type the name of a city, and pick one.")
    return found
