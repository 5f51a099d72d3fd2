"""A game's rules in words: profile, options, house rules, and topics of `/rules`.

A profile is a set of rule variants of a title: the printed rules, or the rules as 18xx.games plays them.
"""

import json
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from bot.table.errors import GameDamaged, Refused
from bot.table.markdown import heading, strong
from bot.table.moves.completions import MenuItem, ranked_items
from bot.table.moves.verbs import command_text
from engine import TITLES, Title, TitleSpec, specs
from storage import GameRow

HOUSE_RULES_TOPIC: Final = "house"
"""The topic of `/rules` that lists house rules. A long list continues in the topics `house 2`, `house 3` and so on."""
MAX_PAGE_LENGTH: Final = 3600
"""Maximum length of a page of house rules (one topic), in characters."""
CHANGEABLE_RULES_HEADING: Final = "Players can agree on another value in the lobby"
ASK_OWNERS_HEADING: Final = "Please correct these if you own the printed game"
FIXED_RULES_HEADING: Final = "How this bot reads unclear rules; players cannot change this"


def house_rule_topics(title: Title) -> dict[str, str]:
    """The topics of `/rules` with house rules, each with its heading; empty if the title has no house rules."""
    page_count = len(list(_house_rule_pages(title.spec)))
    return {
        _house_rule_topic(number): f"Decided without the rulebook, part {number} of {page_count}"
        for number in range(1, page_count + 1)
    }


def house_rules_text(title: Title, topic: str) -> str:
    """The text of a topic that lists house rules."""
    page = dict(zip(house_rule_topics(title), _house_rule_pages(title.spec), strict=True))[topic]
    return "\n".join([strong(f"{title.name}: {house_rule_topics(title)[topic]}"), *page])


def house_rules_summary(spec: TitleSpec, options: Collection[str]) -> str:
    """A summary of the house rules that an option can change, for the first message of a game."""
    lines = [
        f"- {_rule_sentence(name, rule.under_options(options))}"
        for name, rule in spec.house.items()
        if rule.value_by_option
    ]
    list_heading = heading(f"Decided without the rulebook (full list: `/rules topic:{HOUSE_RULES_TOPIC}`)")
    return "\n".join(["", list_heading, *lines]) if lines else ""


def _house_rule_topic(number: int) -> str:
    return HOUSE_RULES_TOPIC if number == 1 else f"{HOUSE_RULES_TOPIC} {number}"


def _house_rule_pages(spec: TitleSpec) -> Iterator[list[str]]:
    """House rules as lines, divided into pages. Rules that an option can change come first."""
    page: list[str] = []
    for group_heading, names in _house_rule_groups(spec):
        for line in (
            heading(group_heading),
            *(f"- {_rule_sentence(name, spec.house[name])}" for name in names),
        ):
            if page and sum(map(len, page)) + len(line) > MAX_PAGE_LENGTH:
                yield page
                page = [] if line == heading(group_heading) else [heading(f"{group_heading} (continued)")]
            page.append(line)
    if page:
        yield page


def _house_rule_groups(spec: TitleSpec) -> Iterator[tuple[str, list[str]]]:
    rules_by_heading: dict[str, list[str]] = {
        CHANGEABLE_RULES_HEADING: [],
        ASK_OWNERS_HEADING: [],
        FIXED_RULES_HEADING: [],
    }
    for name, rule in spec.house.items():
        rules_by_heading[
            CHANGEABLE_RULES_HEADING
            if rule.value_by_option
            else FIXED_RULES_HEADING
            if rule.is_fixed
            else ASK_OWNERS_HEADING
        ].append(name)
    return ((group_heading, names) for group_heading, names in rules_by_heading.items() if names)


def _rule_sentence(name: str, rule: specs.HouseRule) -> str:
    value = "" if isinstance(rule.value, dict) else f" {_value_text(rule.value)}"
    other_values = [_value_text(choice) for choice in rule.choices if choice != rule.value]
    alternatives_text = (
        f" Or: {', '.join(other_values)}." if other_values and not rule.value_by_option else ""
    )
    return f"`{name}`{value}: {rule.reason}{alternatives_text}"


def _value_text(value: specs.HouseRuleValue) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " to ".join(map(str, value))
    return str(value).replace("_", " ")


PROFILE_MEANINGS: Final = {
    "rulebook": "the printed rules",
    "18xx.games": "the rules as 18xx.games plays them",
}
"""The meaning of each rules profile, in a few words."""
CHOSEN_RULES_TOPIC: Final = "agreed"
"""The topic of `/rules` that lists this game's profile and options. All other topics are about the title."""


# --- choosing ------------------------------------------------------------------------------------------------------


