"""A language's book of words: a template for every fact, and the fields allowed in its braces.

`{x}` is the value, or the text of a fact; empty for None.
`{x:name}` is the name of a player, or the abbreviation of a company or private; `{x:who}` adds emphasis and, after a
company, its president; `{x:party}` is `{x:who}` without emphasis.
`{x:place}` is a hex with its printed name, `{x:holder}` the IPO, the market or a company's treasury.
`{x:capital}` begins with a capital letter; `{x:plural|share|shares}` counts, and `{x:article|a|an}` takes the second
form before a vowel, also a spoken one: an 8.
`{x:strong}` is emphasis and `{x:heading}` a heading; `{x:list}` joins values with commas, `{x:series}` with semicolons
and `{x:and}` with "and" before the last one; a spec after a bar formats the values first: `{x:list|strong}`.
`{x:names}` is short for `{x:list|name}`, `{x:within}` joins labels inside a sentence.
`$` becomes the title's currency sign.
"""

import re
import string
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Final

from engine.core.facts import Fact, fact
from engine.core.ids import MARKET, OFFERING
from engine.titles import TITLES

VOWEL_PATTERN = re.compile(r"[aeio]|8|1[18](?!\d)", re.IGNORECASE)


SECRET_PREFIX: Final = "secret."
"""Prefix of templates that replace others if money is secret."""


@dataclass(frozen=True, slots=True)
class Style:
    """Functions for emphasis and headings in a text."""

    strong: Callable[[str], str] = str
    heading: Callable[[str], str] = str


PLAIN_STYLE = Style()
"""The style without emphasis and headings."""


@dataclass(frozen=True, slots=True)
class NameFunctions:
    """Functions that return the name of an entity, of a company's president (or empty), and of a hex."""

    name: Callable[[str], str] = str
    president: Callable[[str], str] = lambda _: ""
    place: Callable[[str], str] = str


class SentenceWriter:
    """Puts facts into words in one language. Raises KeyError if a template, or a value for its field, is missing."""

    def __init__(
        self,
        templates: Mapping[str, str],
        names: NameFunctions,
        style: Style = PLAIN_STYLE,
        *,
        secret: bool = False,
        currency: str = "$",
    ) -> None:
        """`templates` has a template for each fact, `names` the functions that name entities and hexes.

        With `secret`, players' money is left out of facts that have a template without it. `currency` is the title's
        sign, which replaces each `$` in the templates.
        """
        self._templates = templates
        self._names = names
        self._style = style
        self._secret = secret
        self._currency = currency

    def say(self, statement: Fact) -> str:
        """The text of a fact."""
        plain_template = self._templates[statement.name]
        template = (
            self._templates.get(SECRET_PREFIX + statement.name, plain_template)
            if self._secret
            else plain_template
        )
        return "".join(
            text if name is None else text + self.format_field(statement.values[name], spec)
            for text, name, spec in _template_parts(template, self._currency)
        )

    def format_field(self, value: Any, format_spec: str) -> str:
        """The text of one field in braces; `format_spec` is the part after the colon."""
        spec, _, argument = format_spec.partition("|")
        formatter = FORMATTERS.get(spec)
        if formatter is None:
            raise ValueError(f"words know no {format_spec!r}")
        return formatter(self, value, argument)

    def _plain_text(self, value: Any) -> str:
        if isinstance(value, Fact):
            return self.say(value)
        return "" if value is None else str(value)

    def _party_name(self, entity: str, style: Callable[[str], str] = str) -> str:
        president = self._names.president(entity)
        name = style(self._names.name(entity))
        return f"{name} ({president})" if president else name

    def _visible_amount(self, value: Any) -> str:
        return self._names.name(value) if isinstance(value, str) else self._plain_text(value)

    def _holder_name(self, holder: str) -> str:
        if holder == OFFERING:
            return self.say(fact("holder.offering"))
        return self.say(fact("holder.market" if holder == MARKET else "holder.treasury"))

    def _label_in_sentence(self, label: Any) -> str:
        text = self._plain_text(label)
        return text if isinstance(label, Fact) and self._begins_with_name(label) else _lower_first_word(text)

    def _begins_with_name(self, statement: Fact) -> bool:
        text, name, spec = _template_parts(self._templates[statement.name], self._currency)[0]
        if text or name is None:
            return False
        value = statement.values[name]
        return self._begins_with_name(value) if isinstance(value, Fact) else spec in {"name", "who", "party"}

    def _joined_with_and(self, texts: Sequence[str]) -> str:
        if len(texts) < 2:
            return "".join(texts)
        return self.say(fact("join.last", before=", ".join(texts[:-1]), last=texts[-1]))


