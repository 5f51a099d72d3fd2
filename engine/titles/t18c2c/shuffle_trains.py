"""A company with two shells shares out its trains between them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from engine.core.actions import Pass, Shuffle
from engine.core.events import Passed, Shuffled
from engine.core.facts import Fact, fact
from engine.core.ids import TrainName
from engine.core.offers import Choice, Choices, Offer, Slot, Suggestion
from engine.core.state import Company
from engine.play.minor_mergers import just_formed, merger_round
from engine.play.steps.base import AnytimeStep, Request, Step
from engine.play.table import Table
from engine.play.trains.phases import arrange, arrangements, shell_limit, shells, shells_text


class ShuffleStep(AnytimeStep):
    """Once in its turn, before it runs."""

    name = "shuffle"
    kinds = frozenset({"shuffle"})

    def offers(self, t: Table) -> Iterator[Offer]:
        if _why_not_now(t) is None:
            yield from _offer(t, t.company, blocking=False)

    def holds(self, t: Table) -> bool:
        """A turn continues without it."""
        return False

    def apply(self, t: Table, action: Shuffle) -> None:
        t.turn.shuffled = True
        _shuffle(t, t.company, action)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        if any(True for _ in self.offers(t)):
            return None
        return _why_not_now(t) or fact("merger.no_other_way", company=t.company.id)


class FirstShuffleStep(Step):
    """The player who presides over a company just merged shares out its trains."""

    name = "first_shuffle"
    kinds = frozenset({"shuffle", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        company = just_formed(t)
        if company is None:
            return
        for offer in _offer(t, company, blocking=True):
            yield offer
            yield t.offer("pass", company.id, fact("offer.no_shuffle", shells=shells_text(shells(company))))

    def apply(self, t: Table, action: Shuffle | Pass) -> None:
        company = just_formed(t)
        assert company is not None
        if isinstance(action, Pass):
            t.emit(Passed(company.id, fact("declined.shuffle")))
        else:
            _shuffle(t, company, action)
        merger_round(t).formed = None

    def skip(self, t: Table) -> None:
        """There is one way only."""
        merger_round(t).formed = None

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        company = just_formed(t)
        return (
            None
            if company is None
            else fact("merger.shells_first", company=company.id, player=company.president)
        )


def _offer(t: Table, company: Company, *, blocking: bool) -> Iterator[Offer]:
    ways = [way for way in arrangements(company, shell_limit(t, company)) if not _lie_so(company, way)]
    choices = [Choice(" ".join(way), _way(company, way)) for way in ways]
    if not choices:
        return
    yield t.offer(
        "shuffle",
        company.id,
        fact("offer.shuffle", company=company.id),
        Slot(
            "first",
            lambda _: Choices(choices),
            lambda _, way: _why_not_so(t, company, way),
        ),
        suggest=lambda: [
            Suggestion(fact("choice.shuffle", shells=choice.label), {"first": choice.value})
            for choice in choices
        ],
        blocking=blocking,
    )


def _why_not_so(t: Table, company: Company, way: Any) -> Fact:
    """Trains that the company has not, that lie so already, or are too many on a shell."""
    trains = way.split() if isinstance(way, str) else [way]
    if Counter(trains) - Counter(company.trains):
        return fact("merger.not_its_trains", company=company.id, trains=tuple(company.trains))
    if _lie_so(company, trains):
        return fact("merger.lie_so_already", company=company.id)
    limit = shell_limit(t, company)
    if max(len(trains), len(company.trains) - len(trains)) > limit:
        return fact("merger.no_such_way", company=company.id, limit=limit)
    return fact("merger.named_otherwise", company=company.id, first=_named(company, trains, limit))


def _named(company: Company, trains: Sequence[TrainName], limit: int) -> str:
    """The first shell of this way, as it is offered."""
    other = Counter(company.trains) - Counter(trains)
    ways = arrangements(company, limit)
    return next(" ".join(way) for way in ways if Counter(way) in (Counter(trains), other))


def _shuffle(t: Table, company: Company, action: Shuffle) -> None:
    arrange(company, action.first.split())
    t.emit(Shuffled(company.id, shells_text(shells(company))))


def _why_not_now(t: Table) -> Fact | None:
    if not t.company.merged:
        return fact("merger.one_shell", company=t.company.id)
    if t.turn.shuffled:
        return fact("merger.shuffled_before", company=t.company.id)
    return fact("merger.shuffles_before_running", company=t.company.id) if "run" in t.turn.done else None


def _lie_so(company: Company, way: Sequence[TrainName]) -> bool:
    return sorted(way) in [sorted(shell) for shell in shells(company)]


def _way(company: Company, way: Sequence[TrainName]) -> Fact:
    left = list(company.trains)
    for train in way:
        left.remove(train)
    return shells_text((way, left))
