"""Distribution of trains between a merged company's two charters."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from engine.core.actions import Pass, Shuffle
from engine.core.events import Passed, Shuffled
from engine.core.facts import Fact, fact
from engine.core.ids import TrainName
from engine.core.offers import Offer, Permitted, Slot, Suggestion
from engine.core.state import Company
from engine.play.minor_mergers import just_formed, merger_round
from engine.play.steps.base import AnytimeStep, Request, Step
from engine.play.table import Table
from engine.play.trains.phases import (
    arrange_trains,
    arrangements,
    charter_limit,
    charters_text,
    trains_by_charter,
)


class ShuffleStep(AnytimeStep):
    """Redistribute trains, once a turn before the run."""

    name = "shuffle"
    kinds = frozenset({"shuffle"})

    def offers(self, t: Table) -> Iterator[Offer]:
        if self._obstacle(t) is None:
            yield _offer(t, t.company, _arrangements(t, t.company), blocking=False)

    def holds_turn(self, t: Table) -> bool:
        """False: the turn does not wait for it."""
        return False

    def apply(self, t: Table, action: Shuffle) -> None:
        t.turn.shuffled = True
        _shuffle(t, t.company, action)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        return self._obstacle(t)

    def _obstacle(self, t: Table) -> Fact | None:
        company = t.company
        if not company.merged:
            return fact("merger.one_shell", company=company.id)
        if t.turn.shuffled:
            return fact("merger.shuffled_before", company=company.id)
        if "run" in t.turn.done:
            return fact("merger.shuffles_before_running", company=company.id)
        return None if _arrangements(t, company) else fact("merger.no_other_way", company=company.id)


class FirstShuffleStep(Step):
    """The president of a company just merged distributes its trains."""

    name = "first_shuffle"
    kinds = frozenset({"shuffle", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        company = just_formed(t)
        if company is not None and (ways := _arrangements(t, company)):
            yield _offer(t, company, ways, blocking=True)
            yield t.offer(
                "pass", company.id, fact("offer.no_shuffle", shells=charters_text(trains_by_charter(company)))
            )

    def apply(self, t: Table, action: Shuffle | Pass) -> None:
        company = just_formed(t)
        assert company is not None
        if isinstance(action, Pass):
            t.emit(Passed(company.id, fact("declined.shuffle")))
        else:
            _shuffle(t, company, action)
        merger_round(t).formed = None

    def skip(self, t: Table) -> None:
        """Skip, since there is only one way."""
        merger_round(t).formed = None

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        company = just_formed(t)
        if company is None:
            return None
        return fact("merger.shells_first", company=company.id, player=company.president)


def _offer(t: Table, company: Company, ways: Permitted, *, blocking: bool) -> Offer:
    return t.offer(
        "shuffle",
        company.id,
        fact("offer.shuffle", company=company.id),
        Slot("first", lambda _: ways),
        suggest=lambda: [
            Suggestion(fact("choice.shuffle", shells=choice.label), {"first": choice.value})
            for choice in ways.choices()
        ],
        blocking=blocking,
    )


def _arrangements(t: Table, company: Company) -> Permitted:
    """Sets of trains for the first charter that change the distribution."""
    limit = charter_limit(t, company)
    ways = arrangements(company, limit)

    def obstacle(way: Any) -> Fact | None:
        """The refusal of trains that are missing, already there, or too many."""
        trains = way.split() if isinstance(way, str) else [way]
        if Counter(trains) - Counter(company.trains):
            return fact("merger.not_its_trains", company=company.id, trains=tuple(company.trains))
        if sorted(trains) in [sorted(shell) for shell in trains_by_charter(company)]:
            return fact("merger.lie_so_already", company=company.id)
        if max(len(trains), len(company.trains) - len(trains)) > limit:
            return fact("merger.no_such_way", company=company.id, limit=limit)
        other = Counter(company.trains) - Counter(trains)
        same = next(" ".join(way) for way in ways if Counter(way) in (Counter(trains), other))
        return None if way == same else fact("merger.named_otherwise", company=company.id, first=same)

    return Permitted([" ".join(way) for way in ways], obstacle, lambda way: _label(company, way.split()))


def _shuffle(t: Table, company: Company, action: Shuffle) -> None:
    arrange_trains(company, action.first.split())
    t.emit(Shuffled(company.id, charters_text(trains_by_charter(company))))


def _label(company: Company, way: Sequence[TrainName]) -> Fact:
    left = list(company.trains)
    for train in way:
        left.remove(train)
    return charters_text((way, left))
