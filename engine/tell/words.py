"""Text templates of a language, one for each engine message (`Fact`), and the fields allowed in their braces.

`{x}` is the value, or the text of a nested message; empty for None.
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
"""Prefix of the keys of templates that are used instead of others when money is secret."""


@dataclass(frozen=True, slots=True)
class Style:
    """A text style: functions that mark emphasis and headings."""

    strong: Callable[[str], str] = str
    heading: Callable[[str], str] = str


PLAIN_STYLE = Style()
"""A text style without emphasis and headings."""


@dataclass(frozen=True, slots=True)
class NameFunctions:
    """Functions that name an entity, a company's president (empty if it has none), and a hex."""

    name: Callable[[str], str] = str
    president: Callable[[str], str] = lambda _: ""
    place: Callable[[str], str] = str


class SentenceWriter:
    """Turns engine messages (`Fact`) into sentences of one language.

    Raises KeyError if a template, or a value for one of its fields, is missing.
    """

    def __init__(
        self,
        templates: Mapping[str, str],
        name_functions: NameFunctions,
        style: Style = PLAIN_STYLE,
        *,
        is_money_secret: bool = False,
        currency: str = "$",
    ) -> None:
        """`templates` has a template for each message key, `name_functions` the functions that name entities and hexes.

        With `is_money_secret`, messages use templates that leave out players' money, where there are any. `currency`
        is the title's currency sign, which replaces each `$` in the templates.
        """
        self._templates = templates
        self._name_functions = name_functions
        self._style = style
        self._is_money_secret = is_money_secret
        self._currency = currency

    def say(self, statement: Fact) -> str:
        """The sentence for a message (`Fact`)."""
        plain_template = self._templates[statement.name]
        template = (
            self._templates.get(SECRET_PREFIX + statement.name, plain_template)
            if self._is_money_secret
            else plain_template
        )
        return "".join(
            text if name is None else text + self.format_field(statement.values[name], format_spec)
            for text, name, format_spec in _template_parts(template, self._currency)
        )

    def format_field(self, value: Any, format_spec: str) -> str:
        """The text of a template field in braces; `format_spec` is the part after the colon."""
        format_name, _, argument = format_spec.partition("|")
        formatter = FORMATTERS.get(format_name)
        if formatter is None:
            raise ValueError(f"words know no {format_spec!r}")
        return formatter(self, value, argument)

    def _plain_text(self, value: Any) -> str:
        if isinstance(value, Fact):
            return self.say(value)
        return "" if value is None else str(value)

    def _party_name(self, entity: str, style: Callable[[str], str] = str) -> str:
        president = self._name_functions.president(entity)
        name = style(self._name_functions.name(entity))
        return f"{name} ({president})" if president else name

    def _visible_amount(self, value: Any) -> str:
        return self._name_functions.name(value) if isinstance(value, str) else self._plain_text(value)

    def _holder_name(self, holder: str) -> str:
        if holder == OFFERING:
            return self.say(fact("holder.offering"))
        return self.say(fact("holder.market" if holder == MARKET else "holder.treasury"))

    def _label_in_sentence(self, label: Any) -> str:
        text = self._plain_text(label)
        return text if isinstance(label, Fact) and self._begins_with_name(label) else _lower_first_word(text)

    def _begins_with_name(self, statement: Fact) -> bool:
        text, name, format_spec = _template_parts(self._templates[statement.name], self._currency)[0]
        if text or name is None:
            return False
        value = statement.values[name]
        return (
            self._begins_with_name(value)
            if isinstance(value, Fact)
            else format_spec in {"name", "who", "party"}
        )

    def _joined_with_and(self, texts: Sequence[str]) -> str:
        if len(texts) < 2:
            return "".join(texts)
        return self.say(fact("join.last", before=", ".join(texts[:-1]), last=texts[-1]))


FORMATTERS: Final[Mapping[str, Callable[[SentenceWriter, Any, str], str]]] = {
    "": lambda writer, value, _: writer._plain_text(value),
    "name": lambda writer, value, _: writer._name_functions.name(value),
    "who": lambda writer, value, _: writer._party_name(value, writer._style.strong),
    "party": lambda writer, value, _: writer._party_name(value),
    "place": lambda writer, value, _: writer._name_functions.place(value),
    "holder": lambda writer, value, _: writer._holder_name(value),
    "capital": lambda writer, value, rest: _capitalised(writer.format_field(value, rest)),
    "plural": lambda _, value, rest: _number_with_noun(value, rest),
    "article": lambda _, value, rest: _with_article(value, rest),
    "strong": lambda writer, value, rest: writer._style.strong(writer.format_field(value, rest)),
    "heading": lambda writer, value, rest: writer._style.heading(writer.format_field(value, rest)),
    "list": lambda writer, values, rest: ", ".join(writer.format_field(value, rest) for value in values),
    "series": lambda writer, values, rest: "; ".join(writer.format_field(value, rest) for value in values),
    "names": lambda writer, values, _: ", ".join(map(writer._name_functions.name, values)),
    "within": lambda writer, values, _: ", ".join(map(writer._label_in_sentence, values)),
    "and": lambda writer, values, rest: writer._joined_with_and(
        [writer.format_field(value, rest or "known") for value in values]
    ),
    "known": lambda writer, value, _: writer._visible_amount(value),
}
"""Functions that format a template field, by its spec (`{x:spec|text}`).

The last argument is the text after the bar.
"""


@lru_cache(maxsize=2048)
def _template_parts(template: str, currency: str) -> tuple[tuple[str, str | None, str], ...]:
    """A template split into (text, field name, field spec), with `currency` in place of `$`."""
    return tuple(
        (text.replace("$", currency), name, format_spec or "")
        for text, name, format_spec, _ in string.Formatter().parse(template)
    )


@cache
def english_templates() -> Mapping[str, str]:
    """The English templates by message key: those for all titles and those of single titles."""
    packages = dict.fromkeys(["engine.tell", *(title.package for title in TITLES.values())])
    text_files = (files(package).joinpath("english.toml") for package in packages)
    return {
        name: template
        for file in text_files
        if file.is_file()
        for name, template in read_templates(file.read_text("utf-8")).items()
    }


def read_templates(text: str) -> Mapping[str, str]:
    """Parse a language's TOML text into templates by message key."""
    return {
        f"{topic}.{name}": template
        for topic, templates in tomllib.loads(text).items()
        for name, template in templates.items()
    }


def _lower_first_word(label: str) -> str:
    first_word, _, other_words = label.partition(" ")
    return " ".join(filter(None, (first_word if first_word.isupper() else first_word.lower(), other_words)))


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def _number_with_noun(number: int, noun_forms: str) -> str:
    singular, _, plural = noun_forms.partition("|")
    return f"{number} {singular if number == 1 else plural}"


def _with_article(value: Any, noun_forms: str) -> str:
    before_consonant, _, before_vowel = noun_forms.partition("|")
    return f"{before_vowel if VOWEL_PATTERN.match(str(value)) else before_consonant} {value}"
