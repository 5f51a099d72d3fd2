"""A game's settings other than its rules, such as time bank, reminders and start, with their possible values."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from bot.table.errors import Refused
from bot.table.markdown import discord_time, sentence_list, strong
from bot.table.settings.durations_and_zones import ZERO_DURATION, format_duration, parse_duration
from bot.table.settings.person_settings import REMINDER_HOURS_BY_PACE, time_until_second_reminder
from storage import GAME_SETTINGS, Database


@dataclass(frozen=True, slots=True)
class GameSetting:
    """A setting of a game: name, description, and its usual values with their meanings. The first is the default."""

    name: str
    description: str
    values: Mapping[str, str]
    meaning_of_unlisted_value: Callable[[str], str | None] = field(default=lambda typed: None)
    """A function that returns the meaning of an unlisted value, such as `36 hours`; None if it is not allowed."""
    unlisted_values_text: str = ""
    """Description of the values that users can type, apart from the listed ones."""

    @property
    def default(self) -> str:
        """The default value."""
        return next(iter(self.values))

    def meaning_of(self, value: str) -> str:
        """The meaning of a value, in words; raises Refused if the value is not allowed."""
        meaning = self.values.get(value) or self.meaning_of_unlisted_value(value)
        if meaning is None:
            usual = " or ".join(
                [*(strong(usual) for usual in self.values), *filter(None, [self.unlisted_values_text])]
            )
            raise Refused(f"{self.description}: {strong(value)} is not a value of {self.name}. Use {usual}.")
        return meaning


AFTER_SECOND_REMINDER: Final = "second reminder"
"""Value of the absence setting: a player counts as absent when the second reminder is due."""
MIN_ABSENCE: Final = timedelta(hours=12)
"""Minimum value of the absence setting, so that a night's sleep never counts as an absence."""
TYPED_TIMES_TEXT: Final = "any number of hours, days or weeks, such as `36 hours`"
"""Description of the times that users can type, apart from the listed values."""
NO_TIME_BANK: Final = "none"
"""Value of the time-bank setting for no time bank, and thus no deadlines."""


def _meanings_of(meaning_of: Callable[[str], str | None], *values: str) -> dict[str, str]:
    return {value: meaning for value in values if (meaning := meaning_of(value)) is not None}


def _time_meaning_function(
    sentence_pattern: str, minimum: timedelta = ZERO_DURATION
) -> Callable[[str], str | None]:
    def meaning_of(typed_text: str) -> str | None:
        span = parse_duration(typed_text)
        return None if span is None or span < minimum else sentence_pattern.format(format_duration(span))

    return meaning_of


_bank_meaning = _time_meaning_function("{} for each player, for the whole game")
_grace_meaning = _time_meaning_function("the first {} of each turn, before the time bank runs")
_budget_meaning = _time_meaning_function("time banks stop while a player is away, for {} in all")
_absence_meaning = _time_meaning_function("after {} without a move, outside quiet hours", MIN_ABSENCE)


BANK: Final = GameSetting(
    "bank",
    "Time bank",
    {NO_TIME_BANK: "no deadlines", **_meanings_of(_bank_meaning, "3 days", "5 days", "10 days", "21 days")},
    _bank_meaning,
    TYPED_TIMES_TEXT,
)
"""Setting for the time bank: each player's time for the whole game, used after the grace of a turn."""
GRACE: Final = GameSetting(
    "grace",
    "Free time of a turn",
    _meanings_of(_grace_meaning, "12 hours", "6 hours", "24 hours", "2 days"),
    _grace_meaning,
    TYPED_TIMES_TEXT,
)
"""Setting for the grace: free time in each turn before the time bank runs."""
EMPTY_BANK_ACTION: Final = GameSetting(
    "at_zero",
    "When a time bank is empty",
    {
        "nothing": "the bot only posts a message",
        "moderator": "the bot pings the moderators",
        "pass": "the bot passes, or runs trains and pays out; for other decisions it pings the moderators",
    },
)
"""Setting for what the bot does when a player's grace and bank are used up."""


AWAY_BUDGET: Final = GameSetting(
    "away",
    "Away budget",
    _meanings_of(_budget_meaning, "21 days", "7 days", "14 days", "30 days", "60 days"),
    _budget_meaning,
    TYPED_TIMES_TEXT,
)
"""Setting for the away budget: the total time for which absences may stop a player's time bank."""


