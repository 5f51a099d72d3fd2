"""Trains lie on shells: on one of most companies, on two of one that was merged; the train limit is for each."""

from collections.abc import Sequence
from itertools import combinations

from engine.core.facts import Fact, fact
from engine.core.ids import TrainName
from engine.core.state import Company


def shells(company: Company) -> tuple[list[TrainName], ...]:
    """The trains on each shell.

    Rules: R-C2C-226.
    """
    if not company.merged:
        return (list(company.trains),)
    first, second = list(company.trains), []
    for train in company.second:
        if train in first:
            first.remove(train)
            second.append(train)
    return first, second


def occupied(company: Company) -> int:
    """How many shells hold a train."""
    return sum(map(bool, shells(company)))


def take(company: Company, train: TrainName) -> None:
    """A train comes to the emptier shell, which leaves the most room under the limit."""
    first, *others = shells(company)
    company.trains.append(train)
    for second in others:
        company.second = second + [train] * (len(second) < len(first))


def lose(company: Company, train: TrainName) -> None:
    """A train leaves the fullest of the shells that have it."""
    fullest = max((shell for shell in shells(company) if train in shell), key=len)
    *_, second = shells(company)
    company.trains.remove(train)
    if company.merged:
        company.second = second
        if fullest == second:
            second.remove(train)


def shells_text(both: Sequence[Sequence[TrainName]]) -> Fact:
    """`3 4 | 5`."""
    first, second = (" ".join(shell) or fact("sheet.empty_shell") for shell in both)
    return fact("sheet.shells", first=first, second=second)


def arrange(company: Company, first: Sequence[TrainName]) -> None:
    """Put these trains on the first shell, the others on the second."""
    company.second = list(company.trains)
    for train in first:
        company.second.remove(train)


def arrangements(company: Company, limit: int) -> list[tuple[TrainName, ...]]:
    """What may lie on the first shell within the limit of each; two shells changed for each other are one way."""
    trains = tuple(company.trains)
    found: dict[frozenset[tuple[TrainName, ...]], tuple[TrainName, ...]] = {}
    for count in range(len(trains), -1, -1):
        for places in combinations(range(len(trains)), count):
            first = tuple(trains[place] for place in places)
            second = tuple(train for place, train in enumerate(trains) if place not in places)
            if max(len(first), len(second)) <= limit:
                found.setdefault(frozenset((tuple(sorted(first)), tuple(sorted(second)))), first)
    return list(found.values())
