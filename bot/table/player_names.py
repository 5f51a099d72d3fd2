"""Names of players: harmless in markdown and distinct; and names of computer players."""

import unicodedata
from collections.abc import Collection, Iterator
from itertools import chain, count
from typing import Final

LONGEST_NAME: Final = 32
"""Characters of a display name."""
FALLBACK_NAME: Final = "Player"
"""The name of a user of whose name nothing is left."""
LOCOMOTIVES: Final = ("Adler", "Comet", "Lion", "Mogul", "Novelty", "Planet", "Rocket", "Samson")
"""Names of computer players: narrow tables show eight letters."""
MOST_MARKS_IN_A_ROW: Final = 2
"""Accents on one letter; more of them would cover the lines around."""
MARKUP_CHARACTERS: Final = frozenset("*_~`|<>@#\\[](){}:/")
"""Characters that Discord reads as emphasis, mention, link, heading or code, and the brackets of namesakes' numbers."""
BLANK_CHARACTERS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that Unicode classes as letters or signs and that show nothing."""
LOOK_ALIKE_LETTERS: Final = str.maketrans(
    "аьвсԁеғԍһіјкӏмпоԛргѕтиѵԝхуᴢαβγεηικνορτυχωⅼıłø013568|!",
    "abbcdefghijklmnoqprstuvwxyzabyenikvoptuxwliloolesbbll",
)
"""Letters of other alphabets and digits, and the Latin letters that they resemble."""


def harmless_name(name: str) -> str:
    """A display name without markup, at most 32 characters."""
    normalized = unicodedata.normalize("NFKC", name)
    visible_name = "".join(
        _visible_letters(
            " " if letter in MARKUP_CHARACTERS or letter.isspace() else letter for letter in normalized
        )
    )
    return " ".join(visible_name.split())[:LONGEST_NAME].strip(" -+=.") or FALLBACK_NAME


def distinct_name(name: str, others: Collection[str]) -> str:
    """A harmless name, numbered if it looks like another one."""
    plain_name, taken_keys = harmless_name(name), {look_alike_key(other) for other in others}
    if look_alike_key(plain_name) not in taken_keys:
        return plain_name
    numbered_names = (f"{plain_name} ({number})" for number in count(2))
    return next(name for name in numbered_names if look_alike_key(name) not in taken_keys)


def computer_name(kind: str, others: Collection[str]) -> str:
    """A computer player's name: a locomotive and the kind, `Comet (Conductor)`."""
    taken_keys = [look_alike_key(other) for other in others]
    names = chain(LOCOMOTIVES, (f"No. {number}" for number in count(len(LOCOMOTIVES) + 1)))
    free_names = (
        name for name in names if not any(other.startswith(look_alike_key(name)) for other in taken_keys)
    )
    return f"{next(free_names)} ({kind})"


def look_alike_key(name: str) -> str:
    """A key that is equal for names that look alike in any alphabet, case, accents and spaces."""
    decomposed = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(letter for letter in decomposed if letter.isalnum() or letter in "|!()")
    return letters.translate(LOOK_ALIKE_LETTERS).replace("rn", "m").replace("vv", "w").replace("l", "i")


def _visible_letters(letters: Iterator[str]) -> Iterator[str]:
    """The name without invisible and stacked characters."""
    mark_count = 0
    for letter in letters:
        is_mark = unicodedata.category(letter).startswith("M")
        mark_count = mark_count + 1 if is_mark else 0
        if (
            letter.isprintable()
            and letter not in BLANK_CHARACTERS
            and not _is_variation_selector(letter)
            and mark_count <= MOST_MARKS_IN_A_ROW
        ):
            yield letter


def _is_variation_selector(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith(("VARIATION SELECTOR", "MONGOLIAN FREE VARIATION"))
