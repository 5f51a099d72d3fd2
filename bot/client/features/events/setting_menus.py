"""The menus and the form for the settings of a season or tournament."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import discord

from bot.client.buttons import MAX_FORM_TITLE_LENGTH, shortened_label
from bot.table.errors import Refused
from bot.table.events.event_settings import EventKind, EventSettings, checked_settings
from bot.table.events.event_views import EventView
from bot.table.moves.completions import MAX_ITEM_LABEL_LENGTH
from bot.table.settings.game_rules import PROFILE_MEANINGS
from bot.table.settings.table_settings import BANK, EMPTY_BANK_ACTION, GRACE, REMINDERS
from engine import TITLES

PACE_LABELS_AND_SETTINGS: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "free": ("No deadlines", {}),
    "brisk": ("Brisk: 12 hours a turn, and a time bank of 5 days", {"bank": "5 days", "at_zero": "pass"}),
    "steady": (
        "Steady: 12 hours a turn, and a time bank of 10 days",
        {"bank": "10 days", "at_zero": "moderator"},
    ),
    "slow": (
        "Slow: 24 hours a turn, and a time bank of 21 days",
        {"bank": "21 days", "grace": "24 hours", "at_zero": "moderator"},
    ),
}
"""Paces of an event's games, such as `brisk`: a label and the time-bank settings for each."""
PACE_SETTINGS: Final = (BANK.name, GRACE.name, EMPTY_BANK_ACTION.name)
"""Names of the game settings that a pace sets: time bank, grace time, and the action when the bank is empty."""
SCORING_LABELS: Final = {
    "places": "Points by place: 10, 6, 3, 1 at a table of four",
    "winner_share": "Each player's total in percent of the winner's",
    "table_share": "Each player's total in percent of the table's sum",
}
"""Menu labels for the ways of scoring an event's games."""
WITHDRAWAL_LABELS: Final = {
    "keeps": "Players who withdraw keep their points",
    "loses": "Players who withdraw lose their points and rank last",
}
"""Menu labels for the rules about points of players who withdraw."""
SEEDING_LABELS: Final = {
    "random": "Groups: drawn at random",
    "rating": "Groups: by rating, the best players in the first group",
    "last season": "Groups: by the standings of the last season",
}
"""Menu labels for the ways to divide a season's entrants into groups."""
EVENT_NUMBER_LABELS: Final[Mapping[EventKind, Mapping[str, str]]] = {
    "season": {
        "table_size": "Players at a table",
        "games_each": "Games for each player",
        "group_size": "Players in a group",
        "pair": "Players promoted and relegated (2 numbers)",
        "days": "Days until the deadline; empty: none",
    },
    "tournament": {
        "table_size": "Players at a table",
        "games_each": "Heats for each player",
        "pair": "How many advance: per table, in all",
        "days": "Days until the deadline; empty: none",
    },
}
"""Labels of the fields in the form for an event's numbers, by kind of event."""
PAIRED_SETTINGS_BY_KIND: Final[Mapping[EventKind, tuple[str, str]]] = {
    "season": ("promoted", "relegated"),
    "tournament": ("winners_each", "going_on"),
}
"""By kind of event: names of the two settings that share one form field (`pair`)."""
RULE_MENU_NAMES: Final = ("profile", "options", "withdrawal", "seeding")
"""Names of the menus on the second page of an event's panel."""
MAX_OPTIONS: Final = 25
"""Discord's limit for the options of a menu."""


def setting_menus(view: EventView) -> Iterator[discord.ui.Item[Any]]:
    """The menus for an event's titles, pace, reminders and scoring."""
    settings = view.settings
    titles = [
        discord.SelectOption(label=title.name, value=title.id, default=title.id in settings.titles)
        for title in TITLES.values()
        if settings.table_size in title.spec.players
    ]
    yield _menu(view, "titles", "Titles", titles, max_values=len(titles))
    pace_settings = {name: value for name, value in settings.table_settings.items() if name in PACE_SETTINGS}
    paces = [
        discord.SelectOption(label=label, value=pace, default=pace_settings == dict(values))
        for pace, (label, values) in PACE_LABELS_AND_SETTINGS.items()
    ]
    yield _menu(view, "pace", "Pace: the server's default", paces)
    reminders = {value: f"{REMINDERS.description}: {meaning}" for value, meaning in REMINDERS.values.items()}
    reminder_value = settings.table_settings.get(REMINDERS.name, REMINDERS.default)
    yield _menu(view, "reminders", REMINDERS.description, _labelled_options(reminders, reminder_value))
    yield _menu(view, "scoring", "Points", _labelled_options(SCORING_LABELS, settings.scoring))