def read_title(typed_text: str) -> Title:
    """The title with this id or name, ignoring case; raises Refused for an unknown title."""
    title_text = typed_text.strip()
    for normalize in (str, str.casefold):
        for title in TITLES.values():
            if normalize(title_text) in (normalize(title.id), normalize(title.name)):
                return title
    raise Refused(f"There is no title {typed_text}. Titles: {', '.join(sorted(TITLES))}.")


def read_profile(title: Title, typed_text: str) -> str:
    """The title's rules profile with this name, ignoring case; raises Refused for an unknown profile."""
    for name in title.spec.profiles:
        if typed_text.strip().casefold() == name.casefold():
            return name
    raise Refused(f"{title.name} has no profile {typed_text}. Profiles: {', '.join(title.spec.profiles)}.")


def read_options(title: Title, typed_names: Iterable[str]) -> tuple[str, ...]:
    """Codes of the options with these names or codes, in the title's order; raises Refused for an unknown option."""
    known_options = title.rules.OPTIONS
    code_by_name = {
        word.casefold(): code for code, option in known_options.items() for word in (code, option.name)
    }
    typed_name_by_key = {word.strip().casefold(): word.strip() for word in typed_names if word.strip()}
    unknown_names = [word for key, word in typed_name_by_key.items() if key not in code_by_name]
    if unknown_names:
        possible_names = option_names(title, known_options) or "none"
        raise Refused(f"{title.name} has no option {', '.join(unknown_names)}. Options: {possible_names}.")
    chosen_codes = {code_by_name[key] for key in typed_name_by_key}
    chosen_options = tuple(code for code in known_options if code in chosen_codes)
    clashing_options = title.spec.clashing_options(chosen_options)
    if clashing_options:
        raise Refused(f"Only one of {option_names(title, clashing_options)} is allowed in one game.")
    return chosen_options


def option_names(title: Title, codes: Iterable[str]) -> str:
    """Display names of options, separated by commas. An unknown code is shown as it is."""
    known_options = title.rules.OPTIONS
    return ", ".join(known_options[code].name if code in known_options else code for code in codes)


def option_completions(title: Title, typed_text: str) -> list[tuple[str, str]]:
    """Autocomplete for a list of options, as (label, text). Each text is the typed list with one more option."""
    *earlier_options, last_typed = (part.strip() for part in typed_text.split(","))
    other_options = (
        (code, option) for code, option in title.rules.OPTIONS.items() if code not in earlier_options
    )
    items = ranked_items(
        (MenuItem(code, f"{option.name}: {option.explanation}") for code, option in other_options), last_typed
    )
    return [
        (option_names(title, [*earlier_options, label]), ", ".join([*earlier_options, str(code)]))
        for code, label in items
    ]


def title_of(row: GameRow) -> Title:
    """The title of a stored game; raises GameDamaged if it is unknown."""
    title = TITLES.get(row.title)
    if title is None:
        raise GameDamaged(f"Game {row.id} cannot be read: there is no title {row.title[:40]!r}.")
    return title


def options_of(row: GameRow) -> tuple[str, ...]:
    """The options of a stored game; raises GameDamaged if they are unreadable."""
    names, known_options = read_name_list(row.options), title_of(row).rules.OPTIONS
    if names is None or not set(names) <= set(known_options):
        raise GameDamaged(
            f"Game {row.id} cannot be read: {row.options[:40]!r} are not optional rules of its title. "
            "Before the start, `/game options` can set them again."
        )
    return tuple(names)


def row_damage(row: GameRow) -> str | None:
    """A sentence about damage in a game's database row; None if the row can be read."""
    try:
        options_of(row)
    except GameDamaged as error:
        return str(error)
    return (
        None if row.profile in title_of(row).spec.profiles else f"There is no profile {row.profile[:40]!r}."
    )


def read_name_list(text: str) -> list[str] | None:
    """The strings in a JSON list; None if the text is not a JSON list of strings."""
    try:
        values = json.loads(text)
    except ValueError:
        return None
    return values if isinstance(values, list) and all(isinstance(name, str) for name in values) else None


# --- telling -------------------------------------------------------------------------------------------------------


def chosen_rules(row: GameRow) -> str:
    """Sentences about the profile and the options that were chosen for a game."""
    title, chosen_options = title_of(row), options_of(row)
    option_texts = title.rules.OPTIONS
    option_lines = "".join(
        f"\n- {option_texts[code].name}: {option_texts[code].explanation}" for code in chosen_options
    )
    no_options_text = "" if option_lines else " No optional rules."
    note = f" {title.spec.note[0].upper()}{title.spec.note[1:].rstrip('.')}." if title.spec.note else ""
    meaning = PROFILE_MEANINGS.get(row.profile, "no longer known")
    return f"Rules: {strong(row.profile)} ({meaning}).{note}{no_options_text}{option_lines}"


