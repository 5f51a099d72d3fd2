"""When a player on turn is reminded: after growing waking hours, and then the moderators are pinged once."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from bot.table.settings.person_settings import PersonSettings

REMINDED_AFTER: Final[Mapping[str, tuple[int, ...]]] = {
    "usual": (12, 24, 48),
    "slow": (24, 48, 96),
    "none": (),
}
"""After this many waking hours each, counted from the ping and from the reminder before."""

LONGEST: Final = timedelta(days=60)
"""No one sleeps longer, whatever quiet hours they chose."""


def gap(pace: str, stage: int) -> timedelta | None:
    """How long after the stage before this stage comes (1 is the first reminder); None where none comes."""
    hours = REMINDED_AFTER[pace]
    if not hours or stage > len(hours) + 1:
        return None
    return timedelta(hours=hours[min(stage, len(hours)) - 1])


def for_moderators(pace: str, stage: int) -> bool:
    """Whether at this stage the moderators are pinged, and nobody is reminded any more."""
    return stage > len(REMINDED_AFTER[pace])


def until_second_reminder(pace: str) -> timedelta:
    """The waking hours from the ping to the second reminder; where none come, as at the slowest pace."""
    hours = REMINDED_AFTER[pace] or REMINDED_AFTER["slow"]
    return timedelta(hours=sum(hours[:2]))


def awake(since: datetime, span: timedelta, person: PersonSettings) -> datetime:
    """When somebody has been there and awake for so long."""
    since = since if person.away_until is None else max(since, person.away_until)
    end = since + span
    if person.quiet is None:
        return end
    while (later := since + span + _asleep(person, since, end)) > end and later - since < LONGEST:
        # Just after the start of quiet hours it is as good as morning.
        end = person.quiet.over(later)
    return person.quiet.over(end)


def _asleep(person: PersonSettings, since: datetime, end: datetime) -> timedelta:
    assert person.quiet is not None
    parts = person.quiet.between(since, end)
    return sum((ends - begins for begins, ends in parts), timedelta())
