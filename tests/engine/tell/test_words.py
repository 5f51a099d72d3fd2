"""The book of words: it has words for every fact, every word has its value, and no word is idle."""

import ast
import string
from collections.abc import Iterable
from functools import cache
from typing import Any, get_args

import pytest

from engine.core.actions import Action, Answer
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, POOL, EndReason
from engine.core.state import RunOutcome
from engine.play.rounds import OperatingRound
from engine.tell.views import SpaceState
from engine.tell.words import (
    FORMATTERS,
    PLAIN_STYLE,
    SECRET_PREFIX,
    NameFunctions,
    SentenceWriter,
    Style,
    english_templates,
)
from engine.titles import TITLES
from tests.support.facts_named import ENGINE, Made, event_names, facts_made, matching, trees_with

ACTIONS = {model.model_fields["kind"].default: model for model in get_args(Action)}
TURNS = [
    step
    for title in TITLES.values()
    if isinstance(operating := title.rules.ROUNDS["operating"], OperatingRound)
    for step in operating.ordered_steps
]
COMPLETE: dict[str, Iterable[str]] = {
    "ending": get_args(EndReason),
    "outcome": get_args(RunOutcome),
    "reply": get_args(Answer.model_fields["reply"].annotation),
    "seller": (BANK, POOL),
    "slot": {
        name for model in ACTIONS.values() for name in model.model_fields if name not in model.HEADER_FIELDS
    },
    "space": get_args(SpaceState),
    "doing": {step.name for step in TURNS},
    "step": {step.name for step in TURNS if not step.is_unlisted},
}
"""Topics that have words for each value of a type."""


@cache
def made() -> tuple[Made, ...]:
    return tuple(facts_made())


def fields(name: str) -> dict[str, str]:
    """The values that the words of a fact need, and what is done to each."""
    parts = string.Formatter().parse(english_templates()[name])
    return {field: spec or "" for _, field, spec, _ in parts if field is not None}


def names(one: Made) -> set[str]:
    """The names a fact may have: where a part is put in, all that nothing else is named."""
    whole = {name for other in made() for name in other.names if "*" not in name}
    found = {
        pattern: matching(pattern, english_templates()) - (whole if "*" in pattern else set())
        for pattern in one.names
    }
    return {name for pattern, matched in found.items() for name in matched or {pattern}}


# --- the book --------------------------------------------------------------------------------------------------


def test_every_fact_has_words() -> None:
    wanted = {name: one.where for one in made() for name in names(one)}
    assert {name: where for name, where in wanted.items() if name not in english_templates()} == {}


@pytest.mark.parametrize("topic", COMPLETE)
def test_every_fact_and_event_has_words(topic: str) -> None:
    """By its own name, or by that of the case it is."""
    assert {f"{topic}.{value}" for value in COMPLETE[topic]} - english_templates().keys() == set()
    assert {name for name, _ in event_names()} - english_templates().keys() == set()


def test_words_have_their_values() -> None:
    wrong = [
        (one.where, name, missing)
        for one in made()
        if not one.more
        for name in names(one) & english_templates().keys()
        if (missing := fields(name).keys() - one.values)
    ]
    wrong += [
        ("event", name, missing) for name, own in event_names() if (missing := fields(name).keys() - own)
    ]
    assert wrong == []


@pytest.mark.parametrize("name", sorted(matching("proposal.*", english_templates())))
def test_proposal_reads_by_its_action(name: str) -> None:
    kind = name.partition(".")[2]
    assert fields(name).keys() <= {*ACTIONS[kind].model_fields} - {"kind"}


def test_no_words_are_idle() -> None:
    used = {name for one in made() for name in names(one)} | {name for name, _ in event_names()}
    assert {name.removeprefix(SECRET_PREFIX) for name in english_templates()} - used == set()


@pytest.mark.parametrize(
    "name", sorted(name for name in english_templates() if name.startswith(SECRET_PREFIX))
)
def test_secret_words_leave_something_out(name: str) -> None:
    assert fields(name).keys() < fields(name.removeprefix(SECRET_PREFIX)).keys()


