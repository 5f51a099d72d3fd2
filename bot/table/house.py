"""House rules of a title in words: what was decided without its rulebook, and why."""

from collections.abc import Collection, Iterator
from typing import Final

from bot.table.style import heading, strong
from engine.core.spec import HouseRule, TitleSpec
from engine.titles import Title

HOUSE: Final = "house"
"""The topic of `/rules` that lists house rules; what is too long for one post stands in `house 2` and on."""
LONGEST: Final = 3600
"""Characters of the list in one post."""


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
    """The rules that a table may decide otherwise first, as many as fit a post."""
    page: list[str] = []
    for name, rule in sorted(spec.house.items(), key=lambda item: not item[1].options):
        line = f"- {_said(name, rule)}"
        if page and sum(map(len, page)) + len(line) > LONGEST:
            yield page
            page = []
        page.append(line)
    if page:
        yield page


def _said(name: str, rule: HouseRule) -> str:
    value = "" if isinstance(rule.value, dict) else f" {_value(rule)}"
    return f"`{name}`{value}: {rule.reason}"


def _value(rule: HouseRule) -> str:
    if isinstance(rule.value, bool):
        return "yes" if rule.value else "no"
    if isinstance(rule.value, tuple):
        return " to ".join(map(str, rule.value))
    return str(rule.value).replace("_", " ")
