"""A second statement of an operating round of 18NewEngland: who operates, and what is left in each step.

What the map allows is not said here: `asked` tells whether a step of track, stations or runs has anything to do.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tests.referees.newengland import money
from tests.referees.newengland.draft import Move
from tests.referees.newengland.forced import Forced, bankrupt, is_forced
from tests.referees.newengland.model import Company, Major, Minor, World
from tests.referees.newengland.stock import sell
from tests.referees.walk import Turns

Asked = Callable[[str, str], bool]
MINOR_STEPS = ("track", "run", "trains")
MAJOR_STEPS = ("track", "token", "run", "dividend", "trains", "issue", "last_chance")
ON_THE_MAP = {"track", "token", "run"}


@dataclass
class Turn:
    company: Company
    steps: list[str]
    """Steps not over yet."""
    laid: list[str] = field(default_factory=list)
    revenue: int = 0
    raised: bool = False
    redeemed: bool = False
    issued: int = 0
    """Shares issued, for which the marker moves when the step ends."""


@dataclass
class OperatingRound(Turns[Turn]):
    world: World
    asked: Asked
    done: list[str] = field(default_factory=list)
    turn: Turn | None = None

    def __post_init__(self) -> None:
        self._next()

    @property
    def crowded(self) -> Company | None:
        return next(money.crowded(self.world), None)

    @property
    def player(self) -> int:
        return self.world.head(self.crowded or self.now.company)

    @property
    def step(self) -> str:
        return "discard" if self.crowded else "excess" if self.excess() else self.now.steps[0]

    def excess(self) -> set[Move]:
        if not self.now.raised:
            return set()
        return Forced(self.world, self.now.company).excess()

    # --- what may be done -----------------------------------------------------------------------------------------

    def moves(self) -> set[Move]:
        if (company := self.crowded) is not None:
            return {("discard", company.name, train) for train in company.trains}
        return set(self._moves(self.now.company)) | self.redemptions()

    def redemptions(self) -> set[Move]:
        """A major may redeem at any time of its turn, until it has issued."""
        company, turn = self.now.company, self.now
        if not isinstance(company, Major) or turn.issued:
            return set()
        return money.redemptions(company)

    def _moves(self, company: Company) -> Iterator[Move]:
        match self.step:
            case "dividend":
                yield from (("dividend", option) for option in ("withhold", "half", "pay"))
            case "excess":
                yield from self.excess()
            case "trains":
                yield from self.train_moves(company)
            case "issue" if isinstance(company, Major) and not self.now.redeemed:
                yield from money.issues(company)

    def train_moves(self, company: Company) -> set[Move]:
        """Purchases; without a train also the ways out of it."""
        if not is_forced(self.world, company):
            alone = not company.trains and isinstance(company, Minor)
            return money.purchases(self.world, company) | ({("liquidate",)} if alone else set())
        forced = Forced(self.world, company)
        # What is sold for a purchase is for the train of the bank.
        others = set() if self.now.raised else money.trades(self.world, company)
        if not isinstance(company, Minor):
            return others | forced.moves() | ({("bankrupt",)} if forced.hopeless else set())
        if forced.hopeless:
            return others | {("liquidate",)}
        return others | forced.moves() | (set() if self.now.raised else {("liquidate",)})

    def may_pass(self) -> bool:
        if self.crowded or self.step in ("dividend", "excess"):
            return False
        return self.step != "trains" or bool(self.now.company.trains)

    def due(self) -> bool:
        if self.step in ("discard", "excess"):
            return True
        if self.step in ON_THE_MAP:
            return self.asked(self.now.company.name, self.step)
        if self.step == "dividend":
            return self.now.revenue > 0
        if self.step == "trains":
            return bool(self.train_moves(self.now.company) - {("liquidate",)})
        if self.step == "last_chance":
            return self._may_still_redeem()
        return bool(set(self._moves(self.now.company)))

    def _may_still_redeem(self) -> bool:
        """A company that was asked about issuing could have redeemed then, and is not asked again."""
        company = self.now.company
        assert isinstance(company, Major)
        asked = bool(money.issues(company)) and not self.now.redeemed
        return not asked and bool(self.redemptions())

    def skip(self) -> None:
        """Steps with nothing to decide are passed over."""
        while not self.over and not self.due():
            self.decline()

    # --- what happens ---------------------------------------------------------------------------------------------

    def play(self, move: Move) -> None:
        company, world = self.now.company, self.world
        match move:
            case ("lay", str(kind), int(cost)):
                self.now.laid.append(kind)
                self._spend(company, cost)
            case ("station", str(coord)):
                assert isinstance(company, Major)
                company.stands.add(coord)
                self._spend(company, company.stations.pop(0))
                self._end_step()
            case ("run", int(revenue)):
                self._run(revenue)
            case ("dividend", str(option)):
                assert isinstance(company, Major)
                money.dividend(world, company, self.now.revenue, option)
                self._end_step()
            case ("redeem", _, int(count)):
                assert isinstance(company, Major)
                self.now.redeemed = True
                money.redeem(world, company, count)
            case ("issue", _, int(fresh), int(old)):
                assert isinstance(company, Major)
                self.now.issued += fresh + old
                money.issue(world, company, fresh, old)
                self._end_step()
            case _:
                self._play_trains(move)

    def _play_trains(self, move: Move) -> None:
        company, world = self.now.company, self.world
        match move:
            case ("train", str(name), str(source), int(price)):
                self.now.raised = False
                if source in ("bank", "pool") and company.cash < price:
                    Forced(world, company).help()
                money.take_train(world, company, name, source, price)
            case ("sell", str(name), int(shares)):
                self.now.raised = True
                sell(world, world.head(company), world.majors[name], shares)
            case ("discard", str(name), str(train)):
                money.discard(world, world.company(name), train)
            case ("liquidate",):
                self._liquidate()
            case ("bankrupt",):
                bankrupt(world, world.head(company), company)
                self._next()

    def _spend(self, company: Company, amount: int) -> None:
        company.cash -= amount
        self.world.pay(-amount)

    def _run(self, revenue: int) -> None:
        company = self.now.company
        self.now.revenue = revenue
        if isinstance(company, Minor):
            money.minor_income(self.world, company, revenue)
        elif revenue == 0:
            money.dividend(self.world, company, 0, "withhold")
            self.now.steps.remove("dividend")
        self._end_step()

    def decline(self) -> None:
        """The step ends without an action."""
        if self.step == "run":
            self._run(0)
        elif self.step == "trains" and not self.now.company.trains and isinstance(self.now.company, Minor):
            self._liquidate()
        else:
            self._end_step()

    def _end_step(self) -> None:
        self.now.steps.pop(0)
        if self.now.steps:
            return
        if isinstance(self.now.company, Major):
            self.world.move(self.now.company, -self.now.issued)
        self._next()

    def _liquidate(self) -> None:
        assert isinstance(self.now.company, Minor)
        self.world.close(self.now.company)
        self._next()

    def _next(self) -> None:
        if self.turn is not None:
            self.done.append(self.turn.company.name)
        name = next((name for name in self.world.order() if name not in self.done), None)
        if name is None:
            self.turn = None
            return
        company = self.world.company(name)
        self.turn = Turn(company, list(MINOR_STEPS if isinstance(company, Minor) else MAJOR_STEPS))