def rule_differences(title: Title, profile: str) -> list[str]:
    """Sentences about how a profile differs from the printed rules.

    Exceptions that are needed only to read 18xx.games logs are left out.
    """
    differing_flags = (title.rules.FLAGS[name] for name in title.spec.profiles[profile])
    return [flag.explanation for flag in differing_flags if flag.purpose == "rule"]


def differences_hint(row: GameRow) -> str:
    """A hint to the command that lists the differences from the printed rules; empty if the profile has none."""
    title = title_of(row)
    if row.profile not in title.spec.profiles or not rule_differences(title, row.profile):
        return ""
    return f" `/rules title:{title.name} topic:{CHOSEN_RULES_TOPIC}` lists the differences from the printed rules."


def rules_topics_of_title(title: Title) -> dict[str, str]:
    """The topics of the title in `/rules`, each with its heading."""
    title_topics = {name: topic.heading for name, topic in title.topics.items()}
    return {
        CHOSEN_RULES_TOPIC: "Profile, optional rules, and readings of unclear rules",
        **title_topics,
        **house_rule_topics(title),
    }


def rules_text(title: Title, row: GameRow | None, topic: str | None = None) -> str:
    """The text of a `/rules` topic, or the list of topics if `topic` is None. Raises Refused.

    `row` is the game about which the user asks; None if the user asks about the title.
    """
    if topic is None:
        return _topics_text(title, row)
    topic_name = topic.strip().casefold()
    for name, topic_heading in rules_topics_of_title(title).items():
        if topic_name in (name, topic_heading.casefold()):
            return _topic_text(title, row, name)
    raise Refused(
        f"There is no topic {topic}. Topics of {title.name}: {', '.join(rules_topics_of_title(title))}."
    )


def _topic_text(title: Title, row: GameRow | None, name: str) -> str:
    if name == CHOSEN_RULES_TOPIC:
        return _agreed_text(title, row)
    return _title_topic_text(title, name) if name in title.topics else house_rules_text(title, name)


def _topics_text(title: Title, row: GameRow | None) -> str:
    topic_list = "\n".join(
        f"- `{name}`: {topic_heading}" for name, topic_heading in rules_topics_of_title(title).items()
    )
    publisher = f", published by {title.spec.publisher}" if title.spec.publisher else ""
    parts = [
        f"{strong(title.name)}, designed by {title.spec.designer}{publisher}.",
        *([chosen_rules(row)] if row else []),
    ]
    parts += _titled_list("Special to this title", title.spec.special_rules)
    return "\n".join([*parts, heading("Topics for `/rules topic:`"), topic_list])


def _title_topic_text(title: Title, name: str) -> str:
    topic = title.topics[name]
    lines = "\n".join(f"- {line}" for line in topic.lines)
    power_hints = "".join(f"\n-# {hint}" for hint in _power_commands(title)) if name == "privates" else ""
    return f"{strong(f'{title.name}: {topic.heading}')} ({topic.section})\n{lines}{power_hints}"


def _power_commands(title: Title) -> list[str]:
    return [
        f"{private}: {command}"
        for private, spec in title.spec.privates.items()
        for command in dict.fromkeys(filter(None, (_power_command(private, power) for power in spec.powers)))
    ]


def _power_command(private: str, power: specs.Power) -> str:
    match power:
        case specs.TileLayPower() | specs.ExtraLaysPower():
            return command_text("lay", private)
        case specs.TokenDiscountPower() | specs.StationPower():
            return command_text("token", private)
        case specs.TrainDiscountPower():
            return command_text("buy-train", private)
        case specs.CityBonusPower() | specs.IconTokenPower() | specs.RelabelPower():
            return command_text("marker")
        case specs.TerrainDiscountPower(scope="turn"):
            return command_text("close-private", private)
        case specs.TerrainDiscountPower() | specs.BridgePower():
            return command_text("lay", private)
        case specs.ExchangePower():
            return command_text("exchange", private)
        case specs.MarkersPower():
            return command_text("buy-marker")
    return ""


def _agreed_text(title: Title, row: GameRow | None) -> str:
    profiles = [row.profile] if row else list(title.spec.profiles)
    parts = [strong(title.name), *([chosen_rules(row)] if row else _option_lines(title))]
    settled_readings = [f"{reading}: {reason}" for reading, reason in title.spec.settled_questions.items()]
    parts += _titled_list("Decided where the rulebook is unclear", settled_readings)
    for profile in profiles:
        parts += _titled_list(f"Differences of the profile {profile}", rule_differences(title, profile))
    return "\n".join(parts)


def _option_lines(title: Title) -> list[str]:
    return _titled_list(
        "Optional rules", [f"{option.name}: {option.explanation}" for option in title.rules.OPTIONS.values()]
    )


def _titled_list(name: str, lines: Iterable[str]) -> list[str]:
    list_lines = [f"- {line}" for line in lines]
    return [heading(name), *list_lines] if list_lines else []
