"""House rules of a title in words: what was decided without its rulebook, and why."""

from collections.abc import Collection, Iterator
from typing import Final

from bot.table.style import heading, strong
from engine.core.spec import HouseRule, HouseValue, TitleSpec
from engine.titles import Title

HOUSE: Final = "house"
"""The topic of `/rules` that lists house rules; the rest of a long list follows in `house 2` and on."""
LONGEST: Final = 3600
"""Characters of the list in one post."""
AGREED: Final = "A table may agree on another value in the lobby"
CORRECTED: Final = "Owners of the printed game may correct these"
FIXED: Final = "These have one reading and cannot be changed"


def house_topics(title: Title) -> dict[str, str]:
    """The topics and their headings; none where everything is in the rulebook."""
    count = len(list(_pages(title.spec)))
    return {
        _topic(number): f"Decided without the rulebook, {number} of {count}" for number in range(1, count + 1)
    }


def house_text(title: Title, topic: str) -> str:
    """One of the topics."""
    page = dict(zip(house_topics(title), _pages(title.spec), strict=True))[topic]
    return "\n".join([strong(f"{title.name}: {house_topics(title)[topic]}"), *page])


def house_summary(spec: TitleSpec, options: Collection[str]) -> str:
    """The house rules that a table could have decided otherwise, for the first message of a game."""
    lines = [f"- {_said(name, rule.agreed(options))}" for name, rule in spec.house.items() if rule.options]
    above = heading(f"Decided without the rulebook; all of it: `/rules topic:{HOUSE}`")
    return "\n".join(["", above, *lines]) if lines else ""


def _topic(number: int) -> str:
    return HOUSE if number == 1 else f"{HOUSE} {number}"


def _pages(spec: TitleSpec) -> Iterator[list[str]]:
    """The rules that a table may decide otherwise first, then those that can be corrected; as many as fit a post."""
    page: list[str] = []
    for above, names in _parts(spec):
        for line in (heading(above), *(f"- {_said(name, spec.house[name])}" for name in names)):
            if page and sum(map(len, page)) + len(line) > LONGEST:
                yield page
                page = [] if line == heading(above) else [heading(f"{above} (continued)")]
            page.append(line)
    if page:
        yield page


def _parts(spec: TitleSpec) -> Iterator[tuple[str, list[str]]]:
    """The rules by who may change them."""
    parts: dict[str, list[str]] = {AGREED: [], CORRECTED: [], FIXED: []}
    for name, rule in spec.house.items():
        parts[AGREED if rule.options else FIXED if rule.is_fixed else CORRECTED].append(name)
    return ((above, names) for above, names in parts.items() if names)


def _said(name: str, rule: HouseRule) -> str:
    value = "" if isinstance(rule.value, dict) else f" {_value(rule.value)}"
    others = [_value(choice) for choice in rule.choices if choice != rule.value]
    instead = f" Or: {', '.join(others)}." if others and not rule.options else ""
    return f"`{name}`{value}: {rule.reason}{instead}"


def _value(value: HouseValue) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " to ".join(map(str, value))
    return str(value).replace("_", " ")
