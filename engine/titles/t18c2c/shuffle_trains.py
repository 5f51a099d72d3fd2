"""A merged company in 18C2C has two charters and distributes its trains between them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from engine.core.actions import Pass, Shuffle
from engine.core.events import Passed, TrainsShuffled
from engine.core.facts import Fact, fact
from engine.core.ids import TrainName
from engine.core.offers import FilteredChoices, Offer, Slot, Suggestion
from engine.core.state import Company
from engine.play.minor_mergers import just_formed_company, merger_round
from engine.play.steps.base import AnytimeStep, Request, Step
from engine.play.table import Table
from engine.play.trains.phases import (
    arrange_trains_on_charters,
    charter_arrangements,
    charter_limit,
    charters_text,
    trains_by_charter,
)


class ShuffleStep(AnytimeStep):
    """A merged company redistributes its trains between its two charters, once a turn, before it runs them."""

    name = "shuffle"
    kinds = frozenset({"shuffle"})

    def offers(self, t: Table) -> Iterator[Offer]:
        if self._shuffle_obstacle(t) is None:
            yield _shuffle_offer(t, t.company, _arrangement_choices(t, t.company), blocking=False)

    def keeps_turn_open(self, t: Table) -> bool:
        """Always False: the turn can end without a redistribution."""
        return False

    def apply(self, t: Table, action: Shuffle) -> None:
        t.turn.shuffled = True
        _shuffle_trains(t, t.company, action)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        return self._shuffle_obstacle(t)

    def _shuffle_obstacle(self, t: Table) -> Fact | None:
        company = t.company
        if not company.is_merged:
            return fact("merger.one_shell", company=company.id)
        if t.turn.shuffled:
            return fact("merger.shuffled_before", company=company.id)
        if "run" in t.turn.done:
            return fact("merger.shuffles_before_running", company=company.id)
        return None if _arrangement_choices(t, company) else fact("merger.no_other_way", company=company.id)


class FirstShuffleStep(Step):
    """Right after a merger, the president distributes the company's trains between its two charters."""

    name = "first_shuffle"
    kinds = frozenset({"shuffle", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        company = just_formed_company(t)
        if company is not None and (choices := _arrangement_choices(t, company)):
            yield _shuffle_offer(t, company, choices, blocking=True)
            yield t.offer(
                "pass", company.id, fact("offer.no_shuffle", shells=charters_text(trains_by_charter(company)))
            )

    def apply(self, t: Table, action: Shuffle | Pass) -> None:
        company = just_formed_company(t)
        assert company is not None
        if isinstance(action, Pass):
            t.emit(Passed(company.id, fact("declined.shuffle")))
        else:
            _shuffle_trains(t, company, action)
        merger_round(t).formed = None

    def skip(self, t: Table) -> None:
        """Skip the step, because there is only one way to distribute the trains."""
        merger_round(t).formed = None

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        company = just_formed_company(t)
        if company is None:
            return None
        return fact("merger.shells_first", company=company.id, player=company.president)


def _shuffle_offer(t: Table, company: Company, choices: FilteredChoices, *, blocking: bool) -> Offer:
    return t.offer(
        "shuffle",
        company.id,
        fact("offer.shuffle", company=company.id),
        Slot("first", lambda _: choices),
        suggest=lambda: [
            Suggestion(fact("choice.shuffle", shells=choice.label), {"first": choice.value})
            for choice in choices.choices()
        ],
        blocking=blocking,
    )


def _arrangement_choices(t: Table, company: Company) -> FilteredChoices:
    """Sets of trains that the first charter can have, such as `4 5`. The present set is not included."""
    limit = charter_limit(t, company)
    legal_arrangements = charter_arrangements(company, limit)

    def obstacle(arrangement: Any) -> Fact | None:
        trains = arrangement.split() if isinstance(arrangement, str) else [arrangement]
        if Counter(trains) - Counter(company.trains):
            return fact("merger.not_its_trains", company=company.id, trains=tuple(company.trains))
        if sorted(trains) in [sorted(charter) for charter in trains_by_charter(company)]:
            return fact("merger.lie_so_already", company=company.id)
        if max(len(trains), len(company.trains) - len(trains)) > limit:
            return fact("merger.no_such_way", company=company.id, limit=limit)
        trains_of_other_charter = Counter(company.trains) - Counter(trains)
        listed_arrangement = next(
            " ".join(arrangement)
            for arrangement in legal_arrangements
            if Counter(arrangement) in (Counter(trains), trains_of_other_charter)
        )
        if arrangement == listed_arrangement:
            return None
        return fact("merger.named_otherwise", company=company.id, first=listed_arrangement)

    return FilteredChoices(
        [" ".join(arrangement) for arrangement in legal_arrangements],
        obstacle,
        lambda arrangement: _charters_label(company, arrangement.split()),
    )


def _shuffle_trains(t: Table, company: Company, action: Shuffle) -> None:
    arrange_trains_on_charters(company, action.first.split())
    t.emit(TrainsShuffled(company.id, charters_text(trains_by_charter(company))))


def _charters_label(company: Company, first_trains: Sequence[TrainName]) -> Fact:
    second_trains = list(company.trains)
    for train in first_trains:
        second_trains.remove(train)
    return charters_text((first_trains, second_trains))
