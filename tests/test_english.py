"""The words of the field: what the project once said in words of its own stays out of all that people read.

Held are sentences in the code, the words of `english.toml` and of the titles, and the pages for players.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("bot", "engine", "render", "storage")
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
    "Voice and stage",
    "voice, stage",
    "system call",
    "first 20 letters",  # of the alphabet
    "invisible letters",
    "game mend",  # a command of earlier releases
)
"""Where such a word is the right one."""
PLACEHOLDER = re.compile(r"\{[^}]*\}")
COLUMNS = re.compile(r"[a-z_]+(?:, [a-z_]+)*,? ?")
SQL = re.compile(r"\b(?:CREATE|ALTER|DROP|SELECT|INSERT|UPDATE|DELETE|ORDER BY|FROM|WHERE|game_id)\b")
WORDS = {word: re.compile(rf"(?<![\w`./-])(?:{word})(?![\w`(=])", re.IGNORECASE) for word in SAID_OTHERWISE}


def _sentences(path: Path) -> Iterator[str]:
    """Strings of several words that are no docstring and no SQL."""
    if path.suffix == ".toml":
        yield from _strings(tomllib.loads(path.read_text("utf-8")))
        return
    tree = ast.parse(path.read_text("utf-8"))
    documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
            yield from [node.value] if _is_sentence(node.value) else []


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


def _faults(text: str) -> list[str]:
    """The words in a text that the field does not say, with what it says."""
    text = PLACEHOLDER.sub("", text)
    for phrase in FINE:
        text = text.replace(phrase, "")
    return [
        f"{found[0]!r}: say {SAID_OTHERWISE[word]}"
        for word, one in WORDS.items()
        if (found := one.search(text))
    ]


@pytest.mark.parametrize("package", PACKAGES)
def test_sentences_are_in_the_words_of_the_field(package: str) -> None:
    files = [path for path in sorted((ROOT / package).rglob("*")) if path.suffix in {".py", ".toml"}]
    assert files
    wrong = [(path.name, text, _faults(text)) for path in files for text in _sentences(path) if _faults(text)]
    assert wrong == []


@pytest.mark.parametrize("page", PAGES)
def test_pages_for_players_are_in_the_words_of_the_field(page: str) -> None:
    lines = (ROOT / page).read_text("utf-8").splitlines()
    assert [(line, _faults(line)) for line in lines if _faults(line)] == []


def test_a_word_of_our_own_is_found() -> None:
    """Or this page would hold nothing."""
    assert _faults("Every move is told here, and whoever acts next is called.") == [
        "'called': say ping, named",
        "'told': say posted, said",
        "'whoever': say the player who",
    ]
    assert _faults("Moves are posted here; the next player is pinged.") == []
