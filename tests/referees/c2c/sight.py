"""What the second statement of 18C2C sees on the map, compared with the engine: lays, tokens, runs, what is joined."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from engine.core.actions import Action, RunRoutes
from engine.game import Game
from tests.referees.c2c.comparison import listed
from tests.referees.c2c.land import Land, Ways
from tests.referees.c2c.model import Corporation, World
from tests.referees.c2c.packet import Move
from tests.referees.c2c.printed import GOALS, HOMES
from tests.referees.c2c.privates import bonus
from tests.referees.c2c.rounds import Play
from tests.referees.c2c.routes import UNFOLDED, Run, goal_revenue, revenue
from tests.referees.c2c.track import TrackRules
from tests.referees.c2c.turn import OperatingRound
from tests.referees.newengland.reach import TooManyTrailsError

COMPARED = 0.01
"""Share of the steps on the map where everything is compared: the walk over the printed track is slow."""


@dataclass
class DestinationRunPlan:
    """A destination run: whose, on which route, for which pair, in how few stops, and whether the place is full."""

    name: str
    text: str
    pair: tuple[str, str]
    fewest: int
    full: bool


class Sight:
    play: Play
    """The second statement's game, once there is one."""

    def __init__(self, game: Game, seen: Counter[str], seed: int) -> None:
        self.game = game
        self.seen = seen
        self.chance = Random(seed)

    @property
    def land(self) -> Land:
        return Land(self.game.table)

    @property
    def world(self) -> World:
        return self.play.world

    @property
    def rules(self) -> TrackRules:
        return TrackRules(self.game.table, self.play)

    # --- what is joined -------------------------------------------------------------------------------------------

    def joined(self, one: str, other: str) -> bool:
        try:
            return Ways(self.land, one, (other,)).joins(other)
        except TooManyTrailsError:
            self.seen["left open"] += 1
            return any({one, other} <= {*way} for way in listed(self.game, "propose_merger"))

    def route(self, name: str) -> bool:
        return Ways(self.land, name).has_route()

    def reaches(self, corporation: Corporation, pair: tuple[str, str]) -> bool:
        most = max(UNFOLDED.get(train, int(train[0])) for train in corporation.trains)
        return self._fewest(corporation, pair, most) > 0

    def destined(self) -> bool:
        """True if the operating corporation's destination run is possible but for the token (R-C2C-156)."""
        here = self.play.round
        if not isinstance(here, OperatingRound) or here.over or self.world.privates["TBC"].gone:
            return False
        corporation = here.now.corporation
        if corporation.name not in HOMES or not corporation.trains:
            return False
        return self.reaches(corporation, (HOMES[corporation.name], GOALS[corporation.name]))

    def _fewest(self, corporation: Corporation, pair: tuple[str, str], most: int) -> int:
        """Fewest stops of a destination run, at most this many; 0: there is none."""
        ways = Ways(self.land, corporation.name)
        try:
            found = [ways.shortest(home, goal, most) for home, goal in ways.ends(*pair)]
        except TooManyTrailsError:
            self.seen["left open"] += 1
            return 0
        return min((stops for stops in found if stops), default=0)

    # --- steps that are passed over -------------------------------------------------------------------------------

    def missed(self, step: str) -> set[Any]:
        if step not in ("track", "token") or self.chance.random() > COMPARED:
            return set()
        self.seen[f"{step} passed over"] += 1
        try:
            return set(self.rules.lays()) if step == "track" else self.rules.tokens() | self.rules.bulls()
        except TooManyTrailsError:
            self.seen["left open"] += 1
            return set()

    # --- actions --------------------------------------------------------------------------------------------------

    def lay(self, action: Action) -> Move:
        """Where, for how many points, and what it costs, as the rules have it."""
        rules, chosen = self.rules, action.chosen()
        coord, by = chosen["hex"], action.entity
        lay = (coord, chosen["tile"], chosen["rotation"])
        if self.chance.random() < COMPARED:
            self.compare("lay_tile", lambda: set(rules.lays()))
        else:
            assert rules.fits(*lay), lay
            assert self._joins(rules, lay), lay
        return ("lay", by, coord, rules.points(coord), *rules.price(coord, by))

    def _joins(self, rules: TrackRules, lay: tuple[str, str, int]) -> bool:
        try:
            return rules.joined(*lay)
        except TooManyTrailsError:
            self.seen["left open"] += 1
            return True

    def compare(self, kind: str, legal: Callable[[], set[Any]]) -> None:
        try:
            expected = legal()
        except TooManyTrailsError:
            self.seen["left open"] += 1
            return
        found: set[Any] = set(listed(self.game, kind))
        more, less = found - expected, expected - found
        assert found == expected, (kind, "only the engine", more, "only the rules", less)
        self.seen[f"{kind} compared"] += 1

    def token(self, action: Action) -> Move:
        rules, chosen = self.rules, action.chosen()
        node = (chosen["hex"], chosen["city"])
        if self.chance.random() < 10 * COMPARED:
            self.compare("place_token", lambda: {(action.entity, *at) for at in rules.tokens()})
        assert rules.vacant(*node)
        return ("token", node[0])

    def bull(self, action: Action) -> Move:
        rules, chosen = self.rules, action.chosen()
        node = (chosen["hex"], chosen["city"])
        self.compare("place_bull", lambda: {(action.entity, *at) for at in rules.bulls()})
        return ("bull", node[0], not rules.vacant(*node))

    def mark(self, action: Action) -> Move:
        self.compare("place_marker", self.rules.markers)
        return ("mark", action.entity, action.chosen()["hex"])

    # --- runs -----------------------------------------------------------------------------------------------------

    def earned(self, action: Action) -> int:
        assert isinstance(action, RunRoutes)
        world, name = self.world, action.entity
        trains = world.corporations[name].trains
        return revenue(self.land, name, trains, action.routes, world.phase, bonus(world))

    def journey(self, action: RunRoutes) -> DestinationRunPlan:
        """The destination run that is about to be made."""
        here = self.play.round
        assert isinstance(here, OperatingRound)
        corporation, (text,) = here.now.corporation, action.routes
        run = Run.read(self.land, corporation.name, text)
        ends = [run.stops[0], run.stops[-1]]
        coords = {coord for coord, _ in ends}
        pair = next(pair for pair in corporation.goals if set(pair) == coords)
        assert run.train in corporation.trains
        at = next((coord, end - 6) for coord, end in ends if coord == pair[1])
        fewest = self._fewest(corporation, pair, UNFOLDED.get(run.train, int(run.train[0])))
        return DestinationRunPlan(corporation.name, text, pair, fewest, not self.rules.vacant(*at))

    def journey_revenue(self, journey: DestinationRunPlan) -> int:
        run = Run.read(self.land, journey.name, journey.text)
        return goal_revenue(run, journey.pair, journey.fewest, self.world.phase, bonus(self.world))