def test_facts_are_made_by_their_names() -> None:
    """Nowhere but in `fact` and among the events, so that the names above are all there are."""
    direct = {
        str(path.relative_to(ENGINE))
        for path, tree in trees_with("Fact")
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Fact"
    }
    assert direct == {"core/facts.py", "tell/narrate.py"}


# --- how it is said --------------------------------------------------------------------------------------------


def say(template: str, style: Style = PLAIN_STYLE, **values: Any) -> str:
    """The words of a template at a table where a is Ann and Bob is president of the PRR."""
    people = NameFunctions({"a": "Ann", "b": "Bob"}.get, {"PRR": "Bob"}.get)  # type: ignore[arg-type]
    known = NameFunctions(lambda one: people.name(one) or one, lambda one: people.president(one) or "")
    return SentenceWriter({"join.last": "{before} & {last}", "x.y": template}, known, style).say(
        fact("x.y", **values)
    )


@pytest.mark.parametrize(
    ("template", "values", "said"),
    [
        ("{x:name} and {y:name}", {"x": "a", "y": "PRR"}, "Ann and PRR"),
        ("{x:who}", {"x": "PRR"}, "PRR (Bob)"),
        ("{x:list}", {"x": (1, 2, 3)}, "1, 2, 3"),
        ("{x:list|name}", {"x": ("a", "b")}, "Ann, Bob"),
        ("{x:series}", {"x": ("a", "b")}, "a; b"),
        ("{x:and}", {"x": ()}, ""),
        ("{x:and}", {"x": ("a",)}, "Ann"),
        ("{x:and}", {"x": ("a", "b", "c")}, "Ann, Bob & c"),
        ("{x:plural|share|shares}", {"x": 1}, "1 share"),
        ("{x:plural|share|shares}", {"x": 0}, "0 shares"),
        ("{x:article|a|an}", {"x": "3"}, "a 3"),
        ("{x:article|a|an}", {"x": "8"}, "an 8"),
        ("{x:article|a|an}", {"x": "110"}, "a 110"),
        ("{x:capital}", {"x": "the end"}, "The end"),
        ("{x:within}", {"x": ("Lay track", "OR 2")}, "lay track, OR 2"),
        ("[{x}]", {"x": None}, "[]"),
    ],
)
def test_formatting_of_values(template: str, values: dict[str, Any], said: str) -> None:
    assert say(template, **values) == said


def test_emphasis_of_a_style() -> None:
    """Also of each of several, and around what is done to the value first."""
    loud = Style(strong=str.upper, heading=lambda words: f"= {words}")
    found = say("{x:strong} {y:list|strong} {z:heading} {z:strong|capital}", loud, x="p", y="qr", z="s")
    assert found == "P Q, R = s S"
    assert say("{x:who}", loud, x="PRR") == "PRR (Bob)"


def test_fact_within_a_fact() -> None:
    """One without words is an error."""
    words = SentenceWriter({"a.b": "<{inner}>", "c.d": "{x}"}, NameFunctions())
    assert words.say(fact("a.b", inner=fact("c.d", x=1))) == "<1>"
    with pytest.raises(KeyError):
        SentenceWriter(english_templates(), NameFunctions()).say(Fact("no.words"))


def test_formats_in_the_book_are_known() -> None:
    """A slip in the book is found before it is said."""
    takes_any = {"plural", "article"}
    for name in english_templates():
        for spec in fields(name).values():
            parts = spec.split("|")
            for part in parts[:1] if parts[0] in takes_any else parts:
                assert part in FORMATTERS, (name, spec)


@pytest.mark.parametrize("title", TITLES)
def test_sections_are_of_rules_with_words(title: str) -> None:
    """A rule that has another name now would be cited by its topic."""
    rules = {name for name in TITLES[title].spec.sections if "." in name}
    assert rules - english_templates().keys() == set()
