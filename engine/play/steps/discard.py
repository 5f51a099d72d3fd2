"""Discards of trains above the limit, and the end of obsolete trains after their last run (18Chesapeake 11.7)."""

from collections.abc import Iterator
from typing import Any

from engine.core.actions import DiscardTrain
from engine.core.events import ObsoleteTrainsRemoved, TrainDiscarded
from engine.core.facts import Fact, fact
from engine.core.offers import Choice, Choices, Offer, Slot, Suggestion
from engine.core.state import Company
from engine.play.steps.base import AutomaticStep, Request, Step
from engine.play.table import Table
from engine.play.trains.phases import (
    charter_limit,
    companies_over_limit,
    remove_train,
    train_limit,
    trains_by_charter,
)


class DiscardStep(Step):
    """A company above the train limit discards a train of its choice, without payment.

    The train goes to the bank pool, or in some titles leaves the game.

    Rules: R-AL-184, R-C2C-211, R-CH-143, R-NE-101, R-TN-162.
    """

    name = "discard"
    kinds = frozenset({"discard_train"})
    is_exclusive = True

    def offers(self, t: Table) -> Iterator[Offer]:
        """The legal discards of the first company above the train limit.

        Under a flag for logs, other companies may discard before it.
        """
        over_limit_companies = companies_over_limit(t)
        if not over_limit_companies:
            return
        for company in (
            over_limit_companies if t.rules.has_flag("discards_in_any_order") else over_limit_companies[:1]
        ):
            yield self._offer(t, company, blocking=company is over_limit_companies[0])

    def _offer(self, t: Table, company: Company, *, blocking: bool) -> Offer:
        train_types = list(dict.fromkeys(discardable_trains(t, company)))
        return t.offer(
            "discard_train",
            company.id,
            fact("offer.discard_train", company=company.id),
            Slot(
                "train",
                lambda _: Choices(
                    [Choice(train, fact("choice.train", train=train)) for train in train_types],
                    lambda train: _train_obstacle(company, train),
                ),
            ),
            suggest=lambda: [
                Suggestion(fact("choice.give_up_train", train=train), {"train": train})
                for train in train_types
            ],
            blocking=blocking,
        )

    def apply(self, t: Table, action: DiscardTrain) -> None:
        """Discard the train to the bank pool. Obsolete trains, and in some titles all trains, leave the game."""
        company = t.state.companies[action.entity]
        is_obsolete = action.train not in company.trains
        leaves_game = is_obsolete or not t.spec.pool_takes_trains
        if is_obsolete:
            company.obsolete.remove(action.train)
        else:
            remove_train(company, action.train)
        if not leaves_game:
            t.state.pool.append(action.train)
        t.emit(TrainDiscarded(action.entity, action.train, leaves_game))

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        over_limit_companies = companies_over_limit(t)
        if not over_limit_companies:
            return fact("train_limit.nobody_above")
        if request.kind in self.kinds:
            return None
        company = over_limit_companies[0]
        if company.is_merged:
            return fact("train_limit.shell_first", company=company.id, limit=charter_limit(t, company))
        return fact("train_limit.discard_first", company=company.id, limit=train_limit(t, company))


def discardable_trains(t: Table, company: Company) -> list[str]:
    """Trains that the company can discard.

    If the company has two charters, only trains on a charter above its limit.
    """
    if company.is_merged:
        return [
            train
            for charter in trains_by_charter(company)
            if len(charter) > charter_limit(t, company)
            for train in charter
        ]
    return company.trains if t.rules.has_flag("obsolete_free_of_limit") else company.runnable_trains


def _train_obstacle(company: Company, train: Any) -> Fact:
    name = "on_the_other_shell" if company.is_merged and train in company.trains else "no_such_train"
    return fact(f"train_limit.{name}", company=company.id, train=train)


class RetireObsoleteTrainsStep(AutomaticStep):
    """Remove a company's obsolete trains after its dividend and before its train purchases.

    Rules: R-AL-186, R-TN-163.
    """

    name = "retire"

    def skip(self, t: Table) -> None:
        company = t.company
        if company.obsolete:
            t.emit(ObsoleteTrainsRemoved(company.id, tuple(company.obsolete)))
            company.obsolete.clear()
        self.close(t)
