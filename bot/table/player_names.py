"""Names of players: harmless in markdown and distinct; and names of computer players."""

import unicodedata
from collections.abc import Collection, Iterator
from itertools import chain, count
from typing import Final

LONGEST_NAME: Final = 32
"""Characters of a display name."""
NAMELESS: Final = "Player"
"""The name of a user of whose name nothing is left."""
LOCOMOTIVES: Final = ("Adler", "Comet", "Lion", "Mogul", "Novelty", "Planet", "Rocket", "Samson")
"""Names of computer players: narrow tables show eight letters."""
MARKS_IN_A_ROW: Final = 2
"""Accents on one letter; more of them would cover the lines around."""
MARKUP: Final = frozenset("*_~`|<>@#\\[](){}:/")
"""Characters that Discord reads as emphasis, mention, link, heading or code, and the brackets of namesakes' numbers."""
BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that Unicode classes as letters or signs and that show nothing."""
ALIKE: Final = str.maketrans(
    "аьвсԁеғԍһіјкӏмпоԛргѕтиѵԝхуᴢαβγεηικνορτυχωⅼıłø013568|!",
    "abbcdefghijklmnoqprstuvwxyzabyenikvoptuxwliloolesbbll",
)
"""Letters of other alphabets and digits, and the Latin letters that they resemble."""


def harmless(name: str) -> str:
    """A display name without markup, at most 32 characters."""
    plain = unicodedata.normalize("NFKC", name)
    seen = "".join(_fewer_marks(" " if letter in MARKUP or letter.isspace() else letter for letter in plain))
    return " ".join(seen.split())[:LONGEST_NAME].strip(" -+=.") or NAMELESS


def distinct_name(name: str, others: Collection[str]) -> str:
    """A harmless name, numbered if it looks like another one."""
    plain, taken = harmless(name), {look_alike_key(other) for other in others}
    if look_alike_key(plain) not in taken:
        return plain
    numbered = (f"{plain} ({number})" for number in count(2))
    return next(name for name in numbered if look_alike_key(name) not in taken)


def computer_name(kind: str, others: Collection[str]) -> str:
    """A computer player's name: a locomotive and the kind, `Comet (Conductor)`."""
    taken = [look_alike_key(other) for other in others]
    names = chain(LOCOMOTIVES, (f"No. {number}" for number in count(len(LOCOMOTIVES) + 1)))
    free = (name for name in names if not any(other.startswith(look_alike_key(name)) for other in taken))
    return f"{next(free)} ({kind})"


def look_alike_key(name: str) -> str:
    """A key that is equal for names that look alike in any alphabet, case, accents and spaces."""
    parts = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(letter for letter in parts if letter.isalnum() or letter in "|!()")
    return letters.translate(ALIKE).replace("rn", "m").replace("vv", "w").replace("l", "i")


def _fewer_marks(letters: Iterator[str]) -> Iterator[str]:
    """The name without invisible and stacked characters."""
    marks = 0
    for letter in letters:
        mark = unicodedata.category(letter).startswith("M")
        marks = marks + 1 if mark else 0
        if letter.isprintable() and letter not in BLANK and not _selects(letter) and marks <= MARKS_IN_A_ROW:
            yield letter


def _selects(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith(("VARIATION SELECTOR", "MONGOLIAN FREE VARIATION"))
