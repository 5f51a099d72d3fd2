"""Of many cases that are alike `make test` tries some; the rest is for long runs."""

from collections import Counter
from collections.abc import Callable, Container, Hashable, Iterable
from typing import Any, Final, TypeVar

import pytest

T = TypeVar("T")

VARIED_TITLES: Final = ("18chesapeake", "18newengland", "18c2c")
"""Titles that differ most: an auction and large companies; minors that merge; a large map and mergers of all kinds."""
VARIED_GAMES: Final = ("18chesapeake-bankruptcy-3p", "18newengland-bank-3p", "18c2c-bank-3p")
"""A golden game of each of them."""


def some_of_each(
    cases: Iterable[T], kind: Callable[[T], Hashable], name: Callable[[T], str], one_of: int
) -> list[Any]:
    """All cases as parameters: of each kind the first, and one in N, are for every run."""
    before = Counter[Hashable]()
    found = []
    for case in cases:
        rest = before[kind(case)] % one_of > 0
        found.append(pytest.param(case, id=name(case), marks=[pytest.mark.long] if rest else []))
        before[kind(case)] += 1
    return found


def one_of(count: int, cases: Iterable[T], name: Callable[[T], str]) -> list[Any]:
    """The same of cases that are all of a kind."""
    return some_of_each(cases, lambda _: None, name, count)


def some_named(named: Container[str], cases: Iterable[T], name: Callable[[T], str] = str) -> list[Any]:
    """All cases as parameters: those with these names are for every run, the rest for long runs."""
    return [
        pytest.param(case, id=name(case), marks=[] if name(case) in named else [pytest.mark.long])
        for case in cases
    ]
