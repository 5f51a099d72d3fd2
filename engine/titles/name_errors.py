"""Error messages for names in a title's data that are unknown or repeated."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from difflib import get_close_matches
from typing import Final

_MAX_LISTED_NAMES: Final = 12
"""An error message lists all known names up to this number of them; otherwise only the three most similar ones."""


def unknown_name_error(key: str, kind: str, name: object, known_names: Collection[str]) -> str:
    if not known_names:
        return f"{key}: there is no {kind} {name}; the title has none"
    lists_all = len(known_names) <= _MAX_LISTED_NAMES
    listed_names = list(known_names) if lists_all else get_close_matches(str(name), known_names, 3, 0.0)
    list_introduction = "possible are" if lists_all else "similar ones are"
    return f"{key}: there is no {kind} {name}; {list_introduction} {', '.join(listed_names)}"


def repeated_name_errors(key: str, kind: str, names: Iterable[str]) -> Iterator[str]:
    for name, count in Counter(names).items():
        if count > 1:
            yield f"{key}: the {kind} {name} is listed {count} times; list it only once"
