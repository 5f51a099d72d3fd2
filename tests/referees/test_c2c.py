"""The second statement of 18C2C plays along: what is legal before every action, and the position after it."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from c2c_beside import done, listed, offered, said, seen
from c2c_land import Land, Ways
from c2c_model import GOALS, HOMES, Corporation, new_world
from c2c_packet import Move
from c2c_player import Magnate
from c2c_privates import bonus
from c2c_rounds import Map, Play
from c2c_routes import UNFOLDED, Run, goal_revenue, revenue
from c2c_track import TrackRules
from c2c_turn import OperatingRound
from newengland_reach import TooManyTrailsError

from engine.core.actions import Action, Answer, RunRoutes
from engine.core.state import Merger, Operating, Stock
from engine.game import Game
from engine.play.trains.shells import shells

MOST_ACTIONS = 4000
FAR_ENOUGH = 400
"""How far a game is followed where only one of a kind is played."""
COMPARED = 0.03
"""Share of the steps on the map of which everything is compared: the walk over the printed track is slow."""
LISTED = {
    "remove_private": {"remove_private"},
    "bid": {"bid"},
    "trade": {"buy_share", "sell_shares", "par", "redeem_share", "reissue", "privatize"},
    "end_of_turn": {"buy_share", "sell_shares", "par", "redeem_share", "reissue", "privatize"},
    "float_tokens": {"buy_tokens"},
    "propose_merger": {"propose_merger"},
    "dividend": {"dividend"},
    "trains": {"buy_train", "sell_shares", "declare_bankruptcy"},
    "discard": {"discard_train"},
}
"""Kinds of action that are compared, by the step that waits."""


STEPS = {"last_chance": "end", "destination_dividend": "destination"}
"""The second statement's names of the engine's steps, where they differ."""


@dataclass
class Journey:
    """A destination run: whose, on which route, for which pair, in how few stops, and whether the place is full."""

    name: str
    text: str
    pair: tuple[str, str]
    fewest: int
    full: bool


class Witness:
    """One random game, and the second statement beside it."""

    def __init__(self, players: int, seed: int) -> None:
        seats = [(f"p{n}", f"Player {n}") for n in range(1, players + 1)]
        self.game = Game("18c2c", seats, seed)
        self.player = Magnate(seed)
        self.seen: Counter[str] = Counter()
        self.proposed: Any = ()
        """What waits for another player's consent."""
        self.waiting = ""
        """The step in which it was proposed."""
        self.chance = Random(seed)
        world = new_world(players)
        world.priority = self.state.priority
        self.play = Play(
            world, Map(self._joined, self._route, self._reaches), self.game.table.spec.auction.eliminations
        )

    @property
    def state(self) -> Any:
        """The engine's position."""
        return self.game.table.state

    @property
    def step(self) -> str:
        """The engine's step."""
        step = self.game.step()
        assert step is not None
        return step.name

    def _joined(self, one: str, other: str) -> bool:
        return Ways(Land(self.game.table), one, (other,)).joins(other)

    def _destined(self) -> bool:
        """Whether the operating corporation's destination run is possible but for the token (R-C2C-156)."""
        here = self.play.round
        if not isinstance(here, OperatingRound) or self.play.world.privates["TBC"].gone:
            return False
        corporation = here.now.corporation
        if corporation.name not in HOMES or not corporation.trains:
            return False
        return self._reaches(corporation, (HOMES[corporation.name], GOALS[corporation.name]))

    def _reaches(self, corporation: Corporation, pair: tuple[str, str]) -> bool:
        most = max(UNFOLDED.get(train, int(train[0])) for train in corporation.trains)
        return self._fewest(corporation, pair, most) > 0

    def _fewest(self, corporation: Corporation, pair: tuple[str, str], most: int) -> int:
        """Fewest stops of a destination run, so many at most; 0: there is none."""
        ways = Ways(Land(self.game.table), corporation.name)
        try:
            found = [ways.shortest(home, goal, most) for home, goal in ways.ends(*pair)]
        except TooManyTrailsError:
            self.seen["left open"] += 1
            return 0
        return min((stops for stops in found if stops), default=0)

    def _route(self, name: str) -> bool:
        return Ways(Land(self.game.table), name).has_route()

    # --- one action after the other -------------------------------------------------------------------------------

    def follow(self, actions: int = MOST_ACTIONS) -> None:
        """To the end, or far enough."""
        self._compare()
        while not self.game.over and self.game.seq < actions:
            self._look()
            self._act(self.player.choose(self.game))
            self._compare()
        if self.game.over:
            assert self.state.ending.reason == self.play.ending
            scores = self.game.scores()
            assert [scores[player] for player, _ in self.game.players] == self.play.scores()

    def _look(self) -> None:
        """What may be done."""
        if self.state.proposal:
            return
        step = self.step
        kinds = LISTED.get(step)
        if kinds is None:
            return
        legal, found = self._legal(), offered(self.game, kinds)
        assert found == legal, (step, "only the engine", found - legal, "only the rules", legal - found)
        self.seen[f"{step} compared"] += 1

    def _legal(self) -> set[Move]:
        here = self.play.round
        if isinstance(here, OperatingRound):
            return here.moves(STEPS.get(self.step, self.step)) - here.at_any_time()
        return here.moves()

    def _act(self, action: Action) -> None:
        self.seen[action.kind] += 1
        step, move = self.waiting or self.step, self._read(action)
        possible = self._destined()
        goal = self._goal(action) if step == "destination" and isinstance(action, RunRoutes) else None
        self.game.apply(action)
        self.waiting = step if self.state.proposal is not None else ""
        if self.waiting:
            self.proposed = move
        elif isinstance(action, Answer):
            self._answered(action, possible)
        elif action.kind == "pass":
            self._pass(step)
        elif goal is not None:
            self.play.play(("goal", *goal.pair, self._destination_revenue(goal), goal.full))
        elif move:
            self._play(move, possible)

    def _play(self, move: Move, possible: bool) -> None:
        self.play.play(move)
        if move[0] == "private" and move[1] == "TBC":
            self.play.play(("terminals", possible))

    def _answered(self, action: Answer, possible: bool) -> None:
        here = self.play.round
        if action.reply == "agree":
            self._play(self.proposed, possible)
        elif action.reply == "refuse" and self.proposed[0] == "merge":
            here.refuse(self.proposed)  # type: ignore[union-attr]
            self.play.settle()

    def _pass(self, step: str) -> None:
        here = self.play.round
        if isinstance(here, OperatingRound):
            name = STEPS.get(step, step)
            assert here.may_pass(name), f"{step} passed"
            here.end_step(name)
        elif step != "first_shuffle":
            assert here.may_pass(), f"{step} passed"
            self.play.decline()

    def _read(self, action: Action) -> Move:
        match action.kind:
            case "pass" | "answer" | "shuffle":
                return ()
            case "lay_tile":
                return self._lay(action)
            case "place_token":
                return self._token(action, "place_token")
            case "place_bull":
                return self._token(action, "place_bull")
            case "place_marker":
                return ("mark", action.entity, action.chosen()["hex"])
            case "run_routes" if self.step == "destination":
                return ()
            case "run_routes":
                return ("run", self._earned(action))
            case _:
                return done(self.game, action)

    # --- the map --------------------------------------------------------------------------------------------------

    def _lay(self, action: Action) -> Move:
        """Where, for how many points, and what it costs, as the rules have it."""
        rules, chosen = TrackRules(self.game.table, self.play), action.chosen()
        coord, by = chosen["hex"], action.entity
        lay = (by, coord, chosen["tile"], chosen["rotation"])
        if self.chance.random() < COMPARED:
            self._compare_map("lay_tile", lambda: set(rules.lays()))
        else:
            assert rules.fits(*lay[1:]), lay
            assert self._joins(rules, lay), lay
        return ("lay", by, coord, rules.points(coord), *rules.price(coord, by))

    def _joins(self, rules: TrackRules, lay: tuple[str, str, str, int]) -> bool:
        try:
            return rules.joined(*lay[1:])
        except TooManyTrailsError:
            self.seen["left open"] += 1
            return True

    def _compare_map(self, kind: str, legal: Callable[[], set[Any]]) -> None:
        """What may be done on the map."""
        try:
            expected = legal()
        except TooManyTrailsError:
            self.seen["left open"] += 1
            return
        found: set[Any] = set(listed(self.game, kind))
        assert found == expected, (
            kind,
            "only the engine",
            found - expected,
            "only the rules",
            expected - found,
        )
        self.seen[f"{kind} compared"] += 1

    def _goal(self, action: RunRoutes) -> "Journey":
        """The destination run that is about to be made."""
        here = self.play.round
        assert isinstance(here, OperatingRound)
        corporation, (text,) = here.now.corporation, action.routes
        run = Run.read(Land(self.game.table), corporation.name, text)
        ends = [run.stops[0], run.stops[-1]]
        coords = {coord for coord, _ in ends}
        pair = next(pair for pair in corporation.goals if set(pair) == coords)
        assert run.train in corporation.trains
        at = next((coord, end - 6) for coord, end in ends if coord == pair[1])
        full = not TrackRules(self.game.table, self.play).vacant(*at)
        fewest = self._fewest(corporation, pair, UNFOLDED.get(run.train, int(run.train[0])))
        return Journey(corporation.name, text, pair, fewest, full)

    def _destination_revenue(self, journey: "Journey") -> int:
        """What it earns with the token in its place."""
        world = self.play.world
        run = Run.read(Land(self.game.table), journey.name, journey.text)
        return goal_revenue(run, journey.pair, journey.fewest, world.phase, bonus(world))

    def _token(self, action: Action, kind: str) -> Move:
        rules, chosen = TrackRules(self.game.table, self.play), action.chosen()
        node = (chosen["hex"], chosen["city"])
        if self.chance.random() < COMPARED:
            legal = rules.tokens if kind == "place_token" else rules.bulls
            self._compare_map(kind, lambda: {(action.entity, *node) for node in legal()})
        if kind == "place_token":
            return ("token", node[0])
        return ("bull", node[0], not rules.vacant(*node))

    def _earned(self, action: Action) -> int:
        """What the run must earn."""
        assert isinstance(action, RunRoutes)
        corporation = self.play.world.corporations[action.entity]
        land = Land(self.game.table)
        return revenue(
            land,
            action.entity,
            corporation.trains,
            action.routes,
            self.play.world.phase,
            bonus(self.play.world),
        )

    # --- positions ------------------------------------------------------------------------------------------------

    def _compare(self) -> None:
        """Who is next, and the whole position."""
        if self.game.over:
            self.play.toward(("over",))
        elif not self.state.proposal and self.step != "first_shuffle":
            self.play.toward(self._where())
            assert not self.play.ending, f"only the rules end the game: {self.play.ending}"
            if isinstance(self.play.round, OperatingRound) and self.step != "discard":
                self.play.round.toward(STEPS.get(self.step, self.step))
        self._shells()
        found, expected = seen(self.game), said(self.play.world, self.game)
        other = {name: (found[name], expected[name]) for name in found if found[name] != expected[name]}
        assert not other, f"engine, rules: {other}"

    def _shells(self) -> None:
        """How a merger's trains lie on its shells is its president's choice: within the limit of each."""
        for corporation in self.play.world.open_ones():
            lie = [list(shell) for shell in shells(self.state.companies[corporation.name])]
            if sorted(train for shell in lie for train in shell) == sorted(corporation.trains):
                corporation.shells = lie

    def _where(self) -> tuple[Any, ...]:
        """Whom the engine asks, and where."""
        here, step = self.state.round, self.step
        seats = [player for player, _ in self.game.players]
        (actor,) = self.game.actors()
        if isinstance(here, Stock):
            if step in ("bid", "remove_private"):
                return ("packet", here.number, seats.index(actor))
            return ("stock", here.number, here.acted, seats.index(actor))
        if isinstance(here, Merger):
            return ("merger", here.set, seats.index(actor))
        assert isinstance(here, Operating)
        assert here.turn is not None
        offer = next(offer for offer in self.game.offers() if offer.blocking)
        company = offer.entity if step == "discard" else here.turn.company
        return ("operating", here.set, here.number, company, seats.index(actor))


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_18c2c_is_as_a_second_statement_has_it(
    players: int, game_seed: int, pytestconfig: pytest.Config
) -> None:
    """Packet, stock rounds, corporations' turns, mergers, nationals, the end."""
    witness = Witness(players, game_seed)
    witness.follow(MOST_ACTIONS if pytestconfig.getoption("--games") > 1 else FAR_ENOUGH)
    assert witness.seen["bid compared"]
    assert witness.seen["trains compared"]
