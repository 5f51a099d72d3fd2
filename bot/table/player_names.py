"""Display names without markup that cannot be mistaken for each other, and names of computer players."""

import unicodedata
from collections.abc import Collection, Iterator
from itertools import chain, count
from typing import Final

MAX_NAME_LENGTH: Final = 32
"""Maximum length of a display name in characters."""
FALLBACK_NAME: Final = "Player"
"""Name of a user whose own name has no allowed character."""
LOCOMOTIVE_NAMES: Final = ("Adler", "Comet", "Lion", "Mogul", "Novelty", "Planet", "Rocket", "Samson")
"""Locomotives that give computer players their names: at most eight letters, to fit into narrow columns."""
MAX_MARKS_IN_A_ROW: Final = 2
"""Maximum number of marks (accents) on one letter; more would cover neighbouring lines."""
MARKUP_CHARACTERS: Final = frozenset("*_~`|<>@#\\[](){}:/")
"""Characters removed from names: Discord's markup, and brackets, which are used to number identical names."""
INVISIBLE_CHARACTERS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Invisible characters that Unicode classifies as letters or symbols."""
LOOK_ALIKE_LETTERS: Final = str.maketrans(
    "аьвсԁеғԍһіјкӏмпоԛргѕтиѵԝхуᴢαβγεηικνορτυχωⅼıłø013568|!",
    "abbcdefghijklmnoqprstuvwxyzabyenikvoptuxwliloolesbbll",
)
"""Translation of digits and of letters of other alphabets to the Latin letters that they look like."""


def harmless_name(name: str) -> str:
    """A display name without markup, cut to MAX_NAME_LENGTH."""
    normalized_name = unicodedata.normalize("NFKC", name)
    visible_name = "".join(
        _visible_letters(
            " " if letter in MARKUP_CHARACTERS or letter.isspace() else letter for letter in normalized_name
        )
    )
    return " ".join(visible_name.split())[:MAX_NAME_LENGTH].strip(" -+=.") or FALLBACK_NAME


def distinct_name(name: str, other_names: Collection[str]) -> str:
    """A harmless display name. If it looks like one of the others, it gets a number: `Ann (2)`."""
    plain_name, taken_keys = harmless_name(name), {look_alike_key(other) for other in other_names}
    if look_alike_key(plain_name) not in taken_keys:
        return plain_name
    numbered_names = (f"{plain_name} ({number})" for number in count(2))
    return next(name for name in numbered_names if look_alike_key(name) not in taken_keys)


def computer_name(kind: str, other_names: Collection[str]) -> str:
    """A new name for a computer player, such as `Comet (Conductor)`: a locomotive, and the kind of player."""
    taken_keys = [look_alike_key(other) for other in other_names]
    names = chain(LOCOMOTIVE_NAMES, (f"No. {number}" for number in count(len(LOCOMOTIVE_NAMES) + 1)))
    free_names = (
        name for name in names if not any(other.startswith(look_alike_key(name)) for other in taken_keys)
    )
    return f"{next(free_names)} ({kind})"


def look_alike_key(name: str) -> str:
    """A key for comparing names: names that look alike have the same key.

    It ignores alphabet, case, accents and spaces.
    """
    decomposed_name = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(letter for letter in decomposed_name if letter.isalnum() or letter in "|!()")
    return letters.translate(LOOK_ALIKE_LETTERS).replace("rn", "m").replace("vv", "w").replace("l", "i")


def _visible_letters(letters: Iterator[str]) -> Iterator[str]:
    mark_count = 0
    for letter in letters:
        is_mark = unicodedata.category(letter).startswith("M")
        mark_count = mark_count + 1 if is_mark else 0
        if (
            letter.isprintable()
            and letter not in INVISIBLE_CHARACTERS
            and not _is_variation_selector(letter)
            and mark_count <= MAX_MARKS_IN_A_ROW
        ):
            yield letter


def _is_variation_selector(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith(("VARIATION SELECTOR", "MONGOLIAN FREE VARIATION"))
