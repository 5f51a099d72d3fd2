"""A random game of a classic title, followed by the second statement."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from engine.board.network import has_route
from engine.core.actions import (
    Action,
    Answer,
    BaseAction,
    LayTile,
    PlaceToken,
    ReturnToken,
    RunRoutes,
    read_action,
)
from engine.core.state import Operating, Stock
from tests.referees.classic.comparison import move, offered, said, seen
from tests.referees.classic.land import Land
from tests.referees.classic.model import Move, World, new_world
from tests.referees.classic.player import Financier
from tests.referees.classic.powers import usable
from tests.referees.classic.printed import Title
from tests.referees.classic.rounds import Play
from tests.referees.classic.stations import destinations, movable, power_stations
from tests.referees.classic.stock import StockRound
from tests.referees.classic.t18ms import MississippiPlay
from tests.referees.classic.t1882 import ADDED, LINKED, Assiniboia, AssiniboiaPlay
from tests.referees.classic.track import PAID, lay_cost, met, power_lays
from tests.referees.classic.turn import Map, OperatingRound
from tests.referees.walk import Referee, compare_positions

PLAYS: Mapping[str, type[Play]] = {"1882": AssiniboiaPlay, "18ms": MississippiPlay}


class Witness(Referee):
    def __init__(self, title: Title, players: int, seed: int) -> None:
        option = ["", *title.options][seed // 3 % (1 + len(title.options))]
        self.title = title = title.with_option(option)
        super().__init__(title.name, players, Financier(seed), seed, option)
        plays = PLAYS.get(title.name, Play)
        world = new_world(title, players, plays.worlds)
        world.limit = self.lower_limits(by=2 * (seed % 4))
        if title.dealt:
            self._deal(world)
        if isinstance(world, Assiniboia):
            self._draw(world)
        self.play = plays(world, Map(self.asked, self._has_route, self._has_room))

    def result(self) -> tuple[str, list[int]]:
        return self.play.world.ending, self.play.scores()

    def _deal(self, world: World) -> None:
        """Chance has given each player a private, which is paid."""
        players = [player for player, _ in self.game.players]
        for private in world.open_privates():
            private.owner = players.index(self.state.privates[private.name].owner)
            world.seats[private.owner].cash += world.pay(-private.price)
        assert sorted(str(private.owner) for private in world.open_privates()) == [
            str(n) for n in range(len(players))
        ]

    def _draw(self, world: Assiniboia) -> None:
        """Chance has drawn the train of the rebellion and the company of the TB (R-1882-004, R-1882-012)."""
        world.rebellion, linked = self.state.event_train, self.state.privates["TB"].linked
        assert world.rebellion in ADDED
        assert linked in LINKED
        world.title = replace(world.title, gifts={**world.title.gifts, "TB": (linked, 1)})

    # --- the map: the engine says what it leaves to do ------------------------------------------------------------

    def _has_route(self, company: str, obliges: bool) -> bool:
        return has_route(self.game.table.map, company, to_counted_stops=obliges)

    def _has_room(self, private: str) -> bool:
        """True if the map lets this private lay its tile or place its token."""
        land, owner = Land.of(self.game), str(self.state.privates[private].owner)
        if private == "NWR":
            return bool(movable(land, owner) and destinations(land, owner))
        if self.title.powers[private] == "token":
            return bool(power_stations(land, owner, private))
        return bool(power_lays(land, owner, private))

    # --- what may be done -----------------------------------------------------------------------------------------

    def look(self) -> None:
        legal = self.play.moves()
        self.compare_sets(offered(self.game), legal, self.step)
        self._look_at_powers()
        self.seen[f"{self.step} compared"] += 1
        self.seen.update(self._rarities(legal))

    def _look_at_powers(self) -> None:
        """Privates are offered when the rules say so."""
        world = self.play.world
        kinds, powers = (
            ("lay_tile", "place_token", "return_token"),
            world.privates.keys() - world.corporations.keys(),
        )
        found = {offer.entity for offer in self.game.offers() if offer.kind in kinds} & powers
        expected = usable(self.play)
        assert found <= expected, (self.step, found, expected)
        self.seen.update(f"{name} offered" for name in found)
        for name in expected - found:
            assert not self._has_room(name), (self.step, name)
            self.seen[f"{name} without room"] += 1

    def _rarities(self, legal: set[Move]) -> Iterator[str]:
        """The kinds of positions worth comparing."""
        here, kinds = self.play.round, {str(move[0]) for move in legal}
        if isinstance(here, StockRound):
            yield from ["must sell"] * ("pass" not in kinds)
            yield from ["another brown share"] * (bool(here.bought) and "buy" in kinds)
        if isinstance(here, OperatingRound) and not here.crowded:
            cash = here.now.company.cash
            trains = [move for move in legal if move[0] == "train"]
            yield from ["trade-in"] * any(move[3] for move in trains)
            yield from ["help"] * any(isinstance(move[4], tuple) and move[4][0][1] > cash for move in trains)
            yield from (f"{kind} in {here.step}" for kind in kinds & {"sell", "bankrupt", "exchange"})

    # --- what is done ---------------------------------------------------------------------------------------------

    def act(self, action: Action) -> None:
        done = self._read(action)
        partner = self._partner(done)
        self.game.apply(action)
        proposal = self.state.proposal
        if proposal is not None and read_action(proposal.action) == action:
            assert (proposal.by, proposal.asked) == (action.actor, partner)
            self.proposed = done
        elif isinstance(action, Answer):
            if action.reply == "agree":
                self.play.play(self.proposed)
        elif isinstance(action, RunRoutes):
            trains = [route.partition(":")[0] for route in action.routes]
            self.play.play(("run", self._revenue(action.entity), *trains))
        else:
            assert partner in ("", action.actor), f"{partner} was not asked"
            self.play.play(done)

    def _partner(self, done: Move) -> str:
        """The player who must agree: the owner of a private, the president of a company that sells a train."""
        world = self.play.world
        match done:
            case ("private", str(name), _):
                owner = world.privates[name].owner
            case ("train", _, str(source), _, _) if source in world.corporations:
                owner = world.corporations[source].president
            case _:
                return ""
        assert isinstance(owner, int)
        return self.game.players[owner][0]

    def _revenue(self, company: str) -> int:
        here = self.state.round
        if self.step == "dividend" and here.turn.company == company:
            return int(here.turn.revenue)
        return int(self.state.companies[company].last_run.revenue)

    def _read(self, action: BaseAction) -> Move:
        if isinstance(action, LayTile):
            done = self._lay(action)
            self.play.world.tiles[action.hex] = (action.tile, action.rotation)
            return done
        if isinstance(action, ReturnToken):
            return ("return", action.hex)
        if isinstance(action, PlaceToken):
            return ("station", action.entity, action.hex)
        if isinstance(action, RunRoutes | Answer):
            return ()
        return move(self.game, action.__dict__["kind"], action.entity, action.chosen())

    def _lay(self, action: LayTile) -> Move:
        """A lay and what the company pays for it; powers are free, but for one."""
        world, here = self.play.world, self.play.round
        power = None if action.entity in world.corporations else world.privates[action.entity]
        if not isinstance(here, OperatingRound) or (power is not None and isinstance(power.owner, int)):
            return ("player_lay", action.entity)
        land, company = Land.of(self.game), here.now.company.name
        lay, second = (action.hex, action.tile, action.rotation), power is None and here.now.laid
        pays = power is None or power.name in PAID
        cost = lay_cost(land, company, lay, second=second) if pays else 0
        return ("lay", action.entity, action.hex, cost, met(land, company, lay))

    # --- positions ------------------------------------------------------------------------------------------------

    def compare(self) -> None:
        assert self.game.is_over == self.play.over, self._waits()
        if not self.game.is_over and not self.state.proposal:
            assert self._due() == self._waits(), (self._waits(), self._due(), self.play.moves())
        compare_positions(seen(self.game), said(self.play.world))

    def _due(self) -> tuple[Any, ...]:
        here = self.play.round
        if isinstance(here, StockRound):
            return (here.step, here.number, here.actor)
        if isinstance(here, OperatingRound):
            return (here.step, here.stock_round, here.number, here.deciding.name, here.actor)
        return (here.step, here.actor)

    def _waits(self) -> tuple[Any, ...]:
        here, actor = self.state.round, self.actor()
        if isinstance(here, Stock):
            return (self.step, here.number, actor)
        if isinstance(here, Operating) and here.turn is not None:
            return (self.step, here.set, here.number, self.company_due, actor)
        return (self.step, actor)
