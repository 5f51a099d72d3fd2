"""The words of the field: what the project once said in words of its own stays out of all that people read.

Held are sentences in the code, the words of `english.toml` and of the titles, the pages for players, docstrings,
comments, names of modules, and names in tests.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.support.sources import Source, read_source, source_of

ROOT = Path(__file__).parents[1]
PACKAGES = ("bot", "engine", "render", "storage")
DOCUMENTED = (*PACKAGES, "benchmarks", "tests")
PAGES = (
    "README.md",
    "docs/backup.md",
    "docs/operating.md",
    "docs/playing.md",
    "docs/privacy.md",
    "docs/when-something-fails.md",
)

SAID_OTHERWISE = {
    r"call(?:s|ed)?": "ping, named",
    r"told": "posted, said",
    r"letters?": "direct message",
    r"motions?": "proposal",
    r"voices?": "vote",
    r"laps(?:e|es|ed)": "expired",
    r"carried": "accepted",
    r"tak(?:e|es|en|ing) back": "undo",
    r"put(?:s|ting)? back": "redo",
    r"by (?:itself|themselves|himself)": "automatic",
    r"trials?": "what-if",
    r"stand(?:s|ing)? in": "substitute",
    r"forgotten": "anonymised",
    r"shel(?:f|ves)": "cache",
    r"lanes?": "queue",
    r"dut(?:y|ies)": "pending notification, lease",
    r"besides?": "in addition to, next to",
    r"losses|homes": "missing threads",
    r"deeds?": "action phrase",
    r"figures": "position summary, numbers",
    r"wish(?:es)?": "request",
    r"on duty|at work": "running",
    r"mend(?:s|ed|ing)?": "repair",
    r"whoever": "the player who",
    r"so many": "N",
    r"of which": "whose",
    r"ha(?:s|ve) to be": "must be",
    r"he|his|him|himself": "they",
    r"dearer|dearest": "more expensive",
    r"go(?:es|ing)? on": "continue, run",
}
"""What is not said, and what the field says."""
FINE = (
    "voice channel",  # Discord's word
    "Voice channel",
    "Voice and stage",
    "voice, stage",
    "system call",
    "first 20 letters",  # of the alphabet
    "invisible letters",
    "game mend",  # a command of earlier releases
)
"""Where such a word is the right one."""
RIGHT_FOR_DEVELOPERS = {
    r"call(?:s|ed)?": "functions, and requests to Discord",
    r"letters?": "those of the alphabet, and of coordinates",
    r"besides?": "next to, on a map or in a picture",
    r"losses|homes": "home hexes of companies",
    r"stand(?:s|ing)? in": "cells and hexes",
    r"of which": "a relative clause where `whose` does not fit",
}
"""Words of that list that are right in docstrings and comments, and what they mean there."""
PRIVATE_FOR_DEVELOPERS = {
    r"(?:is|are|was|were|be|been|has|have) called|called (?:to|anew|for)": "pinged, named",
    r"besides": "in addition to, apart from",
}
"""What is not said there instead: the same words in a meaning of our own."""
FINE_FOR_DEVELOPERS = (
    "first called",  # a function
    "uses no voice",  # of Discord
)
"""Where such a word is the right one."""
NOT_IN_NAMES = frozenset({"he", "his", "him", "motion", "motions", "anew", "dearest", "dearer", "lapses"})
"""No function or class has these in its name: a person is *they*, and the others have a word of the field."""
NOT_NAMES = {
    r"_?told": "posted, said, refused",
    r"called": "pinged, named",
    r"_?(?:go|goes|going)_on|require_going_on": "continue, run",
    r"dearest|dearer": "costliest, highest",
}
"""What no parameter, variable, attribute or function is named, and what the field says."""
SAID_OTHERWISE_IN_TESTS = {
    "told": "posted, said, refused with the reason",
    "called": "pinged, named",
    "besides?": "next to, with",
    "matters?": "what it is, holds",
    "lanes?": "queue",
    "(?:go|goes|going) on": "continue",
}
"""What nothing in the tests is named, and what the field says."""
SAID_OTHERWISE_IN_RULES = SAID_OTHERWISE_IN_TESTS | {
    "calls?": "ping, request",
    "tells?": "show, say",
    "kept": "stored, cached, reserved",
    "letters?": "direct message",
}
"""What no test is named: its helpers may call functions and tell facts in words."""
FINE_IN_NAMES = (
    "large letters",  # of a picture, up to "its letter"
    "larger letters",
    "letters are larger",
    "letters at its edges",
    "letters go by contrast",
    "letters of a company",
    "letters on red",
    "shows its letters",
    "no letters",
    "its letter",
    "letters and digits",  # of a name
    "beside everybodys shares",  # next to, on the page
)
"""Where such a word is the right one in a name."""
PLACEHOLDER = re.compile(r"\{[^}]*\}")
COLUMNS = re.compile(r"[a-z_]+(?:, [a-z_]+)*,? ?")
SQL = re.compile(r"\b(?:CREATE|ALTER|DROP|SELECT|INSERT|UPDATE|DELETE|ORDER BY|FROM|WHERE|game_id)\b")


class Words(NamedTuple):
    """What is not said, each with what the field says; and all of it in one, which is quick where nothing is wrong."""

    each: Mapping[re.Pattern[str], str]
    any: re.Pattern[str]

    def faults(self, text: str) -> list[str]:
        """The words in a text that the field does not say, with what it says."""
        if not self.any.search(text):
            return []
        return [f"{found[0]!r}: say {said}" for one, said in self.each.items() if (found := one.search(text))]


def _patterns(words: Mapping[str, str]) -> Words:
    return _words(words, r"(?<![\w`./-])(?:{})(?![\w`(=])", re.IGNORECASE)


def _in_names(words: Mapping[str, str]) -> Words:
    return _words(words, r"\b(?:{})\b", re.NOFLAG)


def _words(words: Mapping[str, str], form: str, flags: re.RegexFlag) -> Words:
    return Words(
        {re.compile(form.format(word), flags): said for word, said in words.items()},
        re.compile(form.format("|".join(words)), flags),
    )


WORDS = _patterns(SAID_OTHERWISE)
NAMED = re.compile("|".join(NOT_NAMES))
PROSE = _patterns(
    {word: said for word, said in SAID_OTHERWISE.items() if word not in RIGHT_FOR_DEVELOPERS}
    | PRIVATE_FOR_DEVELOPERS
)
NAMES = _in_names(SAID_OTHERWISE_IN_TESTS)
RULES = _in_names(SAID_OTHERWISE_IN_RULES)


def _sentences(path: Path) -> Iterator[str]:
    """Strings of several words that are no docstring and no SQL."""
    if path.suffix == ".toml":
        yield from _strings(tomllib.loads(path.read_text("utf-8")))
        return
    yield from filter(_is_sentence, source_of(path).strings)


def _is_sentence(text: str) -> bool:
    return " " in text.strip() and not SQL.search(text) and not COLUMNS.fullmatch(text)


def _strings(found: Any) -> Iterator[str]:
    if isinstance(found, str):
        yield found
    elif isinstance(found, dict):
        for value in found.values():
            yield from _strings(value)
    elif isinstance(found, list):
        for value in found:
            yield from _strings(value)


def _faults(text: str, words: Words = WORDS) -> list[str]:
    """The words in a text that the field does not say, with what it says."""
    text = PLACEHOLDER.sub("", text)
    for phrase in FINE:
        text = text.replace(phrase, "")
    return words.faults(text)


def _wrong_prose(source: Source) -> Iterator[tuple[str, list[str]]]:
    """The docstrings and comments in words of our own, with what the field says."""
    for text in (*(" ".join(says.split()) for says in source.docstrings), *source.comments):
        for phrase in FINE_FOR_DEVELOPERS:
            text = text.replace(phrase, "")
        if found := _faults(text, PROSE):
            yield text, found


def _wrong_names(source: Source) -> Iterator[tuple[str, list[str]]]:
    """The functions and classes of tests in words of our own, with what the field says."""
    for found in source.definitions:
        is_rule, text = found.name.startswith("test_"), " ".join(_parts(found.name))
        for phrase in FINE_IN_NAMES:
            text = text.replace(phrase, "")
        if wrong := (RULES if is_rule else NAMES).faults(text):
            yield found.name, wrong


def _parts(name: str) -> list[str]:
    """The words of a name, with capitals or with underscores, in small letters."""
    return [part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+", name)]


@cache
def _files(package: str) -> tuple[Path, ...]:
    """The files of Python in a package, at least one."""
    files = sorted((ROOT / package).rglob("*.py"))
    assert files
    return tuple(files)


@pytest.mark.parametrize("package", PACKAGES)
def test_sentences_are_in_the_words_of_the_field(package: str) -> None:
    files = [path for path in sorted((ROOT / package).rglob("*")) if path.suffix in {".py", ".toml"}]
    assert files
    wrong = [(path.name, text, _faults(text)) for path in files for text in _sentences(path) if _faults(text)]
    assert wrong == []


@pytest.mark.parametrize("package", DOCUMENTED)
def test_docstrings_and_comments_are_in_the_words_of_the_field(package: str) -> None:
    files = [path for path in _files(package) if path != Path(__file__)]
    assert [(path.name, *wrong) for path in files for wrong in _wrong_prose(source_of(path))] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_modules_have_names_of_the_field(package: str) -> None:
    names = [path.parent.name if path.stem == "__init__" else path.stem for path in _files(package)]
    assert [
        (name, _faults(name.replace("_", " "))) for name in names if _faults(name.replace("_", " "))
    ] == []


@pytest.mark.parametrize("package", DOCUMENTED)
def test_functions_and_classes_have_names_of_the_field(package: str) -> None:
    named = (
        f"{path.relative_to(ROOT)}: {found.name}"
        for path in _files(package)
        for found in source_of(path).definitions
        if not NOT_IN_NAMES.isdisjoint(re.findall(r"[A-Z]?[a-z]+", found.name.lower().replace("_", " ")))
    )
    assert list(named) == []


@pytest.mark.parametrize("package", PACKAGES)
def test_parameters_and_variables_have_names_of_the_field(package: str) -> None:
    """Constants and attributes, too."""
    wrong = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in _files(package)
        for name in source_of(path).given
        if NAMED.fullmatch(name.lower())
    ]
    assert wrong == []


def test_names_of_tests_are_in_the_words_of_the_field() -> None:
    wrong = [(path.name, *wrong) for path in _files("tests") for wrong in _wrong_names(source_of(path))]
    assert wrong == []


@pytest.mark.parametrize("page", PAGES)
def test_pages_for_players_are_in_the_words_of_the_field(page: str) -> None:
    lines = (ROOT / page).read_text("utf-8").splitlines()
    assert [(line, _faults(line)) for line in lines if _faults(line)] == []


@pytest.mark.parametrize("page", sorted((ROOT / "docs/rules").glob("*.md")), ids=lambda page: page.stem)
def test_a_person_is_they_in_the_tables_of_rules(page: Path) -> None:
    rows = re.sub(r"`[^`]*`", "", page.read_text("utf-8"))
    assert re.findall(r".{0,40}\b(?:he|his|him)\b.{0,20}", rows, re.IGNORECASE) == []


def test_money_is_written_in_one_form() -> None:
    """As `$1234`: wherever players read it, a thousand has no mark."""
    files = [path for package in PACKAGES for path in (ROOT / package).rglob("*.*")]
    texts = [text for path in files if path.suffix in {".py", ".toml"} for text in _sentences(path)]
    texts += [path.read_text("utf-8") for path in (ROOT / "docs").rglob("*.md")]
    assert [found for text in texts for found in re.findall(r".*\$\d+,\d{3}.*", text)] == []


def test_a_word_of_our_own_is_found_in_a_docstring() -> None:
    """Where functions may be called, and hexes may lie beside others."""
    source = read_source('"""He acts beside this one."""  # whoever is called')
    assert [found for _, found in _wrong_prose(source)] == [
        ["'He': say they"],
        ["'whoever': say the player who", "'is called': say pinged, named"],
    ]
    fine = read_source('"""Calls the first of the functions beside this one."""')
    assert list(_wrong_prose(fine)) == []


def test_a_word_of_our_own_is_found() -> None:
    """Or this page would hold nothing."""
    assert _faults("Every move is told here, and whoever acts next is called.") == [
        "'called': say ping, named",
        "'told': say posted, said",
        "'whoever': say the player who",
    ]
    assert _faults("Moves are posted here; the next player is pinged.") == []


def test_a_word_of_our_own_is_found_in_a_parameter() -> None:
    """And in a variable, but not where it is a part of another word."""
    source = "def post(told, called_by):\n    called = told\n    self.untold = going_on = called"
    assert [name for name in read_source(source).given if NAMED.fullmatch(name)] == [
        "told",
        "called",
        "going_on",
    ]


def test_a_word_of_our_own_is_found_in_a_name() -> None:
    """Helpers may call and tell; a test shows its large letters."""
    names = (
        "def test_the_table_is_told_once(): ...",
        "def test_what_is_kept_goes_on(): ...",
        "class PlayersCalled: ...",
        "def call_later(): ...",
        "def test_large_letters_are_read(): ...",
    )
    assert list(_wrong_names(read_source("\n".join(names)))) == [
        ("test_the_table_is_told_once", ["'told': say posted, said, refused with the reason"]),
        ("test_what_is_kept_goes_on", ["'goes on': say continue", "'kept': say stored, cached, reserved"]),
        ("PlayersCalled", ["'called': say pinged, named"]),
    ]


def test_what_looks_like_a_comment_within_a_string_is_none() -> None:
    """Of any kind of string, over several lines too; and quotes in a comment begin no string."""
    lines = (
        "a = '# he'  # one, that isn't a string",
        'b = "\\"# he"  # two',
        'c = """',
        "# he '",
        '\\""" # he"""',
        "d = f'{a:#x}' # three",
    )
    assert read_source("\n".join(lines)).comments == ("# one, that isn't a string", "# two", "# three")
