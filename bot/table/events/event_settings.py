"""The settings of an event: titles, table size, deadline, points, and who may enter."""

from collections.abc import Mapping
from typing import Final, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from bot.table.errors import Refused
from bot.table.events.points import DEFAULT_PLACE_POINTS, Scoring, WithdrawalRule
from bot.table.markdown import sentence_list, strong
from bot.table.settings.game_rules import read_options, read_profile, read_title
from bot.table.settings.table_settings import setting_named
from engine import TITLES, Title
from storage import EventRow

EventKind: TypeAlias = Literal["season", "tournament"]
Seeding: TypeAlias = Literal["random", "rating", "last season"]
MAX_NAME_LENGTH: Final = 60
"""Maximum length of an event's name in characters; thread names contain it."""
MAX_PLACES_COUNTED: Final = 210
"""Maximum number of entrants of an event: thirty groups of seven."""
MAX_EVENT_DAYS: Final = 365
"""Maximum number of days from the start of an event to its deadline."""


class EventSettings(BaseModel):
    """An organiser's choices for an event.

    `post_channel` is the channel for the event's posts (None: the channel of its games). `table_settings` are the
    settings of its games, as in `/game settings`. `days` is the number of days from start to deadline. In a season,
    each entrant plays `games_each` games in a group of about `group_size`. The first `promoted` of a group move up and
    the last `relegated` move down. In a tournament, each entrant plays `games_each` games in the first stage.
    `going_on` is the number of entrants who reach the next stage (0: about a quarter, at full tables): the first
    `winners_each` of each table, and the best others.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: EventKind = "season"
    titles: tuple[str, ...] = Field(min_length=1)
    profile: str | None = None
    options: tuple[str, ...] = ()
    table_size: int = 4
    games_each: int = Field(default=4, ge=1, le=8)
    group_size: int = Field(default=7, ge=2, le=MAX_PLACES_COUNTED)
    places: int | None = Field(default=None, ge=2, le=MAX_PLACES_COUNTED)
    entry_role: int | None = None
    pinged_role: int | None = None
    post_channel: int | None = None
    table_settings: Mapping[str, str] = {}
    days: int | None = Field(default=None, ge=1, le=MAX_EVENT_DAYS)
    scoring: Scoring = "places"
    place_points: Mapping[int, tuple[int, ...]] = {}
    withdrawal: WithdrawalRule = "keeps"
    promoted: int = Field(default=1, ge=0, le=7)
    relegated: int = Field(default=2, ge=0, le=7)
    seeding: Seeding = "random"
    winners_each: int = Field(default=1, ge=1, le=3)
    going_on: int = Field(default=0, ge=0, le=MAX_PLACES_COUNTED)

    @classmethod
    def of(cls, text: str) -> Self:
        """The settings read from stored JSON."""
        return cls.model_validate_json(text)

    @property
    def known_titles(self) -> list[Title]:
        """The chosen titles, in the order in which they were chosen."""
        return [TITLES[title] for title in self.titles]

    @property
    def table_sizes(self) -> frozenset[int]:
        """The player counts that all chosen titles support."""
        counts = [frozenset(title.spec.players) for title in self.known_titles]
        return frozenset.intersection(*counts)

    @property
    def points_by_place(self) -> dict[int, tuple[int, ...]]:
        """Points for each place, by player count."""
        return {
            **{count: tuple(points) for count, points in DEFAULT_PLACE_POINTS.items()},
            **self.place_points,
        }

    def profile_of(self, title: Title) -> str:
        """The chosen rules profile if this title has it; else the title's default profile."""
        chosen_profile = self.profile
        return chosen_profile if chosen_profile in title.spec.profiles else next(iter(title.spec.profiles))


def post_channel(event: EventRow) -> int:
    """The Discord channel of an event's posts. Members who can see the channel can see the event."""
    return EventSettings.of(event.settings).post_channel or event.channel_id