ABSENCE: Final = GameSetting(
    "absence",
    "When the others can decide about a seat",
    {
        **_meanings_of(_absence_meaning, "24 hours"),
        AFTER_SECOND_REMINDER: "at the time of the second reminder",
        **_meanings_of(_absence_meaning, "2 days", "3 days", "7 days"),
    },
    _absence_meaning,
    f"{TYPED_TIMES_TEXT}, at least {format_duration(MIN_ABSENCE)}",
)
"""Setting for the length of an absence (time without a move) after which others may decide about the seat."""


def absence_span(value_by_setting: Mapping[str, str]) -> timedelta:
    """The time without a move, not counting quiet hours, after which a player of this game counts as absent."""
    value = value_by_setting[ABSENCE.name]
    span = parse_duration(value)
    return time_until_second_reminder(value_by_setting[REMINDERS.name]) if span is None else span


def _reminders_meaning(hours: tuple[int, ...]) -> str:
    if not hours:
        return "none"
    return f"after {sentence_list(map(str, hours))} hours outside quiet hours; then I ping the moderators"


REMINDERS: Final = GameSetting(
    "reminders",
    "Reminders",
    {pace: _reminders_meaning(hours) for pace, hours in REMINDER_HOURS_BY_PACE.items()},
)
"""Setting for when a player whose turn it is gets reminders."""
SEALED: Final = GameSetting(
    "sealed",
    "Sale of the privates",
    {
        "off": "open bidding, one bid at a time",
        "on": "sealed bids, all resolved together",
    },
)
"""Setting for how the privates are sold: by sealed or open bids."""
START_BY_HAND: Final = "by hand"
START_WHEN_FULL: Final = "full"
START_DATE_FORMAT: Final = "%Y-%m-%d %H:%M"
"""Format of the start date in the start setting (UTC)."""


def start_time(value: str) -> datetime | None:
    """The start date in a value of the start setting; None if the value is not a date."""
    try:
        return datetime.strptime(value.strip(), START_DATE_FORMAT).replace(tzinfo=UTC)
    except ValueError:
        return None


def _start_meaning(value: str) -> str | None:
    start_date = start_time(value)
    return None if start_date is None else f"at {discord_time(start_date)}, if enough players have joined"


START: Final = GameSetting(
    "start",
    "Start",
    {START_BY_HAND: "a player presses *Start*", START_WHEN_FULL: "when all seats are taken"},
    _start_meaning,
    "a date and time in UTC, such as `2030-12-31 19:00`",
)
"""Setting for the start of a lobby: by hand, when full, or at a date."""
_ALL_SETTINGS: Final[tuple[GameSetting, ...]] = (
    REMINDERS,
    SEALED,
    BANK,
    GRACE,
    EMPTY_BANK_ACTION,
    AWAY_BUDGET,
    ABSENCE,
    START,
)
SETTINGS: Final[Mapping[str, GameSetting]] = {setting.name: setting for setting in _ALL_SETTINGS}
"""All settings of games, by name."""


def setting_named(name: str) -> GameSetting:
    """The setting with this name; raises Refused for an unknown name."""
    if name not in SETTINGS:
        raise Refused(f"There is no setting {strong(name)}. The settings are {sentence_list(SETTINGS)}.")
    return SETTINGS[name]


async def setting_value(db: Database, game_id: int, name: str) -> str:
    """The value of a game's setting, or its default if none was chosen."""
    return await GAME_SETTINGS.get(db, game_id, name) or SETTINGS[name].default


async def setting_values(db: Database, game_id: int) -> dict[str, str]:
    """The values of all settings of a game by name, with defaults where none was chosen."""
    chosen_values = await GAME_SETTINGS.settings_of(db, game_id)
    return {name: chosen_values.get(name, setting.default) for name, setting in SETTINGS.items()}


async def settings_summary(
    db: Database,
    game_id: int,
    *,
    includes_defaults: bool = True,
    omitted_settings: Collection[GameSetting] = (),
) -> list[str]:
    """A line for each setting of a game, except `omitted_settings` ones.

    Without `includes_defaults`, settings that nobody has chosen are left out.
    """
    chosen_values = await GAME_SETTINGS.settings_of(db, game_id)
    return [
        f"{setting.description}: {setting.meaning_of(chosen_values.get(name, setting.default))}"
        for name, setting in SETTINGS.items()
        if (includes_defaults or name in chosen_values) and setting not in omitted_settings
    ]
