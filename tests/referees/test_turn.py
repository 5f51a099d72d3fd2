"""The referee of companies' turns plays along: no step ends too early, and nobody is asked in vain.

Lays and stations are compared, too, at some of the positions: the walk over the printed track is slow.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engine.core.actions import Action
from engine.core.offers import Cursor
from engine.game import Game
from engine.play.steps.base import Step
from engine.play.table import Table
from engine.titles import TITLES
from tests.referees.track_referee import Lay, TrackRules
from tests.referees.turn_referee import TurnRules
from tests.support.legal_values import legal_values
from tests.support.players.random_play import RandomPlayer

TABLES = [(name, TITLES[name].spec.players) for name in ("18chesapeake", "18al", "18tn")]
JUDGED = {"track", "token", "run", "trains", "last_chance"}
"""The steps of a company's turn in which a company chooses; none of them may end automatically while it could."""
MOST_ACTIONS = 600
COMPARED = 0.05
"""Share of the track steps whose lays are compared one by one."""


@pytest.mark.parametrize(("title", "tables"), TABLES)
def test_steps_of_a_turn_end_automatically_just_when_nothing_is_left(
    title: str, tables: dict[int, object], game_seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R-CH-082, R-CH-108, R-AL-102, R-AL-119, R-AL-170, R-AL-173, R-AL-200, R-TN-102, R-TN-180, R-TN-181."""
    players = sorted(tables)[-1 - game_seed % len(tables)]
    witness = Witness(title, players, game_seed)
    for step in {step for step in _steps() if "skip" in vars(step)}:
        monkeypatch.setattr(step, "skip", _watched(vars(step)["skip"], witness))
    witness.follow()
    assert witness.seen["track asked"], "no turn of a company was seen"


class Shopper(RandomPlayer):
    """Companies buy privates more often, so that their powers matter."""

    def choose(self, game: Game) -> Action:
        """A random action; one of three times a private, where one may be bought."""
        offer = next((o for o in game.offers() if o.kind == "buy_private" and not o.blocking), None)
        if offer is None or self._random.random() < 0.7:
            return super().choose(game)
        return offer.fill(**self._fill(offer))


class Witness:
    """One random game."""

    def __init__(self, title: str, players: int, seed: int) -> None:
        self.game = Game(title, [(f"p{n}", f"Player {n}") for n in range(1, players + 1)], seed)
        self.player = Shopper(seed)
        self.chance = Random(seed)
        self.seen: Counter[str] = Counter()

    def follow(self) -> None:
        """To the end, or far enough; a long auction beforehand counts for nothing."""
        while not self.game.over and (self.game.seq < MOST_ACTIONS or not self.seen["track asked"]):
            step = self.game.step()
            assert step is not None
            if step.name in JUDGED:
                self.seen[f"{step.name} asked"] += 1
                assert TurnRules(self.game.table).use(step.name), f"{step.name}: asked in vain"
            due = (
                step.name == "track" and self.game.table.turn.pair is not None
            )  # a pair's second tile comes first
            if step.name == "token" or (step.name == "track" and self.chance.random() < COMPARED and not due):
                self._compare(step.name)
            self.game.apply(self.player.choose(self.game))

    def ended(self, step: str, t: Table) -> None:
        """A step ends automatically."""
        self.seen[f"{step} ended by itself"] += 1
        use = TurnRules(t).use(step)
        assert not use, f"{t.company.id}, {step}: {use} was possible"

    def _compare(self, step: str) -> None:
        rules = TrackRules(self.game.table)
        if step == "token":
            assert set(self._offered("place_token")) == set(rules.stations())
        else:
            assert set(self._offered("lay_tile")) == set[Lay | tuple[str, int]](rules.lays())
            self.seen["lays compared"] += 1

    def _offered(self, kind: str) -> Iterator[tuple[str | int, ...]]:
        for offer in self.game.offers():
            if offer.kind == kind and offer.entity == self.game.table.company.id:
                yield from _walk(Cursor(offer))


def _walk(here: Cursor) -> Iterator[tuple[str | int, ...]]:
    if here.slot is None:
        yield tuple(here.chosen.values())
        return
    for value in legal_values(here.domain):
        yield from _walk(here.pick(value))


def _steps() -> Iterator[Any]:
    kinds: list[Any] = [Step]
    for kind in kinds:
        yield kind
        kinds += kind.__subclasses__()


def _watched(skip: object, witness: Witness) -> object:
    def watched(step: Step, t: Table) -> None:
        if step.name in JUDGED:
            witness.ended(step.name, t)
        skip(step, t)  # type: ignore[operator]

    return watched