def checked_settings(settings: EventSettings) -> EventSettings:
    """The settings with typed names replaced by ids; raises Refused, which names the allowed values."""
    titles = [read_title(typed_title) for typed_title in dict.fromkeys(settings.titles)]
    options = settings.options
    if options and len(titles) > 1:
        raise Refused("Optional rules belong to one title. Choose one title, or no optional rules.")
    if options:
        options = tuple(read_options(titles[0], options))
    if settings.profile is not None:
        for title in titles:
            read_profile(title, settings.profile)
    settings_with_ids = settings.model_copy(
        update={"titles": tuple(title.id for title in titles), "options": options}
    )
    if settings_with_ids.table_size not in settings_with_ids.table_sizes:
        sizes_text = sentence_list(map(str, sorted(settings_with_ids.table_sizes))) or "no number of"
        names = sentence_list(strong(title.name) for title in titles)
        raise Refused(
            f"Tables of {settings_with_ids.table_size} are not possible: {names} can be played by {sizes_text} players."
        )
    for name, value in settings_with_ids.table_settings.items():
        setting_named(name).meaning_of(value)
    _require_groups(settings_with_ids)
    return settings_with_ids


def _require_groups(settings: EventSettings) -> None:
    if settings.kind == "season" and settings.group_size < settings.table_size:
        raise Refused(
            f"A group of {settings.group_size} is too small for tables of {settings.table_size}. Use groups of at "
            f"least {settings.table_size}."
        )
    if settings.promoted + settings.relegated >= settings.group_size:
        raise Refused(
            f"Groups of {settings.group_size} are too small to promote {settings.promoted} players and relegate "
            f"{settings.relegated}: somebody must stay."
        )
    for count, points in settings.place_points.items():
        if len(points) != count:
            raise Refused(f"Give the points of all {count} places, the winner's first.")


def settings_lines(settings: EventSettings) -> list[str]:
    """The settings in words, for display; one line each."""
    titles = sentence_list(title.name for title in settings.known_titles)
    draw_note = " (one drawn for each table)" if len(settings.titles) > 1 else ""
    lines = [f"{titles}{draw_note}, tables of {settings.table_size}"]
    if settings.kind == "season":
        lines.append(
            f"Groups of about {settings.group_size}; everybody plays {settings.games_each} games. "
            f"{_promotion_text(settings)}"
        )
    else:
        winners_text = "the winner" if settings.winners_each == 1 else f"the first {settings.winners_each}"
        heats_text = _count_text(settings.games_each, "heat")
        lines.append(
            f"Everybody plays {heats_text}; {winners_text} of each table and the best of the rest advance, until one "
            "table plays the final."
        )
    profiles = [settings.profile_of(title) for title in settings.known_titles]
    option_names = [settings.known_titles[0].rules.OPTIONS[code].name for code in settings.options]
    lines.append(
        f"Rules: {sentence_list(dict.fromkeys(profiles))}{''.join(f', {name}' for name in option_names)}"
    )
    lines.append(f"Points: {scoring_text(settings)}")
    lines += [
        f"{setting_named(name).description}: {setting_named(name).meaning_of(value)}"
        for name, value in settings.table_settings.items()
    ]
    if settings.withdrawal == "loses":
        lines.append("Players who withdraw lose their points")
    if settings.days is not None:
        lines.append(f"Deadline: {_count_text(settings.days, 'day')} after the start")
    if settings.entry_role is not None:
        lines.append(f"Only for members with <@&{settings.entry_role}>")
    return lines


def scoring_text(settings: EventSettings) -> str:
    """The scoring in words: `10, 6, 3, 1 by place; ties share`, which means that tied players share the points."""
    if settings.scoring == "winner_share":
        return "each player's total in percent of the winner's"
    if settings.scoring == "table_share":
        return "each player's total in percent of the table's sum"
    points = settings.points_by_place[settings.table_size]
    return f"{', '.join(map(str, points))} by place; tied players share"


def _promotion_text(settings: EventSettings) -> str:
    move_texts = [
        f"the {place}{'' if count == 1 else f' {count}'} of a group {'goes' if count == 1 else 'go'} {direction}"
        for place, direction, count in (
            ("first", "up", settings.promoted),
            ("last", "down", settings.relegated),
        )
        if count
    ]
    moves_text = sentence_list(move_texts)
    return f"{moves_text[:1].upper()}{moves_text[1:]}." if moves_text else "Nobody changes groups."


def _count_text(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
