"""A random game of 1846, followed by the second statement."""

from typing import Any

from engine.board.network import has_route
from engine.core.actions import Action, Answer, BaseAction, LayTile, PlaceToken, RunRoutes, read_action
from engine.core.events.company_events import StepSkipped, TrainsRan
from engine.core.state import Auction, Operating, Stock
from tests.referees.classic.model import Move
from tests.referees.classic.player import Financier
from tests.referees.midwest.comparison import offered, read, said, seen
from tests.referees.midwest.draft import Draft
from tests.referees.midwest.land import Land
from tests.referees.midwest.model import T1846, new_midwest, removals
from tests.referees.midwest.revenue import best_run
from tests.referees.midwest.rounds import Play
from tests.referees.midwest.turn import Map, OperatingRound, Turn
from tests.referees.newengland.reach import TooManyTrailsError
from tests.referees.walk import Referee, compare_positions, fillings

POWERS = ("MC", "O&I", "LM", "LSL", "C&WI")
MAP_KINDS = ("lay_tile", "place_token")


class Witness(Referee):
    def __init__(self, players: int, seed: int, share: float = 1) -> None:
        """`share` of the lays and best runs are compared."""
        option = ["", *T1846.options][seed % 3]
        super().__init__("1846", players, Financier(seed), seed, option)
        self.share = share
        self.play = Play(new_midwest(players, self._removed(option)), self._map())

    def _removed(self, option: str) -> set[str]:
        """Chance has removed as many as it must."""
        state = self.state
        privates = {name for name, private in state.privates.items() if private.removed}
        removed = privates | {name for name, company in state.companies.items() if company.closed}
        left_out = {"LM", "BT"} if option == "first_ed" else set()
        expected = sum(count for _, count in removals(len(self.game.players), option)) + len(left_out)
        assert (left_out - removed, len(removed)) == (set(), expected)
        for names, count in removals(len(self.game.players), option):
            assert len(names & removed) == count
        return removed

    @property
    def turn(self) -> Turn:
        assert isinstance(self.play.round, OperatingRound)
        return self.play.round.now

    def result(self) -> tuple[str, list[int]]:
        return self.play.world.ending, self.play.scores()

    # --- the map: the engine says what it leaves to do ------------------------------------------------------------

    def _map(self) -> Map:
        return Map(self.asked, self._has_room, lambda name: has_route(self.game.table.map, name), self._deck)

    def _has_room(self, private: str) -> bool:
        return bool(self._power(private))

    def _power(self, private: str) -> set[Any]:
        """Lays, or places for a token, of a private of the company in turn."""
        land, turn = Land.of(self.game), self.turn
        if private == "C&WI":
            return land.extra_place(turn.line.name)
        return land.power_lays(turn.line.name, private, turn.first) if private in POWERS else set()

    def _deck(self) -> list[str]:
        here = self.state.round
        return list(here.deck) if isinstance(here, Auction) else []

    # --- what may be done, and what is done -----------------------------------------------------------------------

    def look(self) -> None:
        self.compare_sets(offered(self.game), self.play.moves(), self.step)
        self.seen[f"{self.step} compared"] += 1
        here = self.play.round
        if isinstance(here, OperatingRound) and not (here.steamboat or here.crowded):
            self._look_at_map(Land.of(self.game), here)

    def _look_at_map(self, land: Land, here: OperatingRound) -> None:
        """Lays and tokens of the company and its privates, and its best run."""
        turn, world = here.now, self.play.world
        name = turn.line.name
        for private in POWERS:
            card = world.privates[private]
            able = card.owner == name and not (card.closed or card.spent) and turn.pair in ("", private)
            alone = turn.line.president is not None
            self._compare_map(private, self._power(private) if able and alone else set())
        if here.step == "run" and self.chance.random() < self.share:
            self._compare_run(land)
        at_track = here.step == "track"
        self._compare_map(
            name, set(land.places(name)) if at_track and not turn.placed else set(), "place_token"
        )
        if not at_track or self.chance.random() < self.share:
            try:
                lays = land.lays(name, turn.laid) if at_track else set()
            except TooManyTrailsError:
                self.seen["lays left open"] += 1
            else:
                self._compare_map(name, lays, "lay_tile")

    def _compare_map(self, entity: str, legal: set[Any], *kinds: str) -> None:
        found = set(fillings(self.game, *(kinds or MAP_KINDS), entity=entity))
        self.compare_sets(found, legal, (self.step, entity))
        self.seen[f"{kinds[0] if kinds else entity} sets"] += bool(legal)

    def _compare_run(self, land: Land) -> None:
        found, name = self.game.best_run(), self.turn.line.name
        try:
            most = best_run(land, name, self.turn.able)
        except TooManyTrailsError:
            self.seen["run left open"] += 1
            return
        assert found.revenue <= most <= found.upper_bound, (name, found, most)
        self.seen["best runs" if found.revenue == found.upper_bound else "best runs not proven"] += 1

    def _skipped(self, event: StepSkipped, turn: Turn) -> None:
        """A step on the map that was passed over left nothing to do; `turn` is the company's."""
        if turn.line.president is None or self.chance.random() > self.share:
            return
        land = Land.of(self.game)
        if event.step == "track":
            left: Any = land.lays(event.company, turn.laid)
            left = left or (not turn.placed and land.places(event.company))
        else:
            left = event.step == "run" and best_run(land, event.company, turn.able)
        assert not left, (event, left)
        self.seen[f"{event.step} passed over"] += 1

    def act(self, action: Action) -> None:
        done = self._read(action)
        events = self.game.apply(action)
        if isinstance(action, RunRoutes):
            done = ("run", next(event.revenue for event in events if isinstance(event, TrainsRan)))
        proposal = self.state.proposal
        if proposal is not None and read_action(proposal.action) == action:
            self.proposed = done
        elif not isinstance(action, Answer):
            self.play.play(done)
        elif action.reply == "agree":
            self.play.play(self.proposed)
        here = self.play.round
        turn = here.turn if isinstance(here, OperatingRound) else None
        for event in events:
            if isinstance(event, StepSkipped) and turn is not None and turn.line.name == event.company:
                self._skipped(event, turn)

    def _read(self, action: BaseAction) -> Move:
        """An action, with what it costs by the second statement."""
        if isinstance(action, LayTile | PlaceToken):
            land, name = Land.of(self.game), self.turn.line.name
            own = action.entity == name
            if isinstance(action, PlaceToken):
                price = land.places(name)[action.hex, action.city] if own else 0
                return ("station", action.entity, action.hex, price)
            self.play.world.tiles[action.hex] = (action.tile, action.rotation)
            lay = (action.hex, action.tile, action.rotation)
            sides = land.sides_cost(name, lay) if action.entity == "LM" else 0
            kind = "tile" if land.colour(action.hex) == "white" else "upgrade"
            return ("lay", action.entity, action.hex, kind, land.lay_cost(name, lay) if own else sides)
        if isinstance(action, RunRoutes | Answer):
            return ()
        return read(action.__dict__["kind"], action.entity, action.chosen())

    # --- positions ------------------------------------------------------------------------------------------------

    def compare(self) -> None:
        assert self.game.is_over == self.play.over, self._waits()
        if not self.game.is_over and not self.state.proposal:
            assert self._due() == self._waits(), (self._waits(), self._due())
        compare_positions(seen(self.game), said(self.play.world))

    def _due(self) -> tuple[Any, ...]:
        here = self.play.round
        if isinstance(here, OperatingRound):
            return (here.step, here.stock_round, here.number, here.deciding, here.actor)
        return (here.step, 0 if isinstance(here, Draft) else here.number, here.actor)

    def _waits(self) -> tuple[Any, ...]:
        here = self.state.round
        actor: int | None = self.actor()
        if isinstance(here, Operating):
            company = self.company_due
            if company and self.state.companies[company].is_in_receivership:
                actor = None
            return (self.step, here.set, here.number, company, actor)
        return (self.step, here.number if isinstance(here, Stock) else 0, actor)
