"""Of many cases that are alike `make test` tries some; the rest is for long runs."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

import pytest

T = TypeVar("T")


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
