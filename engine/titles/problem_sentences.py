"""Sentences about names in a title's data that do not exist or are listed twice."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from difflib import get_close_matches
from typing import Final

_LISTED: Final = 12
"""Maximum number of possible names listed; if there are more, the three most similar."""


def unknown_name(key: str, kind: str, name: object, known: Collection[str]) -> str:
    if not known:
        return f"{key}: there is no {kind} {name}; the title has none"
    few = len(known) <= _LISTED
    allowed = list(known) if few else get_close_matches(str(name), known, 3, 0.0)
    return f"{key}: there is no {kind} {name}; {'possible are' if few else 'similar ones are'} {', '.join(allowed)}"


def repeated_names(key: str, kind: str, names: Iterable[str]) -> Iterator[str]:
    for name, count in Counter(names).items():
        if count > 1:
            yield f"{key}: the {kind} {name} is listed {count} times; list it only once"
