"""A second statement of an operating round: who operates, and what is left in each step.

What the map allows is not said here: `asked` tells whether a step on the map has anything to do.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from tests.referees.classic import money, shares
from tests.referees.classic.auction import pay_privates
from tests.referees.classic.model import Corporation, Move, World, place_home, take_back
from tests.referees.classic.money import Purchase
from tests.referees.walk import Turns

AWAITED = {"any moment", "but dividend"}
"""Times of powers for which the turn waits."""
STEPS = ("track", "token", "run", "dividend", "trains", "last_chance")
ON_THE_MAP = {"track", "token", "run", "home_choice", "free_token", "seller_lay", "move_station"}


@dataclass
class Map:
    asked: Callable[[tuple[int, int, str, str]], bool]
    """True if a step has something to decide: its set, its round, the company, its name."""
    has_route: Callable[[str, bool], bool]
    """True if a company has a route, or one that obliges it to own a train."""
    may_lay_at_any_moment: Callable[[str], bool]
    """True if this private could lay its tile."""


class Aside(NamedTuple):
    """A decision that comes before anything else, once there is something to decide."""

    step: str
    player: int
    whose: str
    """The company whose token it is about."""


@dataclass
class Turn:
    company: Corporation
    steps: list[str]
    """Steps not over yet."""
    revenue: int = 0
    acted: bool = False
    laid: bool = False
    """True if its own tile is laid."""
    from_bank: int = 0
    sold: set[str] = field(default_factory=set)
    last_price: int | None = None
    aside: list[Aside] = field(default_factory=list)
    """Decisions that come first."""

    def first(self, step: str, player: int | None, whose: str = "") -> None:
        """A decision that comes before the rest of the turn."""
        assert player is not None
        self.aside.append(Aside(step, player, whose))


@dataclass
class OperatingRound(Turns[Turn]):
    world: World
    map: Map
    stock_round: int
    """The number of the stock round before it."""
    number: int
    waiting: list[str] = field(default_factory=list)
    """Companies that have not operated in this round."""
    turn: Turn | None = None
    buys: ClassVar[type[Purchase]] = Purchase
    again: str = ""
    """A private whose power is used, and may be used once more."""

    def __post_init__(self) -> None:
        """Privates pay; companies that have floated operate (R-1830-030, R-1889-030)."""
        pay_privates(self.world)
        self.waiting = [name for name in self.world.order() if self.world.corporations[name].floated]
        if self.world.title.homes_first:
            for name in self.waiting:
                self._place_home(self.world.corporations[name])
        self._next()

    @property
    def untouched(self) -> bool:
        """True if the company in turn has done nothing, and nothing waits."""
        return not (self.crowded or self.now.acted or self.now.aside)

    @property
    def crowded(self) -> Corporation | None:
        """The first company with too many trains."""
        limit = self.world.train_limit
        return next((c for c in self.world.corporations.values() if len(c.trains) > limit), None)

    @property
    def deciding(self) -> Corporation:
        return self.crowded or self.now.company

    @property
    def step(self) -> str:
        if self.crowded:
            return "discard"
        return self.now.aside[0].step if self.now.aside else self.now.steps[0]

    @property
    def actor(self) -> int:
        if not self.crowded and self.now.aside:
            return self.now.aside[0].player
        assert self.deciding.president is not None
        return self.deciding.president

    @property
    def purchase(self) -> Purchase:
        """The train step of the company in turn."""
        turn = self.now
        lacks = not turn.company.trains and self.map.has_route(turn.company.name, False)
        must = lacks and self.map.has_route(turn.company.name, True)
        return self.buys(self.world, turn.company, must, lacks, turn.from_bank, turn.sold, turn.last_price)

    # --- what may be done -----------------------------------------------------------------------------------------

    def moves(self) -> set[Move]:
        """Everything but moves on the map."""
        if self.crowded:
            return {("discard", self.crowded.name, train) for train in self.crowded.trains}
        if self.now.aside and self.step != "free_token":
            return set(self._aside_moves())
        found = {*self._step_moves(), *self.private_purchases()}
        return found | ({("bankrupt",)} if self.purchase.hopeless else set())

    def _aside_moves(self) -> Iterator[Move]:
        """Moves that go before all others."""
        if self.step == "seller_lay":
            yield ("pass",)

    def _step_moves(self) -> Iterator[Move]:
        match self.step:
            case "track" | "token" | "free_token" | "last_chance":
                yield ("pass",)
            case "dividend":
                yield from (("dividend", option) for option in ("withhold", "pay"))
            case "trains":
                yield from self._train_moves()

    def _train_moves(self) -> Iterator[Move]:
        purchase = self.purchase
        yield from purchase.trains()
        yield from purchase.sales()
        if not purchase.bound:
            yield ("pass",)

    def private_purchases(self) -> Iterator[Move]:
        """Privates of players, for half their value or more, in phases 3 and 4 (R-1830-040, R-GA-080)."""
        title, cash = self.world.title, self.now.company.cash
        if not self.world.reached("3") or self.world.reached(title.sold_until):
            return
        for private in self.world.open_privates():
            if isinstance(private.owner, int) and private.name not in title.bound:
                value = title.privates[private.name][0]
                least, most = -(-value // 2), min(cash, value * title.most_percent // 100)
                if least <= most:
                    yield ("private", private.name, ((least, most),))

    def due(self) -> bool:
        """True if the step has something to decide."""
        if self.step == "discard":
            return True
        if self.step in ON_THE_MAP:
            return self._asked(self.now.company, self.step)
        if self.step == "dividend":
            return self.now.revenue > 0
        if self.step == "last_chance":
            return any(self.private_purchases()) or self._late_lay()
        return self.purchase.asks

    def _asked(self, company: Corporation, step: str) -> bool:
        return self.map.asked((self.stock_round, self.number, company.name, step))

    def _late_lay(self) -> bool:
        """A private of the company may still be used (R-1830-051, R-1882-051)."""
        mine = [p for p in self.world.open_privates() if p.owner == self.now.company.name and not p.spent]
        able = [p.name for p in mine if self.world.title.powers.get(p.name) in AWAITED]
        return any(map(self.map.may_lay_at_any_moment, able))

    def skip(self) -> bool:
        """Pass over a step with nothing to decide; true if there was one."""
        idle = not self.over and not self.due()
        if idle:
            self._end_step()
        return idle

    # --- what happens ---------------------------------------------------------------------------------------------

    def play(self, move: Move) -> None:
        world = self.world
        self.now.acted = True
        match move:
            case ("pass",):
                self._end_step()
            case ("lay", str(entity), str(coord), int(cost), int(met)):
                self._lay(entity, coord, cost)
                self._reward(coord, met)
            case ("station", str(entity), str(coord)):
                self._station(entity, coord)
            case ("run", int(revenue), *_):
                self.now.revenue = revenue
                self._end_step()
            case ("dividend", str(option)):
                self._pay(option)
                self.now.steps.pop(0)
            case ("private", str(name), int(price)):
                self._buy_private(name, price)
            case ("bankrupt",):
                money.bankrupt(world, self.purchase, self.step == "trains")
            case _:
                self._play_trains(move)

    def _play_trains(self, move: Move) -> None:
        company, world = self.now.company, self.world
        match move:
            case ("train", str(name), str(source), str(old), int(price)):
                self.now.from_bank += source in ("bank", "pool")
                money.take_train(world, company, name, source, old, price)
                for private in world.open_privates():
                    closer = world.title.closed_by.get(private.name)
                    private.closed = closer is not None and bool(world.corporations[closer].trains)
            case ("sell", str(name), int(count)):
                corporation = world.corporations[name]
                self.now.sold.add(name)
                self.now.last_price = world.price(corporation)
                assert company.president is not None
                shares.sell(world, company.president, corporation, count)
            case ("discard", str(name), str(train)):
                world.corporations[name].trains.remove(train)
                world.give_up(train)

    def _lay(self, entity: str, coord: str, cost: int) -> None:
        """The company pays; after some lays something must be decided at once."""
        company, title = self.now.company, self.world.title
        if entity != company.name:
            self.world.privates[entity].spent = True
        self.now.laid |= entity in (company.name, title.free_token)
        if entity == title.seller_lays:
            self.now.aside.pop(0)
        company.cash -= cost
        self.world.pay(-cost)
        if entity == title.free_token and company.charter:
            self.now.first("free_token", company.president)
        for corporation in self.world.corporations.values():
            if corporation.cityless == coord:
                take_back(corporation)
                self.now.first("home_choice", company.president, corporation.name)

    def _reward(self, coord: str, met: int) -> None:
        """Money for a lay; `met` counts what the map says of it."""

    def _station(self, entity: str, coord: str) -> None:
        """The next token of the charter, free with a private's power; or a home whose city is chosen."""
        company, world = self.now.company, self.world
        if self.step == "home_choice":
            place_home(world, world.corporations[self.now.aside.pop(0).whose], coord)
            return
        price = company.charter.pop(int(company.home_due))
        company.stands.add(coord)
        if self.now.aside:
            self.now.aside.pop(0)
        elif entity == company.name:
            company.cash -= price
            world.pay(-price)
        if entity != company.name and entity != world.title.free_token:
            world.privates[entity].spent = True
        self.now.steps.remove("token")

    def _pay(self, option: str) -> None:
        """The dividend, after which retired trains leave."""
        money.dividend(self.world, self.now.company, self.now.revenue, option)
        self.now.company.retired = []

    def _buy_private(self, name: str, price: int) -> None:
        private, company, title = self.world.privates[name], self.now.company, self.world.title
        assert isinstance(private.owner, int)
        seller = private.owner
        self.world.seats[seller].cash += price
        company.cash -= price
        private.owner = company.name
        if name == title.seller_lays:
            self.now.first("seller_lay", seller)
        gift_open = not self.world.reached("4") and len(company.trains) < self.world.train_limit
        if name == title.train_gift and gift_open:
            company.trains.append("2")
            company.given.append("2")

    def _end_step(self) -> None:
        """The step ends without an action, or nothing is left of it."""
        if self.now.aside:
            self.now.aside.pop(0)
            return
        step = self.now.steps.pop(0)
        if step == "dividend":
            self._pay("withhold")
        if not self.now.steps:
            self._next()

    # --- turns ----------------------------------------------------------------------------------------------------

    def _place_home(self, company: Corporation) -> None:
        if not company.home_due:
            return
        chosen = company.name in self.world.title.chosen_homes
        if chosen and self._asked(company, "home_choice"):
            self.now.first("home_choice", company.president, company.name)
            return
        place_home(self.world, company)
        company.cityless = self.world.title.homes[company.name] if chosen else ""

    def _next(self) -> None:
        if self.turn is not None:
            self.waiting.remove(self.turn.company.name)
        name = next((name for name in self.world.order() if name in self.waiting), None)
        self.turn = None
        if name is None:
            return
        company = self.world.corporations[name]
        self.turn = Turn(company, list(STEPS))
        self._place_home(company)
