"""The second statement of 18NewEngland plays along: what is legal before every action, and the position after it."""

from collections import Counter
from typing import Any

import pytest
from newengland_beside import done, due, offered, said, seen
from newengland_model import new_world
from newengland_rounds import Map, Play
from random_play import RandomPlayer

from engine.core.actions import Action, Answer, LayTile, RunRoutes
from engine.core.state import Draft, Operating, Stock
from engine.game import Game

PROFILES = ("rulebook", "18xx.games")
MOST_ACTIONS = 3000
SHARES = {"buy_share", "sell_shares", "start_minor"}
LISTED = {
    "draft": {"reserve", "start_minor"},
    "trade": SHARES,
    "dividend": {"dividend"},
    "trains": {"buy_train", "sell_shares", "declare_bankruptcy"},
    "discard": {"discard_train"},
}
"""Kinds of action that are compared, by the step that waits."""


class Witness:
    """One random game, and the second statement beside it."""

    def __init__(self, players: int, seed: int, profile: str) -> None:
        seats = [(f"p{n}", f"Player {n}") for n in range(1, players + 1)]
        self.game = Game("18newengland", seats, seed, profile)
        self.player = RandomPlayer(seed)
        self.seen: Counter[str] = Counter()
        self.proposed: Any = ()
        """What waits for another president's consent."""
        site = profile != "rulebook"
        drawn = {name for name, company in self.state.companies.items() if not company.waiting}
        self.play = Play(new_world(players, drawn, site=site), Map(asked=self._asked), site=site)

    @property
    def state(self) -> Any:
        """The engine's position."""
        return self.game.table.state

    def _asked(self, company: str, step: str) -> bool:
        """The map is not part of this: the engine says whether it leaves anything to do."""
        waits = self.game.step()
        here = self.state.round
        if waits is None or not isinstance(here, Operating) or here.turn is None:
            return False
        return (waits.name, here.turn.company) == (step, company)

    def follow(self) -> None:
        """To the end."""
        self._compare()
        while not self.game.over and self.game.seq < MOST_ACTIONS:
            self._look()
            self._act(self.player.choose(self.game))
            self._compare()
        if self.game.over:
            ends = {"price": "price", "bank": "bank"}
            assert self.state.ending is not None
            assert ends.get(self.state.ending.reason, "last") == self.play.ending
            scores = self.game.scores()
            assert [scores[player] for player, _ in self.game.players] == self.play.scores()

    def _look(self) -> None:
        """What may be done."""
        step = self.game.step()
        assert step is not None
        kinds = LISTED.get(step.name)
        if kinds is not None and not self.state.proposal:
            legal = self.play.round.moves()
            assert offered(self.game, kinds) == legal, step.name
            self.seen[f"{step.name} compared"] += 1

    def _act(self, action: Action) -> None:
        self.seen[action.kind] += 1
        move = self._read(action)
        self.game.apply(action)
        if self.state.proposal is not None:
            self.proposed = move or self.proposed
        elif isinstance(action, Answer):
            if action.reply == "agree":
                self.play.play(self.proposed)
        elif action.kind == "pass":
            self.play.decline()
        elif isinstance(action, RunRoutes):
            company = self.state.companies[action.entity]
            self.play.play(("run", company.last_run.revenue if company.last_run else 0))
        else:
            self.play.play(move)

    def _read(self, action: Action) -> Any:
        if isinstance(action, LayTile):
            fresh = self.game.table.map.tile(action.hex) is None
            return ("lay", self.game.rules.spec.map.all_hexes[action.hex].cost if fresh else 0)
        if action.kind == "place_token":
            return ("station", action.chosen()["hex"])
        return () if action.kind in {"pass", "run_routes", "answer"} else done(self.game, action)

    def _compare(self) -> None:
        """The whole position, and who is next."""
        if self.game.over:
            assert self.play.ending
        else:
            assert self.state.proposal or due(self.play) == self._waits()
        found, expected = seen(self.game), said(self.play)
        assert {k: v for k, v in found.items() if v != expected[k]} == {
            k: v for k, v in expected.items() if v != found[k]
        }

    def _waits(self) -> tuple[Any, ...]:
        """Whom the engine asks, and for what."""
        here, step = self.state.round, self.game.step()
        seats = [player for player, _ in self.game.players]
        (actor,) = self.game.actors()
        assert step is not None
        if isinstance(here, Draft):
            return (step.name, seats.index(actor))
        if isinstance(here, Stock):
            return (step.name, here.number, seats.index(actor))
        assert isinstance(here, Operating)
        offer = next(offer for offer in self.game.offers() if offer.blocking)
        return (step.name, here.set, here.number, offer.entity, seats.index(actor))


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_18newengland_is_as_a_second_statement_has_it(players: int, profile: str, game_seed: int) -> None:
    """The draft, stock rounds, companies' turns, mergers, the end."""
    witness = Witness(players, game_seed, profile)
    witness.follow()
    assert witness.seen["draft compared"]