FORMATTERS: Final[Mapping[str, Callable[[SentenceWriter, Any, str], str]]] = {
    "": lambda words, value, _: words._plain_text(value),
    "name": lambda words, value, _: words._names.name(value),
    "who": lambda words, value, _: words._party_name(value, words._style.strong),
    "party": lambda words, value, _: words._party_name(value),
    "place": lambda words, value, _: words._names.place(value),
    "holder": lambda words, value, _: words._holder_name(value),
    "capital": lambda words, value, rest: _capitalised(words.format_field(value, rest)),
    "plural": lambda _, value, rest: _counted(value, rest),
    "article": lambda _, value, rest: _with_article(value, rest),
    "strong": lambda words, value, rest: words._style.strong(words.format_field(value, rest)),
    "heading": lambda words, value, rest: words._style.heading(words.format_field(value, rest)),
    "list": lambda words, values, rest: ", ".join(words.format_field(value, rest) for value in values),
    "series": lambda words, values, rest: "; ".join(words.format_field(value, rest) for value in values),
    "names": lambda words, values, _: ", ".join(map(words._names.name, values)),
    "within": lambda words, values, _: ", ".join(map(words._label_in_sentence, values)),
    "and": lambda words, values, rest: words._joined_with_and(
        [words.format_field(value, rest or "known") for value in values]
    ),
    "known": lambda words, value, _: words._visible_amount(value),
}
"""Functions that format a field by its spec; the last argument is the text after the bar."""


@lru_cache(maxsize=2048)
def _template_parts(template: str, currency: str) -> tuple[tuple[str, str | None, str], ...]:
    """The parts of a template: each text, with this currency sign for `$`, and the field name and spec after it."""
    return tuple(
        (text.replace("$", currency), name, spec or "")
        for text, name, spec, _ in string.Formatter().parse(template)
    )


@cache
def english() -> Mapping[str, str]:
    """The English templates by fact: those for all titles, and each title's own."""
    packages = dict.fromkeys(["engine.tell", *(title.package for title in TITLES.values())])
    files_of_words = (files(package).joinpath("english.toml") for package in packages)
    return {
        name: template
        for file in files_of_words
        if file.is_file()
        for name, template in read_templates(file.read_text("utf-8")).items()
    }


def read_templates(text: str) -> Mapping[str, str]:
    """Templates by fact, from the TOML text of a language."""
    return {
        f"{topic}.{name}": template
        for topic, templates in tomllib.loads(text).items()
        for name, template in templates.items()
    }


def _lower_first_word(label: str) -> str:
    """A label as used within a sentence: `Lay track by C-P` becomes `lay track by C-P`."""
    first_word, _, other_words = label.partition(" ")
    return " ".join(filter(None, (first_word if first_word.isupper() else first_word.lower(), other_words)))


def _capitalised(words: str) -> str:
    return words[:1].upper() + words[1:]


def _counted(number: int, forms: str) -> str:
    singular, _, plural = forms.partition("|")
    return f"{number} {singular if number == 1 else plural}"


def _with_article(value: Any, forms: str) -> str:
    before_consonant, _, before_vowel = forms.partition("|")
    return f"{before_vowel if VOWEL_PATTERN.match(str(value)) else before_consonant} {value}"
