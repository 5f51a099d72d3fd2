"""A random game of 18C2C, followed by the second statement."""

from typing import Any

from engine.core.actions import Action, Answer, RunRoutes
from engine.core.state import Merger, Stock
from engine.play.trains.phases import trains_by_charter
from tests.referees.c2c.comparison import move, offered, said, seen
from tests.referees.c2c.mergers import MergerRound
from tests.referees.c2c.model import new_world
from tests.referees.c2c.packet import Move
from tests.referees.c2c.printed import BANK
from tests.referees.c2c.rounds import Map, Play
from tests.referees.c2c.sight import Sight
from tests.referees.c2c.turn import OperatingRound
from tests.referees.walk import Referee, compare_positions
from tests.support.players.c2c_player import Magnate

SHARES = {
    *("buy_share", "sell_shares", "par", "redeem_share", "reissue", "privatize"),
    *("buy_private", "sell_private"),
}
ANY_TIME = {"buy_private", "buy_marker"}
LISTED = {
    "remove_private": {"remove_private"},
    "bid": {"bid"},
    "trade": SHARES,
    "end_of_turn": SHARES,
    "float_tokens": {"buy_tokens"},
    "propose_merger": {"propose_merger"},
    "dividend": {"dividend"} | ANY_TIME,
    "trains": {"buy_train", "sell_shares", "declare_bankruptcy"} | ANY_TIME,
    "discard": {"discard_train"},
    "destination_dividend": {"dividend"} | ANY_TIME,
    **dict.fromkeys(("track", "token", "run", "destination", "last_chance"), ANY_TIME),
}
"""Kinds of action that are compared, by the step that waits."""
STEPS = {"last_chance": "end", "destination_dividend": "destination"}
"""The second statement's names of the engine's steps, where they differ."""
OPTIONS = (("", 6), ("three_eliminations", 3), ("no_eliminations", 0))


class Witness(Referee):
    def __init__(self, players: int, seed: int) -> None:
        option, eliminations = OPTIONS[seed // 5 % len(OPTIONS)]
        super().__init__("18c2c", players, Magnate(seed), seed, option)
        self.waiting = ""
        """The step in which it was proposed."""
        self.sight = sight = Sight(self.game, self.seen, seed)
        world = new_world(players)
        world.priority = self.state.priority
        the_map = Map(sight.joined, sight.route, sight.reaches, sight.missed)
        self.play = sight.play = Play(world, the_map, eliminations)

    def result(self) -> tuple[str, list[int]]:
        return self.play.ending, self.play.scores()

    # --- what may be done -----------------------------------------------------------------------------------------

    def look(self) -> None:
        kinds = LISTED.get(self.step)
        if kinds is not None:
            self.compare_sets(offered(self.game, kinds), self._legal(), self.step)
            self.seen[f"{self.step} compared"] += 1

    def _legal(self) -> set[Move]:
        here = self.play.round
        if isinstance(here, OperatingRound):
            return here.moves(STEPS.get(self.step, self.step))
        deals = set(here.deals()) if self.step in ("trade", "end_of_turn") else set()  # type: ignore[union-attr]
        return here.moves() | deals

    # --- what is done ---------------------------------------------------------------------------------------------

    def act(self, action: Action) -> None:
        step, move = self.waiting or self.step, self._read(action)
        possible = self.sight.destined()
        journey = (
            self.sight.journey(action) if isinstance(action, RunRoutes) and step == "destination" else None
        )
        self.game.apply(action)
        self.waiting = step if self.state.proposal is not None else ""
        if self.waiting:
            self.proposed = move
        elif isinstance(action, Answer):
            self._answered(action, possible)
        elif action.kind == "pass":
            self._pass(step)
        elif journey is not None:
            revenue = self.sight.journey_revenue(journey)
            self.play.play(("goal", *journey.pair, revenue, journey.full))
        elif move:
            self._play(move, possible)

    def _play(self, move: Move, possible: bool) -> None:
        self.play.play(move)
        if move[:2] == ("private", "TBC"):
            self.play.play(("terminals", possible))

    def _answered(self, action: Answer, possible: bool) -> None:
        if action.reply == "agree":
            self._play(self.proposed, possible)
        elif action.reply == "refuse" and isinstance(self.play.round, MergerRound):
            self.play.round.refuse(self.proposed)
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
        sight = self.sight
        match action.kind:
            case "pass" | "answer" | "shuffle":
                return ()
            case "lay_tile":
                return sight.lay(action)
            case "place_token":
                return sight.token(action)
            case "place_bull":
                return sight.bull(action)
            case "place_marker":
                return sight.mark(action)
            case "run_routes":
                return () if self.step == "destination" else ("run", sight.earned(action))
            case _:
                return move(self.game, action.kind, action.entity, action.chosen())

    # --- positions ------------------------------------------------------------------------------------------------

    def compare(self) -> None:
        if self.game.is_over:
            self.play.toward(("over",))
        elif not self.state.proposal and self.step != "first_shuffle":
            self.play.toward(self._where())
            assert not self.play.ending, f"only the rules end the game: {self.play.ending}"
            if isinstance(self.play.round, OperatingRound) and self.step != "discard":
                self.play.round.toward(STEPS.get(self.step, self.step))
        self._shells()
        compare_positions(seen(self.game), said(self.play.world, self.game))
        self._invariants()

    def _invariants(self) -> None:
        """Money is conserved, shares are ten or twenty, and no shell holds more than is allowed."""
        world = self.play.world
        money = sum(seat.cash for seat in world.seats) + sum(c.cash for c in world.corporations.values())
        assert world.bank + money == BANK
        assert all(seat.cash >= 0 for seat in world.seats)
        for corporation in world.open_ones():
            assert corporation.cash >= 0
            places = corporation.offering + corporation.pile + corporation.pool + corporation.redeemed
            assert places + sum(corporation.shares.values()) == corporation.total
            assert corporation.held(corporation.president or 0) >= 2

    def _shells(self) -> None:
        for corporation in self.play.world.open_ones():
            lie = [list(shell) for shell in trains_by_charter(self.state.companies[corporation.name])]
            if sorted(train for shell in lie for train in shell) == sorted(corporation.trains):
                corporation.shells = lie

    def _where(self) -> tuple[Any, ...]:
        here, actor = self.state.round, self.actor()
        if isinstance(here, Stock):
            if self.step in ("bid", "remove_private"):
                return ("packet", here.number, actor)
            return ("stock", here.number, here.acted, actor)
        if isinstance(here, Merger):
            return ("merger", here.set, actor)
        return ("operating", here.set, here.number, self.company_due, actor)
