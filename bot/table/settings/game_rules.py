"""A game's rules in words: profile, options, house rules, and topics of the title."""

import json
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from bot.table.errors import Damaged, Refused
from bot.table.markdown import heading, strong
from bot.table.moves.completions import MenuItem, ranked
from engine import TITLES, Title, TitleSpec, specs
from storage import GameRow

HOUSE: Final = "house"
"""The topic of `/rules` that lists house rules; the rest of a long list follows in `house 2` and on."""
LONGEST: Final = 3600
"""Characters of the list in one post."""
OPEN_TO_TABLES: Final = "Players can agree on another value in the lobby"
OPEN_TO_OWNERS: Final = "Please correct these if you own the printed game"
FIXED: Final = "Fixed readings that no table can change"


def house_topics(title: Title) -> dict[str, str]:
    """House-rule topics with headings; none if the rulebook decides everything."""
    count = len(list(_pages(title.spec)))
    return {
        _house_topic(number): f"Decided without the rulebook, part {number} of {count}"
        for number in range(1, count + 1)
    }


def house_text(title: Title, topic: str) -> str:
    """The text of one house-rule topic."""
    page = dict(zip(house_topics(title), _pages(title.spec), strict=True))[topic]
    return "\n".join([strong(f"{title.name}: {house_topics(title)[topic]}"), *page])


def house_summary(spec: TitleSpec, options: Collection[str]) -> str:
    """House rules that a table can change, for the first message."""
    lines = [
        f"- {_rule_sentence(name, rule.agreed(options))}" for name, rule in spec.house.items() if rule.options
    ]
    above = heading(f"Decided without the rulebook (full list: `/rules topic:{HOUSE}`)")
    return "\n".join(["", above, *lines]) if lines else ""


def _house_topic(number: int) -> str:
    return HOUSE if number == 1 else f"{HOUSE} {number}"


def _pages(spec: TitleSpec) -> Iterator[list[str]]:
    """House rules in pages, those that a table can change first."""
    page: list[str] = []
    for above, names in _parts(spec):
        for line in (heading(above), *(f"- {_rule_sentence(name, spec.house[name])}" for name in names)):
            if page and sum(map(len, page)) + len(line) > LONGEST:
                yield page
                page = [] if line == heading(above) else [heading(f"{above} (continued)")]
            page.append(line)
    if page:
        yield page


def _parts(spec: TitleSpec) -> Iterator[tuple[str, list[str]]]:
    parts: dict[str, list[str]] = {OPEN_TO_TABLES: [], OPEN_TO_OWNERS: [], FIXED: []}
    for name, rule in spec.house.items():
        parts[OPEN_TO_TABLES if rule.options else FIXED if rule.is_fixed else OPEN_TO_OWNERS].append(name)
    return ((above, names) for above, names in parts.items() if names)


def _rule_sentence(name: str, rule: specs.HouseRule) -> str:
    value = "" if isinstance(rule.value, dict) else f" {_value_text(rule.value)}"
    others = [_value_text(choice) for choice in rule.choices if choice != rule.value]
    instead = f" Or: {', '.join(others)}." if others and not rule.options else ""
    return f"`{name}`{value}: {rule.reason}{instead}"


def _value_text(value: specs.HouseValue) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " to ".join(map(str, value))
    return str(value).replace("_", " ")


PROFILES: Final = {
    "rulebook": "the printed rules",
    "18xx.games": "the rules as 18xx.games plays them",
}
"""Meaning of each profile, in a few words."""
AGREED: Final = "agreed"
"""The topic of `/rules` that tells what the table agreed on; all others are the title's."""


# --- choosing ------------------------------------------------------------------------------------------------------


def read_title(typed_text: str) -> Title:
    """The title with this id or name, case-insensitive; raises Refused."""
    wanted = typed_text.strip()
    for written in (str, str.casefold):
        for title in TITLES.values():
            if written(wanted) in (written(title.id), written(title.name)):
                return title
    raise Refused(f"There is no title {typed_text}. Titles: {', '.join(sorted(TITLES))}.")