def rule_menus(view: EventView) -> Iterator[discord.ui.Item[Any]]:
    """The menus for an event's rules profile (such as `rulebook`), options, withdrawals and, for a season, groups."""
    settings, titles = view.settings, view.settings.known_titles
    profiles = {name: f"{name}: {PROFILE_MEANINGS[name]}" for name in titles[0].spec.profiles}
    yield _menu(view, "profile", "Rules", _labelled_options(profiles, settings.profile_of(titles[0])))
    options = [
        discord.SelectOption(
            label=option.name,
            value=code,
            description=option.explanation[:MAX_ITEM_LABEL_LENGTH],
            default=code in settings.options,
        )
        for code, option in titles[0].rules.OPTIONS.items()
    ]
    if options and len(titles) == 1:
        yield _menu(view, "options", "Options: none", options, min_values=0, max_values=len(options))
    yield _menu(view, "withdrawal", "Withdrawal", _labelled_options(WITHDRAWAL_LABELS, settings.withdrawal))
    if settings.kind == "season":
        yield _menu(view, "seeding", "Groups", _labelled_options(SEEDING_LABELS, settings.seeding))


def _labelled_options(labels: Mapping[str, str], chosen_value: str) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=label[:MAX_ITEM_LABEL_LENGTH], value=value, default=value == chosen_value)
        for value, label in labels.items()
    ]


def _menu(
    view: EventView,
    choice: str,
    placeholder: str,
    options: list[discord.SelectOption],
    min_values: int = 1,
    max_values: int = 1,
) -> discord.ui.Item[Any]:
    return discord.ui.Select(
        custom_id=f"em:{view.event.id}:{choice}",
        placeholder=placeholder,
        options=options[:MAX_OPTIONS],
        min_values=min_values,
        max_values=min(max_values, MAX_OPTIONS),
    )


def changed_settings(settings: EventSettings, choice: str, values: Sequence[str]) -> EventSettings:
    """An event's settings after a user chose `values` in the menu named `choice`."""
    if choice == "titles":
        return settings.model_copy(update={"titles": tuple(values), "options": ()})
    if choice == "options":
        return settings.model_copy(update={"options": tuple(values)})
    if choice == "reminders":
        reminders = {**settings.table_settings, REMINDERS.name: values[0]}
        return settings.model_copy(update={"table_settings": reminders})
    if choice == "pace":
        other_settings = {
            name: value for name, value in settings.table_settings.items() if name not in PACE_SETTINGS
        }
        return settings.model_copy(
            update={"table_settings": {**other_settings, **PACE_LABELS_AND_SETTINGS[values[0]][1]}}
        )
    return settings.model_copy(update={choice: values[0]})


def numbers_form(view: EventView) -> discord.ui.Modal:
    """The form for an event's numeric settings, such as players at a table. It shows the current numbers."""
    settings = view.settings
    first_setting, second_setting = PAIRED_SETTINGS_BY_KIND[settings.kind]
    values = {
        **settings.model_dump(),
        "pair": f"{getattr(settings, first_setting)} {getattr(settings, second_setting)}",
        "days": "" if settings.days is None else settings.days,
    }
    form = discord.ui.Modal(
        title=shortened_label(view.event.name, MAX_FORM_TITLE_LENGTH), custom_id=f"en:{view.event.id}"
    )
    for name, label in EVENT_NUMBER_LABELS[settings.kind].items():
        field: discord.ui.TextInput[Any] = discord.ui.TextInput(
            custom_id=name, default=str(values[name]), required=name != "days", max_length=7
        )
        form.add_item(discord.ui.Label(text=label, component=field))
    form.stop()
    return form


def read_numbers(settings: EventSettings, fields: Mapping[str, str]) -> EventSettings:
    """The settings with the numbers typed into the form. Raises Refused, which names the allowed numbers."""
    text_by_setting = {name: fields.get(name, "").strip() for name in EVENT_NUMBER_LABELS[settings.kind]}
    try:
        first_number, second_number = map(int, text_by_setting.pop("pair").replace(",", " ").split())
        days_text = text_by_setting.pop("days")
        updated_settings = EventSettings.model_validate(
            {
                **settings.model_dump(),
                **{name: int(text) for name, text in text_by_setting.items()},
                **dict(
                    zip(PAIRED_SETTINGS_BY_KIND[settings.kind], (first_number, second_number), strict=True)
                ),
                "days": int(days_text) if days_text else None,
            }
        )
    except ValueError as problem:
        raise Refused(_NUMBERS_HINT_BY_KIND[settings.kind]) from problem
    return checked_settings(updated_settings)


_NUMBERS_HINT_BY_KIND: Final[Mapping[EventKind, str]] = {
    "season": "These numbers are not possible. Tables have 2 to 8 players, everybody plays 1 to 8 games, and up to 7 "
    "players are promoted or relegated (two numbers, such as 1 2). The deadline is 1 to 365 days after the start.",
    "tournament": "These numbers are not possible. Tables have 2 to 8 players, everybody plays 1 to 8 heats, 1 to 3 "
    "players of each table advance, and up to 210 in all (two numbers, such as 1 16; 0 in all: the usual number). The "
    "deadline is 1 to 365 days after the start.",
}
