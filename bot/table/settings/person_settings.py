"""A user's settings for pings and reminders, and the quiet hours of servers."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Final, Literal, TypeAlias, TypeVar, cast

from bot.table.errors import Refused
from bot.table.markdown import strong
from bot.table.settings.durations_and_zones import UTC_ZONE, QuietHours, zone_named, zone_or_utc
from storage import (
    GUILD_SETTINGS,
    PERSON_SETTINGS,
    Database,
    ParsedQuery,
    Transaction,
    fetch,
    parse_timestamp,
)

T = TypeVar("T")

PingPlace: TypeAlias = Literal["thread", "direct", "both"]
"""The place of a user's pings: the game's thread, a direct message, or both."""
NO_DIRECT_MESSAGES_KEY: Final = "direct_messages"
"""Key of the user setting for users who do not accept direct messages. They have been told about this."""
AWAY_UNTIL_KEY: Final = "away_until"
"""Key of the user setting that stores the end of an absence (ISO 8601, UTC)."""
RESET_VALUE: Final = "off"
"""Typed value that resets a setting. For quiet hours it means no quiet hours, even if the server has chosen some."""
SERVER_QUIET_HOURS_VALUE: Final = "server"
"""Typed value with which a user chooses to have each server's own quiet hours there."""
QUIET_HOURS_KEYS: Final = ("quiet_from", "quiet_to")
SERVER_QUIET_HOURS_KEYS: Final = (*QUIET_HOURS_KEYS, "zone")
"""Keys of the quiet-hours settings that a server can choose. A member's own choice takes precedence."""


@dataclass(frozen=True, slots=True)
class PersonSettings:
    """A user's settings. Settings that the user has not chosen have their default values."""

    ping_place: PingPlace = "thread"
    quiet_hours: QuietHours | None = None
    zone: str = UTC_ZONE
    digest: time | None = None
    """Time of day of the daily digest, which lists games that wait for the user; None if the user does not want it."""
    wants_reminders: bool = True
    away_until: datetime | None = None
    uses_server_quiet_hours: bool = False
    """True if the quiet hours are the server's, because the user has not chosen any."""

    def is_away(self, moment: datetime) -> bool:
        """True if the user is away at the time `moment`."""
        return self.away_until is not None and self.away_until > moment

    def next_ping_time(self, moment: datetime) -> datetime:
        """The first time at or after `moment` when the user is neither absent nor in quiet hours."""
        return_time = moment if self.away_until is None else max(moment, self.away_until)
        return return_time if self.quiet_hours is None else self.quiet_hours.end_of_quiet(return_time)


async def person_settings(db: Database, user_id: int, server_id: int | None = None) -> PersonSettings:
    """All settings of a user. With `server_id`, the server's quiet hours apply if the user has not chosen any."""
    if server_id is None:
        return read_settings(await PERSON_SETTINGS.settings_of(db, user_id))
    own_settings, server_values = await fetch(
        db, PERSON_SETTINGS.all_settings_query(user_id), quiet_hours_query(server_id)
    )
    return read_settings(own_settings, server_values)


def quiet_hours_query(server_id: int) -> ParsedQuery[dict[str, str]]:
    """A database query for a server's quiet hours and time zone, by settings key."""
    return GUILD_SETTINGS.query_for_keys(server_id, SERVER_QUIET_HOURS_KEYS)


async def server_quiet_hours(db: Database, server_id: int) -> QuietHours | None:
    """A server's quiet hours, which apply to members who have not chosen any; None if the server has none."""
    server_values = await fetch(db, quiet_hours_query(server_id))
    return read_settings({}, server_values).quiet_hours


def read_settings(
    own_settings: Mapping[str, str], server_values: Mapping[str, str] | None = None
) -> PersonSettings:
    """A user's settings, parsed from stored texts. The user's values override the server's.

    A value that cannot be read counts as not set.
    """
    value_by_key = {**(server_values or {}), **own_settings}
    quiet_start, quiet_end = (_read_or_none(time_of_day, value_by_key.get(key)) for key in QUIET_HOURS_KEYS)
    quiet_hours = (
        None
        if quiet_start is None or quiet_end is None or quiet_start == quiet_end
        else QuietHours(quiet_start, quiet_end, zone_or_utc(value_by_key.get("zone", UTC_ZONE)))
    )
    return PersonSettings(
        ping_place=cast("PingPlace", value_by_key.get("how", "thread")),
        quiet_hours=quiet_hours,
        uses_server_quiet_hours=quiet_hours is not None and own_settings.keys().isdisjoint(QUIET_HOURS_KEYS),
        zone=zone_or_utc(own_settings.get("zone", UTC_ZONE)),
        digest=_read_or_none(time_of_day, value_by_key.get("digest")),
        wants_reminders=value_by_key.get("reminders") != "off",
        away_until=_read_or_none(parse_timestamp, value_by_key.get(AWAY_UNTIL_KEY)),
    )


def _read_or_none(reader: Callable[[str], T], stored_text: str | None) -> T | None:
    try:
        return None if stored_text is None else reader(stored_text)
    except (Refused, ValueError):
        return None


async def choose_user_settings(db: Database, user_id: int, typed_values: Mapping[str, str]) -> None:
    """Set these settings of a user, either all or none of them. The value `off` resets a setting. Raises Refused."""
    values_to_read = {key: value for key, value in typed_values.items() if not _deletes_setting(key, value)}
    new_values = {key: _READER_BY_KEY[key](value) for key, value in values_to_read.items()}
    stored_values = await PERSON_SETTINGS.settings_of(db, user_id)
    values_after = {
        key: value for key, value in stored_values.items() if key not in typed_values
    } | new_values
    _require_quiet_hours(*(values_after.get(key, RESET_VALUE) for key in QUIET_HOURS_KEYS))

    async def write_settings(tx: Transaction) -> None:
        for key in typed_values:
            if key in new_values:
                await PERSON_SETTINGS.write(tx, user_id, key, new_values[key])
            else:
                await PERSON_SETTINGS.forget_in_transaction(tx, user_id, key)

    await db.write(write_settings)