def read_profile(title: Title, typed_text: str) -> str:
    """The profile of this name in any case; raises Refused."""
    for name in title.spec.profiles:
        if typed_text.strip().casefold() == name.casefold():
            return name
    raise Refused(f"{title.name} has no profile {typed_text}. Profiles: {', '.join(title.spec.profiles)}.")


def read_options(title: Title, typed: Iterable[str]) -> tuple[str, ...]:
    """These options in the title's order, from typed or stored names; raises Refused."""
    known = title.rules.OPTIONS
    read = {word.casefold(): code for code, option in known.items() for word in (code, option.name)}
    wanted = {word.strip().casefold(): word.strip() for word in typed if word.strip()}
    strange = [word for key, word in wanted.items() if key not in read]
    if strange:
        there = names_of(title, known) or "none"
        raise Refused(f"{title.name} has no option {', '.join(strange)}. Options: {there}.")
    named = {read[key] for key in wanted}
    chosen = tuple(code for code in known if code in named)
    clash = title.spec.clash(chosen)
    if clash:
        raise Refused(f"Only one of {names_of(title, clash)} is allowed in one game.")
    return chosen


def names_of(title: Title, codes: Iterable[str]) -> str:
    """The options' display names with commas; unknown ones are unchanged."""
    known = title.rules.OPTIONS
    return ", ".join(known[code].name if code in known else code for code in codes)


def longer_options(title: Title, typed_text: str) -> list[tuple[str, str]]:
    """Typed options plus one more, as (label, text)."""
    *before, last = (part.strip() for part in typed_text.split(","))
    others = ((code, option) for code, option in title.rules.OPTIONS.items() if code not in before)
    items = ranked((MenuItem(code, f"{option.name}: {option.says}") for code, option in others), last)
    return [(names_of(title, [*before, label]), ", ".join([*before, str(code)])) for code, label in items]


def title_of(row: GameRow) -> Title:
    """A stored game's title; raises Damaged for an unknown one."""
    title = TITLES.get(row.title)
    if title is None:
        raise Damaged(f"Game {row.id} cannot be read: there is no title {row.title[:40]!r}.")
    return title


def options_of(row: GameRow) -> tuple[str, ...]:
    """A stored game's options; raises Damaged if unreadable."""
    names, known = read_list(row.options), title_of(row).rules.OPTIONS
    if names is None or not set(names) <= set(known):
        raise Damaged(
            f"Game {row.id} cannot be read: its options are {row.options[:40]!r}. "
            "Before the start, `/game options` can set them again."
        )
    return tuple(names)


def damage_of(row: GameRow) -> str | None:
    """The damage of a stored game's row; None if it is readable."""
    try:
        options_of(row)
    except Damaged as error:
        return str(error)
    return (
        None if row.profile in title_of(row).spec.profiles else f"There is no profile {row.profile[:40]!r}."
    )


def read_list(text: str) -> list[str] | None:
    """The names in a JSON list; None for other text."""
    try:
        values = json.loads(text)
    except ValueError:
        return None
    return values if isinstance(values, list) and all(isinstance(name, str) for name in values) else None


# --- telling -------------------------------------------------------------------------------------------------------


def chosen_rules(row: GameRow) -> str:
    """Profile and options of a game, each in a sentence."""
    title, chosen = title_of(row), options_of(row)
    explained = title.rules.OPTIONS
    options = "".join(f"\n- {explained[code].name}: {explained[code].says}" for code in chosen)
    none = "" if options else " No optional rules."
    note = f" {title.spec.note[0].upper()}{title.spec.note[1:]}." if title.spec.note else ""
    return (
        f"Rules: {strong(row.profile)} ({PROFILES.get(row.profile, 'no longer known')}).{note}{none}{options}"
    )


