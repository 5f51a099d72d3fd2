"""A second statement of an operating round of 18C2C: who operates, and what is left in each step."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.referees.c2c import money, nationals, privates, shares, tokens
from tests.referees.c2c.forced import Forced, bankrupt, is_forced
from tests.referees.c2c.model import Corporation, World
from tests.referees.c2c.packet import Move
from tests.referees.c2c.printed import POINTS
from tests.referees.walk import Turns

STEPS = ("track", "token", "shuffle", "run", "dividend", "trains", "destination", "end")
OPTIONS = ("pay", "half", "withhold")


@dataclass
class Turn:
    corporation: Corporation
    steps: list[str] = field(default_factory=lambda: list(STEPS))
    """Steps not over yet."""
    laid: dict[str, int] = field(default_factory=dict)
    """Hexes built in, with their tile points."""
    purse: int = 0
    placed: int = 0
    ran: bool = False
    revenue: int | None = None
    goal: int | None = None
    """Revenue of a destination run not yet paid."""


@dataclass
class OperatingRound(Turns[Turn]):
    world: World
    route: Callable[[str], bool]
    reaches: Callable[[Corporation, tuple[str, str]], bool]
    missed: Callable[[str], set[Any]] = lambda step: set()
    done: list[str] = field(default_factory=list)
    turn: Turn | None = None

    def __post_init__(self) -> None:
        """Privates pay, then the first corporation begins."""
        for corporation in self.world.corporations.values():
            corporation.fresh = False
        money.privates_pay(self.world)
        self._next()

    @property
    def crowded(self) -> Corporation | None:
        return next(money.crowded(self.world), None)

    @property
    def actor(self) -> int:
        president = (self.crowded or self.now.corporation).president
        assert president is not None
        return president

    # --- what may be done -----------------------------------------------------------------------------------------

    def moves(self, step: str) -> set[Move]:
        if (crowded := self.crowded) is not None:
            return {("discard", crowded.name, train) for train in money.over(self.world, crowded)}
        return set(self._moves(step, self.now.corporation)) | self.at_any_time()

    def at_any_time(self) -> set[Move]:
        """Privates and markers (R-C2C-091)."""
        corporation = self.now.corporation
        markers = privates.markers_for_sale(self.world, corporation)
        sold = privates.for_sale(self.world, corporation, track="track" in self.now.steps)
        return {*sold, *markers}

    def _moves(self, step: str, corporation: Corporation) -> Iterator[Move]:
        if self._to_pay(step):
            yield from (("dividend", option) for option in OPTIONS)
        elif step == "trains":
            yield from self.train_moves(corporation)

    def _to_pay(self, step: str) -> int | None:
        return {"dividend": self.now.revenue, "destination": self.now.goal}.get(step)

    def train_moves(self, corporation: Corporation) -> set[Move]:
        """Purchases; with the obligation to own a train also what the president must do."""
        if self._forced(corporation):
            return Forced(self.world, corporation).moves() | money.trades(self.world, corporation)
        return money.purchases(self.world, corporation)

    def may_pass(self, step: str) -> bool:
        if self.crowded or self._to_pay(step):
            return False
        return step != "trains" or not self._must_buy(self.now.corporation)

    def _must_buy(self, corporation: Corporation) -> bool:
        """With a route, no train, and one to be had from bank or pool (R-C2C-212, R-C2C-247)."""
        free = corporation.kind == "national" or corporation.trains or not money.bank_trains(self.world)
        return not free and self.route(corporation.name)

    def _forced(self, corporation: Corporation) -> bool:
        return is_forced(self.world, corporation) and self._must_buy(corporation)

    def goals(self) -> list[tuple[str, str]]:
        """Pairs of home and destination between which a train can run now (R-C2C-180)."""
        corporation = self.now.corporation
        return [pair for pair in corporation.goals if corporation.trains and self.reaches(corporation, pair)]

    def points(self) -> int:
        """Tile points left (R-C2C-100)."""
        return POINTS.get(self.world.phase, 5) - sum(self.now.laid.values())

    def placements(self) -> int:
        """Tokens that may still be placed (R-C2C-130, R-C2C-246)."""
        return (1 if self.now.corporation.kind == "single" else 2) - self.now.placed

    # --- what happens ---------------------------------------------------------------------------------------------

    def play(self, move: Move) -> None:
        corporation, world, turn = self.now.corporation, self.world, self.now
        match move:
            case ("lay", str(by), str(coord), int(points), int(cost), int(purse)):
                turn.laid[coord] = points
                turn.purse -= purse
                self._spend(cost)
                if by == "KTC":
                    world.privates[by].gone = True
            case ("mark", str(name), str(coord)):
                privates.mark(world, corporation, name, coord)
            case ("token", str(coord)):
                turn.placed += 1
                tokens.place(corporation, coord)
            case ("bull", str(coord), full):
                turn.placed += 1
                tokens.place_bull(corporation, coord, full=bool(full))
            case ("run", int(revenue)):
                turn.revenue, turn.ran = revenue, True
                if not revenue:
                    money.dividend(world, corporation, 0, "withhold")
            case ("goal", str(home), str(goal), int(revenue), full):
                tokens.arrive(corporation, (home, goal), full=bool(full))
                turn.goal = revenue
            case ("dividend", str(option)):
                self._dividend(option)
            case _:
                self._play_purchases(move)
        if self.turn is turn and world.corporations[corporation.name] is not corporation:
            self._next()

    def _dividend(self, option: str) -> None:
        turn = self.now
        if turn.goal is not None:
            money.dividend(self.world, turn.corporation, turn.goal, option, destination=True)
            turn.goal = None
            return
        assert turn.revenue is not None
        money.dividend(self.world, turn.corporation, turn.revenue, option)
        turn.revenue = None

    def _play_purchases(self, move: Move) -> None:
        corporation, world = self.now.corporation, self.world
        match move:
            case ("private", str(name), int(price)):
                privates.buy_private(world, corporation, name, price)
            case ("terminals", possible):
                tokens.terminals(corporation, possible=bool(possible))
            case ("marker", str(source)):
                privates.buy_marker(world, corporation, source)
            case ("close", "EPP"):
                world.privates["EPP"].gone, self.now.purse = True, 140
            case ("close", str(name)):
                world.privates[name].gone = world.alone = True
            case ("train", str(name), str(source), int(price)):
                self._take_train(name, source, price)
            case ("sell", str(name), int(count)):
                shares.sell(world, self.actor, world.corporations[name], count)
            case ("discard", str(name), str(train)):
                money.discard(world, world.corporations[name], train)
            case ("bankrupt",):
                bankrupt(world, self.actor)
                self.turn = None

    def _take_train(self, name: str, source: str, price: int) -> None:
        corporation, world = self.now.corporation, self.world
        if source in ("bank", "pool") and corporation.cash < price:
            Forced(world, corporation).help()
        phase = money.take_train(world, corporation, name, source, price)
        if not phase:
            return
        lost = [c.name for c in money.rust(world, phase)]
        operated = any(old in self.done for old in lost)
        assert corporation.president is not None
        national = nationals.form(world, phase, lost, corporation.president) if lost else ""
        if national and operated:
            self.done.append(national)

    def _spend(self, amount: int) -> None:
        self.now.corporation.cash -= amount
        self.world.pay(-amount)

    def end_step(self, step: str) -> None:
        if step == "track":
            privates.track_over(self.world, self.now.corporation)
        self.now.steps = self.now.steps[self.now.steps.index(step) + 1 :]

    def toward(self, step: str) -> None:
        """On to a step of the same turn; what is passed over may have left nothing to decide."""
        assert step in self.now.steps, f"{step} is over, {self.now.steps} are left"
        while step in self.now.steps and self.now.steps[0] != step:
            self._idle_step()

    def idle_turn(self, there: object) -> None:
        """The turn is over as nothing is left to decide in it."""
        turn = self.turn
        while self.now.steps:
            self._idle_step(there)
            if self.turn is not turn:
                return
        self.end_turn()

    def _idle_step(self, there: object = "") -> None:
        turn, step, name = self.turn, self.now.steps[0], self.now.corporation.name
        left = set(self._moves(step, self.now.corporation))
        assert not left, f"{name} may in {step} {sorted(left, key=str)[:5]}, engine: {there}"
        if step == "run" and self.now.revenue is None and not self.now.ran:
            self.play(("run", 0))
            if self.turn is not turn:
                return
        assert not (missed := self.missed(step)), f"{name} may in {step} {missed}, engine: {there}"
        if step == "destination":
            assert not self.goals(), f"{name} may run to {self.goals()}, engine: {there}"
        assert self.may_pass(step), f"{name} may not pass in {step}, engine: {there}"
        self.end_step(step)

    def end_turn(self) -> None:
        """The next corporation, as prices stand now (R-C2C-090)."""
        self.now.corporation.operated = True
        self._next()

    def _next(self) -> None:
        if self.turn is not None:
            self.done.append(self.turn.corporation.name)
        for name in self.world.order():
            corporation = self.world.corporations[name]
            if name in self.done or not corporation.floated:
                continue
            self.turn = Turn(corporation)
            if corporation.home_due:
                tokens.take_home(corporation)
            return
        self.turn = None