async def choose_server_quiet_hours(db: Database, server_id: int, start: str, end: str, zone: str) -> None:
    """Set a server's quiet hours, which apply to members who have not chosen any. Raises Refused.

    If all three texts are empty, the server has no quiet hours.
    """
    typed_values = dict(zip(SERVER_QUIET_HOURS_KEYS, (start, end, zone), strict=True))
    values = {key: _READER_BY_KEY[key](text) for key, text in typed_values.items() if text.strip()}
    _require_quiet_hours(*(values.get(key, RESET_VALUE) for key in QUIET_HOURS_KEYS))
    if values and "zone" not in values:
        raise Refused("Quiet hours of a server need a time zone. Type a city, such as Berlin.")

    async def write_settings(tx: Transaction) -> None:
        for key in SERVER_QUIET_HOURS_KEYS:
            if key in values:
                await GUILD_SETTINGS.write(tx, server_id, key, values[key])
            else:
                await GUILD_SETTINGS.forget_in_transaction(tx, server_id, key)

    await db.write(write_settings)


def word_for_quiet_hours(typed_text: str | None) -> str | None:
    """`off` or `server`, if the user typed one of these in place of the start and end of quiet hours; else None."""
    typed_word = (typed_text or "").strip().casefold()
    return typed_word if typed_word in (RESET_VALUE, SERVER_QUIET_HOURS_VALUE) else None


def _deletes_setting(key: str, value: str) -> bool:
    if key in QUIET_HOURS_KEYS:
        return value.strip().casefold() == SERVER_QUIET_HOURS_VALUE
    return resets_setting(value) and key != "reminders"


def _require_quiet_hours(start: str, end: str) -> None:
    if (start == RESET_VALUE) != (end == RESET_VALUE):
        raise Refused("Quiet hours need a start and an end.")
    if start == end != RESET_VALUE:
        raise Refused("Quiet hours cannot start and end at the same time.")


def resets_setting(typed_text: str) -> bool:
    """True if the typed value is `off`, ignoring case."""
    return typed_text.strip().casefold() == RESET_VALUE


def time_of_day(typed_text: str) -> time:
    """The time of day that was typed like `22:30`; raises Refused for other text."""
    match = re.fullmatch(r"(\d{1,2}):(\d{2})", typed_text.strip())
    if match is None or int(match[1]) > 23 or int(match[2]) > 59:
        raise Refused(f"{strong(typed_text)} is not a time of day. Type it like `22:30`.")
    return time(int(match[1]), int(match[2]))


def _read_hour(typed_text: str) -> str:
    return f"{time_of_day(typed_text):%H:%M}"


def _read_quiet_hour(typed_text: str) -> str:
    return RESET_VALUE if resets_setting(typed_text) else _read_hour(typed_text)


_READER_BY_KEY: Final[Mapping[str, Callable[[str], str]]] = {
    "how": str,
    "quiet_from": _read_quiet_hour,
    "quiet_to": _read_quiet_hour,
    "zone": zone_named,
    "digest": _read_hour,
    "reminders": str,
}


REMINDER_HOURS_BY_PACE: Final[Mapping[str, tuple[int, ...]]] = {
    "usual": (12, 24, 48),
    "slow": (24, 48, 96),
    "none": (),
}
"""Waking hours from the ping to the first reminder, to the second, and so on, by reminder setting."""

MAX_QUIET_DELAY: Final = timedelta(days=60)
"""Maximum time by which quiet hours can move a deadline."""


def reminder_gap(pace: str, stage: int) -> timedelta | None:
    """Waking hours between the previous stage and this one (1: first reminder); None for a stage without a reminder."""
    hours = REMINDER_HOURS_BY_PACE[pace]
    if not hours or stage > len(hours) + 1:
        return None
    return timedelta(hours=hours[min(stage, len(hours)) - 1])


def is_moderator_stage(pace: str, stage: int) -> bool:
    """True if this stage is the last one, which warns moderators instead of reminding the player."""
    return stage > len(REMINDER_HOURS_BY_PACE[pace])


def time_until_second_reminder(pace: str) -> timedelta:
    """Waking hours from the ping to the second reminder, for this reminder setting."""
    hours = REMINDER_HOURS_BY_PACE[pace] or REMINDER_HOURS_BY_PACE["slow"]
    return timedelta(hours=sum(hours[:2]))


def end_of_waking_time(since: datetime, duration: timedelta, settings: PersonSettings) -> datetime:
    """The time when `duration` of a user's waking hours, without absences and quiet hours, has passed since `since`."""
    since = since if settings.away_until is None else max(since, settings.away_until)
    end = since + duration
    if settings.quiet_hours is None:
        return end
    while (
        new_end := since + duration + _quiet_time(settings, since, end)
    ) > end and new_end - since < MAX_QUIET_DELAY:
        # The end cannot be in quiet hours, so it is their end.
        end = settings.quiet_hours.end_of_quiet(new_end)
    return settings.quiet_hours.end_of_quiet(end)


def _quiet_time(settings: PersonSettings, since: datetime, end: datetime) -> timedelta:
    assert settings.quiet_hours is not None
    quiet_spans = settings.quiet_hours.quiet_spans(since, end)
    return sum((span_end - span_start for span_start, span_end in quiet_spans), timedelta())
