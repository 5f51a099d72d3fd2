"""The book of words of a language: a template for every fact, and what may stand in its braces.

`{x}` is the value, or in the case of a fact its words. `{x:name}` is the name of a player, or a company's or private's
letters; `{x:who}` the same with emphasis, and with its president behind a company; `{x:strong}` emphasis alone;
`{x:list}` and `{x:and}` join several values, `{x:names}` several names, `{x:within}` labels inside a sentence;
`{x:plural|share|shares}` counts.
"""

import string
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from engine.core.facts import Fact


@dataclass(frozen=True, slots=True)
class Style:
    """How emphasis and headings are written where the words are shown."""

    strong: Callable[[str], str] = str
    heading: Callable[[str], str] = str


PLAIN = Style()
"""Without any marks."""


@dataclass(frozen=True, slots=True)
class Names:
    """Who is who at a table: the name of an entity, and the name of a company's president (empty: none)."""

    name: Callable[[str], str] = str
    president: Callable[[str], str] = lambda _: ""


class Words(string.Formatter):
    """Says facts in one language. Raises KeyError for a fact without words, or a word without its value."""

    def __init__(self, book: Mapping[str, str], names: Names, style: Style = PLAIN) -> None:
        self._book = book
        self._names = names
        self._style = style

    def say(self, told: Fact) -> str:
        """The words of a fact."""
        return self.vformat(self._book[told.name], (), told.values)

    def format_field(self, value: Any, format_spec: str) -> str:
        """One value in braces, as its spec says."""
        spec, *forms = format_spec.split("|")
        match spec:
            case "":
                return self._plain(value)
            case "name":
                return self._names.name(value)
            case "who":
                return self._who(value)
            case "strong":
                return self._style.strong(self._plain(value))
            case "heading":
                return self._style.heading(self._plain(value))
            case "list":
                return ", ".join(map(self._plain, value))
            case "within":
                return ", ".join(_within(self._plain(one)) for one in value)
            case "names":
                return ", ".join(map(self._names.name, value))
            case "and":
                return _and(
                    [self._names.name(one) if isinstance(one, str) else self._plain(one) for one in value]
                )
            case "plural":
                return f"{value} {forms[0] if value == 1 else forms[1]}"
        raise ValueError(f"words know no {format_spec!r}")

    def _plain(self, value: Any) -> str:
        if isinstance(value, Fact):
            return self.say(value)
        return "" if value is None else str(value)

    def _who(self, entity: str) -> str:
        president = self._names.president(entity)
        strong = self._style.strong(self._names.name(entity))
        return f"{strong} ({president})" if president else strong


@cache
def english() -> Mapping[str, str]:
    """The words of English by the names of facts."""
    return book(files("engine.tell").joinpath("english.toml").read_text("utf-8"))


def book(text: str) -> Mapping[str, str]:
    """A language's file as templates by name."""
    return {
        f"{topic}.{name}": template
        for topic, templates in tomllib.loads(text).items()
        for name, template in templates.items()
    }


def _within(label: str) -> str:
    """A label inside a sentence: `Lay track by C-P` becomes `lay track by C-P`."""
    first, _, rest = label.partition(" ")
    return " ".join(filter(None, (first if first.isupper() else first.lower(), rest)))


def _and(items: Iterable[str]) -> str:
    words = list(items)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""
