"""A title may have rounds of its own kind between the usual ones."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, cast

import pytest

from engine.core.actions import Pass
from engine.core.facts import fact
from engine.core.offers import Offer
from engine.core.state import Operating, Stock
from engine.core.state import Round as RoundState
from engine.game import Game
from engine.play.rounds import Round
from engine.play.steps.base import Step
from engine.play.table import Table
from engine.play.turn_order import next_round
from engine.titles import TITLES, Title
from engine.titles.standard import SEQUENCE, StandardRules


@dataclass
class Fair:
    """A round in which every player visits the fair once, between stock and operating rounds."""

    kind: Literal["fair"] = "fair"
    after: int = 1
    visited: list[str] = field(default_factory=list)


class VisitStep(Step):
    """One player after the other goes there."""

    name = "visit"
    kinds = frozenset({"pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """The visit of the next player."""
        left = [p.id for p in t.state.players if p.id not in fair(t).visited]
        yield from (t.offer("pass", player, fact("offer.end_turn")) for player in left[:1])

    def apply(self, t: Table, action: Pass) -> None:
        """Note the visit."""
        fair(t).visited.append(action.actor)


class FairRound(Round):
    """Ends when everybody has been there."""

    def __init__(self) -> None:
        super().__init__([VisitStep()])

    def turn_steps(self, t: Table) -> Iterator[Step]:
        """The visits."""
        return iter([VisitStep()])

    def advance(self, t: Table) -> None:
        """Continue with what follows."""
        next_round(t)


class FairRules(StandardRules):
    """The usual rounds with a fair after every stock round."""

    ROUNDS = {**SEQUENCE, "fair": FairRound()}  # noqa: RUF012 - as titles have it
    FLAGS = {**StandardRules.FLAGS}  # noqa: RUF012

    def first_round(self) -> RoundState:
        """Privates do not matter here."""
        return Stock()

    def next_round(self, t: Table) -> RoundState:
        """The fair comes first."""
        now = cast(Any, t.state.round)
        if isinstance(now, Stock):
            return cast(RoundState, Fair(after=now.number))
        return Operating(set=now.after, of=1) if isinstance(now, Fair) else super().next_round(t)


def fair(t: Table) -> Fair:
    """The running fair."""
    now = cast(Any, t.state.round)
    assert isinstance(now, Fair)
    return now


def test_round_of_a_titles_own_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TITLES, "fair", Title("fair", "engine.titles.t18chesapeake", FairRules))
    game = Game("fair", [("a", "Ann"), ("b", "Bob"), ("c", "Cy")], 0)

    def everybody_passes() -> None:
        for player in "abc":
            assert game.actors() == (player,)
            game.apply(Pass(actor=player, entity=player))

    everybody_passes()
    assert fair(game.table).after == 1
    game.apply(Pass(actor="a", entity="a"))
    assert fair(game.table).visited == ["a"]
    for player in "bc":
        game.apply(Pass(actor=player, entity=player))
    now = game.table.state.round
    assert isinstance(now, Stock), "nobody has floated: the operating round was over at once"
    assert now.number == 2
