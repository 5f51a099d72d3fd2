"""The second statement of 18NewEngland plays along: what is legal before every action, and the position after it."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from engine.core.actions import Action, Answer, LayTile, RunRoutes
from engine.core.offers import OfferCursor
from engine.core.state import Draft, Merger, Operating, Stock
from engine.game import Game
from tests.referees.newengland.comparison import done, due, offered, said, seen, walk
from tests.referees.newengland.model import HOMES, new_world
from tests.referees.newengland.reach import Land, TooManyTrailsError
from tests.referees.newengland.rounds import Map, Play
from tests.referees.newengland.routes import revenue
from tests.referees.newengland.track import TrackRules
from tests.referees.newengland.turn import OperatingRound, Turn
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


class Witness:
    """One random game, followed by the second statement."""

    def __init__(self, players: int, seed: int) -> None:
        seats = [(f"p{n}", f"Player {n}") for n in range(1, players + 1)]
        self.game = Game("18newengland", seats, seed)
        self.player = Speculator(seed)
        self.seen: Counter[str] = Counter()
        self.proposed: Any = ()
        self.cities: dict[str, set[Any]] = {}
        """Where minors had their stations before the last merger."""
        self.chance = Random(seed)
        drawn = {name for name, company in self.state.companies.items() if not company.waiting}
        world = new_world(players, drawn)
        world.limit = self._lower_limits(2 * (seed % 4))
        self.play: Play
        self.play = Play(world, Map(self._asked, self._joined, self._one_city))

    def _lower_limits(self, by: int) -> int:
        """So that the certificate limit bites in some games; returns it."""
        table, count = self.game.table, len(self.game.players)
        row = table.spec.players[count]
        lower = {**table.spec.players, count: row.model_copy(update={"certificates": row.certificates - by})}
        table.spec = self.game.rules.spec = table.spec.model_copy(update={"players": lower})
        return table.spec.players[count].certificates

    @property
    def state(self) -> Any:
        """The engine's position."""
        return self.game.table.state

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
        """The company's turn that is played."""
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
        offers = self.game.offers(kind=kind)
        found: set[Any] = {tuple(chosen.values()) for offer in offers for chosen in walk(OfferCursor(offer))}
        assert found == legal, (step, "only the engine", found - legal, "only the rules", legal - found)
        self.seen[f"{step} on the map"] += 1

    def follow(self, actions: int = MAX_ACTIONS) -> None:
        """Play to the end, or far enough."""
        self._compare()
        while not self.game.over and self.game.seq < actions:
            self._look()
            self._act(self.player.choose(self.game))
            self._compare()
        if self.game.over:
            assert self.state.ending is not None
            assert self.state.ending.reason == self.play.ending
            scores = self.game.scores()
            assert [scores[player] for player, _ in self.game.players] == self.play.scores()

    def _look(self) -> None:
        step = self.game.step()
        assert step is not None
        if not self.state.proposal:
            self._look_at_map(step.name)
        kinds = LISTED.get(step.name)
        if kinds is not None and not self.state.proposal:
            legal = self.play.round.moves()
            found = offered(self.game, kinds)
            more, less = found - legal, legal - found
            assert found == legal, (step.name, "only the engine", more, "only the rules", less)
            self.seen[f"{step.name} compared"] += 1

    def _act(self, action: Action) -> None:
        self.seen[action.kind] += 1
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
        here, step = self.state.round, self.game.step()
        if step is not None and step.name == "dividend" and here.turn.company == company:
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

    def _compare(self) -> None:
        """The whole position, and who is next."""
        if self.game.over:
            assert self.play.ending
        else:
            assert self.state.proposal or due(self.play) == self._waits(), (self._waits(), due(self.play))
        found, expected = seen(self.game), said(self.play)
        other = {name: (found[name], expected[name]) for name in found if found[name] != expected[name]}
        assert not other, f"engine, rules: {other}"

    def _waits(self) -> tuple[Any, ...]:
        here, step = self.state.round, self.game.step()
        seats = [player for player, _ in self.game.players]
        (actor,) = self.game.actors()
        assert step is not None
        if isinstance(here, Draft):
            return (step.name, seats.index(actor))
        if isinstance(here, Stock):
            return (step.name, here.number, seats.index(actor))
        if isinstance(here, Merger):
            company = here.formed or next(offer for offer in self.game.offers() if offer.blocking).entity
            return (step.name, here.set, here.number, company, seats.index(actor))
        assert isinstance(here, Operating)
        assert here.turn is not None
        offer = next(offer for offer in self.game.offers() if offer.blocking)
        company = offer.entity if step.name == "discard" else here.turn.company
        return (step.name, here.set, here.number, company, seats.index(actor))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_second_statement_of_18newengland(players: int, game_seed: int, whole_games: bool) -> None:
    """The draft, stock rounds, companies' turns, mergers, the end; one of many games is followed to its end."""
    witness = Witness(players, game_seed)
    witness.follow(MAX_ACTIONS if whole_games else FAR_ENOUGH)
    assert witness.seen["draft compared"]
    assert witness.seen["trains compared"]
