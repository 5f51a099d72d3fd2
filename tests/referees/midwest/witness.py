"""A random game of 1846, followed by the second statement."""

from collections import Counter
from typing import Any

from engine.core.actions import Action, Answer, BaseAction, LayTile, PlaceToken, RunRoutes, read_action
from engine.core.events.company_events import Ran, TileLaid, TokenPlaced
from engine.core.state import Auction, Operating, Stock
from engine.game import Game
from tests.referees.classic.model import Move
from tests.referees.classic.player import Financier
from tests.referees.midwest.comparison import offered, read, said, seen
from tests.referees.midwest.draft import Draft
from tests.referees.midwest.model import T1846, new_midwest, removals
from tests.referees.midwest.rounds import Play
from tests.referees.midwest.turn import Map, OperatingRound


class Witness:
    """One random game, followed by the second statement."""

    def __init__(self, players: int, seed: int) -> None:
        option = ["", *T1846.options][seed % 3]
        seats = [(f"p{n}", f"Player {n}") for n in range(1, players + 1)]
        self.game = Game("1846", seats, seed, options=frozenset({option} - {""}))
        self.player = Financier(seed)
        self.seen: Counter[str] = Counter()
        self.proposed: Move = ()
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
    def state(self) -> Any:
        """The engine's position."""
        return self.game.table.state

    @property
    def step(self) -> str:
        """The engine's step."""
        step = self.game.step()
        return "" if step is None else step.name

    def follow(self, actions: int) -> None:
        """Play to the end, or far enough."""
        self._compare()
        while not self.game.over and self.game.seq < actions:
            self._look()
            self._act(self.player.choose(self.game))
            self._compare()
        if self.game.over:
            assert self.state.ending.reason == self.play.world.ending
            scores = self.game.scores()
            assert [scores[player] for player, _ in self.game.players] == self.play.scores()

    # --- the map: the engine says what it leaves to do ------------------------------------------------------------

    def _map(self) -> Map:
        return Map(self._asked, self._has_room, self._deck)

    def _asked(self, step: tuple[int, int, str, str]) -> bool:
        here = self.state.round
        if self.game.over or not isinstance(here, Operating) or here.turn is None:
            return False
        return step == (here.set, here.number, here.turn.company, self.step)

    def _has_room(self, private: str) -> bool:
        return any(offer.entity == private for offer in self.game.offers())

    def _deck(self) -> list[str]:
        here = self.state.round
        return list(here.deck) if isinstance(here, Auction) else []

    # --- what may be done, and what is done -----------------------------------------------------------------------

    def _look(self) -> None:
        if self.state.proposal:
            return
        legal, found = self.play.moves(), offered(self.game)
        more, less = found - legal, legal - found
        assert found == legal, (self.step, "only the engine", more, "only the rules", less)
        self.seen[f"{self.step} compared"] += 1

    def _act(self, action: Action) -> None:
        self.seen[action.kind] += 1
        events = self.game.apply(action)
        done = self._read(action, events)
        proposal = self.state.proposal
        if proposal is not None and read_action(proposal.action) == action:
            self.proposed = done
        elif not isinstance(action, Answer):
            self.play.play(done)
        elif action.reply == "agree":
            self.play.play(self.proposed)

    def _read(self, action: BaseAction, events: tuple[Any, ...]) -> Move:
        if isinstance(action, LayTile):
            self.play.world.tiles[action.hex] = (action.tile, action.rotation)
            return ("lay", action.entity, next(e.cost for e in events if isinstance(e, TileLaid)))
        if isinstance(action, PlaceToken):
            cost = next(e.cost for e in events if isinstance(e, TokenPlaced))
            return ("station", action.entity, action.hex, cost)
        if isinstance(action, RunRoutes):
            return ("run", next(e.revenue for e in events if isinstance(e, Ran)))
        kind = action.__dict__["kind"]
        return () if isinstance(action, Answer) else read(kind, action.entity, action.chosen())

    # --- positions ------------------------------------------------------------------------------------------------

    def _compare(self) -> None:
        """The whole position, and who is next."""
        assert self.game.over == self.play.over, self._waits()
        if not self.game.over and not self.state.proposal:
            assert self._due() == self._waits(), (self._waits(), self._due())
        found, expected = seen(self.game), said(self.play.world)
        other = {name: (found.get(name), expected.get(name)) for name in found.keys() | expected.keys()}
        other = {name: pair for name, pair in other.items() if pair[0] != pair[1]}
        assert not other, f"engine, rules: {other}"

    def _due(self) -> tuple[Any, ...]:
        here = self.play.round
        if isinstance(here, OperatingRound):
            return (here.step, here.stock_round, here.number, here.deciding, here.actor)
        return (here.step, 0 if isinstance(here, Draft) else here.number, here.actor)

    def _waits(self) -> tuple[Any, ...]:
        here = self.state.round
        seats = [player for player, _ in self.game.players]
        (name,) = self.game.actors()
        actor: int | None = seats.index(name)
        if isinstance(here, Operating):
            offer = next(offer for offer in self.game.offers() if offer.blocking)
            company = "" if here.turn is None else here.turn.company
            company = offer.entity if self.step == "discard" else company
            if company and self.state.companies[company].in_receivership:
                actor = None
            return (self.step, here.set, here.number, company, actor)
        return (self.step, here.number if isinstance(here, Stock) else 0, actor)
