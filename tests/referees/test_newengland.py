"""The second statement of 18NewEngland plays along: what is legal before every action, and the position after it."""

from typing import Any

import pytest

from engine.core.actions import Action, Answer, LayTile, RunRoutes
from engine.core.state import Draft, Merger, Operating, Stock
from tests.referees.newengland.comparison import done, due, offered, said, seen
from tests.referees.newengland.model import HOMES, new_world
from tests.referees.newengland.reach import Land, TooManyTrailsError
from tests.referees.newengland.rounds import Map, Play
from tests.referees.newengland.routes import revenue
from tests.referees.newengland.track import TrackRules
from tests.referees.newengland.turn import OperatingRound, Turn
from tests.referees.walk import Referee, compare_positions, fillings
from tests.support.players.newengland_player import Speculator

MAX_ACTIONS = 3000
FAR_ENOUGH = 500
SHARES = {"buy_share", "sell_shares", "start_minor"}
COMPARED = 0.03
"""Share of the steps on the map that are compared: the walk over the printed track is slow."""
LISTED = {
    "draft": {"reserve", "start_minor"},
    "trade": SHARES,
    "track": {"redeem"},
    "token": {"redeem"},
    "run": {"redeem"},
    "dividend": {"dividend", "redeem"},
    "trains": {"buy_train", "sell_shares", "declare_bankruptcy", "liquidate", "redeem"},
    "excess": {"sell_shares"},
    "issue": {"issue", "redeem"},
    "last_chance": {"redeem"},
    "discard": {"discard_train", "redeem"},
    "merge": {"merge", "convert"},
    "return_token": {"return_token"},
    "merge_shares": {"buy_share"},
}
"""Kinds of action that are compared, by the step that waits."""


class Witness(Referee):
    def __init__(self, players: int, seed: int) -> None:
        super().__init__("18newengland", players, Speculator(seed), seed)
        self.cities: dict[str, set[Any]] = {}
        """Where minors had their stations before the last merger."""
        drawn = {name for name, company in self.state.companies.items() if not company.waiting}
        world = new_world(players, drawn)
        world.limit = self.lower_limits(2 * (seed % 4))
        self.play: Play
        self.play = Play(world, Map(self._asked, self._joined, self._one_city))

    def _asked(self, company: str, step: str) -> bool:
        """The map is not part of this: the engine says whether it leaves anything to do."""
        waits, here, turn = self.game.step(), self.state.round, self.turn
        if waits is None or not isinstance(here, Operating) or here.turn is None:
            return False
        if (waits.name, here.turn.company) == (step, company):
            return True
        if (here.set, here.number) == (self.play.set, self.play.number) and self.chance.random() < COMPARED:
            self._skipped(company, step, turn.laid)
        return False

    def _skipped(self, company: str, step: str, laid: list[str]) -> None:
        """The engine passes over a step on the map."""
        rules = TrackRules(self.game.table, company)
        try:
            if step == "track":
                assert next(rules.lays(laid), None) is None, f"{company}: a lay was possible"
            elif step == "token":
                assert next(rules.stations(), None) is None, f"{company}: a station was possible"
        except TooManyTrailsError:
            self.seen["left open"] += 1
        self.seen[f"{step} passed over"] += 1

    @property
    def turn(self) -> Turn:
        assert isinstance(self.play.round, OperatingRound)
        return self.play.round.now

    def _joined(self, one: str, other: str) -> bool:
        return TrackRules(self.game.table, one).connected(other)

    def _one_city(self, one: str, other: str) -> bool:
        return self.cities.get(one) == self.cities.get(other)

    def _look_at_map(self, step: str) -> None:
        if step not in {"track", "token"} or self.chance.random() > COMPARED:
            return
        rules = TrackRules(self.game.table, self.turn.company.name)
        kind = {"track": "lay_tile", "token": "place_token"}[step]
        try:
            legal: set[Any] = set(rules.lays(self.turn.laid) if step == "track" else rules.stations())
        except TooManyTrailsError:
            self.seen["left open"] += 1
            return
        self.compare_sets(set(fillings(self.game, kind)), legal, step)
        self.seen[f"{step} on the map"] += 1

    def result(self) -> tuple[str, list[int]]:
        return self.play.ending, self.play.scores()

    def look(self) -> None:
        self._look_at_map(self.step)
        kinds = LISTED.get(self.step)
        if kinds is not None:
            self.compare_sets(offered(self.game, kinds), self.play.round.moves(), self.step)
            self.seen[f"{self.step} compared"] += 1

    def act(self, action: Action) -> None:
        move = self._read(action)
        earned = self._earned(action) if isinstance(action, RunRoutes) else 0
        if action.kind == "merge":
            land = Land(self.game.table)
            self.cities = {minor: land.stations(minor) for minor in HOMES}
        self.game.apply(action)
        if self.state.proposal is not None:
            self.proposed = move or self.proposed
        elif isinstance(action, Answer):
            if action.reply == "agree":
                self.play.play(self.proposed)
        elif action.kind == "pass":
            self.play.decline()
        elif isinstance(action, RunRoutes):
            assert self._revenue(action.entity) == earned, action
            self.play.play(("run", earned))
        else:
            self.play.play(move)

    def _earned(self, action: RunRoutes) -> int:
        company = self.play.world.company(action.entity)
        land = Land(self.game.table)
        return revenue(land, company.name, company.trains, action.routes, self.play.world.phase)

    def _revenue(self, company: str) -> int:
        here = self.state.round
        if self.step == "dividend" and here.turn.company == company:
            return int(here.turn.revenue)
        return int(self.state.companies[company].last_run.revenue)

    def _read(self, action: Action) -> Any:
        if isinstance(action, LayTile):
            board, printed = self.game.table.map, self.game.rules.spec.map.all_hexes[action.hex]
            kind = "tile" if board.colour(action.hex) == "white" else "upgrade"
            return ("lay", kind, printed.cost if board.tile(action.hex) is None else 0)
        if action.kind == "place_token":
            return ("station", action.chosen()["hex"])
        return () if action.kind in {"pass", "run_routes", "answer"} else done(action)

    def compare(self) -> None:
        if self.game.is_over:
            assert self.play.ending
        else:
            assert self.state.proposal or due(self.play) == self._waits(), (self._waits(), due(self.play))
        compare_positions(seen(self.game), said(self.play))

    def _waits(self) -> tuple[Any, ...]:
        here, step, actor = self.state.round, self.step, self.actor()
        if isinstance(here, Draft):
            return (step, actor)
        if isinstance(here, Stock):
            return (step, here.number, actor)
        if isinstance(here, Merger):
            company = here.formed or next(offer for offer in self.game.offers() if offer.blocking).entity
            return (step, here.set, here.number, company, actor)
        return (step, here.set, here.number, self.company_due, actor)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_second_statement_of_18newengland(players: int, game_seed: int, whole_games: bool) -> None:
    """The draft, stock rounds, companies' turns, mergers, the end; one of many games is followed to its end."""
    witness = Witness(players, game_seed)
    witness.follow(MAX_ACTIONS if whole_games else FAR_ENOUGH)
    assert witness.seen["draft compared"]
    assert witness.seen["trains compared"]