def rule_differences(title: Title, profile: str) -> list[str]:
    """Differences of a profile from the printed rules, without leniency for logs."""
    known = (title.rules.FLAGS[name] for name in title.spec.profiles[profile])
    return [flag.says for flag in known if flag.use == "rule"]


def differences_command(row: GameRow) -> str:
    """The command that lists the differences; empty if there are none."""
    title = title_of(row)
    if row.profile not in title.spec.profiles or not rule_differences(title, row.profile):
        return ""
    return f" `/rules title:{title.name} topic:{AGREED}` lists the differences from the printed rules."


def topics_of(title: Title) -> dict[str, str]:
    """Topics of `/rules`, with their headings."""
    own = {name: topic.heading for name, topic in title.topics.items()}
    return {AGREED: "Profile, options and settled readings", **own, **house_topics(title)}


def rules_text(title: Title, row: GameRow | None, topic: str | None = None) -> str:
    """One topic of a title's rules, or the list of topics; `row` is the game, if any. Raises Refused."""
    if topic is None:
        return _contents(title, row)
    wanted = topic.strip().casefold()
    for name, about in topics_of(title).items():
        if wanted in (name, about.casefold()):
            return _topic_text(title, row, name)
    raise Refused(f"There is no topic {topic}. Topics of {title.name}: {', '.join(topics_of(title))}.")


def _topic_text(title: Title, row: GameRow | None, name: str) -> str:
    if name == AGREED:
        return _agreed(title, row)
    return _topic(title, name) if name in title.topics else house_text(title, name)


def _contents(title: Title, row: GameRow | None) -> str:
    listed = "\n".join(f"- `{name}`: {about}" for name, about in topics_of(title).items())
    credits = f"designed by {title.spec.designer}, published by {title.spec.publisher}."
    parts = [f"{strong(title.name)}, {credits}", *([chosen_rules(row)] if row else [])]
    parts += _part("Special to this title", title.spec.special)
    return "\n".join([*parts, heading("`/rules topic:` explains"), listed])


def _topic(title: Title, name: str) -> str:
    topic = title.topics[name]
    lines = "\n".join(f"- {line}" for line in topic.lines)
    hints = "".join(f"\n-# {hint}" for hint in _commands(title)) if name == "privates" else ""
    return f"{strong(f'{title.name}: {topic.heading}')} ({topic.section})\n{lines}{hints}"


def _commands(title: Title) -> list[str]:
    return [
        f"{private}: {command}"
        for private, spec in title.spec.privates.items()
        for command in dict.fromkeys(filter(None, (_command(private, power) for power in spec.powers)))
    ]


def _command(private: str, power: specs.Power) -> str:
    match power:
        case specs.TileLayPower():
            return f"`/lay private:{private}`"
        case specs.TrainDiscountPower():
            return f"`/buy-train private:{private}`"
        case specs.CityBonusPower() | specs.IconTokenPower() | specs.RelabelPower():
            return "`/marker`"
        case specs.TerrainDiscountPower(scope="turn"):
            return f"`/close-private private:{private}`"
        case specs.TerrainDiscountPower() | specs.BridgePower():
            return f"`/lay private:{private}`"
        case specs.MarkersPower():
            return "`/buy-marker`"
    return ""


def _agreed(title: Title, row: GameRow | None) -> str:
    profiles = [row.profile] if row else list(title.spec.profiles)
    parts = [strong(title.name), *([chosen_rules(row)] if row else _all_options(title))]
    settled = [f"{reading}: {reason}" for reading, reason in title.spec.settled.items()]
    parts += _part("Decided where the rulebook is unclear", settled)
    for profile in profiles:
        parts += _part(f"Differences of the profile {profile}", rule_differences(title, profile))
    return "\n".join(parts)


def _all_options(title: Title) -> list[str]:
    return _part(
        "Optional rules", [f"{option.name}: {option.says}" for option in title.rules.OPTIONS.values()]
    )


def _part(name: str, lines: Iterable[str]) -> list[str]:
    listed = [f"- {line}" for line in lines]
    return [heading(name), *listed] if listed else []
